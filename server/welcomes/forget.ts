import { type Kysely, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'

/** Rows that are deleted in one transaction. */
const TOGETHER = 5_000

/** Has it forgotten afterwards who was welcomed to a segment that is deleted. Its number is never used again. */
export const forgetWelcomed = (tx: Db, { newsletterId, segmentId }: { newsletterId: string; segmentId: number }) =>
  tx.insertInto('forgotten_segment').values({ newsletter_id: newsletterId, segment_id: segmentId }).execute()

/**
 * Deletes the next rows of a segment that is forgotten, in one transaction: whoever is killed leaves them as they were. Several
 * processes take a segment each.
 * @returns whether there was such a segment
 */
export const forgetNext = (db: Kysely<DB>): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const forgotten = await tx
      .selectFrom('forgotten_segment')
      .selectAll()
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!forgotten) return false
    const { newsletter_id, segment_id, done_to } = forgotten
    // Found first, so that a range of the primary key is deleted and nothing is joined, whatever the statistics say.
    const { rows } = await sql<{ last: string }>`
      select subscriber_id as last from (
        select subscriber_id from welcomed
        where newsletter_id = ${newsletter_id} and segment_id = ${segment_id} and subscriber_id > ${done_to}
        order by subscriber_id limit ${TOGETHER}
      ) next order by subscriber_id desc limit 1`.execute(tx)
    const [next] = rows
    if (next)
      await sql`
        delete from welcomed where newsletter_id = ${newsletter_id} and segment_id = ${segment_id}
          and subscriber_id > ${done_to} and subscriber_id <= ${next.last}`.execute(tx)
    const row = sql`newsletter_id = ${newsletter_id} and segment_id = ${segment_id}`
    if (next) await sql`update forgotten_segment set done_to = ${next.last} where ${row}`.execute(tx)
    else await sql`delete from forgotten_segment where ${row}`.execute(tx)
    return true
  })
