import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { markErased } from '../receipts/chain.ts'
import { TakenBack } from './contract.ts'
import { proofOf, suppressedBy } from './proof.ts'
import { findTraces } from './traces.ts'
import { type ImportRecord, type ImportWork, MovedOn, moveOn } from './work.ts'

/** Receipts that are looked at together. */
const BATCH = 1_000

/** Before every id. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * Removes the subscribers that an import has added and to whom nothing has happened since (`traces.ts`), and counts both. Whoever the file
 * says has left stays as such, unless the import was stopped or its owner says that the file was wrong. Their receipts leave hashes in the chain, as after an erasure. What it changed of people who were here
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
  // Whoever stays is met again by a process that goes on, and whoever was removed is not.
  const stayed: TakenBack['stayed'] = {}
  let removed = record.taken_back === null ? 0 : TakenBack.parse(record.taken_back).removed
  const tally = () => JSON.stringify({ removed, stayed } satisfies TakenBack)
  let after = NOBODY
  while (record.begun_at) {
    if (signal.aborted) throw new MovedOn()
    const receipts = await findReceipts(db, record, after)
    const last = receipts.at(-1)
    if (!last) break
    await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const added = receipts.map(({ subscriberId }) => subscriberId)
      await lock(tx, record, added)
      const traces = await findTraces(tx, { ...record, drops_left: state === 'cancelled' || record.drops_left }, added)
      for (const { stays } of traces) if (stays) stayed[stays] = (stayed[stays] ?? 0) + 1
      const ids = traces.filter(({ stays }) => stays === null).map((one) => one.id)
      removed += ids.length
      if (ids.length > 0) {
        await markErased(tx, context, { newsletterId: record.newsletter_id, subscriberIds: ids })
        await remove(tx, record, ids)
      }
      await moveOn(tx, record, { from, set: { done: sql`done + ${receipts.length}`, taken_back: tally() } })
    })
    after = last.id
  }
  await moveOn(db, record, { from, set: { state, taken_back: tally() } })
}

/** So many people are looked at while somebody waits. */
const COUNTED = 20_000

/** Whom `takeBack` would remove now, and who would stay; null when they are too many to be looked at at once. */
export const countTakeBack = (db: Db, record: ImportRecord): Promise<TakenBack | null> =>
  db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const counted: TakenBack = { removed: 0, stayed: {} }
    let after = NOBODY
    for (let looked = 0; ; looked += BATCH) {
      const receipts = await findReceipts(tx, record, after)
      const last = receipts.at(-1)
      if (!last) return counted
      if (looked >= COUNTED) return null
      for (const { stays } of await findTraces(
        tx,
        record,
        receipts.map((one) => one.subscriberId),
      ))
        if (stays) counted.stayed[stays] = (counted.stayed[stays] ?? 0) + 1
        else counted.removed++
      after = last.id
    }
  })

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

/** Locks those of them who are still there, so that nothing happens to them meanwhile, in the order in which everybody locks several. */
async function lock(tx: Db, { newsletter_id }: ImportRecord, ids: string[]): Promise<void> {
  await sql`
    select from subscriber where newsletter_id = ${newsletter_id} and id = any(${ids}::uuid[]) order by id for update`.execute(
    tx,
  )
}

/** They are counted neither as joined nor as left: the trigger that counts is told when the import began. */
async function remove(tx: Db, { newsletter_id, id, begun_at }: ImportRecord, ids: string[]): Promise<void> {
  await sql`select set_config('tirage.import_begun', ${begun_at}::timestamptz::text, true)`.execute(tx)
  await sql`
    with gone as (
      delete from subscriber where newsletter_id = ${newsletter_id} and id = any(${ids}::uuid[]) returning email_normalised
    )
    delete from suppression x using gone g where x.newsletter_id = ${newsletter_id} and x.email_normalised = g.email_normalised
      and x.detail = ${suppressedBy(id)}`.execute(tx)
}
