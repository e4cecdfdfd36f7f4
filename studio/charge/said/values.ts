import type { TFunction } from 'i18next'
import { comparedValues } from '../../../server/charge/payment-events/contract.ts'
import { knownCode } from '../../known-code.ts'
import { subscriptionShape } from '../words.ts'

interface Words {
  t: TFunction
  format: { momentOfYear(at: string): string }
}

export const subscriptionStates = Object.keys(subscriptionShape) as (keyof typeof subscriptionShape)[]
const ways = ['card', 'outside', 'complimentary', 'gift'] as const
const periods = ['month', 'year', 'once'] as const

/** What a value of a subscription is called. */
export function valueName(t: TFunction, name: string): string {
  // The last one is compared no more, and may stand in what was compared before.
  const known = knownCode([...comparedValues, 'next_price_id'], name)
  return t(known ? `said.comparisons.value.${known}` : 'said.comparisons.otherValue')
}

/** A value in words: states and times as they are written elsewhere; sums, ids and what somebody typed as they are. */
export function valueText({ t, format }: Words, name: string, value: unknown): string {
  if (value === null || value === undefined) return t('said.comparisons.nothing')
  if (typeof value === 'boolean') return t(value ? 'said.comparisons.yes' : 'said.comparisons.no')
  if (typeof value !== 'string') return String(value)
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return format.momentOfYear(value)
  if (name === 'currency') return value.toUpperCase()
  const state = name === 'status' && knownCode(subscriptionStates, value)
  if (state) return t(`plans.state.${state}`)
  const way = name === 'way' && knownCode(ways, value)
  if (way) return t(`plans.ways.${way}`)
  const period = name === 'period' && knownCode(periods, value)
  if (period) return t(`plans.period.${period}`)
  const isCode = name === 'status' || name === 'way' || name === 'period'
  return isCode ? t('said.comparisons.otherState') : value
}
