import { wireText } from './address.ts'
import { hex, oneLine } from './quoted-printable.ts'

/** A header field's name and its value, already encoded and folded. */
export type Field = [name: string, value: string]

/** The lines of all fields (RFC 5322 section 2.2), without the empty line that ends the header. */
export const headerBlock = (fields: Field[]): string =>
  fields.map(([name, value]) => (value === '' ? `${name}:\r\n` : `${name}: ${value}\r\n`)).join('')

const MAX_LINE = 76
const FOLD = '\r\n '

/** A date and time as RFC 5322 section 3.3 writes it, in UTC. */
export const dateTime = (date: Date): string => date.toUTCString().replace('GMT', '+0000')

/**
 * The text of a field such as Subject. It stays unchanged when it is ASCII and can be folded. Otherwise it becomes encoded
 * words (RFC 2047).
 * @param name the field's name, which takes space on the first line
 */
export function words(name: string, text: string): string {
  const line = clean(text)
  return folded(line, name.length + 2) ?? encodedWords(line, name.length + 2)
}

/** A name and an address in angle brackets. A short ASCII name is quoted; any other name becomes encoded words. */
export function mailbox(field: string, name: string, address: string): string {
  const phrase = phraseOf(field, name)
  const angle = `<${wireText(address)}>`
  if (phrase === '') return angle
  const used = phrase.includes(FOLD) ? phrase.length - phrase.lastIndexOf(FOLD) - 2 : field.length + 2 + phrase.length
  return phrase + (used + angle.length < MAX_LINE ? ' ' : FOLD) + angle
}

function phraseOf(field: string, name: string): string {
  const line = clean(name)
  if (line === '') return ''
  const quoted = `"${line.replaceAll(/[\\"]/g, '\\$&')}"`
  const fits = /^[ -~]*$/.test(line) && !line.includes('=?') && field.length + 2 + quoted.length <= MAX_LINE
  return fits ? quoted : encodedWords(line, field.length + 2)
}

const clean = (text: string): string => oneLine(text).trim()

/** Folds at single spaces. @returns null when the text has to be encoded */
function folded(line: string, column: number): string | null {
  if (!/^[!-~]*( [!-~]+)*$/.test(line) || line.includes('=?')) return null
  const [first = '', ...others] = line.split(' ')
  if (column + first.length > MAX_LINE || others.some(({ length }) => length >= MAX_LINE)) return null
  let text = first
  let at = column + first.length
  for (const word of others) {
    const fits = at + 1 + word.length <= MAX_LINE
    text += (fits ? ' ' : FOLD) + word
    at = (fits ? at : 0) + 1 + word.length
  }
  return text
}

type Encoding = { sign: 'Q' | 'B'; size: (bytes: Buffer) => number; encode: (bytes: Buffer) => string }

const isQuotable = (byte: number): boolean => /[A-Za-z0-9!*+/ -]/.test(String.fromCharCode(byte))

const byQ: Encoding = {
  sign: 'Q',
  size: (bytes) => bytes.reduce((size, byte) => size + (isQuotable(byte) ? 1 : 3), 0),
  encode: (bytes) =>
    Array.from(bytes, (byte) => (isQuotable(byte) ? String.fromCharCode(byte) : hex(byte)))
      .join('')
      .replaceAll(' ', '_'),
}
const byB: Encoding = {
  sign: 'B',
  size: (bytes) => Math.ceil(bytes.length / 3) * 4,
  encode: (bytes) => bytes.toString('base64'),
}

/** Each encoded word contains whole characters (RFC 2047 section 5), and whole graphemes when they are short enough. */
function encodedWords(line: string, column: number): string {
  const all = Buffer.from(line)
  const encoding = byQ.size(all) <= byB.size(all) ? byQ : byB
  const frame = `=?UTF-8?${encoding.sign}??=`.length
  const encodedWord = (bytes: Buffer) => `=?UTF-8?${encoding.sign}?${encoding.encode(bytes)}?=`
  const done: string[] = []
  let bytes = Buffer.alloc(0)
  for (const grapheme of graphemesOf(line)) {
    const available = MAX_LINE - frame - (done.length === 0 ? column : 1)
    const longer = Buffer.concat([bytes, Buffer.from(grapheme)])
    if (bytes.length > 0 && encoding.size(longer) > available) {
      done.push(encodedWord(bytes))
      bytes = Buffer.from(grapheme)
    } else bytes = longer
  }
  return [...done, encodedWord(bytes)].join(FOLD)
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const MAX_GRAPHEME_BYTES = 18

const graphemesOf = (line: string): string[] =>
  [...graphemes.segment(line)].flatMap(({ segment }) =>
    Buffer.byteLength(segment) > MAX_GRAPHEME_BYTES ? [...segment] : [segment],
  )
