import type { RevenueChange, Subscription } from '../database/types.ts'

/** What decides whether a subscription is recurring revenue, and how much. */
export interface RevenueFacts {
  way: Subscription['way']
  status: Subscription['status']
  period: Subscription['period']
  /** Of one period, in the smallest unit. */
  amount: number | null
  /** Off each period, of a coupon that lasts. */
  discount?: number
  currency: string | null
}

export interface Movement {
  kind: RevenueChange['kind']
  currency: string
  /** In the smallest unit; negative when it is lost. */
  yearly: number
}

/**
 * The recurring revenue of a subscription in a year, in the smallest unit of its currency. A trial, a pause, a gift, a complimentary
 * subscription and one that is bought once are none, and what a lasting coupon takes off is not counted. A renewal that has failed is counted until the subscription ends.
 */
export function yearlyRevenue({ way, status, period, amount: full, discount = 0 }: RevenueFacts): number {
  const isPaid = (way === 'card' || way === 'outside') && (status === 'active' || status === 'past_due')
  if (!isPaid || full === null) return 0
  const amount = Math.max(0, full - discount)
  return period === 'month' ? amount * 12 : period === 'year' ? amount : 0
}

/** What the subscriber of a subscription is besides: pays for another one now; has ever paid for one, this or another; neither. */
export type Payer = 'beside' | 'before' | 'never'

/**
 * How a change of a subscription moves the recurring revenue. From nothing it is a reactivation of who has paid before. While its subscriber
 * pays for another one, they neither come nor leave: there is more of them, or less.
 */
export function movementsOf(before: RevenueFacts | null, after: RevenueFacts, payer: Payer): Movement[] {
  const was = before ? yearlyRevenue(before) : 0
  const is = yearlyRevenue(after)
  if (before?.currency && after.currency && was > 0 && is > 0 && before.currency !== after.currency)
    return [
      { kind: 'contraction', currency: before.currency, yearly: -was },
      { kind: 'expansion', currency: after.currency, yearly: is },
    ]
  const currency = (is > 0 ? after.currency : before?.currency) ?? after.currency
  if (was === is || currency === null) return []
  if (was === 0 && payer !== 'beside')
    return [{ kind: payer === 'before' ? 'reactivation' : 'new', currency, yearly: is }]
  if (is === 0 && payer !== 'beside') return [{ kind: 'churn', currency, yearly: -was }]
  return [{ kind: is > was ? 'expansion' : 'contraction', currency, yearly: is - was }]
}
