import { monthsLater } from '../../subscribers/leave.ts'
import type { StatedSubscription } from './read-subscription.ts'

type Periods = Pick<StatedSubscription, 'paidUntil' | 'period' | 'unpaidPeriodsFrom'>

/**
 * Until when a subscription was paid when its collection was paused. At Stripe its periods go on meanwhile, each with an invoice that is void:
 * what was paid is the period in which the pause began. Months are counted as Stripe counts them: on the same day, or on the last one
 * (docs.stripe.com/billing/subscriptions/billing-cycle).
 */
export function paidWhenPaused({ paidUntil, period, unpaidPeriodsFrom: from }: Periods, pausedAt: Date): Date | null {
  if (!paidUntil || !from || !period) return paidUntil
  const months = period === 'year' ? 12 : 1
  const first = Math.floor(monthsBetween(from, pausedAt) / months)
  const ends = [first, first + 1, first + 2].map((count) => monthsLater(from, Math.max(0, count) * months))
  const end = ends.find((one) => one > pausedAt) ?? paidUntil
  return end < paidUntil ? end : paidUntil
}

const DAY_MS = 86_400_000

/** When a monthly subscription is charged, so many months after the end of a period of it. @param anchor when its first period began */
export function monthlyPaymentAfter(end: Date, { months, anchor }: { months: number; anchor: Date }): Date {
  const before = Math.max(0, monthsBetween(anchor, end))
  const periods = [before, before + 1].find((count) => monthsLater(anchor, count).getTime() > end.getTime() - DAY_MS)
  return monthsLater(anchor, (periods ?? before + 2) + months)
}

const monthsBetween = (from: Date, to: Date): number =>
  (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth() - 1
