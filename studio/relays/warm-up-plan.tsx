import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import classes from './relays.module.css'

/** The days of a warm-up as bars, with today marked. Heights are logarithmic, because the plan grows by magnitudes. */
export function WarmUpPlan({ plan, day = 0 }: { plan: number[]; day?: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const most = Math.log10(Math.max(...plan, 10))
  const words = t('relays.ui.warmUp.plan', {
    first: format.number(plan[0] ?? 0),
    last: format.number(plan.at(-1) ?? 0),
    days: plan.length,
  })
  return (
    <figure className={classes.plan}>
      <div aria-hidden="true">
        {plan.map((cap, place) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: a day of the plan is its place
            key={place}
            style={{ height: `${Math.max(8, (100 * Math.log10(cap)) / most)}%` }}
            data-past={place + 1 < day || undefined}
            data-today={place + 1 === day || undefined}
          />
        ))}
      </div>
      <figcaption>{words}</figcaption>
    </figure>
  )
}
