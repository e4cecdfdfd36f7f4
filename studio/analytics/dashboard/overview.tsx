import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { Live } from '../../live.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { WhoCounts } from '../../subscribers/who-counts.tsx'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import type { AskedRange, Dashboard } from '../queries.ts'
import { Activity } from './activity.tsx'
import { ChartFile } from './chart-file.tsx'
import { Checklist } from './checklist.tsx'
import { stepsFor } from './checklist-steps.ts'
import classes from './dashboard.module.css'
import { Difference } from './difference.tsx'
import { DueNext } from './due-next.tsx'
import { GrowthChart } from './growth-chart.tsx'
import { BestLinksAndSources, Revenue } from './highlights.tsx'
import { LatestPublications } from './latest-publications.tsx'
import type { Choice, Preset } from './range-choice.ts'
import { RangeControl } from './range-control.tsx'
import { SubscribeAddress } from './subscribe-address.tsx'
import { Totals } from './totals.tsx'
import { Travel } from './travel.tsx'

interface OverviewProps {
  data: Dashboard
  choice: Choice
  asked: AskedRange
  onChoice: (choice: Choice) => void
}

/** The dashboard of a newsletter with subscribers: growth, figures, last publications, activity. */
export function Overview(props: OverviewProps) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const { data, asked } = props
  // As in dashboard.module.css. What waits for somebody would else be below everything.
  const isOneColumn = useMediaQuery('(max-width: 75em)', false, { getInitialValueInEffect: false })
  const toDo = (
    <div className={classes.toDo}>
      <Checklist steps={stepsFor(data.checklist, may)} draft={data.draft} />
      <DueNext />
    </div>
  )
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
          <Facts data={data} preset={props.choice.preset} />
          <div className={classes.rangeRow}>
            <Compared data={data} />
            <RangeControl choice={props.choice} shown={data.range} onChoice={props.onChoice} />
          </div>
        </div>
        <GrowthChart growth={data.growth} aside={<ChartFile chart="growth" asked={asked} />} />
        <Totals data={data} aside={<ChartFile chart="engagement" asked={asked} />} />
        {isOneColumn && toDo}
        <LatestPublications data={data} asked={asked} />
        <BestLinksAndSources asked={asked} />
      </div>
      <aside className={classes.aside}>
        {!isOneColumn && toDo}
        <Travel publications={data.publications} />
        <Revenue asked={asked} />
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
      <WhoCounts />
    </div>
  )
}

function Facts({ data, preset }: { data: Dashboard; preset: Preset }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { figures, figuresBefore, before } = data
  const { thisWeek, pending } = data.subscribers
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('dashboard.thisWeek')}</dt>
        <dd data-up={thisWeek > 0 || undefined}>{format.signed(thisWeek)}</dd>
      </div>
      {(['joined', 'departed'] as const).map((which) => (
        <div key={which}>
          <dt>{t(`dashboard.${which}`)}</dt>
          <dd>
            {format.number(figures[which])}
            <small>{t(`dashboard.inSpan.${preset}`)}</small>
            {before && (
              <small>
                <Difference now={figures[which]} before={figuresBefore?.[which] ?? null} of="counts" />
              </small>
            )}
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('dashboard.toConfirm')}</dt>
        <dd>{format.number(pending)}</dd>
      </div>
    </dl>
  )
}

/** The days that are shown, and those that they are compared with. */
function Compared({ data: { range, before } }: { data: Pick<Dashboard, 'range' | 'before'> }) {
  const { t } = useTranslation()
  const { calendarDayOfYear: day } = useFormat()
  const words = (which: 'shown' | 'compared', { from, to }: Dashboard['range']) =>
    t(`dashboard.${which}.${from === to ? 'day' : 'days'}`, { from: day(from), to: day(to) })
  return (
    <p className={classes.compared}>
      {words('shown', range)} {before && words('compared', before)}
    </p>
  )
}
