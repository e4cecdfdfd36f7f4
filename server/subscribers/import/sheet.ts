import { readAddress } from '../address.ts'
import {
  delimiters as allDelimiters,
  type delimiters,
  type FileRefusal,
  importLimits,
  type Sheet,
  type Target,
} from './contract.ts'
import { type CsvRow, CsvRows, TooManyBroken } from './csv-rows.ts'
import { DayEvidence, isoOf } from './day-order.ts'
import type { Encoding } from './file/contract.ts'
import { recognise } from './presets.ts'
import { readYesNo } from './read-row.ts'
import { anyTime, readTime } from './read-time.ts'

type Delimiter = (typeof delimiters)[number]

/** Why no row of a file can be read. */
export class RefusedFile extends Error {
  constructor(
    readonly code: FileRefusal['code'],
    readonly line: number | null = null,
  ) {
    super(code)
  }
}

/** What files of other kinds begin with, in hexadecimal. */
const signatures: [FileRefusal['code'], string[]][] = [
  // xlsx and ods are ZIP files too; the owner has to be told what to do, and for both it is to look inside.
  ['archive', ['1f8b', '425a68', '377abcaf', '526172211a07', 'fd377a585a00', '28b52ffd', '504b0506']],
  ['spreadsheet', ['d0cf11e0a1b11ae1']],
  ['binary', ['25504446', '89504e47', 'ffd8ff', '47494638', '7f454c46', '4d5a9000', '00000100']],
]
/** Names of files inside a ZIP file that is a workbook. */
const WORKBOOK = /xl\/|\[Content_Types\]\.xml|mimetypeapplication\/vnd\.oasis/

/** Characters of the beginning that decide about delimiter and header. */
const READ_CHARACTERS = 200_000
const READ_ROWS = 100
const EXAMPLE_LENGTH = 80
const SAMPLES = 6

/**
 * Finds out how a file is to be read, from its beginning.
 *
 * @param head up to 4 MB of the file
 * @param known whether this is all of it, the custom fields, and the encoding when somebody chose one
 * @throws RefusedFile
 */
export function readSheet(head: Buffer, { isWhole, fields, ...known }: Known): Sheet {
  if (head.length === 0) throw new RefusedFile('empty')
  refuseOtherKinds(head)
  const encoding = known.encoding ?? encodingOf(head)
  const text = beginningOf(head, encoding)
  if (text.trim() === '') throw new RefusedFile('empty')
  const delimiter = delimiterOf(text)
  const allRows = beginningRows(text, delimiter, isWhole && text.length < READ_CHARACTERS)
  const rows = allRows.slice(0, READ_ROWS + 1)
  const first = rows[0]
  if (!first) throw new RefusedFile(text.length > importLimits.rowLength ? 'line_too_long' : 'empty')
  if (first.fault) throw new RefusedFile(first.fault, first.line)
  if (first.cells.length > importLimits.columns) throw new RefusedFile('too_many_columns')
  const hasHeader = !first.cells.some((cell) => readAddress(cell) !== null)
  const allBody = allRows.slice(hasHeader ? 1 : 0).filter(({ fault }) => fault === null)
  const body = allBody.slice(0, READ_ROWS)
  if (body.length === 0) throw new RefusedFile('only_header')
  const names = hasHeader ? first.cells.map(shortened) : first.cells.map((_, at) => String(at + 1))
  const { preset, targets } = recognise(hasHeader ? names : [], fields)
  const columns = names.map((name, at) => {
    const filled = body.filter(({ cells }) => cells[at]?.trim())
    const { order, unproven } = evidenceOf(allBody, at)
    const example = (filled.find(({ cells }) => hasLetters(cells[at])) ?? filled[0])?.cells[at] ?? ''
    return {
      name,
      example: unproven?.cell ?? shortened(example),
      days: unproven ? ('unproven' as const) : order,
      filled: Math.round((filled.length * 100) / body.length),
      target: asAnswered(targets, at, preset === null ? filled.map(({ cells }) => cells[at]?.trim() ?? '') : []),
    }
  })
  const hasAddress = columns.some(({ target }) => target.to === 'email')
  if (!hasAddress) nameAddresses(columns, body)
  return { encoding, delimiter, hasHeader, preset, samples: samplesOf(allRows), columns }
}

interface Known {
  isWhole: boolean
  fields: { key: string; label: string }[]
  encoding?: Encoding
}

/** What a column becomes by its name, unless that is a yes or no and its cells are something else, such as the days on which people left. */
function asAnswered(targets: Target[], at: number, cells: string[]): Target {
  const target = targets[at] ?? { to: 'skip' as const }
  const isAnswer = target.to === 'has_left' || target.to === 'is_subscribed'
  if (!isAnswer || cells.every((cell) => readYesNo(cell) !== null)) return target
  const isDays = cells.every((cell) =>
    readTime(isoOf(cell, 'day_first') ?? isoOf(cell, 'month_first') ?? cell, anyTime),
  )
  const isFree = !targets.some(({ to }) => to === 'left')
  return target.to === 'has_left' && isDays && isFree ? { to: 'left' } : { to: 'skip' }
}

function evidenceOf(rows: CsvRow[], column: number): DayEvidence {
  const evidence = new DayEvidence()
  for (const { cells, line } of rows) evidence.add((cells[column] ?? '').trim(), { line, column })
  return evidence
}

/** Letters that encodings write differently, and what stands in for bytes that one does not have. */
const hasLetters = (cell: string | undefined) => /[^\0-\x7F]/.test(cell ?? '')

/** The first cells with such letters, each once. */
function samplesOf(rows: CsvRow[]): string[] {
  const samples = new Set<string>()
  for (const { cells } of rows) {
    for (const cell of cells) if (hasLetters(cell)) samples.add(shortened(cell))
    if (samples.size >= SAMPLES) break
  }
  return [...samples].filter((cell) => cell !== '').slice(0, SAMPLES)
}

/** Where no name says so, the addresses are in the column that has most of them. */
function nameAddresses(columns: Sheet['columns'], rows: CsvRow[]): void {
  const counts = columns.map((_, at) => rows.filter(({ cells }) => readAddress(cells[at] ?? '')).length)
  const most = Math.max(...counts)
  const column = columns[counts.indexOf(most)]
  if (most > 0 && most >= rows.length / 2 && column) column.target = { to: 'email' }
}

/** @throws RefusedFile */
function refuseOtherKinds(head: Buffer): void {
  const begins = head.subarray(0, 16).toString('hex')
  if (begins.startsWith('504b0304')) {
    throw new RefusedFile(WORKBOOK.test(head.subarray(0, 8_000).toString('latin1')) ? 'spreadsheet' : 'archive')
  }
  for (const [code, starts] of signatures) {
    if (starts.some((start) => begins.startsWith(start))) throw new RefusedFile(code)
  }
}

/** By its byte order mark, by the zeros between the letters of UTF-16, as UTF-8 when it is valid, and otherwise as one of the two that spreadsheets wrote before. @throws RefusedFile */
function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const sample = head.subarray(0, 65_536)
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length / 5 && even < odd / 10) return 'utf-16le'
  if (even > sample.length / 5 && odd < even / 10) return 'utf-16be'
  if (even + odd > 0) throw new RefusedFile('binary')
  if (isUtf8(head)) return 'utf-8'
  return looksMacRoman(head) ? 'macintosh' : 'windows-1252'
}

/** Ten characters that fit for each that does not: one wrong byte makes no other encoding of a file. */
function isUtf8(head: Buffer): boolean {
  const text = new TextDecoder('utf-8').decode(head, { stream: true })
  const wrong = text.match(/\uFFFD/g)?.length ?? 0
  return wrong === 0 || (text.match(/[^\0-\x7F\uFFFD]/g)?.length ?? 0) > wrong * 10
}

/**
 * The bytes of é, è, à, ç, ê, ô in MacRoman are control characters or rare signs in windows-1252, and the other way round those of
 * windows-1252 are capitals or signs in MacRoman. Letters that stand between other letters decide.
 */
function looksMacRoman(head: Buffer): boolean {
  const count = (bytes: number[]) => {
    let found = 0
    for (let at = 1; at < head.length; at++) {
      if (bytes.includes(head[at] ?? 0) && isLetter(head[at - 1] ?? 0)) found += 1
    }
    return found
  }
  const mac = count([0x8e, 0x8f, 0x88, 0x8d, 0x90, 0x99, 0x95, 0x9e])
  const windows = count([0xe9, 0xe8, 0xe0, 0xe7, 0xea, 0xf4, 0xef, 0xfb])
  return mac > windows
}

const isLetter = (byte: number) => (byte | 32) >= 97 && (byte | 32) <= 122

/** The characters that decide how a file is read, without the byte order mark. */
export const beginningOf = (head: Buffer, encoding: Encoding): string =>
  new TextDecoder(encoding).decode(head, { stream: true }).slice(0, READ_CHARACTERS)

/** The one that splits the first rows into the same number of cells, and into most. */
function delimiterOf(text: string): Delimiter {
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of allDelimiters) {
    const widths = beginningRows(text, delimiter, false)
      .slice(0, READ_ROWS + 1)
      .filter(({ fault }) => fault === null)
      .map(({ cells }) => cells.length)
    const width = widths[0] ?? 1
    const score = width < 2 ? 0 : (widths.filter((each) => each === width).length / widths.length) * 1_000 + width
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

function beginningRows(text: string, delimiter: string, isWhole: boolean): CsvRow[] {
  const rows = new CsvRows(delimiter, lineEndOf(text))
  try {
    const read = rows.push(text)
    return read.length >= READ_ROWS || !isWhole ? [...read, ...restOf(rows, read)] : [...read, ...rows.end()]
  } catch (error) {
    if (error instanceof TooManyBroken) throw new RefusedFile('broken_quotes', error.line)
    throw error
  }
}

/** A file of one line without an end has a row nevertheless. */
const restOf = (rows: CsvRows, read: CsvRow[]): CsvRow[] => (read.length === 0 ? rows.end() : [])

/** CR alone ends the lines of files without LF. */
export const lineEndOf = (text: string): '\n' | '\r' => (!text.includes('\n') && text.includes('\r') ? '\r' : '\n')

const shortened = (cell: string): string =>
  cell
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')
    .trim()
    .slice(0, EXAMPLE_LENGTH)
