import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Subscription } from '../../../server/charge/outside/contract.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import classes from '../charge.module.css'
import { plansQuery } from '../queries.ts'
import { TestMark } from '../test-mode.tsx'
import { meansText, planName, subscriptionShape, sumText } from '../words.ts'

interface Props {
  rows: Subscription[]
  /** On the page of one person, who they are needs no column. */
  ofOne?: boolean
  act?: (subscription: Subscription) => ReactNode
}

/** Subscriptions, a row each. */
export function SubscriptionTable({ rows, ofOne = false, act }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const nameOf = usePlanNames()
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            {!ofOne && <th>{t('plans.columns.subscriber')}</th>}
            <th>{t('plans.columns.plan')}</th>
            <th>{t('plans.columns.how')}</th>
            <th data-right>{t('plans.columns.amount')}</th>
            <th data-right>{t('plans.columns.until')}</th>
            {act && <th />}
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.id}>
              {!ofOne && (
                <td>
                  <Person subscriber={one.subscriber} />
                  {one.note && <small>{one.note}</small>}
                </td>
              )}
              <td>
                {nameOf(one.planId)}
                {one.test && (
                  <small>
                    <TestMark />
                  </small>
                )}
                {ofOne && one.note && <small>{one.note}</small>}
              </td>
              <td>
                {t(`plans.ways.${one.way}`)}
                {one.means && one.way === 'outside' && <small>{meansText(t, one.means)}</small>}
              </td>
              <td data-right>
                {sumText(one, language)}
                {one.nextAmount !== null && (
                  <small>
                    {t('plans.next', { sum: sumText({ amount: one.nextAmount, currency: one.currency }, language) })}
                  </small>
                )}
              </td>
              <td data-right data-column={t('plans.columns.until')}>
                {one.status === 'active' ? (
                  (one.paidUntil && format.dayOfYear(one.paidUntil)) || t('plans.forGood')
                ) : (
                  <StatusMark shape={subscriptionShape[one.status]}>{t(`plans.state.${one.status}`)}</StatusMark>
                )}
                {one.remindedDays !== null && <small>{t('plans.reminders.sent', { count: one.remindedDays })}</small>}
              </td>
              {act && <td data-right>{act(one)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Who it is, with the way to their page. Who was erased has no name. */
export function Person({ subscriber }: Pick<Subscription, 'subscriber'>) {
  const { t } = useTranslation()
  if (!subscriber) return <span>{t('plans.erased')}</span>
  return <Link to={`/subscribers/${subscriber.id}`}>{subscriber.name || subscriber.email}</Link>
}

/** What a plan is called, by its id. */
export function usePlanNames(): (planId: number | null) => string {
  const language = useLanguage()
  const { id } = useNewsletter()
  const { data } = useQuery(plansQuery(id))
  return (planId) => {
    const plan = data?.plans.find((one) => one.id === planId)
    return plan ? planName(plan, language) : '—'
  }
}
