import { type Kysely, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import { may, type Role } from '../permissions.ts'
import { endInvitationsOf } from './invitations.ts'

export async function listPeople(db: Db, newsletterId: string) {
  const rows = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.name', 'user.email', 'user.is_anonymous', 'member.role', 'member.created_at'])
    .where('member.newsletter_id', '=', newsletterId)
    .orderBy('member.created_at')
    .execute()
  return rows.map((row) => ({
    userId: row.id,
    name: row.name,
    email: row.is_anonymous ? '' : row.email,
    role: row.role,
    since: row.created_at.toISOString(),
  }))
}

/** @throws AppError last_owner, not_found */
export function giveRole(
  db: Kysely<DB>,
  newsletterId: string,
  { userId, role }: { userId: string; role: Role },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockOwners(tx, newsletterId)
    const member = tx.updateTable('member').set({ role }).where('newsletter_id', '=', newsletterId)
    const { numUpdatedRows } = await member.where('user_id', '=', userId).executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('not_found')
    if (!may(role, 'members.manage')) await endInvitationsOf(tx, newsletterId, userId)
    await refuseOwnerless(tx, newsletterId)
  })
}

/** @throws AppError last_owner, not_found */
export function removePerson(db: Kysely<DB>, newsletterId: string, userId: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockOwners(tx, newsletterId)
    const member = tx.deleteFrom('member').where('newsletter_id', '=', newsletterId)
    const { numDeletedRows } = await member.where('user_id', '=', userId).executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError('not_found')
    await endInvitationsOf(tx, newsletterId, userId)
    await refuseOwnerless(tx, newsletterId)
  })
}

/** Of how many days a removed person is told. */
const REMOVED_DAYS = 30

/** The newsletters that somebody else removed a user from lately, and that the user did not come back to, by the names that they had then. */
export async function removedFrom(db: Db, userId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select distinct on (a.newsletter_id) a.newsletter_id as id, a.detail ->> 'newsletter' as name from audit a
    where a.about_user_id = ${userId} and a.act = 'member_removed' and a.outcome = 'done' and a.detail ? 'newsletter'
      and a.user_id is distinct from a.about_user_id and a.at > now() - make_interval(days => ${REMOVED_DAYS})
      and not exists (select from member m where m.newsletter_id = a.newsletter_id and m.user_id = a.about_user_id)
    order by a.newsletter_id, a.at desc`.execute(db)
  return rows.toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Locks the newsletter for a change of owners. Two owners who leave at the same moment would each still see the other. */
export const lockOwners = (tx: Db, newsletterId: string) =>
  tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forUpdate().execute()

async function refuseOwnerless(tx: Db, newsletterId: string): Promise<void> {
  const owners = tx.selectFrom('member').select('user_id').where('newsletter_id', '=', newsletterId)
  if (!(await owners.where('role', '=', 'owner').limit(1).executeTakeFirst())) throw new AppError('last_owner')
}
