import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { ApiKey as ApiKeyTable } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../http/scope.ts'
import { hashToken } from '../http/signing.ts'
import type { createApiKey } from './contract.ts'

const PREFIX = 'tir_'
/** 44 characters of base58 have 257 bits. */
const SECRET_LENGTH = 44

type KeyRow = Selectable<ApiKeyTable>

/** Finds the key of a secret, or null. Stores the time of its use, at most once a minute. */
export async function findKey(db: Db, secret: string, now: Date): Promise<Caller['key']> {
  if (!secret.startsWith(PREFIX) || secret.length > 100) return null
  const row = await db
    .selectFrom('api_key')
    .select(['id', 'newsletter_id', 'role', 'last_used_at'])
    .where('hash', '=', hashToken(secret))
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', now)]))
    .executeTakeFirst()
  if (!row) return null
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > 60_000) await noteUse(db, row, now)
  return { id: row.id, newsletterId: row.newsletter_id, role: row.role }
}

const noteUse = (db: Db, { newsletter_id, id }: Pick<KeyRow, 'newsletter_id' | 'id'>, now: Date) =>
  sql`update api_key set last_used_at = ${now} where newsletter_id = ${newsletter_id} and id = ${id}
    and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')`.execute(db)

/** Makes a key. Its secret is in the result and stored nowhere. */
export async function makeKey(
  db: Db,
  newsletterId: string,
  { userId, name, role, expiresAt }: z.output<typeof createApiKey.body> & { userId: string | null },
) {
  const secret = PREFIX + publicId(SECRET_LENGTH)
  const row = await db
    .insertInto('api_key')
    .values({
      newsletter_id: newsletterId,
      id: publicId(),
      name,
      role,
      prefix: secret.slice(0, 10),
      hash: hashToken(secret),
      created_by: userId,
      expires_at: expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...presentKey(row), secret }
}

export async function listKeys(db: Db, newsletterId: string) {
  const query = db.selectFrom('api_key').selectAll().where('newsletter_id', '=', newsletterId)
  return (await query.orderBy('created_at', 'desc').execute()).map(presentKey)
}

/** @throws AppError not_found */
export async function revokeKey(db: Db, newsletterId: string, id: string): Promise<{ name: string }> {
  const query = db.deleteFrom('api_key').where('newsletter_id', '=', newsletterId).where('id', '=', id)
  const revoked = await query.returning('name').executeTakeFirst()
  if (!revoked) throw new AppError('not_found')
  return revoked
}

const presentKey = (row: KeyRow) => ({
  id: row.id,
  name: row.name,
  role: row.role,
  prefix: row.prefix,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
})
