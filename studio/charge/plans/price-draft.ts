import type { TFunction } from 'i18next'
import { type Currency, readSum, typedSum } from '../../../server/charge/money.ts'
import { mostAmount, Period, type Plan, type PriceShape } from '../../../server/charge/plans/contract.ts'
import type { Language } from '../../../server/languages.ts'
import type { Faults } from '../../ui/faults.ts'
import { amountFault } from '../typed-amount.ts'

/** A price as it is typed. */
export interface PriceDraft {
  /** Of its row, which has no id until it is saved. */
  key: number
  currency: Currency
  period: PriceShape['period']
  amount: string
  suggested: string
  months: number | null
}

export const draftOf = (price: PriceShape, key: number, language: Language): PriceDraft => ({
  key,
  currency: price.currency,
  period: price.period,
  amount: typedSum(price.amount, price.currency, language),
  suggested: price.suggested === null ? '' : typedSum(price.suggested, price.currency, language),
  months: price.months,
})

/** The price that a draft means, or null when its sums cannot be read. */
export function priceOf(draft: PriceDraft, payMore: boolean, language: Language): PriceShape | null {
  const { currency, period, months } = draft
  const amount = readSum(draft.amount, currency, language)
  const suggested = payMore && draft.suggested !== '' ? readSum(draft.suggested, currency, language) : null
  if (amount === null || amount < 1 || amount > mostAmount || (payMore && draft.suggested !== '' && suggested === null))
    return null
  return { currency, period, amount, suggested, months: period === 'once' ? months : null }
}

/** What keeps prices from being saved, by their path in what is sent. */
export function faultsInPrices(
  { prices, payMore }: { prices: PriceDraft[]; payMore: boolean },
  language: Language,
  t: TFunction,
): Faults {
  const faults = prices.flatMap((draft, at): [string, string][] => {
    if (prices.slice(0, at).some((other) => samePrice(other, draft)))
      return [[`prices.${at}.period`, t('errors.fields.twice')]]
    const amountOf = (text: string) => ({ text, currency: draft.currency, language })
    const fault = amountFault(amountOf(draft.amount), t, t('plans.zeroPrice'))
    if (fault) return [[`prices.${at}.amount`, fault]]
    if (!payMore || draft.suggested === '') return []
    const least = readSum(draft.amount, draft.currency, language) ?? 0
    const below = (readSum(draft.suggested, draft.currency, language) ?? least) < least
    const suggested = below ? t('plans.belowLeast') : amountFault(amountOf(draft.suggested), t)
    return suggested ? [[`prices.${at}.suggested`, suggested]] : []
  })
  return Object.fromEntries(faults)
}

type PricePlace = Pick<PriceShape, 'currency' | 'period'>

const samePrice = (one: PricePlace, other: PricePlace): boolean =>
  one.currency === other.currency && one.period === other.period

/** Whether two lists of prices say the same, in whatever order. */
export const samePrices = (ones: readonly PriceShape[], others: readonly PriceShape[]): boolean =>
  ones.length === others.length &&
  ones.every(({ amount, suggested, months, ...place }) =>
    others.some(
      (one) => samePrice(place, one) && one.amount === amount && one.suggested === suggested && one.months === months,
    ),
  )

/** Where the next price begins: in the currency of the last one while a period of it has none, else in the next currency. */
export function nextPlace(drafts: PricePlace[], currencies: Currency[]): PricePlace | undefined {
  const last = drafts.at(-1)
  const all = [...(last ? [last.currency] : []), ...currencies].flatMap((currency) =>
    Period.options.map((period) => ({ currency, period })),
  )
  return all.find((one) => !drafts.some((draft) => samePrice(draft, one)))
}

interface Move {
  to: PriceShape
  /** Those who pay outside at a price other than the new one. Whoever agreed on a sum of their own keeps it. */
  outside: number
  /** What these pay more at the new one, each period. */
  difference: number
  /** Those whom Stripe charges at a price other than the new one. */
  byCard: number
}

/** The prices that would become otherwise, with how many pay the old one. */
export const movesOf = (plan: Plan, prices: PriceShape[]): Move[] =>
  plan.prices.flatMap((from) => {
    const to = prices.find((one) => samePrice(one, from))
    if (!to || to.amount === from.amount) return []
    const holders = plan.holders.filter(
      (one) =>
        one.priceId !== null && one.currency === to.currency && one.period === to.period && one.amount !== to.amount,
    )
    const outside = holders.filter(({ way, agreed }) => way === 'outside' && !agreed)
    const count = (ones: Plan['holders']) => ones.reduce((sum, { subscribers }) => sum + subscribers, 0)
    return [
      {
        ...{ to, outside: count(outside), byCard: count(holders.filter(({ way }) => way === 'card')) },
        difference: outside.reduce((sum, one) => sum + (to.amount - (one.amount ?? 0)) * one.subscribers, 0),
      },
    ]
  })
