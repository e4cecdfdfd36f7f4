import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Subscription } from '../../../server/charge/outside/contract.ts'
import type { Plan } from '../../../server/charge/plans/contract.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import classes from '../charge.module.css'
import { plansQuery } from '../queries.ts'
import { TestMark } from '../test-mode.tsx'
import { meansText, periodSum, planName, subscriptionShape, sumText } from '../words.ts'

interface Props {
  rows: Subscription[]
  act?: (subscription: Subscription) => ReactNode
}

/** Subscriptions, a row each. */
export function SubscriptionTable({ rows, act }: Props) {
  const { t } = useTranslation()
  const nameOf = usePlanNames()
  return (
    <div className={classes.scroll}>
      <table className={`${classes.table} ${classes.compact}`}>
        <thead>
          <tr>
            <th>{t('plans.columns.subscriber')}</th>
            <th>{t('plans.columns.plan')}</th>
            <th>{t('plans.columns.how')}</th>
            <th data-right>{t('plans.columns.amount')}</th>
            <th data-right>{t('plans.columns.until')}</th>
            {act && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.id}>
              <td data-at="who">
                <Person subscriber={one.subscriber} />
                {one.note && <small>{one.note}</small>}
              </td>
              <td data-at="what">
                {nameOf(one.planId)}
                {one.test && (
                  <small>
                    <TestMark />
                  </small>
                )}
              </td>
              <td data-at="how">
                {t(`plans.ways.${one.way}`)}
                {one.means && one.way === 'outside' && <small>{meansText(t, one.means)}</small>}
              </td>
              <td data-right data-at="sum" data-none={one.amount === null}>
                <Sum of={one} />
              </td>
              <td
                data-right
                data-at="when"
                {...(one.status === 'active' && one.paidUntil && { 'data-column': t('plans.columns.until') })}
              >
                <Until of={one} />
              </td>
              {act && (
                <td data-right data-at="act">
                  {act(one)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Part {
  of: Subscription
}

/** What a period costs, what a coupon leaves of it, and what it costs from the next on. */
export function Sum({ of: one }: Part) {
  const { t } = useTranslation()
  const language = useLanguage()
  const left = one.amount === null ? null : Math.max(0, one.amount - one.discount)
  return (
    <>
      {periodSum(t, one, language)}
      {one.discount > 0 && (
        <small>{t('plans.holders.withCoupon', { sum: sumText({ ...one, amount: left }, language) })}</small>
      )}
      {one.nextAmount !== null && (
        <small>{t('plans.next', { sum: sumText({ ...one, amount: one.nextAmount }, language) })}</small>
      )}
    </>
  )
}

/** Until when it is open, or what has become of it. */
export function Until({ of: { status, paidUntil, remindedDays } }: Part) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      {status === 'active' ? (
        (paidUntil && format.dayOfYear(paidUntil)) || t('plans.forGood')
      ) : (
        <StatusMark shape={subscriptionShape[status]}>{t(`plans.state.${status}`)}</StatusMark>
      )}
      {remindedDays !== null && <small>{t('plans.reminders.sent', { count: remindedDays })}</small>}
    </>
  )
}

/** Who it is, with the way to their page. Who was erased has no name. */
export function Person({ subscriber }: Pick<Subscription, 'subscriber'>) {
  const { t } = useTranslation()
  if (!subscriber) return <span>{t('plans.erased')}</span>
  return <Link to={`/subscribers/${subscriber.id}`}>{subscriber.name || subscriber.email}</Link>
}

/** All plans of the newsletter, once they are here. */
export function usePlans(): Plan[] {
  const { id } = useNewsletter()
  return useQuery(plansQuery(id)).data?.plans ?? []
}

/** What a plan is called, by its id; nothing until the plans are here. */
export function usePlanNames(): (planId: number | null) => string {
  const { id } = useNewsletter()
  const language = useLanguage()
  const { data } = useQuery(plansQuery(id))
  return (planId) => {
    const plan = data?.plans.find((one) => one.id === planId)
    return plan ? planName(plan, language) : data ? '—' : ''
  }
}
