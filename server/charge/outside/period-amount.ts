import type { Subscription } from '../../database/types.ts'

const MS_OF_A_MONTH = (365.25 / 12) * 86_400_000
const monthsOf = { month: 1, year: 12 } as const

interface Paid {
  payment: { amount: number; currency: string }
  /** At which it is paid. */
  price: { amount: number; currency: string } | null
  period: Subscription['period']
  from: Date
  until: Date | null
  /** Whether it goes on behind what was open. A first one may be for a period that began before it was entered, and has at least one. */
  goesOn: boolean
}

/** By how many months a time may differ from whole years and still count as them: payments come late, and ends stay. */
const NEAR_MONTHS = 2

/**
 * What one period costs of a subscription that is paid outside, in the smallest unit: what was paid, divided by the periods that it pays for, at least 1.
 * Going on for half a year is half a period of a year. Who pays the price exactly pays that, whatever end they were given.
 */
export function periodAmount({ payment, price, period, from, until, goesOn }: Paid): number {
  const isPrice = price?.amount === payment.amount && price.currency === payment.currency
  if (isPrice || until === null || (period !== 'month' && period !== 'year')) return payment.amount
  const open = Math.round((until.getTime() - from.getTime()) / MS_OF_A_MONTH)
  const months = Math.max(goesOn ? 1 : monthsOf[period], open)
  const whole = Math.round(months / monthsOf[period]) * monthsOf[period]
  const counted = whole > 0 && Math.abs(months - whole) <= NEAR_MONTHS ? whole : months
  return Math.max(1, Math.round((payment.amount * monthsOf[period]) / counted))
}
