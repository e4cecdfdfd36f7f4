import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { CallerSession, User } from '../http/scope.ts'
import { noticeMail } from './account-mail.ts'
import type { Auth } from './auth.ts'
import { recordEvent } from './events.ts'
import { knownOfUser, refuseWeak } from './passwords.ts'
import { endAccess, takeBack } from './take-back.ts'

type Dependencies = Pick<Context, 'db' | 'log'>

/** Whose password the token of a mail sets. The token is not used up. @throws AppError link_used */
export async function addressOfReset({ db }: Dependencies, auth: Auth, token: string): Promise<string> {
  const userId = await auth.findReset(token)
  const user = userId && (await db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst())
  if (!user) throw new AppError('link_used')
  return user.email
}

/**
 * Sets a new password with the token of a mail. All other ways in end, but for the second factor of a proven address. An address that
 * was unproven is proven by this, and the account taken back.
 *
 * @throws AppError link_used, invalid for a weak password, with which the token still works
 */
export async function resetPassword(
  context: Dependencies,
  auth: Auth,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const found = await auth.findReset(token)
  if (!found) throw new AppError('link_used')
  refuseWeak(password, await knownOfUser(context.db, found))
  const hash = await auth.hashes.hash(password)
  const userId = await auth.spendReset(token)
  if (!userId) throw new AppError('link_used')
  const takenBack = await takeBack(context.db, userId)
  await context.db.transaction().execute(async (tx) => {
    const user = await tx.selectFrom('user').select('email').where('id', '=', userId).forUpdate().executeTakeFirst()
    if (!user) throw new AppError('link_used')
    await endAccess(tx, userId)
    await storePassword(tx, userId, hash)
    // Somebody else who reads this inbox may have asked for the link.
    if (!takenBack) await noticeMail(tx, { userId, email: user.email }, 'password_changed')
  })
  if (takenBack) await recordEvent(context, { event: 'account_taken_back', userId })
  await recordEvent(context, { event: 'password_reset', userId })
}

interface OwnPassword {
  user: Pick<User, 'id' | 'email' | 'emailVerified' | 'isAnonymous'>
  session: CallerSession
  password: string
}

/** Sets the caller's password and ends their other sessions. @throws AppError invalid, address_unproven */
export async function changePassword(context: Dependencies, auth: Auth, own: OwnPassword): Promise<void> {
  const { user, session, password } = own
  if (user.isAnonymous || !user.emailVerified) throw new AppError('address_unproven')
  refuseWeak(password, await knownOfUser(context.db, user.id))
  const hash = await auth.hashes.hash(password)
  await context.db.transaction().execute(async (tx) => {
    await storePassword(tx, user.id, hash)
    await tx.deleteFrom('session').where('user_id', '=', user.id).where('id', '<>', session.id).execute()
    await tx.deleteFrom('verification').where('value', '=', user.id).execute()
    await noticeMail(tx, { userId: user.id, email: user.email }, 'password_changed')
  })
  await recordEvent(context, { event: 'password_changed', userId: user.id })
}

async function storePassword(tx: Db, userId: string, hash: string): Promise<void> {
  const row = { id: uuidv7(), user_id: userId, provider_id: 'credential', account_id: userId, password: hash }
  await tx
    .insertInto('account')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password: hash, updated_at: new Date() }),
    )
    .execute()
}

/** Whether a user has a password. */
export async function hasPassword(db: Kysely<DB>, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .where('password', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
