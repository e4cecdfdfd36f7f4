import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import classes from './figures.module.css'
import { payingIn } from './paying.ts'
import type { Figures } from './queries.ts'

/** Says how many of the paying subscriptions the recurring revenue leaves out, when there are any. */
export function BesideRecurring({ figures }: { figures: Figures }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { end: count } = payingIn(figures)
  const { payingEnd } = figures.recurring
  if (payingEnd === count) return null
  return (
    <p className={classes.note}>
      {t('figures.besideRecurring', { count, paying: format.number(count), recurring: format.number(payingEnd) })}
    </p>
  )
}
