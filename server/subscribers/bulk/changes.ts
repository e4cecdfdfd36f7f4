import { type Kysely, type Selectable, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { BulkChange as BulkChangeRow, DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Language } from '../../languages.ts'
import { requireTags } from '../../segments/tags.ts'
import { codeOf } from '../../start-error.ts'
import type { Asker } from '../asker.ts'
import { subscribersMatching, type Wanted } from '../queries.ts'
import { type BulkAct, BulkChange, UNDO_BULK_DAYS } from './contract.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    run_bulk_change: BulkChangeKey
  }
}

export interface BulkChangeKey {
  newsletterId: string
  bulkChangeId: string
}

export interface Asked {
  newsletterId: string
  act: BulkAct
  tagId: number | null
  wanted: Wanted
  /** How many the asker means. Null: however many there are. */
  expected: number | null
  /** With the language of the words in receipts. */
  by: Asker & { language: Language }
}

const UNIQUE_VIOLATION = '23505'
const MOST_SHOWN = 20

/**
 * Notes who is chosen now and queues the job that changes them, in one transaction. Who comes to fit later is not changed.
 *
 * @throws AppError tag_not_found, bulk_change_under_way, nobody_chosen; choice_changed with the `total` in `detail`
 */
export const startBulkChange = (
  db: Kysely<DB>,
  { newsletterId, act, tagId, wanted, expected, by }: Asked,
): Promise<BulkChange> =>
  db.transaction().execute(async (tx) => {
    if (tagId !== null) await requireTags(tx, newsletterId, [tagId])
    const id = uuidv7()
    const values = { newsletter_id: newsletterId, id, act, tag_id: tagId, total: 0, language: by.language }
    const asker = { user_id: by.userId, api_key_id: by.apiKeyId }
    await alone(
      tx
        .insertInto('bulk_change')
        .values({ ...values, ...asker })
        .execute(),
    )
    const chosen = subscribersMatching(tx, newsletterId, wanted)
    const noted = await tx
      .insertInto('bulk_change_subscriber')
      .columns(['newsletter_id', 'bulk_change_id', 'subscriber_id'])
      .expression(chosen.select(['s.newsletter_id', sql<string>`${id}::uuid`.as('bulk_change_id'), 's.id']))
      .executeTakeFirstOrThrow()
    const total = Number(noted.numInsertedOrUpdatedRows ?? 0n)
    if (total === 0) throw new AppError('nobody_chosen')
    if (expected !== null && expected !== total)
      throw new AppError('choice_changed', { params: { total }, detail: { total } })
    await tx
      .updateTable('bulk_change')
      .set({ total })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', id)
      .execute()
    await enqueue(tx, 'run_bulk_change', { newsletterId, bulkChangeId: id })
    return findBulkChange(tx, { newsletterId, bulkChangeId: id })
  })

/** One at a time in a newsletter: the database refuses another. @throws AppError bulk_change_under_way */
async function alone<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (codeOf(error) === UNIQUE_VIOLATION) throw new AppError('bulk_change_under_way', { cause: error })
    throw error
  }
}

type Row = Selectable<BulkChangeRow> & { tag_name: string | null; by_name: string | null; undo_until: Date | null }

/** The changes that are under way or ended within the days of undoing, newest first; or one of them. */
async function selectChanges(db: Db, newsletterId: string, bulkChangeId: string | null): Promise<BulkChange[]> {
  const { rows } = await sql<Row>`
    select c.*, t.name as tag_name, u.name as by_name, c.ended_at + ${UNDO_BULK_DAYS} * interval '24 hours' as undo_until
    from bulk_change c
    left join tag t on t.newsletter_id = c.newsletter_id and t.id = c.tag_id
    left join member m on m.newsletter_id = c.newsletter_id and m.user_id = c.user_id
    left join "user" u on u.id = m.user_id
    where c.newsletter_id = ${newsletterId} and (${bulkChangeId}::uuid is null or c.id = ${bulkChangeId})
      and (c.ended_at is null or c.ended_at > now() - ${UNDO_BULK_DAYS} * interval '24 hours')
    order by c.id desc limit ${MOST_SHOWN}`.execute(db)
  return rows.map(shown)
}

const shown = (row: Row): BulkChange =>
  BulkChange.parse({
    id: row.id,
    act: row.act,
    tag: row.tag_id !== null && row.tag_name !== null ? { id: row.tag_id, name: row.tag_name } : null,
    state: row.state,
    askerLostRight: row.asker_lost_right,
    total: row.total,
    done: row.done,
    changed: row.changed,
    undone: row.undone,
    restored: row.restored,
    by: row.by_name,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    undoUntil: isUndoable(row) ? (row.undo_until?.toISOString() ?? null) : null,
  })

const isUndoable = ({ act, state, changed, tag_name }: Row): boolean =>
  (state === 'done' || state === 'stopped') && changed > 0 && (act === 'unsubscribe' || tag_name !== null)

export const listBulkChanges = (db: Db, newsletterId: string): Promise<BulkChange[]> =>
  selectChanges(db, newsletterId, null)

async function findBulkChange(db: Db, { newsletterId, bulkChangeId }: BulkChangeKey): Promise<BulkChange> {
  const [change] = await selectChanges(db, newsletterId, bulkChangeId)
  if (!change) throw new AppError('bulk_change_not_found')
  return change
}

/** Who is changed stays so. @throws AppError bulk_change_not_found, bulk_change_over */
export async function stopBulkChange(db: Db, key: BulkChangeKey): Promise<BulkChange> {
  const stopped = await db
    .updateTable('bulk_change')
    .set({ state: 'stopped', ended_at: sql`now()` })
    .where('newsletter_id', '=', key.newsletterId)
    .where('id', '=', key.bulkChangeId)
    .where('state', '=', 'running')
    .executeTakeFirst()
  const change = await findBulkChange(db, key)
  if (stopped.numUpdatedRows === 0n) throw new AppError('bulk_change_over')
  return change
}

/** Queues the job that takes a change back. @throws AppError bulk_change_not_found, bulk_change_over, bulk_change_under_way */
export const undoBulkChange = (db: Kysely<DB>, key: BulkChangeKey): Promise<BulkChange> =>
  db.transaction().execute(async (tx) => {
    const query = tx.selectFrom('bulk_change').select('id').where('newsletter_id', '=', key.newsletterId)
    await query.where('id', '=', key.bulkChangeId).forUpdate().execute()
    if ((await findBulkChange(tx, key)).undoUntil === null) throw new AppError('bulk_change_over')
    const undo = tx
      .updateTable('bulk_change')
      .set({ state: 'undoing', after_subscriber: null, ended_at: null, worked_at: sql`now()` })
      .where('newsletter_id', '=', key.newsletterId)
      .where('id', '=', key.bulkChangeId)
    await alone(undo.execute())
    await enqueue(tx, 'run_bulk_change', key)
    return findBulkChange(tx, key)
  })
