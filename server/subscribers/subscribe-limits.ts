import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import { Limit } from '../http/limits.ts'

const TEN_MINUTES = 600
const HOUR = 3_600
const REQUESTS_PER_ADDRESS_AN_HOUR = 10
/** Each addition mails somebody. This is enough for a form on another site, and too few to annoy many people. */
const ADDITIONS_PER_NEWSLETTER_AN_HOUR = 600

/** How often somebody may ask to subscribe. The number per network is the setting SUBSCRIBE_LIMIT. */
export class SubscribeLimits {
  readonly #networks: Limit
  readonly #addresses = new Limit(REQUESTS_PER_ADDRESS_AN_HOUR, HOUR)
  readonly #additions = new Limit(ADDITIONS_PER_NEWSLETTER_AN_HOUR, HOUR)

  constructor({ subscribeLimit }: Pick<Config, 'subscribeLimit'>) {
    this.#networks = new Limit(subscribeLimit, TEN_MINUTES)
  }

  /** A form sent from a network. @throws AppError too_many_requests */
  ofNetwork(network: string): Promise<void> {
    return this.#networks.take(network)
  }

  /** A request for an address, known here or not. @throws AppError too_many_requests */
  ofAddress(normalised: string): Promise<void> {
    return this.#addresses.take(createHash('sha256').update(normalised).digest('base64'))
  }

  /** A subscriber added by a member or by the API of a newsletter. @throws AppError too_many_requests */
  ofNewsletter(newsletterId: string): Promise<void> {
    return this.#additions.take(newsletterId)
  }
}
