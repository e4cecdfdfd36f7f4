import { type Selectable, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { DkimKey } from '../database/types.ts'
import type { SigningKey } from '../mail/dkim/signing-key.ts'
import { dnsName } from './domain-names.ts'

export type DkimKeyRow = Selectable<DkimKey>

/** The purpose that private keys are sealed for. */
export const SEAL_PURPOSE = 'dkim'

/**
 * The keys that sign mail from addresses of `senderDomain`: the active ones, at most one of each algorithm. A newsletter is
 * never signed with the instance's keys, which have no newsletter, nor with those of another newsletter. They are
 * read each time, so that a retired key signs nothing that is compiled afterwards.
 *
 * @throws Error when a key was sealed with another SECRET
 */
export async function signingKeys(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  newsletterId: string | null,
  senderDomain: string,
): Promise<SigningKey[]> {
  const domain = dnsName(senderDomain)
  if (domain === null) return []
  const rows = await db
    .selectFrom('dkim_key')
    .select(['selector', 'algorithm', 'private_key'])
    .where('newsletter_id', 'is not distinct from', newsletterId)
    .where('domain', '=', domain)
    .where('active_at', 'is not', null)
    .where('retired_at', 'is', null)
    .orderBy('algorithm', 'desc')
    .execute()
  return rows.map(({ selector, algorithm, private_key }) => ({
    domain,
    selector,
    algorithm,
    privateKey: sealer.openPrivateKey(SEAL_PURPOSE, private_key),
  }))
}

interface KeyChange {
  newsletterId: string | null
  keyId: string
  now: Date
}

/** The keys of every domain that the newsletter, or with null the instance, ever had keys for; newest first. */
export const listKeys = (db: Db, newsletterId: string | null): Promise<DkimKeyRow[]> =>
  db
    .selectFrom('dkim_key')
    .selectAll()
    .where('newsletter_id', 'is not distinct from', newsletterId)
    .orderBy('created_at', 'desc')
    .orderBy('algorithm', 'desc')
    .execute()

/**
 * Records that these keys were found in DNS. The waiting ones become active, and the older keys of the same domain and
 * algorithm are retired.
 */
export async function markVerified(
  db: Db,
  { newsletterId, keyIds, now }: { newsletterId: string | null; keyIds: string[]; now: Date },
): Promise<void> {
  if (keyIds.length === 0) return
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('dkim_key')
      .set((e) => ({ verified_at: now, active_at: e.fn.coalesce('active_at', e.val(now)) }))
      .where('newsletter_id', 'is not distinct from', newsletterId)
      .where('id', 'in', keyIds)
      .where('retired_at', 'is', null)
      .execute()
    await retireReplaced(tx, newsletterId, now)
  })
}

/**
 * Activates a key without waiting for its record.
 *
 * @returns whether there is such a key and it is not retired
 */
export async function activateKey(db: Db, { newsletterId, keyId, now }: KeyChange): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('dkim_key')
      .set((e) => ({ active_at: e.fn.coalesce('active_at', e.val(now)) }))
      .where('newsletter_id', 'is not distinct from', newsletterId)
      .where('id', '=', keyId)
      .where('retired_at', 'is', null)
      .executeTakeFirst()
    await retireReplaced(tx, newsletterId, now)
    return numUpdatedRows > 0n
  })
}

/** Of each domain and algorithm only the newest active key signs. */
const retireReplaced = (db: Db, newsletterId: string | null, now: Date) =>
  sql`update dkim_key old set retired_at = ${now}
    where old.newsletter_id is not distinct from ${newsletterId} and old.active_at is not null and old.retired_at is null
      and exists (select from dkim_key new where new.newsletter_id is not distinct from old.newsletter_id and new.domain = old.domain
        and new.algorithm = old.algorithm and new.active_at is not null and new.retired_at is null
        and (new.created_at, new.id) > (old.created_at, old.id))`.execute(db)

/**
 * Lets a key sign nothing more. Its record should stay for some days, because receivers still check mail on its way.
 *
 * @returns whether there is such a key
 */
export async function retireKey(db: Db, { newsletterId, keyId, now }: KeyChange): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dkim_key')
    .set((e) => ({ retired_at: e.fn.coalesce('retired_at', e.val(now)) }))
    .where('newsletter_id', 'is not distinct from', newsletterId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns whether there was such a key */
export async function removeKey(db: Db, { newsletterId, keyId }: Omit<KeyChange, 'now'>): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('dkim_key')
    .where('newsletter_id', 'is not distinct from', newsletterId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
