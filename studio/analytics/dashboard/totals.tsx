import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import type { PublicationResult } from '../queries.ts'
import classes from './totals.module.css'

/** The figures under the chart: rates over the last publications that were accepted by a relay. */
export function Totals({ results }: { results: PublicationResult[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const received = results.filter(({ counts }) => counts.accepted > 0)
  if (received.length === 0) return null
  const sum = (of: (result: PublicationResult) => number) => received.reduce((total, result) => total + of(result), 0)
  const accepted = sum(({ counts }) => counts.accepted)
  const bots = sum(({ clicks }) => clicks.raw - clicks.human)
  const last = t('dashboard.lastPublications', { count: received.length })
  return (
    <dl className={classes.totals}>
      <div>
        <dt>{t('dashboard.opens')}</dt>
        <dd>{format.rate(sum(({ opens }) => opens) / accepted)}</dd>
        <dd>{t('dashboard.estimate')}</dd>
      </div>
      <div>
        <dt>{t('dashboard.humanClicks')}</dt>
        <dd>{format.rate(sum(({ clicks }) => clicks.people) / accepted)}</dd>
        <dd>{t('dashboard.botsExcluded', { count: bots, number: format.number(bots) })}</dd>
      </div>
      <div>
        <dt>{t('dashboard.unsubscribes')}</dt>
        <dd>{format.rate(sum(({ unsubscribes }) => unsubscribes) / accepted)}</dd>
        <dd>{last}</dd>
      </div>
      <div>
        <dt>{t('dashboard.failed')}</dt>
        <dd>{format.number(sum(({ counts }) => counts.failed))}</dd>
        <dd>{t('dashboard.ofAccepted', { number: format.number(accepted) })}</dd>
      </div>
    </dl>
  )
}
