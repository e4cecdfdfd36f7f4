import type { Language } from '../../languages.ts'
import { Currency } from '../currency.ts'
import { readSum } from '../money.ts'
import type { Plan } from '../plans/contract.ts'

interface Facts {
  cells: { amount: string; currency: string }
  prices: Plan['prices']
  newsletter: { currency: string; language: Language }
  /** From now until the end of the line. */
  span: { now: Date; end: Date }
}

interface LineSum {
  amount: number | null
  currency: Currency | null
  /** The price of the plan that the sum equals; null: it was agreed. */
  priceId: number | null
}

/**
 * What a line of the file paid. Without a currency it is in the one in which its plan is sold, or the only one in which it is a sum or
 * equals a price. Nothing is guessed between two.
 */
export function sumOfLine(facts: Facts): LineSum | 'bad_amount' | 'no_currency' {
  const { cells, prices, newsletter, span } = facts
  if (cells.amount === '') return { amount: null, currency: null, priceId: null }
  const sums = currenciesOf(facts).flatMap((currency) => {
    const amount = readSum(cells.amount, currency, newsletter.language)
    return amount !== null && amount >= 1 && amount <= 99_999_999 ? [{ amount, currency }] : []
  })
  if (sums.length === 0) return 'bad_amount'
  const pricesOf = (sum: (typeof sums)[number]) =>
    prices.filter(({ amount, currency }) => amount === sum.amount && currency === sum.currency)
  const [sum, another] = sums.length === 1 ? sums : sums.filter((one) => pricesOf(one).length > 0)
  if (!sum || another) return 'no_currency'
  return { ...sum, priceId: priceOf(pricesOf(sum), span) }
}

function currenciesOf({ cells, prices, newsletter }: Facts): Currency[] {
  if (cells.currency !== '') return Currency.array().safeParse([cells.currency.toLowerCase()]).data ?? []
  const sold = [...new Set(prices.map(({ currency }) => currency))]
  return sold.length > 0 ? sold : [Currency.parse(newsletter.currency)]
}

/** Of prices with the same sum, that of the shortest period that reaches the end. */
function priceOf(prices: Plan['prices'], { now, end }: Facts['span']): number | null {
  const fitting = prices.length === 1 ? prices : prices.filter((price) => end <= endOfPeriod(price, now))
  const [shortest] = fitting.toSorted((a, b) => endOfPeriod(a, now).getTime() - endOfPeriod(b, now).getTime())
  return shortest?.id ?? null
}

const DAY_MS = 86_400_000
const LONGEST_MONTH_DAYS = 31
const monthsOf = { month: 1, year: 12, once: 0 } as const

const endOfPeriod = ({ period, months }: Plan['prices'][number], now: Date): Date =>
  new Date(now.getTime() + (months ?? monthsOf[period]) * LONGEST_MONTH_DAYS * DAY_MS)
