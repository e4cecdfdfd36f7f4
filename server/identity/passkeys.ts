import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { User } from '../http/scope.ts'
import { noticeMail } from './account-mail.ts'
import { recordEvent } from './events.ts'

const MAX_PASSKEYS = 20

/**
 * Where passkeys of this instance work: browsers bind them to a name, and only over https or on the same machine. Null when the
 * public address cannot have any.
 */
export function passkeyOrigin({ publicUrl }: Pick<Config, 'publicUrl'>): string | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isName = !/^[\d.]+$|^\[/.test(hostname)
  return isName && (protocol === 'https:' || hostname === 'localhost') ? origin : null
}

/** @throws AppError address_unproven, too_many_passkeys */
export async function requireRoomForPasskey(db: Db, user: Pick<User, 'id' | 'emailVerified' | 'isAnonymous'>) {
  if (user.isAnonymous || !user.emailVerified) throw new AppError('address_unproven')
  if ((await listPasskeys(db, user.id)).length >= MAX_PASSKEYS) throw new AppError('too_many_passkeys')
}

export async function listPasskeys(db: Db, userId: string) {
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map(({ id, name, created_at, last_used_at }) => ({
    id,
    name: name ?? '',
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))
}

interface PasskeyKey {
  userId: string
  id: string
}

/** @throws AppError not_found, also for a passkey of somebody else */
export async function renamePasskey(db: Db, { userId, id }: PasskeyKey, name: string): Promise<void> {
  const query = db.updateTable('passkey').set({ name }).where('id', '=', id).where('user_id', '=', userId)
  if (!(await query.returning('id').executeTakeFirst())) throw new AppError('not_found')
}

/** @throws AppError not_found, also for a passkey of somebody else */
export async function removePasskey(
  context: Pick<Context, 'db' | 'log'>,
  user: Pick<User, 'id' | 'email'>,
  id: string,
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const query = tx.deleteFrom('passkey').where('id', '=', id).where('user_id', '=', user.id)
    if (!(await query.returning('id').executeTakeFirst())) throw new AppError('not_found')
    await noticeMail(tx, { userId: user.id, email: user.email }, 'passkey_removed')
  })
  await recordEvent(context, { event: 'passkey_removed', userId: user.id })
}
