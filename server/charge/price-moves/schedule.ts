import { monthsLater } from '../../subscribers/leave.ts'

const DAY_MS = 86_400_000
/** So long before the first payment of a higher price its subscriber is told. */
const NOTICE_MS = 30 * DAY_MS
/** A price is changed at Stripe shortly before the payment, so that until then it shows everywhere what is paid. */
const SHORTLY_MS = 7 * DAY_MS

/** The earliest payment for which who is told at `noticedAt` may be asked for more. */
export const noticeOver = (noticedAt: Date): Date => new Date(noticedAt.getTime() + NOTICE_MS)

/**
 * The first payment at a higher price of somebody who is told at `noticedAt`: the end of the period that is paid, or of one after it. At
 * Stripe a period that began on a 31st may end some days later, never earlier.
 */
export function firstPayment(paidUntil: Date, period: 'month' | 'year', noticedAt: Date): Date {
  const from = noticeOver(noticedAt)
  let periods = 0
  const at = () => monthsLater(paidUntil, periods * (period === 'month' ? 1 : 12))
  while (at() < from) periods += 1
  return at()
}

/** Whether the next payment, at `paidUntil`, is near and may be the first at a higher price. */
export const mayRise = (paidUntil: Date, { noticedAt, now }: { noticedAt: Date; now: Date }): boolean =>
  paidUntil >= noticeOver(noticedAt) && paidUntil > now && paidUntil.getTime() - now.getTime() <= SHORTLY_MS

/** The end of the periods that are near: `mayRise` of a later one is false. */
export const nearUntil = (now: Date): Date => new Date(now.getTime() + SHORTLY_MS)
