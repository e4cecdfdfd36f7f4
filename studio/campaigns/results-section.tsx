import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { z } from 'zod'
import { holdMarks } from '../../i18n/french-spaces.ts'
import {
  type AdvertiseChart,
  exportAdvertiseResults,
  type readAdvertiseResults,
} from '../../server/campaigns/advertise/contract.ts'
import { addressOf } from '../api.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { ClicksChart } from '../links/clicks-chart.tsx'
import { Counts } from '../links/counts.tsx'
import { linkPath } from '../links/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { bookingPath } from '../sponsorship/booking-path.ts'
import { DownloadLink } from '../ui/download-link.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import classes from './advertise.module.css'
import { resultsQuery } from './queries.ts'
import { RevenueCharts } from './revenue-charts.tsx'
import { YesChart } from './yes-chart.tsx'

type Results = z.output<typeof readAdvertiseResults.reply>

/** What ran last, and the places with the most clicks. What there is nothing of is left out. */
export function ResultLists() {
  const { id } = useNewsletter()
  const query = useQuery(resultsQuery(id))
  return (
    <QueryContent query={query}>
      {(results) => (
        <>
          <Reports results={results} />
          <Places results={results} />
        </>
      )}
    </QueryContent>
  )
}

/** What came of advertising: money, clicks and yeses. What there is nothing of is left out. */
export function ResultCharts() {
  const { id } = useNewsletter()
  const query = useQuery(resultsQuery(id))
  return (
    <QueryContent query={query}>
      {(results) => (
        <>
          {results.revenue && results.revenue.length > 0 && (
            <Chart chart="revenue">
              <RevenueCharts months={results.revenue} />
            </Chart>
          )}
          {results.inRange.raw > 0 && (
            <Chart chart="clicks">
              <ClicksChart figures={results} />
            </Chart>
          )}
          {results.yeses && results.yeses.length > 1 && (
            <Chart chart="yeses">
              <YesChart days={results.yeses} range={{ from: results.yesesFrom, to: results.range.to }} />
            </Chart>
          )}
        </>
      )}
    </QueryContent>
  )
}

function Chart({ chart, children }: { chart: AdvertiseChart; children: ReactNode }) {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { id } = useNewsletter()
  const title = t(`advertise.charts.${chart}`)
  const href = addressOf(exportAdvertiseResults, { newsletterId: id }, { chart, sheet })
  return (
    <Section title={title} aside={<DownloadLink href={href} label={t('ui.downloadChart', { chart: title })} />}>
      {children}
    </Section>
  )
}

function Reports({ results: { reports } }: { results: Results }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!reports || reports.length === 0) return null
  return (
    <Section title={t('advertise.reports')}>
      <ul className={classes.list}>
        {reports.map(({ bookingId, sponsor, day, isFinal, clicks }) => (
          <li key={bookingId}>
            <Link to={bookingPath(bookingId)}>
              {holdMarks(sponsor)}, {format.calendarDay(day)}
            </Link>
            {clicks ? <Counts clicks={clicks} /> : <span>{t('advertise.notCounted')}</span>}
            <small>{t(isFinal ? 'advertise.final' : 'advertise.live')}</small>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Places({ results: { places } }: { results: Results }) {
  const format = useFormat()
  if (places.length === 0) return null
  const most = Math.max(1, ...places.map(({ human }) => human))
  return (
    <Chart chart="places">
      <ul className={classes.list}>
        {places.map(({ linkId, name, day, raw, human }) => (
          <li key={linkId}>
            <Link to={linkPath(linkId)}>
              {[name || `/r/${linkId}`, day && format.calendarDay(day)].filter(Boolean).join(', ')}
            </Link>
            <Counts clicks={{ raw, human }} />
            <i style={{ width: `${(human / most) * 100}%` }} aria-hidden="true" />
          </li>
        ))}
      </ul>
    </Chart>
  )
}
