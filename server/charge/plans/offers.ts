import { sql } from 'kysely'
import { holdMarks } from '../../../i18n/french-spaces.ts'
import type { Db } from '../../database/client.ts'
import type { Language } from '../../languages.ts'
import { Currency } from '../currency.ts'
import { usedCurrencies } from '../money.ts'
import { type Plan, PlanWords } from './contract.ts'
import { isHeld, peopleIn } from './plans.ts'

export const periods = ['year', 'month', 'once'] as const
export type Period = (typeof periods)[number]

export interface OfferedPrice {
  id: number
  currency: Currency
  period: Period
  /** In the smallest unit. */
  amount: number
  /** What is proposed where a buyer may give more. */
  suggested: number | null
  /** Of what is bought once: for how many months; null: for good. */
  months: number | null
}

/** A plan as a visitor can take it. */
export interface Offer {
  id: number
  kind: 'free' | 'paid'
  words: Plan['words']
  trialDays: number
  payMore: boolean
  /** Whether it can be bought for somebody else. */
  giftable: boolean
  /** Whether as many have it as may. */
  full: boolean
  prices: OfferedPrice[]
}

/** The plans that the public page of a newsletter shows, in their order, each at the prices of the moment. */
export async function listOffers(db: Db, newsletterId: string, now: Date): Promise<Offer[]> {
  const { rows } = await sql<Omit<Offer, 'words' | 'prices'> & { words: unknown; prices: unknown[] }>`
    select p.id, p.kind, p.words, p.trial_days as "trialDays", p.pay_more as "payMore", p.giftable,
      p.places is not null and p.places <= (select ${peopleIn} from subscription s
        where s.newsletter_id = p.newsletter_id and s.plan_id = p.id and not s.test and ${isHeld(now)}) as full,
      coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'currency', r.currency, 'period', r.period, 'amount', r.amount,
          'suggested', r.suggested, 'months', r.months) order by array_position('{year,month,once}', r.period))
        from price r where r.newsletter_id = p.newsletter_id and r.plan_id = p.id and r.replaced_at is null), '[]') as prices
    from plan p where p.newsletter_id = ${newsletterId} and p.shown and p.closed_at is null
    order by p.kind = 'paid', p.position, p.id`.execute(db)
  return rows
    .map((row) => ({ ...row, words: PlanWords.parse(row.words), prices: row.prices as OfferedPrice[] }))
    .filter(({ kind, prices }) => kind === 'free' || prices.length > 0)
}

const euroCountries = 'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM VA'

/** Currencies by the country of a browser's language. */
const currencyOf = new Map<string, Currency>([
  ...euroCountries.split(' ').map((country) => [country, 'eur'] as const),
  ...([
    ['AU', 'aud'],
    ['BR', 'brl'],
    ['CA', 'cad'],
    ['CH', 'chf'],
    ['CI', 'xof'],
    ['CM', 'xaf'],
    ['CZ', 'czk'],
  ] as const),
  ...([
    ['DK', 'dkk'],
    ['GB', 'gbp'],
    ['HK', 'hkd'],
    ['IN', 'inr'],
    ['JP', 'jpy'],
    ['KR', 'krw'],
    ['LI', 'chf'],
  ] as const),
  ...([
    ['MA', 'mad'],
    ['MX', 'mxn'],
    ['NC', 'xpf'],
    ['NO', 'nok'],
    ['NZ', 'nzd'],
    ['PF', 'xpf'],
    ['PL', 'pln'],
  ] as const),
  ...([
    ['RO', 'ron'],
    ['SE', 'sek'],
    ['SG', 'sgd'],
    ['SN', 'xof'],
    ['US', 'usd'],
    ['ZA', 'zar'],
  ] as const),
])

/** The countries in an Accept-Language header (RFC 9110 section 12.5.4), in its order. */
const countriesIn = (header: string): string[] =>
  [...header.slice(0, 200).matchAll(/\b[a-z]{2,3}-([A-Z]{2})\b/gi)].map(([, country = '']) => country.toUpperCase())

/** What is known of somebody who looks at prices. */
export interface Visitor {
  /** What they chose on the page. */
  chosen: string | undefined
  /** The header `accept-language`. */
  accepts: string | undefined
  /** The newsletter's own. */
  usual: string
}

/** The currency that a visitor sees: the one they chose, else that of their country, else the newsletter's, else any that is offered. */
export const visitorsCurrency = (offers: readonly Offer[], visitor: Visitor): Currency | null =>
  wishedCurrency(offeredCurrencies(offers, visitor.usual), visitor)

/** The same of currencies that are offered otherwise. */
export function wishedCurrency(offered: readonly Currency[], { chosen, accepts, usual }: Visitor): Currency | null {
  const theirs = countriesIn(accepts ?? '').map((country) => currencyOf.get(country))
  const wished = [chosen, ...theirs, usual].map((one) => Currency.safeParse(one).data)
  return wished.find((one) => one && offered.includes(one)) ?? offered[0] ?? null
}

/** The newsletter's own first, as in the forms of its owners. */
export const offeredCurrencies = (offers: readonly Offer[], own: string): Currency[] =>
  usedCurrencies(
    own,
    offers.flatMap(({ prices }) => prices.map(({ currency }) => currency)),
  )

/** The periods that plans are offered by in a currency. */
export const offeredPeriods = (offers: readonly Offer[], currency: Currency | null): Period[] =>
  periods.filter((period) =>
    offers.some(({ prices }) => prices.some((one) => one.currency === currency && one.period === period)),
  )

/** The price of a plan in a currency: by the period that was asked for, else by the first that it has. */
export const priceOf = ({ prices }: Offer, currency: Currency | null, period: Period): OfferedPrice | null => {
  const inCurrency = prices.filter((one) => one.currency === currency)
  return inCurrency.find((one) => one.period === period) ?? inCurrency[0] ?? null
}

/** The words of a plan as they are read, in a reader's language, else in one that it has. */
export function wordsIn(words: Plan['words'], language: Language): { name: string; promise: string } {
  const { name, promise } = words[language] ?? Object.values(words)[0] ?? { name: '', promise: '' }
  return { name: holdMarks(name), promise: holdMarks(promise) }
}
