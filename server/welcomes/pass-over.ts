import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { withHashJoins } from '../database/hash-joins.ts'
import type { DB } from '../database/types.ts'
import { conditionOf } from '../segments/condition.ts'
import type { Filter } from '../segments/filter/contract.ts'
import { noteWelcomed } from './welcomed.ts'

/** People in a row of the list, who are written together. */
const TOGETHER = 5_000

interface SegmentKey {
  newsletterId: string
  segmentId: number
}

/**
 * Lists the subscribers who are in a segment at this moment: its welcome is for who joins later. Listing a million takes about as long
 * as finding them. They are written afterwards (`writePassedOver`), and nobody is welcomed to the segment before.
 */
export const passOver = (tx: Db, { newsletterId, segmentId, filter }: SegmentKey & { filter: Filter }) =>
  withHashJoins(tx, () =>
    sql`
    insert into passed_over (newsletter_id, segment_id, subscriber_ids)
    select ${newsletterId}, ${segmentId}, array_agg(id order by id) from (
      select s.id, (row_number() over (order by s.id) - 1) / ${TOGETHER}::integer as part
      from subscriber s where s.newsletter_id = ${newsletterId} and s.status = 'active'
        and ${conditionOf(filter, { newsletterId, asOf: sql<Date>`now()` })}
    ) member group by part order by part`.execute(tx),
  )

/** SQL that is true while some of the segment are listed who are not written yet. */
export const isPreparing = (newsletterId: RawBuilder<unknown>, segmentId: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`exists (select from passed_over o where o.newsletter_id = ${newsletterId} and o.segment_id = ${segmentId})`

interface Part extends SegmentKey {
  subscriberIds: string[]
}

/**
 * Writes one row of the lists to `welcomed` and removes it, in one transaction: whoever is killed leaves it as it was. Several processes
 * take one each.
 * @returns whether there was one
 */
export const writePassedOver = (db: Kysely<DB>): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<Part>`
      delete from passed_over where (newsletter_id, segment_id, id) = (
        select newsletter_id, segment_id, id from passed_over order by id limit 1 for update skip locked)
      returning newsletter_id as "newsletterId", segment_id as "segmentId", subscriber_ids as "subscriberIds"`.execute(
      tx,
    )
    const [part] = rows
    if (!part) return false
    // Each is looked up, however few or many the statistics say there are.
    await sql`set local enable_seqscan = off`.execute(tx)
    // Whoever erases one of them waits, or was first, and they are not here any more.
    const who = sql`select id from subscriber
      where newsletter_id = ${part.newsletterId} and id = any(${part.subscriberIds}::uuid[]) order by id for key share`
    await noteWelcomed(tx, part, who)
    await sql`select notify_live(${part.newsletterId}, 'deliveries')`.execute(tx)
    return true
  })
