import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { Made } from '../http/endpoint.ts'
import { hiddenKey, networkOf, SharedLimit } from '../http/limits.ts'
import type { Maker } from '../http/scope.ts'
import { type Standing, standingOf, standingOfNewsletter } from './standing.ts'

type Unknown = Exclude<Standing, 'proven'>

/**
 * What all guests, and all unproven owners, may make in an hour from one network: an IPv4 address, or an IPv6 /64. It leaves room for a
 * class that tries it in one room, and ends what one machine can do by beginning again as somebody else. Proven owners have no limit of
 * their network: offices and whole towns share an address, and each of them is bounded by an address of their own that gets their mail.
 * docs/operating.md has the same table; a test compares them.
 */
export const limitsOfNetworks = {
  newsletters: { guest: 30, unproven: 60 },
  publications: { guest: 150, unproven: 600 },
  links: { guest: 100, unproven: 1_200 },
  apiKeys: { guest: 20, unproven: 100 },
  uploads: { guest: 200, unproven: 600 },
  /** Guests cannot invite. */
  invitations: { guest: null, unproven: 30 },
} as const satisfies Record<Made, Record<Unknown, number | null>>

/** Counts what people without a proven address make from each network, together with all processes. */
export class NetworkLimits {
  readonly #limits = new Map<string, SharedLimit>()

  constructor(private readonly context: Pick<Context, 'db' | 'pool' | 'signer'>) {}

  /**
   * Counts one thing that is about to be made. What is refused afterwards counts too. In a newsletter its owners' standing matters, else
   * that of the user.
   * @throws AppError too_many_from_network, with the seconds to wait
   */
  async count(made: Made, { user, newsletterId, ip }: Maker): Promise<void> {
    const { db, signer } = this.context
    const standing = newsletterId ? await standingOfNewsletter(db, newsletterId) : user ? standingOf(user) : 'guest'
    if (standing === 'proven') return
    const points = limitsOfNetworks[made][standing]
    if (points === null) return
    const seconds = await this.#limitOf(`${made} of ${standing}`, points).wait(hiddenKey(signer, networkOf(ip)))
    if (seconds > 0) throw new AppError('too_many_from_network', { params: { seconds }, limitOf: standing })
  }

  #limitOf(name: string, points: number): SharedLimit {
    const limit = this.#limits.get(name) ?? new SharedLimit(this.context.pool, { name, points, seconds: 3600 })
    this.#limits.set(name, limit)
    return limit
  }
}
