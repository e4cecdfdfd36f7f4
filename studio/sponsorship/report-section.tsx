import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Report } from '../../server/sponsorship/report/contract.ts'
import { useFormat } from '../format.ts'
import { useRuleWords } from '../links/rule-words.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { reportQuery } from './queries.ts'
import classes from './sponsorship.module.css'

/** What came of a booking, as its sponsor reads it. */
export function ReportSection({ bookingId }: { bookingId: string }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const query = useQuery(reportQuery(id, bookingId))
  return (
    <Section title={t('sponsorship.report.title')}>
      <QueryContent query={query}>{({ report }) => report && <Sums report={report} />}</QueryContent>
    </Section>
  )
}

function Sums({ report }: { report: Report }) {
  const { t } = useTranslation()
  const format = useFormat()
  const ruleWords = useRuleWords()
  const { publication, copies, clicks, yes, takenAt, finalAt } = report
  const rows: [string, string | null][] = [
    [
      t('sponsorship.report.publication'),
      publication ? shownTitle(publication.title, t) : t('sponsorship.report.byHand'),
    ],
    [t('sponsorReport.accepted'), copies && format.number(copies.accepted)],
    [t('sponsorReport.raw'), clicks && format.number(clicks.raw)],
    ...(clicks?.excluded ?? []).map(({ rule, clicks: some }): [string, string] => [
      t('sponsorship.report.leftOut', { rule: ruleWords(rule).name }),
      format.number(some),
    ]),
    [t('sponsorReport.human'), clicks ? format.number(clicks.human) : t('sponsorship.report.notCounted')],
    [t('sponsorReport.said'), yes && format.number(yes.said)],
    [t('sponsorReport.confirmed'), yes && format.number(yes.confirmed)],
  ]
  return (
    <>
      <p className={classes.quiet}>
        {takenAt
          ? t('sponsorship.report.final', { day: format.dayOfYear(finalAt) })
          : t('sponsorship.report.live', { at: format.momentOfYear(finalAt) })}
        {clicks?.interrupted && ` ${t('sponsorReport.interrupted')}`}
      </p>
      <dl className={classes.facts}>
        {rows.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </>
  )
}
