import { wireText } from './address.ts'
import { hex, oneLine } from './quoted-printable.ts'

/** A header field's name and its value, already encoded and folded. */
export type Field = [name: string, value: string]

/** RFC 5322 section 2.2: each field on its lines, without the empty line that ends them all. */
export const headerBlock = (fields: Field[]): string =>
  fields.map(([name, value]) => (value === '' ? `${name}:\r\n` : `${name}: ${value}\r\n`)).join('')

const ROOM = 76
const FOLD = '\r\n '

/** RFC 5322 section 3.3, in UTC. */
export const dateTime = (date: Date): string => date.toUTCString().replace('GMT', '+0000')

/**
 * Words in a field such as Subject, as they are where they are ASCII and fold, else in encoded words (RFC 2047).
 * `name` is the field's, whose letters take room on the first line.
 */
export function words(name: string, text: string): string {
  const line = clean(text)
  return folded(line, name.length + 2) ?? encodedWords(line, name.length + 2)
}

/** A name and what stands in angle brackets after it. A name that is plain and short is quoted, else in encoded words. */
export function mailbox(field: string, name: string, address: string): string {
  const phrase = phraseOf(field, name)
  const angle = `<${wireText(address)}>`
  if (phrase === '') return angle
  const used = phrase.includes(FOLD) ? phrase.length - phrase.lastIndexOf(FOLD) - 2 : field.length + 2 + phrase.length
  return phrase + (used + angle.length < ROOM ? ' ' : FOLD) + angle
}

function phraseOf(field: string, name: string): string {
  const line = clean(name)
  if (line === '') return ''
  const quoted = `"${line.replaceAll(/[\\"]/g, '\\$&')}"`
  const fits = /^[ -~]*$/.test(line) && !line.includes('=?') && field.length + 2 + quoted.length <= ROOM
  return fits ? quoted : encodedWords(line, field.length + 2)
}

const clean = (text: string): string => oneLine(text).trim()

/** Folded at single spaces; null where the text cannot stand as it is. */
function folded(line: string, column: number): string | null {
  if (!/^[!-~]*( [!-~]+)*$/.test(line) || line.includes('=?')) return null
  const [first = '', ...others] = line.split(' ')
  if (column + first.length > ROOM || others.some(({ length }) => length >= ROOM)) return null
  let text = first
  let at = column + first.length
  for (const word of others) {
    const fits = at + 1 + word.length <= ROOM
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

/** Each holds whole characters only (RFC 2047 section 5), and what readers see as one sign stays together where it fits. */
function encodedWords(line: string, column: number): string {
  const all = Buffer.from(line)
  const encoding = byQ.size(all) <= byB.size(all) ? byQ : byB
  const frame = `=?UTF-8?${encoding.sign}??=`.length
  const encodedWord = (bytes: Buffer) => `=?UTF-8?${encoding.sign}?${encoding.encode(bytes)}?=`
  const done: string[] = []
  let bytes = Buffer.alloc(0)
  for (const letter of lettersOf(line)) {
    const room = ROOM - frame - (done.length === 0 ? column : 1)
    const longer = Buffer.concat([bytes, Buffer.from(letter)])
    if (bytes.length > 0 && encoding.size(longer) > room) {
      done.push(encodedWord(bytes))
      bytes = Buffer.from(letter)
    } else bytes = longer
  }
  return [...done, encodedWord(bytes)].join(FOLD)
}

const segments = new Intl.Segmenter('en', { granularity: 'grapheme' })
const LONGEST = 18

const lettersOf = (line: string): string[] =>
  [...segments.segment(line)].flatMap(({ segment }) =>
    Buffer.byteLength(segment) > LONGEST ? [...segment] : [segment],
  )
