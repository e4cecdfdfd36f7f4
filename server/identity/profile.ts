import { type Kysely, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { addLine } from '../audit/lines.ts'
import type { Db } from '../database/client.ts'
import type { DB, Profile as ProfileTable } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { User } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { isTimezone } from '../newsletters/timezone.ts'
import { eraseUser } from '../personal-data/erase.ts'
import { deletedMail, languageOf } from './account-mail.ts'
import type { CurrentUser, Profile, updateProfile } from './contract.ts'
import { guestName } from './guest-name.ts'

type Shown = z.infer<typeof Profile>

const untouched: Shown = { mode: 'auto', language: null, currency: null, timezone: null, singleKeys: true }

export async function findProfile(db: Db, userId: string): Promise<Shown> {
  const row = await db.selectFrom('profile').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row ? present(row) : untouched
}

/** Changes the given settings. @throws AppError invalid for an unknown timezone */
export async function changeProfile(
  db: Db,
  userId: string,
  change: z.output<typeof updateProfile.body>,
): Promise<Shown> {
  if (change.timezone && !isTimezone(change.timezone)) {
    throw new AppError('invalid', { fields: { timezone: 'not_a_timezone' } })
  }
  const { singleKeys, ...rest } = change
  const given = Object.fromEntries(
    Object.entries({ ...rest, single_keys: singleKeys }).filter(([, value]) => value !== undefined),
  )
  const row = await db
    .insertInto('profile')
    .values({ user_id: userId, ...given })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...given, updated_at: sql`now()` }))
    .returningAll()
    .executeTakeFirstOrThrow()
  if (change.language) await renameGuest(db, userId, change.language)
  return present(row)
}

const renameGuest = (db: Db, userId: string, language: Language) =>
  db
    .updateTable('user')
    .set({ name: guestName(language) })
    .where('id', '=', userId)
    .where('is_anonymous', '=', true)
    .execute()

const present = ({ mode, language, currency, timezone, single_keys: singleKeys }: Selectable<ProfileTable>): Shown => ({
  mode,
  language,
  currency,
  timezone,
  singleKeys,
})

export const presentUser = (user: User): z.infer<typeof CurrentUser> => ({
  uid: user.id,
  displayName: user.name,
  email: user.isAnonymous ? '' : user.email,
  photoURL: user.image,
  emailVerified: user.emailVerified,
  anonymous: user.isAnonymous,
})

/** The newsletters of which a user is the only owner. */
export function soleOwnerOf(db: Db, userId: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('newsletter')
    .innerJoin('member', 'member.newsletter_id', 'newsletter.id')
    .select(['newsletter.id', 'newsletter.name'])
    .where('member.user_id', '=', userId)
    .where('member.role', '=', 'owner')
    .where('newsletter.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('member as other')
            .select('other.user_id')
            .whereRef('other.newsletter_id', '=', 'newsletter.id')
            .where('other.role', '=', 'owner')
            .where('other.user_id', '<>', userId),
        ),
      ),
    )
    .orderBy('newsletter.name')
    .execute()
}

/**
 * Deletes an account, and tells its address, if that was proven. What its user wrote for newsletters stays there.
 * @throws AppError last_owner while a newsletter would be left without an owner
 */
export function deleteAccount(db: Kysely<DB>, userId: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('newsletter')
      .innerJoin('member', 'member.newsletter_id', 'newsletter.id')
      .select('newsletter.id')
      .where('member.user_id', '=', userId)
      .where('member.role', '=', 'owner')
      .where('newsletter.deleted_at', 'is', null)
      .orderBy('newsletter.id')
      // Every change of owners locks this row, so that two owners cannot leave at the same moment.
      .forUpdate('newsletter')
      .execute()
    if ((await soleOwnerOf(tx, userId)).length > 0) throw new AppError('last_owner')
    // Locked, so that whoever presses twice is told once.
    const user = await tx
      .selectFrom('user')
      .select(['email', 'email_verified'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (!user) return
    // That somebody with this role left could be disputed. Who it was goes with the account.
    const left = await tx.selectFrom('member').select(['newsletter_id', 'role']).where('user_id', '=', userId).execute()
    for (const { newsletter_id: newsletterId, role } of left)
      await addLine(tx, { newsletterId, act: 'member_account_deleted', actor: 'member', detail: { role } })
    const language = await languageOf(tx, userId)
    await eraseUser(tx, userId)
    // After the erasure, which removes what is queued for the address.
    if (user.email_verified) await deletedMail(tx, user.email, language)
  })
}
