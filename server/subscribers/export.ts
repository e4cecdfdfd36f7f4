import type { Readable } from 'node:stream'
import pg from 'pg'
import type { Context } from '../context.ts'
import { harmless, streamCsv, utc } from '../database/csv.ts'

/** Every subscriber as CSV. */
export const streamSubscribers = (
  { pool, shownIds }: Pick<Context, 'pool' | 'shownIds'>,
  newsletterId: string,
): Promise<Readable> =>
  streamCsv(
    { pool, shownIds },
    `select id, ${harmless('email')} as email, ${harmless('name')} as name, language, status, source,
      ${utc('created_at')} as created_at, ${utc('confirmed_at')} as confirmed_at, ${utc('left_at')} as left_at, left_reason,
      ${utc('paused_until')} as paused_until
    from subscriber where newsletter_id = ${pg.escapeLiteral(newsletterId)} order by id`,
  )
