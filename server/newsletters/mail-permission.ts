import { LRUCache } from 'lru-cache'
import { AppError } from '../errors.ts'
import { standingOfNewsletter } from '../identity/standing.ts'
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
    const proven = (await standingOfNewsletter(db, newsletterId)) === 'proven'
    if (proven) this.#known.set(newsletterId, true)
    return proven
  }

  /** @throws AppError owner_unconfirmed */
  async require(newsletterId: string): Promise<void> {
    if (!(await this.mayMail(newsletterId))) throw new AppError('owner_unconfirmed')
  }
}
