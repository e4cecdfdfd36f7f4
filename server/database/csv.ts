import type { Readable } from 'node:stream'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** A column as CSV: what a spreadsheet would run as a formula gets an apostrophe in front (OWASP, CSV injection). */
export const harmless = (column: string): string =>
  `case when ${column} ~ '^[=+\\-@\\t\\r\\n]' then '''' || ${column} else ${column} end`

/** A moment as CSV: ISO 8601 in UTC. */
export const utc = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/**
 * SQL that has its values in it as literals, for statements that take no parameters, such as `copy`.
 *
 * @throws Error when a value is no text, number or boolean
 */
export const withValues = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): string =>
  sql.replaceAll(/\$(\d+)/g, (_, place: string) => literal(parameters[Number(place) - 1]))

function literal(value: unknown): string {
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`a ${typeof value} cannot be written as a literal`)
}

/**
 * What a query finds as CSV (RFC 4180, UTF-8, with a line of names), streamed from PostgreSQL: memory is the same for ten
 * rows and for ten million. The connection is returned when the stream ends.
 *
 * @param select SQL without parameters: values go in by `withValues` or `pg.escapeLiteral`
 */
export async function streamCsv(pool: pg.Pool, select: string): Promise<Readable> {
  const client = await pool.connect()
  const stream = client.query(copyTo(`copy (${select}) to stdout with (format csv, header)`))
  let returned = false
  const giveBack = (broken: boolean) => {
    if (!returned) client.release(broken)
    returned = true
  }
  // A reader who leaves in the middle leaves a connection in the middle of a copy, which nobody else can use.
  stream.once('end', () => giveBack(false)).once('close', () => giveBack(true))
  stream.once('error', () => giveBack(true))
  return stream
}
