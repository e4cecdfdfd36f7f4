import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { pointsBetween } from './points.ts'

interface Props {
  /** Null: there is nothing now. */
  now: number | null
  /** Null: there is nothing to compare with. */
  before: number | null
  /** Shares of 1 differ by points of a hundred. */
  of: 'counts' | 'rates'
}

/** What a figure was in the range before, and the difference in words. */
export function Difference({ now, before, of }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (before === null) return t('dashboard.before.nothing')
  // As a difference, every figure of a new newsletter would be said twice.
  if (of === 'counts' && before === 0) return t('dashboard.before.none')
  const value = of === 'rates' ? format.rate(before) : format.number(before)
  if (now === null) return t('dashboard.before.value', { value })
  const difference = of === 'rates' ? pointsBetween(now, before) : now - before
  const way = difference === 0 ? 'same' : difference > 0 ? 'more' : 'less'
  const by = { count: Math.abs(difference), n: format.number(Math.abs(difference)), value }
  return t(`dashboard.before.${of}.${way}`, by)
}
