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
}

/**
 * What one period costs of a subscription that is paid outside, in the smallest unit: what was paid, divided by the periods that it pays for, at least 1.
 * Who pays the price exactly pays that, whatever end they were given.
 */
export function periodAmount({ payment, price, period, from, until }: Paid): number {
  const isPrice = price?.amount === payment.amount && price.currency === payment.currency
  if (isPrice || until === null || (period !== 'month' && period !== 'year')) return payment.amount
  const periods = Math.round((until.getTime() - from.getTime()) / (MS_OF_A_MONTH * monthsOf[period]))
  return Math.max(1, Math.round(payment.amount / Math.max(1, periods)))
}
