import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { DkimKey } from '../database/types.ts'
import type { SigningKey } from '../mail/dkim/signing-key.ts'
import { dnsName } from './names.ts'

export type DkimKeyRow = Selectable<DkimKey>

/** What private keys are sealed for. */
export const PURPOSE = 'dkim'

/** Opening a key costs more than using it, so opened ones stay in memory; a key never changes under its id. */
const opened = new WeakMap<object, LRUCache<string, KeyObject>>()

/**
 * The keys that sign mail from addresses of `senderDomain`: those switched on, at most one of each kind. Read anew each
 * time, so that a key that was switched off signs nothing that is compiled afterwards.
 *
 * @throws Error when a key was sealed with another SECRET
 */
export async function signingKeys(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  newsletterId: string,
  senderDomain: string,
): Promise<SigningKey[]> {
  const domain = dnsName(senderDomain)
  if (domain === null) return []
  const rows = await db
    .selectFrom('dkim_key')
    .select(['id', 'selector', 'algorithm', 'private_key'])
    .where('newsletter_id', '=', newsletterId)
    .where('domain', '=', domain)
    .where('active_at', 'is not', null)
    .where('retired_at', 'is', null)
    .orderBy('algorithm', 'desc')
    .execute()
  return rows.map(({ id, selector, algorithm, private_key }) => ({
    domain,
    selector,
    algorithm,
    privateKey: open(sealer, `${newsletterId} ${id}`, private_key),
  }))
}

function open(sealer: Context['sealer'], name: string, sealed: Buffer): KeyObject {
  const known = opened.get(sealer) ?? new LRUCache<string, KeyObject>({ max: 1_000 })
  opened.set(sealer, known)
  const kept = known.get(name)
  if (kept) return kept
  const key = createPrivateKey(sealer.open(PURPOSE, sealed))
  known.set(name, key)
  return key
}

/** Newest first; of every domain the newsletter ever had keys for. */
export const listKeys = (db: Db, newsletterId: string): Promise<DkimKeyRow[]> =>
  db
    .selectFrom('dkim_key')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .orderBy('created_at', 'desc')
    .orderBy('algorithm', 'desc')
    .execute()

/**
 * Notes that DNS was seen to hold these keys. Those that waited for it sign from now on, and the older ones of their
 * domain and kind, which they replace, no more.
 */
export async function noteSeen(db: Db, newsletterId: string, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('dkim_key')
      .set((e) => ({ verified_at: now, active_at: e.fn.coalesce('active_at', e.val(now)) }))
      .where('newsletter_id', '=', newsletterId)
      .where('id', 'in', ids)
      .where('retired_at', 'is', null)
      .execute()
    await retireReplaced(tx, newsletterId, now)
  })
}

/** Switches a key on without waiting for its record. Answers whether there was such a key that may sign. */
export async function activateKey(db: Db, newsletterId: string, id: string, now: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('dkim_key')
      .set((e) => ({ active_at: e.fn.coalesce('active_at', e.val(now)) }))
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', id)
      .where('retired_at', 'is', null)
      .executeTakeFirst()
    await retireReplaced(tx, newsletterId, now)
    return numUpdatedRows > 0n
  })
}

/** Of each domain and kind the key that was made last signs alone. */
const retireReplaced = (db: Db, newsletterId: string, now: Date) =>
  sql`update dkim_key old set retired_at = ${now}
    where old.newsletter_id = ${newsletterId} and old.active_at is not null and old.retired_at is null
      and exists (select from dkim_key new where new.newsletter_id = old.newsletter_id and new.domain = old.domain
        and new.algorithm = old.algorithm and new.active_at is not null and new.retired_at is null
        and (new.created_at, new.id) > (old.created_at, old.id))`.execute(db)

/** It signs nothing more. Its record should stay for some days: mail on its way is still checked. */
export async function retireKey(db: Db, newsletterId: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dkim_key')
    .set((e) => ({ retired_at: e.fn.coalesce('retired_at', e.val(now)) }))
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function removeKey(db: Db, newsletterId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('dkim_key')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
