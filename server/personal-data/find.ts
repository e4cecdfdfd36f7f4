import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { ErasedSubscribers, SubscriberHolding, SubscriberSubject, UserHolding, UserSubject } from './holding.ts'

/** A subscriber, locked until the transaction ends, or null. */
export async function findSubscriberSubject(
  db: Db,
  { newsletterId, subscriberId }: { newsletterId: string; subscriberId: string },
): Promise<SubscriberSubject | null> {
  const row = await db
    .selectFrom('subscriber')
    .select(['email', 'email_normalised'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriberId)
    .forUpdate()
    .executeTakeFirst()
  return row ? { newsletterId, subscriberId, email: row.email, emailNormalised: row.email_normalised } : null
}

/** Those subscribers who are there, locked until the transaction ends, in the order of their ids as everybody does who locks several. */
export async function findErased(
  db: Db,
  { newsletterId, subscriberIds }: { newsletterId: string; subscriberIds: string[] },
): Promise<ErasedSubscribers> {
  const { rows } = await sql<{ id: string; email: string; email_normalised: string }>`
    select id, email, email_normalised from subscriber
    where newsletter_id = ${newsletterId} and id = any(${subscriberIds}::uuid[]) order by id for update`.execute(db)
  return {
    newsletterId,
    subscriberIds: rows.map(({ id }) => id),
    emails: rows.map(({ email }) => email),
    normalised: rows.map(({ email_normalised }) => email_normalised),
  }
}

/** A user, locked until the transaction ends, or null. */
export async function findUserSubject(db: Db, userId: string): Promise<UserSubject | null> {
  const row = await db.selectFrom('user').select('email').where('id', '=', userId).forUpdate().executeTakeFirst()
  return row ? { userId, email: row.email } : null
}

/** SQL that is true for a subscriber's rows of a table. */
export const rowsOfSubscriber = (
  { person, find }: SubscriberHolding,
  subject: SubscriberSubject,
): RawBuilder<SqlBool> =>
  sql`newsletter_id = ${subject.newsletterId}
    and ${find ? find(subject) : sql<SqlBool>`${sql.ref(person)} = ${subject.subscriberId}`}`

/** SQL that is true for a user's rows of a table. */
export const rowsOfUser = ({ person, find }: UserHolding, subject: UserSubject): RawBuilder<SqlBool> =>
  find ? find(subject) : sql<SqlBool>`${sql.ref(person)} = ${subject.userId}`
