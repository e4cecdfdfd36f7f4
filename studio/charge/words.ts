import type { TFunction } from 'i18next'
import { holdMarks } from '../../i18n/french-spaces.ts'
import { type Currency, writtenSum } from '../../server/charge/money.ts'
import { outsideMeans, type Subscription, stripeMeans } from '../../server/charge/outside/contract.ts'
import type { Plan } from '../../server/charge/plans/contract.ts'
import type { Language } from '../../server/languages.ts'
import { knownCode } from '../known-code.ts'

/** What a plan is called in a language, else in any that it has. */
export const planName = ({ words }: Pick<Plan, 'words'>, language: Language): string =>
  holdMarks((words[language] ?? Object.values(words)[0])?.name ?? '')

/** `GBP British Pound` */
export const currencyName = (currency: Currency, language: Language): string =>
  `${currency.toUpperCase()} ${new Intl.DisplayNames(language, { type: 'currency' }).of(currency.toUpperCase())}`

type Priced = Pick<Plan['prices'][number], 'amount' | 'currency' | 'period'> & { months?: number | null }

/** `€54 a year` */
export function priceText(
  t: TFunction,
  { amount, currency, period, months = null }: Priced,
  language: Language,
): string {
  const sum = writtenSum(amount, currency, language)
  return period === 'once' && months
    ? t('plans.price.onceFor', { sum, count: months })
    : t(`plans.price.${period}`, { sum })
}

/** How it was paid. Stripe names more ways than we have words for. */
export function meansText(t: TFunction, means: string): string {
  const known = knownCode([...outsideMeans, ...stripeMeans], means)
  return t(known ? `plans.means.${known}` : 'plans.means.unnamed')
}

export const sumText = (
  { amount, currency }: { amount: number | null; currency: Currency | null },
  language: Language,
): string => (amount === null || currency === null ? '—' : writtenSum(amount, currency, language))

/** What a period of a subscription costs, with the period where there is one. */
export const periodSum = (
  t: TFunction,
  { amount, currency, period }: { amount: number | null; currency: Currency | null; period: Priced['period'] | null },
  language: Language,
): string =>
  amount !== null && currency !== null && (period === 'month' || period === 'year')
    ? priceText(t, { amount, currency, period }, language)
    : sumText({ amount, currency }, language)

/** The shape of the mark of a subscription's state. */
export const subscriptionShape = {
  incomplete: 'draft',
  trialing: 'scheduled',
  active: 'sent',
  past_due: 'paused',
  paused: 'paused',
  ended: 'stopped',
} as const satisfies Record<Subscription['status'], string>
