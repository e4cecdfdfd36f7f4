import { joined, type Segments } from './segments.ts'

/** Lines have at most 76 characters (RFC 2045 section 6.7), of which a soft line break takes one. */
const MAX_COLUMN = 75
/** How much shorter a line may be so that it ends after a word. */
const MAX_WORD_BREAK = 20
const SOFT_LINE_BREAK = '=\r\n'
const [TAB, LF, SPACE, DOT, EQUALS, F, TILDE] = [9, 10, 32, 46, 61, 70, 126] as const

/**
 * Encodes a text with its placeholders as quoted-printable (RFC 2045 section 6.7). No line begins with a dot, so SMTP does
 * not have to add one. No line begins with `From `, which old mail programs change. No line ends in white space. A
 * placeholder of known width stays in its line. One of unknown width has a soft line break before and after it.
 */
export function quotedPrintable(segments: Segments): Segments {
  const encoded: Segments = []
  let column = 0
  segments.forEach((segment, index) => {
    if (typeof segment === 'string') {
      const lines = encodeText(segment, column, index === segments.length - 1)
      encoded.push(lines.text)
      column = lines.column
      return
    }
    if (column > (segment.width === null ? 0 : MAX_COLUMN - segment.width)) {
      encoded.push(SOFT_LINE_BREAK)
      column = 0
    }
    encoded.push(segment)
    column = segment.width === null ? MAX_COLUMN : column + segment.width
  })
  return joined(encoded)
}

const PLAIN = /^(?![.F])[ -<>-~]{0,75}(?<! )$/

/** Encodes the value of a placeholder of unknown width. A value is one line, so control characters become a space. */
export function encodeValue(value: string): string {
  if (PLAIN.test(value)) return value
  return encodeText(oneLine(value), 0, true).text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
export const oneLine = (text: string): string => text.replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')

/**
 * @param column how many characters the line already has
 * @param last whether a line end follows the text
 */
function encodeText(text: string, column: number, last: boolean): { text: string; column: number } {
  const bytes = Buffer.from(text.replaceAll(/\r\n?/g, '\n'))
  const done: string[] = []
  let line = ''
  let before = column
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte === LF) {
      done.push(line, '\r\n')
      line = ''
      before = 0
      continue
    }
    let sign = signs[byte] ?? ''
    if (byte === SPACE || byte === TAB) {
      const next = bytes[index + 1]
      if (next === LF || (next === undefined && last)) sign = hex(byte)
    }
    if (before + line.length + sign.length > MAX_COLUMN) {
      const end = softEnd(line)
      done.push(line.slice(0, end), SOFT_LINE_BREAK)
      line = line.slice(end)
      before = 0
    }
    const begins = before + line.length === 0
    line += begins && (byte === DOT || (byte === F && beginsFrom(bytes, index))) ? hex(byte) : sign
  }
  done.push(line)
  return { text: done.join(''), column: before + line.length }
}

/** Where a full line is broken: after its last word when that is near, so that people can read the source. */
function softEnd(line: string): number {
  const end = line.lastIndexOf(' ') + 1
  return end > line.length - MAX_WORD_BREAK && !/[.F]/.test(line.charAt(end)) ? end : line.length
}

const isPlain = (byte: number): boolean => (byte >= SPACE && byte <= TILDE && byte !== EQUALS) || byte === TAB

const beginsFrom = (bytes: Buffer, index: number): boolean => bytes.toString('latin1', index, index + 5) === 'From '

export const hex = (byte: number): string => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** What stands for each byte in the middle of a line: a long mail has millions of them. */
const signs = Array.from({ length: 256 }, (_, byte) => (isPlain(byte) ? String.fromCharCode(byte) : hex(byte)))
