import { joined, type Segments } from './segments.ts'

/** Beside the `=` that ends it softly: lines are 76 characters at most (RFC 2045 section 6.7). */
const ROOM = 75
const NEAR = 20
const SOFT = '=\r\n'
const [TAB, LF, SPACE, DOT, EQUALS, F, TILDE] = [9, 10, 32, 46, 61, 70, 126] as const

/**
 * Quoted-printable (RFC 2045 section 6.7) of a text and its slots. No line begins with a dot, so SMTP need not stuff any,
 * nor with `From `, which mail programs of old change; none ends in white space. A slot of known width stands in the line;
 * before and after one of unknown width the line ends softly.
 */
export function quotedPrintable<Reader>(pieces: Segments<Reader>): Segments<Reader> {
  const encoded: Segments<Reader> = []
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
  const bytes = Buffer.from(text.replaceAll(/\r\n?/g, '\n'))
  let done = ''
  let line = ''
  let before = column
  bytes.forEach((byte, index) => {
    if (byte === LF) {
      done += `${line}\r\n`
      line = ''
      before = 0
      return
    }
    const next = bytes[index + 1]
    const ends = next === LF || (next === undefined && last)
    const sign = isPlain(byte) && !(isBlank(byte) && ends) ? String.fromCharCode(byte) : hex(byte)
    if (before + line.length + sign.length > ROOM) {
      const end = softEnd(line)
      done += line.slice(0, end) + SOFT
      line = line.slice(end)
      before = 0
    }
    const begins = before + line.length === 0
    line += begins && (byte === DOT || (byte === F && beginsFrom(bytes, index))) ? hex(byte) : sign
  })
  return { text: done + line, column: before + line.length }
}

/** Where a line that is full ends: after its last word if that is near, so that people can read the source. */
function softEnd(line: string): number {
  const end = line.lastIndexOf(' ') + 1
  return end > line.length - NEAR && !/[.F]/.test(line.charAt(end)) ? end : line.length
}

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB
const isPlain = (byte: number): boolean => (byte >= SPACE && byte <= TILDE && byte !== EQUALS) || byte === TAB

const beginsFrom = (bytes: Buffer, index: number): boolean => bytes.toString('latin1', index, index + 5) === 'From '

export const hex = (byte: number): string => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
