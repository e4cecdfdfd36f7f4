import { LRUCache } from 'lru-cache'
import { AppError } from '../errors.ts'
import type { WithRelays } from '../relays/relays.ts'

/**
 * Decides whether a newsletter may send mail. Guests and people without a proven address may write and publish on the web.
 * But a newsletter sends nothing through a real relay, not even a request to confirm, until one of its owners has proved an
 * address. Otherwise anybody could make this instance write to anybody.
 */
export class MailPermissions {
  readonly #known = new LRUCache<string, true>({ max: 5_000, ttl: 60_000 })

  constructor(private readonly context: Pick<WithRelays, 'db' | 'relays'>) {}

  /** Also true while mail is caught on this machine. */
  async mayMail(newsletterId: string): Promise<boolean> {
    const { db, relays } = this.context
    if (this.#known.has(newsletterId) || (await relays.caught(newsletterId))) return true
    const owner = await db
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.user_id')
      .select('user.id')
      .where('member.newsletter_id', '=', newsletterId)
      .where('member.role', '=', 'owner')
      .where('user.email_verified', 'is', true)
      .where('user.is_anonymous', 'is not', true)
      .limit(1)
      .executeTakeFirst()
    if (owner) this.#known.set(newsletterId, true)
    return owner !== undefined
  }

  /** @throws AppError owner_unconfirmed */
  async require(newsletterId: string): Promise<void> {
    if (!(await this.mayMail(newsletterId))) throw new AppError('owner_unconfirmed')
  }
}
