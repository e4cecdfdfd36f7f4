import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { markErased } from '../receipts/chain.ts'
import { suppressedBy } from './merge.ts'
import { proofOf } from './proof.ts'
import { type ImportRecord, type ImportWork, MovedOn, moveOn } from './work.ts'

/** Receipts that are looked at together. */
const BATCH = 1_000

/**
 * Removes the subscribers that an import has added and to whom nothing has happened since: no mail, no click, no choice of their own, no change
 * by anybody. Their receipts leave hashes in the chain, as after an erasure. What it changed of people who were here
 * before stays.
 *
 * A process that was killed goes on where it was.
 */
export async function takeBack(
  work: ImportWork,
  record: ImportRecord,
  state: 'cancelled' | 'taken_back',
): Promise<void> {
  const { db, context, signal } = work
  const from = state === 'cancelled' ? ['cancelling' as const] : ['taking_back' as const]
  let after = '00000000-0000-0000-0000-000000000000'
  while (record.begun_at) {
    if (signal.aborted) throw new MovedOn()
    const receipts = await findReceipts(db, record, after)
    const last = receipts.at(-1)
    if (!last) break
    await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const ids = await lockUntouched(
        tx,
        record,
        receipts.map(({ subscriberId }) => subscriberId),
      )
      if (ids.length > 0) {
        await markErased(tx, context, { newsletterId: record.newsletter_id, subscriberIds: ids })
        await remove(tx, record, ids)
      }
      await moveOn(tx, record, { from, set: { done: sql`done + ${receipts.length}` } })
    })
    after = last.id
  }
  await moveOn(db, record, { from, set: { state } })
}

/** The receipts that an import wrote are found by the time in their ids. */
async function findReceipts(db: Db, { newsletter_id, id, begun_at }: ImportRecord, after: string) {
  const { rows } = await sql<{ id: string; subscriberId: string }>`
    select id, subscriber_id as "subscriberId" from consent
    where newsletter_id = ${newsletter_id} and id > ${after}
      and id >= overlay(uuidv7_at(${begun_at}::timestamptz - interval '1 minute')::text placing '0000-7000-8000-000000000000' from 10)::uuid
      and means = 'import' and starts_with(proof, ${proofOf(id)})
    order by id limit ${BATCH}`.execute(db)
  return rows
}

/** Those of them who are as the import left them. */
async function lockUntouched(tx: Db, { newsletter_id, id }: ImportRecord, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from subscriber s where s.newsletter_id = ${newsletter_id} and s.id = any(${ids}::uuid[]) and s.changed_at is null
      and not exists (select from consent c where c.newsletter_id = s.newsletter_id and c.subscriber_id = s.id
        and not (c.means = 'import' and starts_with(c.proof, ${proofOf(id)})))
      and not exists (select from publication p join delivery d on d.newsletter_id = p.newsletter_id and d.publication_id = p.id
        where p.newsletter_id = s.newsletter_id and d.subscriber_id = s.id)
      and not exists (select from event e where e.newsletter_id = s.newsletter_id and e.subscriber_id = s.id)
      and not exists (select from click c where c.newsletter_id = s.newsletter_id and c.subscriber_id = s.id)
      and not exists (select from suppression x where x.newsletter_id = s.newsletter_id
        and x.email_normalised = s.email_normalised and x.detail <> ${suppressedBy(id)})
    order by s.id for update of s`.execute(tx)
  return rows.map((row) => row.id)
}

async function remove(tx: Db, { newsletter_id, id }: ImportRecord, ids: string[]): Promise<void> {
  await sql`
    with gone as (
      delete from subscriber where newsletter_id = ${newsletter_id} and id = any(${ids}::uuid[]) returning email_normalised
    )
    delete from suppression x using gone g where x.newsletter_id = ${newsletter_id} and x.email_normalised = g.email_normalised
      and x.detail = ${suppressedBy(id)}`.execute(tx)
}
