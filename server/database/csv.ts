import { pipeline, type Readable } from 'node:stream'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ShownIds } from '../http/shown-ids.ts'
import { readInTime } from './read-in-time.ts'

/** SQL for a column as CSV. A value that a spreadsheet would run as a formula begins with an apostrophe (OWASP, CSV injection). */
export const harmless = (column: string): string =>
  `case when ${column} ~ '^[=+\\-@\\t\\r\\n]' then '''' || ${column} else ${column} end`

/** SQL for a time as CSV: ISO 8601 in UTC. */
export const utc = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

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
 * Streams the rows of a query from PostgreSQL as CSV (RFC 4180, UTF-8, with a line of names). Ten million rows take no more
 * memory than ten. The connection goes back to the pool when the stream ends, and it ends when nobody reads it.
 *
 * Subscribers' ids become those that members see, also where another server's answer repeats one.
 *
 * @param select SQL without parameters; `withValues` and `pg.escapeLiteral` write values into it
 */
export async function streamCsv(
  { pool, shownIds }: { pool: pg.Pool; shownIds: ShownIds },
  select: string,
): Promise<Readable> {
  const client = await pool.connect()
  const stream = client.query(copyTo(`copy (${select}) to stdout with (format csv, header)`))
  let returned = false
  const release = (broken: boolean) => {
    if (!returned) client.release(broken)
    returned = true
  }
  // When a client leaves early, its connection is still in the middle of a copy, and nobody else can use it.
  stream.once('end', () => release(false)).once('close', () => release(true))
  stream.once('error', () => release(true))
  return pipeline(stream, shownIds.hideInLines(), readInTime(), () => {})
}
