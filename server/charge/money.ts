import { type Language, locales } from '../languages.ts'

/**
 * The currencies in which plans are sold, with the digits after the point of the smallest unit that Stripe counts in. Those without any
 * are its “zero-decimal currencies” (docs.stripe.com/currencies#zero-decimal).
 */
const digits = {
  aud: 2,
  brl: 2,
  cad: 2,
  chf: 2,
  czk: 2,
  dkk: 2,
  eur: 2,
  gbp: 2,
  hkd: 2,
  inr: 2,
  jpy: 0,
  krw: 0,
  mad: 2,
  mxn: 2,
  nok: 2,
  nzd: 2,
  pln: 2,
  ron: 2,
  sek: 2,
  sgd: 2,
  usd: 2,
  xaf: 0,
  xof: 0,
  xpf: 0,
  zar: 2,
} as const

// The type of `Object.keys` does not say which keys an object has.
export const currencies = Object.keys(digits) as (keyof typeof digits)[]

/** All currencies, for a form: those that its newsletter uses, then its own, then the others. Its own is the first of all when it is used. */
export function currenciesFrom(own: string, used: readonly string[]): (typeof currencies)[number][] {
  const rank = (one: string) => (used.includes(one) ? (one === own ? 0 : 1) : one === own ? 2 : 3)
  return currencies.toSorted((a, b) => rank(a) - rank(b))
}

/** Those of these that are used, in the order of a form. */
export const usedCurrencies = (own: string, used: readonly string[]): Currency[] =>
  currenciesFrom(own, used).filter((one) => used.includes(one))

export type Currency = (typeof currencies)[number]

/** How many digits after its point a currency has; two for one that is not known. */
export const digitsOf = (currency: string): number =>
  Object.entries(digits).find(([known]) => known === currency)?.[1] ?? 2

/** Of so many smallest units, the sum as people count: 1250 of `eur` is 12.5. */
export const unitsOf = (amount: number, currency: Currency): number => amount / 10 ** digits[currency]

/** Of a sum as people count, the smallest units; null when it has more digits than the currency. */
export function smallestOf(sum: number, currency: Currency): number | null {
  const amount = Math.round(sum * 10 ** digits[currency])
  return Math.abs(sum * 10 ** digits[currency] - amount) < 1e-6 && Number.isSafeInteger(amount) ? amount : null
}

/** A sum in words: `€12.50`, `12,50 €`. Whole sums are written without the zeros of their cents. */
export function writtenSum(amount: number, currency: Currency, language: Language): string {
  const sum = unitsOf(amount, currency)
  const fraction = Number.isInteger(sum) ? 0 : digits[currency]
  return new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: fraction,
    maximumFractionDigits: fraction,
  })
    .format(sum)
    .replace('-', '−')
}

/** A sum as people type it, without its currency: `1,234.50`, `1 234,50`. */
export const typedSum = (amount: number, currency: Currency, language: Language): string =>
  new Intl.NumberFormat(locales[language], {
    minimumFractionDigits: Number.isInteger(unitsOf(amount, currency)) ? 0 : digits[currency],
  }).format(unitsOf(amount, currency))

/**
 * The smallest units of a sum that somebody typed, with or without its currency: `1,234.50`, `€7`, `7,5`, `1 234,50 €`. Null when it is no
 * sum, has more digits than the currency, or could mean two sums: `1.234` is a thousand for some and a little more than one for others.
 */
export function readSum(text: string, currency: Currency, language: Language): number | null {
  const bare = withoutCurrency(text.trim(), currency, language)
  const thousands = language === 'en' ? String.raw`[\s,]` : String.raw`\s`
  const decimals = digits[currency] > 0 ? `(?:[.,](\\d{1,${digits[currency]}}))?` : '()'
  const [, whole, fraction] =
    new RegExp(String.raw`^(\d{1,3}(?:${thousands}\d{3})+|\d{1,12})${decimals}$`, 'u').exec(bare) ?? []
  return whole === undefined ? null : smallestOf(Number(`${whole.replace(/[\s,]/g, '')}.${fraction || 0}`), currency)
}

function withoutCurrency(text: string, currency: Currency, language: Language): string {
  const symbols = [currency, currency.toUpperCase(), symbolOf(currency, language)]
  const symbol = symbols.find((one) => text.startsWith(one) || text.endsWith(one)) ?? ''
  return (text.startsWith(symbol) ? text.slice(symbol.length) : text.slice(0, -symbol.length)).trim()
}

const symbolOf = (currency: Currency, language: Language): string =>
  new Intl.NumberFormat(locales[language], { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency
