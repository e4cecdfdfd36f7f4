import type { Kysely } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { endKeysOf } from '../newsletters/api-keys.ts'
import { takenBackMail } from './account-mail.ts'

/**
 * Ends every way into an account that does not need its address or its second factor: sessions, passkeys, the API keys that its
 * user made, and mailed links that were not used yet.
 */
export async function endAccess(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('session').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkey').where('user_id', '=', userId).execute()
  await endKeysOf(tx, userId)
  await tx.deleteFrom('verification').where('value', '=', userId).execute()
}

/**
 * Gives an account to whoever has just proven its address, when that address was unproven until now: anybody may have opened the
 * account. Its password, second factor and linked accounts end as well, and a mail says so and names its newsletters.
 *
 * @returns whether a password ended, or null when the address had been proven already and nothing was done
 */
export function takeBack(db: Kysely<DB>, userId: string): Promise<{ passwordRemoved: boolean } | null> {
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .updateTable('user')
      .set({ email_verified: true, updated_at: new Date() })
      .where('id', '=', userId)
      .where('email_verified', '=', false)
      .returning('email')
      .executeTakeFirst()
    if (!user) return null
    await endAccess(tx, userId)
    await tx.deleteFrom('two_factor').where('user_id', '=', userId).execute()
    await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
    const ended = await tx.deleteFrom('account').where('user_id', '=', userId).returning('provider_id').execute()
    await takenBackMail(tx, { userId, email: user.email })
    return { passwordRemoved: ended.some(({ provider_id }) => provider_id === 'credential') }
  })
}
