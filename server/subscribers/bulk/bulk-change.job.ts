import { sql } from 'kysely'
import { addLine } from '../../audit/lines.ts'
import type { Db } from '../../database/client.ts'
import type { Job } from '../../jobs/queue.ts'
import { rolesOfKey } from '../../newsletters/api-keys.ts'
import { may } from '../../permissions.ts'
import { type BulkChangeRow, batchSizes, changeBatch, type Dependencies, revertBatch, type Subject } from './batch.ts'
import type { BulkChangeKey } from './changes.ts'
import { UNDO_BULK_DAYS } from './contract.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    resume_bulk_changes: Record<string, unknown>
    forget_bulk_changes: Record<string, unknown>
  }
}

/** A change that nobody has worked on for so long was left by a process that is gone. */
const LEFT_ALONE = '30 seconds'

/** Does a change batch by batch until it is over, stopped, or this process stops. */
export const runBulkChangeJob =
  (context: Dependencies): Job<'run_bulk_change'> =>
  async (key, helpers) => {
    await run(context, key, helpers?.abortSignal)
  }

/** Goes on with changes that a process has left. */
export const resumeBulkChangesJob =
  (context: Dependencies): Job<'resume_bulk_changes'> =>
  async (_payload, helpers) => {
    const { rows } = await sql<BulkChangeKey>`
      select newsletter_id as "newsletterId", id as "bulkChangeId" from bulk_change
      where state in ('running', 'undoing') and worked_at < now() - ${LEFT_ALONE}::interval`.execute(context.db)
    for (const key of rows) await run(context, key, helpers?.abortSignal)
  }

async function run(context: Dependencies, key: BulkChangeKey, signal: AbortSignal | undefined): Promise<void> {
  while (!signal?.aborted && (await doBatch(context, key)));
}

/**
 * Does the next batch in one transaction, which also moves on to the batch after it: a process that is killed leaves a whole
 * batch or nothing of it, and two processes take turns.
 *
 * @returns whether there may be more
 */
export const doBatch = (context: Dependencies, key: BulkChangeKey): Promise<boolean> =>
  context.db.transaction().execute(async (tx) => {
    const change = await lockChange(tx, key)
    if (!change) return false
    const undoing = change.state === 'undoing'
    if (!undoing && !(await mayGoOn(tx, change))) return endForAsker(tx, change)
    if (change.tag_id !== null && !(await keepTag(tx, change))) return end(tx, change, undoing ? 'undone' : 'stopped')
    const subjects = await nextSubjects(tx, change)
    if (subjects.length === 0) return end(tx, change, undoing ? 'undone' : 'done')
    const count = await (undoing ? revertBatch : changeBatch)(context, tx, change, subjects)
    const [looked, counted] = undoing ? ['undone', 'restored'] : ['done', 'changed']
    await sql`
      update bulk_change set after_subscriber = ${subjects.at(-1)?.id}, worked_at = now(),
        ${sql.ref(looked)} = ${sql.ref(looked)} + ${subjects.length}, ${sql.ref(counted)} = ${sql.ref(counted)} + ${count}
      where newsletter_id = ${change.newsletter_id} and id = ${change.id}`.execute(tx)
    await tell(tx, change)
    return true
  })

async function lockChange(tx: Db, { newsletterId, bulkChangeId }: BulkChangeKey): Promise<BulkChangeRow | null> {
  const query = tx.selectFrom('bulk_change').selectAll().where('newsletter_id', '=', newsletterId)
  const under = query.where('id', '=', bulkChangeId).where('state', 'in', ['running', 'undoing'])
  return (await under.forUpdate().executeTakeFirst()) ?? null
}

/** Keeps the tag from being deleted until the transaction ends. @returns whether it is still there */
async function keepTag(tx: Db, { newsletter_id, tag_id }: BulkChangeRow): Promise<boolean> {
  const query = tx
    .selectFrom('tag')
    .select('id')
    .where('newsletter_id', '=', newsletter_id)
    .where('id', '=', tag_id ?? 0)
  return (await query.forKeyShare().executeTakeFirst()) !== undefined
}

/** Whether whoever asked for the change, a member or an API key, may still change subscribers: their acts end with their right. */
async function mayGoOn(tx: Db, { newsletter_id, user_id, api_key_id }: BulkChangeRow): Promise<boolean> {
  const roles =
    api_key_id === null
      ? await roleOfMember(tx, newsletter_id, user_id)
      : await rolesOfKey(tx, { newsletterId: newsletter_id, id: api_key_id })
  return roles.length > 0 && roles.every((role) => may(role, 'subscribers.write'))
}

async function roleOfMember(tx: Db, newsletterId: string, userId: string | null): Promise<string[]> {
  const query = tx.selectFrom('member').select('role').where('newsletter_id', '=', newsletterId)
  return (await query.where('user_id', '=', userId ?? '').execute()).map(({ role }) => role)
}

async function endForAsker(tx: Db, change: BulkChangeRow): Promise<false> {
  const query = tx.updateTable('bulk_change').set({ asker_lost_right: true })
  await query.where('newsletter_id', '=', change.newsletter_id).where('id', '=', change.id).execute()
  return end(tx, change, 'stopped')
}

async function nextSubjects(tx: Db, change: BulkChangeRow): Promise<Subject[]> {
  const { newsletter_id, id, after_subscriber, state, act } = change
  return tx
    .selectFrom('bulk_change_subscriber')
    .select(['subscriber_id as id', 'status', 'paused_until as pausedUntil', 'left_at as leftAt'])
    .where('newsletter_id', '=', newsletter_id)
    .where('bulk_change_id', '=', id)
    .$if(after_subscriber !== null, (query) => query.where('subscriber_id', '>', after_subscriber))
    .$if(state === 'undoing', (query) => query.where('changed', '=', true))
    .orderBy('subscriber_id')
    .limit(batchSizes[act])
    .execute()
}

async function end(tx: Db, change: BulkChangeRow, state: 'done' | 'stopped' | 'undone'): Promise<false> {
  const { newsletter_id: newsletterId, id, act, total, changed, restored } = change
  await tx
    .updateTable('bulk_change')
    .set({ state, ended_at: sql`now()` })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .execute()
  await addLine(tx, {
    newsletterId,
    act: 'subscribers_change_ended',
    actor: change.api_key_id === null ? 'member' : 'api_key',
    userId: change.user_id,
    apiKeyId: change.api_key_id,
    detail:
      state === 'undone'
        ? { act, undone: true, subscribers: changed, changed: restored }
        : { act, subscribers: total, changed },
  })
  await tell(tx, change)
  return false
}

/** The owner app reads the changes again, and when one is over the subscribers too. */
const tell = (tx: Db, { newsletter_id }: BulkChangeRow) => sql`select notify_live(${newsletter_id}, 'bulk')`.execute(tx)

/** Forgets who was changed when it can no longer be taken back. */
export const forgetBulkChangesJob =
  ({ db }: { db: Db }): Job<'forget_bulk_changes'> =>
  async () => {
    await sql`
      with old as (
        delete from bulk_change where ended_at < now() - ${UNDO_BULK_DAYS} * interval '24 hours' returning newsletter_id, id
      )
      delete from bulk_change_subscriber b using old where b.newsletter_id = old.newsletter_id and b.bulk_change_id = old.id`.execute(
      db,
    )
  }
