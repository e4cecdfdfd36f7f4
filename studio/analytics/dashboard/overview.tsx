import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { Live } from '../../live.tsx'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import type { Dashboard } from '../queries.ts'
import { Activity } from './activity.tsx'
import { Checklist } from './checklist.tsx'
import classes from './dashboard.module.css'
import { GrowthChart } from './growth-chart.tsx'
import { LatestPublications } from './latest-publications.tsx'
import { SubscribeAddress } from './subscribe-address.tsx'
import { Totals } from './totals.tsx'

const periods = ['4', '12', '52', '520'] as const

/** The dashboard of a newsletter with subscribers: growth, figures, last publications, activity. */
export function Overview(props: { data: Dashboard; weeks: number; onWeeks: (weeks: number) => void }) {
  const { t } = useTranslation()
  const { data } = props
  const open = data.checklist.some(({ done }) => !done)
  return (
    <div className={classes.columns}>
      <div>
        <div className={classes.top}>
          <div>
            <h1 className={classes.heading}>
              {t('dashboard.subscribers')} <Live />
            </h1>
            <Headline data={data} />
          </div>
          <Facts data={data} />
          <SegmentedControl
            className={classes.periods ?? ''}
            aria-label={t('dashboard.period')}
            value={String(props.weeks)}
            onChange={(weeks) => props.onWeeks(Number(weeks))}
            data={periods.map((value) => ({ value, label: t(`dashboard.span.${value}`) }))}
          />
        </div>
        <GrowthChart growth={data.growth} />
        <Totals results={data.publications} />
        <LatestPublications data={data} />
      </div>
      <aside className={classes.aside}>
        {open && <Checklist steps={data.checklist} />}
        <SubscribeAddress />
        <Activity items={data.activity} />
      </aside>
    </div>
  )
}

function Headline({ data }: { data: Dashboard }) {
  const format = useFormat()
  return (
    <div className={classes.count}>
      <AnimatedNumber value={data.subscribers.active} format={format.number} />
    </div>
  )
}

function Facts({ data }: { data: Dashboard }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { thisWeek, inRange, pending } = data.subscribers
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('dashboard.thisWeek')}</dt>
        <dd data-up={thisWeek > 0 || undefined}>{format.signed(thisWeek)}</dd>
      </div>
      <div>
        <dt>{t('dashboard.since', { date: format.day(data.growth[0]?.day) })}</dt>
        <dd>{format.signed(inRange)}</dd>
      </div>
      <div>
        <dt>{t('dashboard.toConfirm')}</dt>
        <dd>{format.number(pending)}</dd>
      </div>
    </dl>
  )
}
