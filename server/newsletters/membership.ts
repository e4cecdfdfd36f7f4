import type { Db } from '../database/client.ts'
import type { Membership, NewsletterRow } from '../http/scope.ts'

/** The newsletter and the user's role in it. Null when the user is no member or the newsletter was deleted. */
export async function findMembership(db: Db, newsletterId: string, userId: string): Promise<Membership | null> {
  const row = await db
    .selectFrom('newsletter')
    .innerJoin('member', 'member.newsletter_id', 'newsletter.id')
    .selectAll('newsletter')
    .select('member.role as memberRole')
    .where('newsletter.id', '=', newsletterId)
    .where('member.user_id', '=', userId)
    .where('newsletter.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { memberRole, ...newsletter } = row
  return { newsletter, role: memberRole }
}

/** A deleted newsletter, while it can be restored. Whoever leaves it meanwhile has left it. */
export async function findDeletedNewsletter(db: Db, newsletterId: string): Promise<NewsletterRow | null> {
  const query = db.selectFrom('newsletter').selectAll().where('id', '=', newsletterId)
  return (await query.where('deleted_at', 'is not', null).executeTakeFirst()) ?? null
}

export async function findNewsletter(db: Db, newsletterId: string): Promise<NewsletterRow | null> {
  const query = db.selectFrom('newsletter').selectAll().where('id', '=', newsletterId).where('deleted_at', 'is', null)
  return (await query.executeTakeFirst()) ?? null
}
