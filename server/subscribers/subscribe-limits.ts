import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { hiddenKey } from '../http/limits.ts'
import { recentKeys } from '../http/recent-keys.ts'
import { type Counted, SharedCounts } from '../http/shared-counts.ts'
import { ADDITIONS_AN_HOUR } from './contract.ts'

const TEN_MINUTES = 600
const HOUR = 3_600
const REQUESTS_PER_ADDRESS_AN_HOUR = 10
const OWN_PAGES_PER_ADDRESS_AN_HOUR = 5
const MOVES_PER_SUBSCRIBER_AN_HOUR = 5
/** Keys that this process knows to be full. */
const MAX_FULL = 100_000

interface Kept {
  key: string
  /** No more than so many. */
  most: number
  seconds: number
}

interface FormRequest {
  newsletterId: string
  network: string
  /** The address, known here or not. */
  normalised: string
  /** What names a proof of work that was found to be right, so that it counts once; null without one. */
  proof: string | null
}

/**
 * How often somebody may ask to subscribe, counted by all processes together: a network (SUBSCRIBE_LIMIT in ten minutes), an address over
 * all newsletters, and what a newsletter adds by its API. A form has no limit of its newsletter, which anybody could use up to close it.
 * When a form gets more than SUBSCRIBE_PRESSURE requests in ten minutes it is *under pressure*: until these are over, each request needs
 * a proof of work.
 */
export class SubscribeLimits {
  readonly #counts: SharedCounts
  /** Refused again without asking the database, which would be asked most by whoever asks too often. */
  readonly #full = recentKeys(MAX_FULL, HOUR)
  readonly #pressed = recentKeys(MAX_FULL, TEN_MINUTES)

  constructor(private readonly context: Pick<Context, 'db' | 'config' | 'signer'>) {
    this.#counts = new SharedCounts(context.db)
  }

  /** As far as this process knows: another may have counted more. */
  isPressed(newsletterId: string): boolean {
    return this.context.config.subscribePressure === 0 || this.#pressed.has(newsletterId)
  }

  /**
   * Counts a form that was sent.
   * @returns whether its newsletter is under pressure, and whether the request may go on: it has a proof, or needs none
   * @throws AppError too_many_requests
   */
  async ofForm({
    newsletterId,
    network,
    normalised,
    proof,
  }: FormRequest): Promise<{ pressed: boolean; admitted: boolean }> {
    const { subscribeLimit, subscribePressure } = this.context.config
    const { signer } = this.context
    const form = `subscribe form:${newsletterId}`
    const keys = [
      { key: `subscribe network:${hiddenKey(signer, network)}`, most: subscribeLimit, seconds: TEN_MINUTES },
      this.#ofAddress(normalised),
      { key: form, most: Number.POSITIVE_INFINITY, seconds: TEN_MINUTES },
      ...(proof ? [{ key: `subscribe proof:${proof}`, most: Number.POSITIVE_INFINITY, seconds: HOUR }] : []),
    ]
    const [, , onForm, ofProof] = await this.#take(keys)
    const pressed = (onForm?.acts ?? 0) > subscribePressure
    if (pressed) this.#pressed.set(newsletterId, true, { ttl: (onForm?.secondsLeft ?? 1) * 1000 })
    return { pressed, admitted: !pressed || ofProof?.acts === 1 }
  }

  /** Counts a subscriber added by a member or by the API of a newsletter. @throws AppError too_many_requests */
  async ofApi({ newsletterId, normalised }: Pick<FormRequest, 'newsletterId' | 'normalised'>): Promise<void> {
    const key = `subscribers added:${newsletterId}`
    await this.#take([{ key, most: ADDITIONS_AN_HOUR, seconds: HOUR }, this.#ofAddress(normalised)])
  }

  /** Counts a request for the link to a subscriber's own page, whether the address is known or not. @throws AppError too_many_requests */
  async ofOwnPage({ network, normalised }: Pick<FormRequest, 'network' | 'normalised'>): Promise<void> {
    const { signer, config } = this.context
    await this.#take([
      { key: `subscribe network:${hiddenKey(signer, network)}`, most: config.subscribeLimit, seconds: TEN_MINUTES },
      { key: `own page:${hiddenKey(signer, normalised)}`, most: OWN_PAGES_PER_ADDRESS_AN_HOUR, seconds: HOUR },
    ])
  }

  /** Counts a request to move a subscription to another address, known or not. @throws AppError too_many_requests */
  async ofMove({
    newsletterId,
    subscriberId,
    network,
    normalised,
  }: Pick<FormRequest, 'newsletterId' | 'network' | 'normalised'> & { subscriberId: string }): Promise<void> {
    const { signer, config } = this.context
    await this.#take([
      { key: `subscribe network:${hiddenKey(signer, network)}`, most: config.subscribeLimit, seconds: TEN_MINUTES },
      { key: `moves of subscriber:${subscriberId}`, most: MOVES_PER_SUBSCRIBER_AN_HOUR, seconds: HOUR },
      { key: `moves:${newsletterId}`, most: ADDITIONS_AN_HOUR, seconds: HOUR },
      this.#ofAddress(normalised),
    ])
  }

  #ofAddress(normalised: string): Kept {
    const key = `subscribe address:${hiddenKey(this.context.signer, normalised)}`
    return { key, most: REQUESTS_PER_ADDRESS_AN_HOUR, seconds: HOUR }
  }

  async #take(keys: Kept[]): Promise<Counted[]> {
    for (const { key } of keys) if (this.#full.has(key)) throw refusal(this.#full.getRemainingTTL(key) / 1000)
    const counted = await this.#counts.count(keys)
    let seconds = 0
    for (const [at, { key, most }] of keys.entries()) {
      const { acts, secondsLeft } = counted[at] ?? { acts: 0, secondsLeft: 1 }
      if (acts >= most) this.#full.set(key, true, { ttl: secondsLeft * 1000 })
      if (acts > most) seconds = Math.max(seconds, secondsLeft)
    }
    if (seconds > 0) throw refusal(seconds)
    return counted
  }
}

const refusal = (seconds: number) => new AppError('too_many_requests', { params: { seconds: Math.ceil(seconds) || 1 } })
