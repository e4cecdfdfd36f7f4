import type { TFunction } from 'i18next'
import { type Currency, writtenSum } from '../../server/charge/money.ts'
import type { outsideMeans, Subscription } from '../../server/charge/outside/contract.ts'
import type { Plan } from '../../server/charge/plans/contract.ts'
import type { Language } from '../../server/languages.ts'

/** What a plan is called in a language, else in any that it has. */
export const planName = ({ words }: Pick<Plan, 'words'>, language: Language): string =>
  (words[language] ?? Object.values(words)[0])?.name ?? ''

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
export const meansText = (t: TFunction, means: string): string =>
  t(`plans.means.${means}` as `plans.means.${(typeof outsideMeans)[number]}`, {
    defaultValue: means.replaceAll('_', ' '),
  })

export const sumText = (
  { amount, currency }: { amount: number | null; currency: Currency | null },
  language: Language,
): string => (amount === null || currency === null ? '—' : writtenSum(amount, currency, language))

/** The shape of the mark of a subscription's state. */
export const subscriptionShape = {
  incomplete: 'draft',
  trialing: 'scheduled',
  active: 'sent',
  past_due: 'paused',
  paused: 'paused',
  ended: 'stopped',
} as const satisfies Record<Subscription['status'], string>
