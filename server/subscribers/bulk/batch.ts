import { type Selectable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { BulkChange } from '../../database/types.ts'
import { isLanguage } from '../../languages.ts'
import { eraseSubscribers } from '../../personal-data/erase.ts'
import { giveTag, takeTag } from '../../segments/tags.ts'
import { changeByConsent } from '../change.ts'
import { type Receipt, receiptOf } from '../consent.ts'
import { noteEdit } from '../detail/edits.ts'
import { putBack } from '../put-back.ts'
import type { BulkAct } from './contract.ts'

export type BulkChangeRow = Selectable<BulkChange>
export type Dependencies = Pick<Context, 'db' | 'signer' | 'now'>

/** Whom a change has chosen, and how they were before it unsubscribed them. */
export interface Subject {
  id: string
  status: string | null
  pausedUntil: Date | null
  leftAt: Date | null
}

/** In one transaction: few enough that others who want to write them wait for tenths of a second. */
export const batchSizes: Record<BulkAct, number> = { tag: 1_000, untag: 1_000, unsubscribe: 500, erase: 250 }

type Batch = [tx: Db, change: BulkChangeRow, subjects: Subject[]]

/** Changes the subjects of one batch. @returns how many were changed: the others were so already, or are gone */
export async function changeBatch(context: Dependencies, ...[tx, change, subjects]: Batch): Promise<number> {
  const ids = subjects.map(({ id }) => id)
  switch (change.act) {
    case 'tag':
      return markChanged(tx, change, await give(tx, { change, ids }))
    case 'untag':
      return markChanged(tx, change, await take(tx, { change, ids }))
    case 'unsubscribe':
      return unsubscribe(context, tx, { change, ids })
    case 'erase':
      return erase(context, tx, { change, ids })
  }
}

/** Takes back what a change did to the subjects of one batch. @returns how many are as they were */
export async function revertBatch(context: Dependencies, ...[tx, change, subjects]: Batch): Promise<number> {
  const ids = subjects.map(({ id }) => id)
  if (change.act === 'tag') return (await take(tx, { change, ids })).length
  if (change.act === 'untag') return (await give(tx, { change, ids })).length
  const receipt = await receiptFor(tx, 'putBack', change)
  const at = context.now()
  const removed = subjects.flatMap(({ id, status, pausedUntil, leftAt }) =>
    leftAt && (status === 'active' || status === 'pending')
      ? [{ newsletterId: change.newsletter_id, subscriberId: id, leftAt, status, pausedUntil, at, receipt } as const]
      : [],
  )
  await lock(tx, change, ids)
  return (await putBack(tx, removed)).length
}

interface Part {
  change: BulkChangeRow
  ids: string[]
}

async function give(tx: Db, { change, ids }: Part): Promise<string[]> {
  const given = await giveTag(tx, tagOf(change), ids)
  await noteEdit(tx, { ...editOf(change, given), given: [await tagName(tx, change)] })
  return given
}

async function take(tx: Db, { change, ids }: Part): Promise<string[]> {
  const taken = await takeTag(tx, tagOf(change), ids)
  await noteEdit(tx, { ...editOf(change, taken), taken: [await tagName(tx, change)] })
  return taken
}

const tagOf = ({ newsletter_id, tag_id }: BulkChangeRow) => ({ newsletterId: newsletter_id, tagId: tag_id ?? 0 })

const editOf = ({ newsletter_id, user_id, api_key_id }: BulkChangeRow, subscriberIds: string[]) => ({
  newsletterId: newsletter_id,
  subscriberIds,
  by: { userId: user_id, apiKeyId: api_key_id },
})

async function tagName(tx: Db, { newsletter_id, tag_id }: BulkChangeRow): Promise<string> {
  const query = tx.selectFrom('tag').select('name').where('newsletter_id', '=', newsletter_id)
  return (await query.where('id', '=', tag_id ?? 0).executeTakeFirstOrThrow()).name
}

/** Locks subscribers in one order, as everybody does who locks several. */
async function lock(tx: Db, { newsletter_id }: BulkChangeRow, ids: string[]): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    select id, status, paused_until as "pausedUntil", left_at as "leftAt" from subscriber
    where newsletter_id = ${newsletter_id} and id = any(${ids}::uuid[]) order by id for update`.execute(tx)
  return rows
}

async function unsubscribe({ now }: Dependencies, tx: Db, { change, ids }: Part): Promise<number> {
  const before = await lock(tx, change, ids)
  const at = now()
  const receipt = await receiptFor(tx, 'removed', change)
  const { newsletter_id: newsletterId } = change
  const changes = before.map(({ id }) => ({ newsletterId, subscriberId: id, at, receipt }))
  const left = new Set(await changeByConsent(tx, 'unsubscribed', changes))
  const changed = before.filter(({ id }) => left.has(id))
  await sql`
    update bulk_change_subscriber b set changed = true, status = e.status, paused_until = e.paused_until, left_at = ${at}
    from unnest(${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ status }) => status)}::text[],
      ${changed.map(({ pausedUntil }) => pausedUntil?.toISOString() ?? null)}::timestamptz[]) as e (id, status, paused_until)
    where b.newsletter_id = ${newsletterId} and b.bulk_change_id = ${change.id} and b.subscriber_id = e.id`.execute(tx)
  return changed.length
}

/** The words are in the language of whoever asked for the change. */
async function receiptFor(tx: Db, act: 'removed' | 'putBack', change: BulkChangeRow): Promise<Receipt> {
  const { newsletter_id, api_key_id, language } = change
  const newsletter = await tx
    .selectFrom('newsletter')
    .select('name')
    .where('id', '=', newsletter_id)
    .executeTakeFirstOrThrow()
  if (!isLanguage(language)) throw new Error(`no language: ${language}`)
  const by =
    api_key_id === null ? { means: 'by-hand' as const } : { means: 'api' as const, proof: `API key ${api_key_id}` }
  return receiptOf(act, { newsletter, language, network: null, ...by })
}

const erase = ({ signer, now }: Dependencies, tx: Db, { change, ids }: Part): Promise<number> =>
  eraseSubscribers(tx, { signer, now }, { newsletterId: change.newsletter_id, subscriberIds: ids })

async function markChanged(tx: Db, { newsletter_id, id }: BulkChangeRow, changed: string[]): Promise<number> {
  await sql`
    update bulk_change_subscriber set changed = true
    where newsletter_id = ${newsletter_id} and bulk_change_id = ${id} and subscriber_id = any(${changed}::uuid[])`.execute(
    tx,
  )
  return changed.length
}
