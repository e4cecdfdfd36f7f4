import { joined, type Pieces } from './pieces.ts'

/** Beside the `=` that ends it softly: lines are 76 characters at most (RFC 2045 section 6.7). */
const ROOM = 75
const SOFT = '=\r\n'
const [TAB, LF, SPACE, DOT, EQUALS, F, TILDE] = [9, 10, 32, 46, 61, 70, 126] as const

/**
 * Quoted-printable (RFC 2045 section 6.7) of a text and its slots. No line begins with a dot, so SMTP need not stuff any,
 * nor with `From `, which mail programs of old change; none ends in white space. A slot of known width stands in the line;
 * before and after one of unknown width the line ends softly.
 */
export function quotedPrintable<Reader>(pieces: Pieces<Reader>): Pieces<Reader> {
  const encoded: Pieces<Reader> = []
  let column = 0
  pieces.forEach((piece, index) => {
    if (typeof piece === 'string') {
      const lines = encodeText(piece, column, index === pieces.length - 1)
      encoded.push(lines.text)
      column = lines.column
      return
    }
    if (column > (piece.width === null ? 0 : ROOM - piece.width)) {
      encoded.push(SOFT)
      column = 0
    }
    encoded.push(piece)
    column = piece.width === null ? ROOM : column + piece.width
  })
  return joined(encoded)
}

const PLAIN = /^(?![.F])[ -<>-~]{0,75}(?<! )$/

/** What stands in a slot of unknown width: control characters become a space, since a value is one line. */
export function encodeValue(value: string): string {
  if (PLAIN.test(value)) return value
  return encodeText(oneLine(value), 0, true).text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
export const oneLine = (text: string): string => text.replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')

/** `column`: where the line stands; `last`: whether a line end follows. */
function encodeText(text: string, column: number, last: boolean): { text: string; column: number } {
  const bytes = Buffer.from(text.toWellFormed().replaceAll(/\r\n?/g, '\n'))
  let encoded = ''
  let at = column
  bytes.forEach((byte, index) => {
    if (byte === LF) {
      encoded += '\r\n'
      at = 0
      return
    }
    const next = bytes[index + 1]
    const ends = next === LF || (next === undefined && last)
    const size = isPlain(byte) && !((byte === SPACE || byte === TAB) && ends) ? 1 : 3
    if (at + size > ROOM) {
      encoded += SOFT
      at = 0
    }
    const escaped = size === 3 || (at === 0 && (byte === DOT || (byte === F && beginsFrom(bytes, index))))
    encoded += escaped ? hex(byte) : String.fromCharCode(byte)
    at += escaped ? 3 : 1
  })
  return { text: encoded, column: at }
}

const isPlain = (byte: number): boolean => (byte >= SPACE && byte <= TILDE && byte !== EQUALS) || byte === TAB

const beginsFrom = (bytes: Buffer, index: number): boolean => bytes.toString('latin1', index, index + 5) === 'From '

export const hex = (byte: number): string => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
