import type { TFunction } from 'i18next'
import { type Currency, readSum, writtenSum } from '../../server/charge/money.ts'
import { mostAmount } from '../../server/charge/plans/contract.ts'
import type { Language } from '../../server/languages.ts'
import { ApiError } from '../api.ts'

interface Typed {
  text: string
  currency: Currency
  language: Language
}

/** What keeps a typed sum from being one that is paid, or null. `zero` is said of nothing at all. */
export function amountFault({ text, currency, language }: Typed, t: TFunction, zero = t('plans.zeroSum')) {
  if (text.trim() === '') return t('errors.fields.required')
  const amount = readSum(text, currency, language)
  if (amount === null) return t('plans.badSum')
  if (amount === 0) return zero
  return amount > mostAmount ? t('plans.mostSum', { sum: writtenSum(mostAmount, currency, language) }) : null
}

/** The smallest units of a sum that was typed into the field of this name. @throws ApiError what is wrong with it, for that field */
export function amountIn(field: string, typed: Typed, { t, zero }: { t: TFunction; zero?: string }): number {
  const fault = amountFault(typed, t, zero)
  if (fault !== null) throw new ApiError('invalid', '', { fields: { [field]: fault } })
  return readSum(typed.text, typed.currency, typed.language) ?? 0
}
