import type { Db } from '../database/client.ts'
import type { User } from '../http/scope.ts'

/**
 * What somebody has shown of themselves, least first: a guest has no address, an unproven user has given one, and a proven user has
 * opened a mail that was sent to it. What costs others is limited by it.
 */
const standings = ['guest', 'unproven', 'proven'] as const
export type Standing = (typeof standings)[number]

export const standingOf = ({ isAnonymous, emailVerified }: Pick<User, 'isAnonymous' | 'emailVerified'>): Standing =>
  isAnonymous ? 'guest' : emailVerified ? 'proven' : 'unproven'

/** The best standing among its owners: it counts for everybody who works on the newsletter, and for its API keys. */
export async function standingOfNewsletter(db: Db, newsletterId: string): Promise<Standing> {
  const owners = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.is_anonymous', 'user.email_verified'])
    .where('member.newsletter_id', '=', newsletterId)
    .where('member.role', '=', 'owner')
    .execute()
  const found = owners.map(({ is_anonymous, email_verified }) =>
    standingOf({ isAnonymous: is_anonymous ?? false, emailVerified: email_verified }),
  )
  return standings.findLast((standing) => found.includes(standing)) ?? 'guest'
}
