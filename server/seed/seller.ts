import type { Insertable } from 'kysely'
import { type ChargingNewsletter, storeSubscription } from '../charge/change.ts'
import { storePayment } from '../charge/payments.ts'
import type { Db } from '../database/client.ts'
import type { Subscription } from '../database/types.ts'
import type { Offered, SoldPlans } from './plans.ts'
import type { Random } from './random.ts'
import { DAY } from './subscribers.ts'

/** What a newsletter of the demo sells, and since when. */
export interface Selling {
  newsletterId: string
  /** When the first plan was sold, and now, in milliseconds since 1970. */
  from: number
  to: number
  /** When each publication was sent, oldest first. */
  sendings: readonly { publicationId: string; at: number }[]
}

/** A subscriber who buys, and from when on they may. */
export interface Buyer {
  id: string
  since: number
}

const GRACE_DAYS = 14

export type Stored = Omit<Insertable<Subscription>, 'newsletter_id' | 'changed_at'>
export type Selected = Pick<Stored, 'way' | 'period' | 'amount' | 'currency' | 'price_id' | 'plan_id'> & Partial<Stored>

/** Writes what happens to subscriptions, one after the other, at the times at which it happened. */
export class Seller {
  readonly #newsletter: ChargingNewsletter

  constructor(
    readonly db: Db,
    readonly random: Random,
    readonly selling: Selling & { plans: SoldPlans },
  ) {
    this.#newsletter = { id: selling.newsletterId, grace_days: GRACE_DAYS }
  }

  get now(): number {
    return this.selling.to
  }

  /** A moment at which somebody buys: after they subscribed, some days after something was sent. */
  moment({ since }: Buyer): number {
    const read = this.selling.sendings.filter(({ at }) => at > since)
    // The earlier of two, since most who pay do so soon.
    const at = read.length > 0 ? Math.min(this.random.pick(read).at, this.random.pick(read).at) : since + DAY
    return Math.min(this.now - 3 * 3_600_000, Math.max(since + 3_600_000, at) + this.random.exponential(20 * 3_600_000))
  }

  /** What comes so long after something else, and has already come. */
  already(at: number): number {
    return Math.min(at, this.now - 3_600_000)
  }

  async start({ id }: Buyer, at: number, selected: Selected): Promise<Stored> {
    const read = this.selling.sendings.findLast((sending) => sending.at < at)
    const isFromPublication = read && this.random.happens(0.7)
    const subscription: Stored = {
      ...{ id: this.random.uuid(at), subscriber_id: id, status: 'active', started_at: new Date(at) },
      publication_id: isFromPublication ? read.publicationId : null,
      source: this.random.pick(['plans', 'plans', 'paywall', 'radio']),
      ...selected,
    }
    await this.store(subscription, at)
    return subscription
  }

  async store(subscription: Stored, at: number): Promise<void> {
    await storeSubscription(this.db, this.#newsletter, { ...subscription, at: new Date(at) })
  }

  /** A payment of a period; of a card with its fee and the tax in it. Answers its id. */
  async pay(
    { id, subscriber_id, plan_id, currency, amount, test, publication_id, source }: Stored,
    { at, until, means, back }: { at: number; until: Date | null; means: string; back?: string },
  ): Promise<string> {
    const sum = Number(amount) * (back ? -1 : 1)
    const paymentId = this.random.uuid(at)
    const byCard = means === 'card' && {
      ...{ fee: back ? 0 : Math.round(sum * 0.015) + 25, tax: Math.round(sum / 6), country: 'FR' },
      stripe_id: `${back ? 're' : 'in'}_demo_${paymentId}`,
    }
    await storePayment(this.db, this.selling.newsletterId, {
      ...{
        id: paymentId,
        subscription_id: id,
        subscriber_id: subscriber_id ?? null,
        plan_id,
        test: test ?? false,
        at: new Date(at),
        currency: currency ?? 'eur',
      },
      ...{ kind: back ? 'refund' : 'payment', amount: sum, means, period_from: new Date(at), period_until: until },
      ...{
        publication_id: publication_id ?? null,
        source: source ?? null,
        ...(back && { refund_of: back }),
        ...byCard,
      },
    })
    return paymentId
  }
}

export const soldAt = ({ planId, priceId, amount, period }: Offered) =>
  ({ plan_id: planId, price_id: priceId, amount, period, currency: 'eur' }) as const

export const after = (at: number, period: 'month' | 'year', times = 1): Date => {
  const end = new Date(at)
  if (period === 'month') end.setUTCMonth(end.getUTCMonth() + times)
  else end.setUTCFullYear(end.getUTCFullYear() + times)
  return end
}

/** Takes those out who subscribed before a moment. */
export function takeEarly(buyers: Buyer[], count: number, before: number): Buyer[] {
  const early = buyers.filter(({ since }) => since < before).slice(0, count)
  for (const buyer of early) buyers.splice(buyers.indexOf(buyer), 1)
  return early
}
