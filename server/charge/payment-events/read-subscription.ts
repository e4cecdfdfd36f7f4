import type Stripe from 'stripe'
import type { Subscription } from '../../database/types.ts'

/** What a subscription at Stripe says of itself. Nothing of it was compared with our own rows yet. */
export interface StatedSubscription {
  stripeId: string
  /** The ids that we gave it when it was bought. Somebody else can have written them. */
  names: StatedNames
  customer: string
  test: boolean
  status: Subscription['status']
  currency: string
  /** Of one period, in the smallest unit of the currency; null when a price of it has no fixed amount. */
  amount: number | null
  discounts: StatedDiscounts
  /** Null for a period that we do not sell, such as a week or three months. */
  period: 'month' | 'year' | null
  startedAt: Date
  trialUntil: Date | null
  paidUntil: Date | null
  /** From where its periods are counted while its collection is paused: they go on then, and nobody pays for them. Null otherwise. */
  unpaidPeriodsFrom: Date | null
  renews: boolean
  resumesAt: Date | null
  endedAt: Date | null
  cancelledAt: Date | null
  /** Whether it ended because nobody paid. */
  endedUnpaid: boolean
}

/** What is taken off each period. */
interface StatedDiscounts {
  /** At Stripe, in their order. */
  ids: string[]
  /** In the smallest unit, of those that last longer than one period; null where only their ids are stated, as in events. */
  off: number | null
}

export interface StatedNames {
  newsletter: string | null
  subscriber: string | null
  plan: number | null
  price: number | null
  publication: string | null
  source: string | null
  coupon: number | null
  /** The order of a gift. */
  gift: string | null
  /** A booking of a sponsor, and the way to its payment (`booking_checkout`). */
  booking: string | null
  checkout: string | null
}

const MAX_SOURCE = 200

export function readNames(metadata: Stripe.Metadata | null): StatedNames {
  const text = (name: string) => metadata?.[name] || null
  const number = (name: string) => {
    const value = text(name)
    return value && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null
  }
  return {
    newsletter: text('tirage_newsletter'),
    subscriber: text('tirage_subscriber'),
    plan: number('tirage_plan'),
    price: number('tirage_price'),
    publication: text('tirage_publication'),
    source: text('tirage_source')?.slice(0, MAX_SOURCE) ?? null,
    coupon: number('tirage_coupon'),
    gift: text('tirage_gift'),
    booking: text('tirage_booking'),
    checkout: text('tirage_checkout'),
  }
}

/** Reads a subscription as Stripe sends it since 2025-03-31, where the ends of its period stand on its items. */
export function readSubscription(stated: Stripe.Subscription): StatedSubscription {
  const periodEnds = stated.items.data.map((item) => item.current_period_end)
  const lastEnd = periodEnds.length > 0 ? Math.max(...periodEnds) : stated.trial_end
  // A trial that ended without a card.
  const periodEnd = stated.status === 'paused' ? (stated.trial_end ?? lastEnd) : lastEnd
  const isCancelled = stated.cancel_at_period_end || (stated.cancel_at !== null && stated.cancel_at <= (periodEnd ?? 0))
  const status = statusOf(stated)
  return {
    stripeId: stated.id,
    names: readNames(stated.metadata),
    customer: idOf(stated.customer),
    test: !stated.livemode,
    status,
    currency: stated.currency,
    amount: amountOf(stated.items.data),
    discounts: discountsOf(stated),
    period: periodOf(stated.items.data),
    startedAt: moment(stated.start_date),
    trialUntil: momentOrNull(stated.trial_end),
    paidUntil: momentOrNull(
      isCancelled && stated.cancel_at ? Math.min(stated.cancel_at, periodEnd ?? stated.cancel_at) : periodEnd,
    ),
    unpaidPeriodsFrom: status === 'paused' && stated.pause_collection ? moment(stated.billing_cycle_anchor) : null,
    renews: !isCancelled && status !== 'ended',
    resumesAt: momentOrNull(stated.pause_collection?.resumes_at ?? null),
    endedAt: status === 'ended' ? moment(stated.ended_at ?? stated.canceled_at ?? stated.created) : null,
    cancelledAt: momentOrNull(stated.canceled_at),
    endedUnpaid: status === 'ended' && stated.cancellation_details?.reason === 'payment_failed',
  }
}

/** A status that Stripe invents one day is taken for a renewal that failed: it neither opens for good nor shuts at once. */
export function statusOf({
  status,
  pause_collection,
}: Pick<Stripe.Subscription, 'status' | 'pause_collection'>): Subscription['status'] {
  switch (status) {
    case 'incomplete':
      return 'incomplete'
    case 'incomplete_expired':
    case 'canceled':
      return 'ended'
    case 'trialing':
      return pause_collection ? 'paused' : 'trialing'
    case 'active':
      return pause_collection ? 'paused' : 'active'
    case 'paused':
      return 'paused'
    default:
      return 'past_due'
  }
}

function amountOf(items: Stripe.SubscriptionItem[]): number | null {
  let sum = 0
  for (const { price, quantity = 1 } of items) {
    if (price.unit_amount === null) return null
    sum += price.unit_amount * quantity
  }
  return sum
}

function discountsOf({ discounts, items }: Stripe.Subscription): StatedDiscounts {
  const ids = discounts.map(idOf)
  let left = amountOf(items.data) ?? 0
  const full = left
  for (const discount of discounts) {
    const coupon = typeof discount === 'string' ? null : discount.source.coupon
    if (!coupon || typeof coupon === 'string') return { ids, off: null }
    if (coupon.duration === 'once') continue
    const off = coupon.percent_off ? Math.round((left * coupon.percent_off) / 100) : (coupon.amount_off ?? 0)
    left -= Math.min(left, off)
  }
  return { ids, off: full - left }
}

function periodOf([item]: Stripe.SubscriptionItem[]): 'month' | 'year' | null {
  const recurring = item?.price.recurring
  if (!recurring) return null
  const { interval, interval_count: count } = recurring
  if (interval === 'month') return count === 1 ? 'month' : count === 12 ? 'year' : null
  return interval === 'year' && count === 1 ? 'year' : null
}

/** Where Stripe puts either the id or the whole object. */
export const idOf = (named: string | { id: string }): string => (typeof named === 'string' ? named : named.id)

export const idOrNull = (named: string | { id: string } | null | undefined): string | null =>
  named ? idOf(named) : null

/** Stripe's times are in seconds. */
export const moment = (seconds: number): Date => new Date(seconds * 1000)

const momentOrNull = (seconds: number | null): Date | null => (seconds === null ? null : moment(seconds))
