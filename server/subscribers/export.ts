import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** What a spreadsheet would run as a formula gets an apostrophe in front (OWASP, CSV injection). */
const safe = (column: string) => `case when ${column} ~ '^[=+\\-@\\t\\r]' then '''' || ${column} else ${column} end`

/** Every subscriber as CSV (RFC 4180, UTF-8), streamed from PostgreSQL; the connection is returned when the stream ends. */
export async function streamSubscribers(pool: pg.Pool, newsletterId: string): Promise<Readable> {
  const client = await pool.connect()
  const stream = client.query(
    copyTo(`copy (
      select id, ${safe('email')} as email, ${safe('name')} as name, language, status, source,
        ${utc('created_at')} as created_at, ${utc('confirmed_at')} as confirmed_at, ${utc('left_at')} as left_at, left_reason
      from subscriber where newsletter_id = ${pg.escapeLiteral(newsletterId)} order by id
    ) to stdout with (format csv, header)`),
  )
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

const utc = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
