import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import { shortNetworkOf } from '../http/limits.ts'
import type { Caller } from '../http/scope.ts'
import { hashToken } from '../http/signing.ts'
import { requireRoomInNewsletter } from '../identity/limits-by-standing.ts'
import type { createApiKey } from './contract.ts'
import { lockOwners } from './members.ts'

const PREFIX = 'tir_'
/** 44 characters of base58 have 257 bits. */
const SECRET_LENGTH = 44

/** What a key allows now, and where it is used from. */
interface Use {
  now: Date
  ip: string
}

/**
 * Finds the key of a secret with what its maker may do now, or null. Without the maker's membership there is no key. Stores the
 * time and the network of its use, at most once a minute.
 */
export async function findKey(db: Db, secret: string, { now, ip }: Use): Promise<Caller['key']> {
  if (!secret.startsWith(PREFIX) || secret.length > 100) return null
  const row = await keysWithMakers(db)
    .select(['k.id', 'k.newsletter_id', 'k.role', 'k.last_used_at', 'm.role as makerRole'])
    .where('k.hash', '=', hashToken(secret))
    .where((e) => e.or([e('k.expires_at', 'is', null), e('k.expires_at', '>', now)]))
    .executeTakeFirst()
  if (!row) return null
  const { id, newsletter_id: newsletterId, role, makerRole } = row
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > 60_000)
    await sql`update api_key set last_used_at = ${now}, last_network = ${shortNetworkOf(ip)}
      where newsletter_id = ${newsletterId} and id = ${id}
      and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')`.execute(db)
  return { id, newsletterId, role, makerRole }
}

const keysWithMakers = (db: Db) =>
  db
    .selectFrom('api_key as k')
    .innerJoin('member as m', (join) =>
      join.onRef('m.newsletter_id', '=', 'k.newsletter_id').onRef('m.user_id', '=', 'k.created_by'),
    )

/** The roles of a key and of its maker; none when it has ended. */
export async function rolesOfKey(
  db: Db,
  { newsletterId, id }: { newsletterId: string; id: string },
): Promise<string[]> {
  const row = await keysWithMakers(db)
    .select(['k.role', 'm.role as makerRole'])
    .where('k.newsletter_id', '=', newsletterId)
    .where('k.id', '=', id)
    .where((e) => e.or([e('k.expires_at', 'is', null), e('k.expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
  return row ? [row.role, row.makerRole] : []
}

/**
 * Makes a key. Its secret is in the result and stored nowhere.
 * @throws AppError forbidden when its maker has just been removed, too_many_api_keys, too_many_requests
 */
export function makeKey(
  db: Kysely<DB>,
  newsletterId: string,
  { userId, name, role, expiresAt }: z.output<typeof createApiKey.body> & { userId: string },
) {
  const secret = PREFIX + publicId(SECRET_LENGTH)
  const id = publicId()
  return db.transaction().execute(async (tx) => {
    // In the order in which removing a member locks, and kept until the key is stored.
    await lockOwners(tx, newsletterId)
    const maker = await tx
      .selectFrom('member')
      .select('user_id')
      .where('newsletter_id', '=', newsletterId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!maker) throw new AppError('forbidden')
    await requireRoomInNewsletter(tx, newsletterId, 'apiKeys')
    await tx
      .insertInto('api_key')
      .values({
        newsletter_id: newsletterId,
        id,
        name,
        role,
        prefix: secret.slice(0, 10),
        hash: hashToken(secret),
        created_by: userId,
        expires_at: expiresAt,
      })
      .execute()
    const made = (await listKeys(tx, newsletterId)).find((key) => key.id === id)
    if (!made) throw new Error('a key that was stored is not there')
    return { ...made, secret }
  })
}

/** The keys of a newsletter with their makers, newest first, for all its owners. */
export async function listKeys(db: Db, newsletterId: string) {
  const rows = await keysWithMakers(db)
    .innerJoin('user as u', 'u.id', 'k.created_by')
    .selectAll('k')
    .select(['u.name as makerName', 'm.role as makerRole'])
    .where('k.newsletter_id', '=', newsletterId)
    .orderBy('k.created_at', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    role: row.role,
    maker: { userId: row.created_by, name: row.makerName, role: row.makerRole },
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastNetwork: row.last_network,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }))
}

/** Revokes every key that a user made, in all newsletters: whoever takes an account back ends what was made with it before. */
export async function endKeysOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('api_key').where('created_by', '=', userId).execute()
}

/** @throws AppError not_found */
export async function revokeKey(db: Db, newsletterId: string, id: string): Promise<{ name: string }> {
  const query = db.deleteFrom('api_key').where('newsletter_id', '=', newsletterId).where('id', '=', id)
  const revoked = await query.returning('name').executeTakeFirst()
  if (!revoked) throw new AppError('not_found')
  return revoked
}
