import { pipeline, type Readable } from 'node:stream'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ShownIds } from '../http/shown-ids.ts'
import type { Language } from '../languages.ts'
import { readInTime } from './read-in-time.ts'

/** Where a spreadsheet could see a formula: at the beginning of a value, or after what some spreadsheets take for the end of one. */
const BEGINNING = '(^|[;\\r\\n])'
/** What begins one, also behind quotes and spaces, which spreadsheets may take off (OWASP, CSV injection). */
const FORMULA = '["\' ]*[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\\t]'

/**
 * SQL for a text as CSV that no spreadsheet runs: an apostrophe is put before each beginning of a formula, and `withoutGuard` takes
 * it away again. docs/export.md says this for others.
 */
export const harmless = (column: string): string =>
  `case when ${column} ~ ${pg.escapeLiteral(BEGINNING + FORMULA)}
    then regexp_replace(${column}, ${pg.escapeLiteral(`${BEGINNING}(?=${FORMULA})`)}, E'\\\\1''', 'g') else ${column} end`

const UNGUARDED = new RegExp(`${BEGINNING}(?=${FORMULA})`, 'g')

/** How spreadsheets of a language read CSV. docs/decisions/csv-for-spreadsheets.md says why a file follows it. */
const sheets: Record<Language, { delimiter: ',' | ';'; decimal: '.' | ',' }> = {
  en: { delimiter: ',', decimal: '.' },
  fr: { delimiter: ';', decimal: ',' },
}
/** Without it, spreadsheets read UTF-8 as an older encoding. */
const BYTE_ORDER_MARK = '\uFEFF'

type Value = string | number | null
type Rows = readonly (readonly Value[])[]

/**
 * Rows as CSV (RFC 4180), with texts made harmless as `harmless` makes them.
 *
 * @param sheet the language of the spreadsheet that opens it; none: for programs, with commas and points
 */
export const csvText = (rows: Rows, sheet?: Language): string =>
  `${sheet ? BYTE_ORDER_MARK : ''}${csvLines(rows, sheet)}`

/** The same for rows that follow others. */
export const csvLines = (rows: Rows, sheet?: Language): string =>
  rows.map((row) => `${row.map((value) => csvValue(value, sheet)).join(sheets[sheet ?? 'en'].delimiter)}\n`).join('')

function csvValue(value: Value, sheet: Language = 'en'): string {
  const { delimiter, decimal } = sheets[sheet]
  if (value === null) return ''
  if (typeof value === 'number') return String(value).replace('.', decimal)
  const text = value.replaceAll(UNGUARDED, "$1'")
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** SQL for a number as a spreadsheet of a language reads it. */
export const decimalIn = (number: string, sheet: Language = 'en'): string =>
  `replace((${number})::text, '.', ${pg.escapeLiteral(sheets[sheet].decimal)})`

const GUARDED = new RegExp(`${BEGINNING}'(?=${FORMULA})`, 'g')

/** The value from which `harmless` made this text. */
export const withoutGuard = (text: string): string => text.replaceAll(GUARDED, '$1')

/** SQL for a time as CSV: ISO 8601 in UTC, to the microsecond. */
export const utc = (column: string): string => `replace((${column} at time zone 'utc')::text, ' ', 'T') || 'Z'`

/**
 * SQL with its values as literals, for statements that take no parameters, such as `copy`.
 *
 * @throws Error when a value is not a text, number or boolean
 */
export const withValues = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): string =>
  sql.replaceAll(/\$(\d+)/g, (_, place: string) => literal(parameters[Number(place) - 1]))

function literal(value: unknown): string {
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`a ${typeof value} cannot be written as a literal`)
}

/**
 * Streams the rows of a query from PostgreSQL as CSV (RFC 4180, UTF-8, with a line of names), as `csvText` writes it for a spreadsheet.
 *
 * @param shownIds for rows with ids of subscribers, which become those that members see, also where another server's answer repeats
 * one; without it, the bytes of PostgreSQL pass through unread
 * @param select SQL without parameters; `withValues` and `pg.escapeLiteral` write values into it, `decimalIn` numbers
 */
export async function streamCsv(
  { pool, shownIds }: { pool: pg.Pool; shownIds?: ShownIds },
  select: string,
  sheet?: Language,
): Promise<Readable> {
  const rows = await copyOut(pool, select, `format csv, header, delimiter '${sheets[sheet ?? 'en'].delimiter}'`)
  const stream = shownIds
    ? pipeline(rows, shownIds.hideInLines(), readInTime(), () => {})
    : pipeline(rows, readInTime(), () => {})
  if (sheet) stream.unshift(Buffer.from(BYTE_ORDER_MARK))
  return stream
}

/** Streams a query of one JSON value in each row as JSON lines. JSON contains neither of the two characters, so that each line is the value as it is. */
export async function streamJsonLines(pool: pg.Pool, select: string): Promise<Readable> {
  const rows = await copyOut(pool, select, "format csv, quote e'\\x01', delimiter e'\\x02'")
  return pipeline(rows, readInTime(), () => {})
}

/**
 * All rows are of the moment at which the query begins. Ten million take no more memory than ten: PostgreSQL waits for whoever
 * reads. The connection goes back to the pool when the stream ends. A reader who goes away ends the query.
 */
async function copyOut(pool: pg.Pool, select: string, format: string): Promise<Readable> {
  const client = await pool.connect()
  const stream = client.query(copyTo(`copy (${select}) to stdout with (${format})`))
  let isOver = false
  stream.once('end', () => {
    isOver = true
    client.release()
  })
  return stream.once('close', () => {
    if (isOver) return
    // PostgreSQL would notice at the next row that the connection is gone, and that may be minutes away.
    pool.query('select pg_cancel_backend($1)', [processOf(client)]).catch(() => {})
    // It is in the middle of a copy, and nobody else can use it.
    client.release(true)
  })
}

/** The id of the process of PostgreSQL that serves a connection. The types of the library leave it out. */
const processOf = (client: pg.PoolClient): number =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : 0
