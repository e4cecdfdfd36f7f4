import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../server/charge/payment-events/contract.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import classes from '../charge.module.css'
import { Person, usePlanNames } from '../outside/subscription-table.tsx'
import { TestMark } from '../test-mode.tsx'
import { sumText } from '../words.ts'
import { failuresQuery } from './queries.ts'

/** Who has not paid, since when, and what happens next. */
export function FailuresSection() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const failures = useQuery(failuresQuery(id))
  return (
    <Section title={t('said.failures.title')}>
      <QueryContent query={failures}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={classes.quiet}>{t('said.failures.none')}</p>
          ) : (
            <>
              <p className={classes.quiet}>{t('said.failures.lead')}</p>
              <Table rows={rows} />
            </>
          )
        }
      </QueryContent>
    </Section>
  )
}

function Table({ rows }: { rows: Failure[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const nameOf = usePlanNames()
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('plans.columns.subscriber')}</th>
            <th>{t('plans.columns.plan')}</th>
            <th data-right>{t('plans.columns.amount')}</th>
            <th>{t('said.failures.since')}</th>
            <th>{t('said.failures.next')}</th>
            <th>{t('said.failures.told')}</th>
            <th data-right>{t('said.failures.until')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.subscriptionId}>
              <td>
                <Person subscriber={personOf(one)} />
              </td>
              <td>
                {nameOf(one.planId)}
                {one.test && (
                  <small>
                    <TestMark />
                  </small>
                )}
              </td>
              <td data-right>{sumText(one, language)}</td>
              <td data-column={t('said.failures.since')}>
                {format.dayOfYear(one.failedAt)}
                <small>{t('said.failures.attempts', { count: one.attempts, n: format.number(one.attempts) })}</small>
              </td>
              <td data-column={t('said.failures.next')}>
                {isAhead(one.nextAttemptAt) ? format.moment(one.nextAttemptAt) : t('said.failures.noNext')}
              </td>
              <td data-column={t('said.failures.told')}>{toldText(t, one)}</td>
              <td data-column={t('said.failures.until')} data-right>
                {format.dayOfYear(one.readsUntil)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What Stripe said of an attempt that is over says nothing of the next one. */
const isAhead = (at: string | null): boolean => at !== null && new Date(at) > new Date()

const personOf = ({ subscriberId, email, name }: Failure) =>
  subscriberId && email ? { id: subscriberId, email, name } : null

const toldText = (t: TFunction, { mayBeTold, toldAttempt }: Failure): string => {
  if (!mayBeTold) return t('said.failures.mayNot')
  return toldAttempt > 0 ? t('said.failures.toldOf', { n: toldAttempt }) : t('said.failures.notTold')
}
