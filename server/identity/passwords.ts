import type { Db } from '../database/client.ts'
import { AppError, type FieldFault } from '../errors.ts'
import { MAX_PASSWORD, type Weakness, weaknessOf } from './password-rules.ts'

const sentences = {
  short: 'password_short',
  common: 'password_common',
  personal: 'password_personal',
} as const satisfies Record<Weakness, string>

/** What a stranger would try for somebody: the product, and what is given of them. */
const knownOf = (given: string[]): string[] => ['tirage', ...given.flatMap((text) => [text, ...text.split('@')])]

/** @throws AppError invalid, with the reason beside the field `password` */
export function refuseWeak(password: string, known: string[]): void {
  const fault = passwordFault(password, known)
  if (fault) throw new AppError('invalid', { fields: { password: fault } })
}

/** What is wrong with a new password, as a key below `errors.fields`, or null. */
export function passwordFault(password: string, known: string[]): FieldFault | null {
  const weakness = weaknessOf(password, knownOf(known))
  if (weakness) return sentences[weakness]
  return password.length > MAX_PASSWORD ? 'password_long' : null
}

/** What is known of a user: address, name, and the names of their newsletters. */
export async function knownOfUser(db: Db, userId: string): Promise<string[]> {
  const user = await db.selectFrom('user').select(['email', 'name']).where('id', '=', userId).executeTakeFirst()
  const newsletters = await db
    .selectFrom('newsletter')
    .innerJoin('member', 'member.newsletter_id', 'newsletter.id')
    .select('newsletter.name')
    .where('member.user_id', '=', userId)
    .limit(50)
    .execute()
  return [...(user ? [user.email, user.name] : []), ...newsletters.map(({ name }) => name)]
}
