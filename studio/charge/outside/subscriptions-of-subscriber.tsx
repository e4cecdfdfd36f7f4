import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listPayments, listSubscriptions, type Subscription } from '../../../server/charge/outside/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Section } from '../../ui/section.tsx'
import { CardActions } from '../card/card-actions.tsx'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { TestMark } from '../test-mode.tsx'
import { meansText, sumText } from '../words.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { Sum, Until, usePlanNames } from './subscription-table.tsx'

function useCharged(subscriberId: string, enabled: boolean) {
  const { id } = useNewsletter()
  const of = { params: { newsletterId: id }, query: { subscriberId, limit: 20 } }
  const subscriptions = useQuery({
    queryKey: [...chargeKey(id), 'of', subscriberId],
    queryFn: () => call(listSubscriptions, of),
    enabled,
  })
  const payments = useQuery({
    queryKey: [...chargeKey(id), 'paid by', subscriberId],
    queryFn: () => call(listPayments, of),
    enabled,
  })
  return { subscriptions, payments }
}

/** What ends with one person who is erased, and what of them stays in the books. */
export function EndsWithSubscriber({ subscriberId }: { subscriberId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = usePlanNames()
  const { may } = useNewsletter()
  const { subscriptions, payments } = useCharged(subscriberId, may('charge.read'))
  const open = subscriptions.data?.rows.filter(({ status }) => status !== 'ended' && status !== 'incomplete') ?? []
  return (
    <>
      {open.map(({ id, planId, way, paidUntil }) => {
        const kind = way === 'gift' || way === 'complimentary' ? 'given' : 'paid'
        const plan = nameOf(planId)
        return (
          <p key={id}>
            {paidUntil
              ? t(`subscribers.eraseEnds.${kind}Until`, { plan, date: format.dayOfYear(paidUntil) })
              : t(`subscribers.eraseEnds.${kind}ForGood`, { plan })}
          </p>
        )
      })}
      {!!payments.data?.rows.length && <p>{t('subscribers.eraseBooks')}</p>}
    </>
  )
}

/** What one person has and what they paid. Who bought nothing has no such part. */
export function SubscriptionsOfSubscriber({ subscriberId }: { subscriberId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const nameOf = usePlanNames()
  const { may } = useNewsletter()
  const [changing, change] = useState<Subscription | null>(null)
  const { subscriptions, payments } = useCharged(subscriberId, may('charge.read'))
  if (!subscriptions.data?.rows.length) return null
  return (
    <Section title={t('plans.ofSubscriber')}>
      {subscriptions.data.rows.some(({ test }) => test) && <p className={classes.quiet}>{t('plans.testOf')}</p>}
      <ul className={classes.list}>
        {subscriptions.data.rows.map((one) => (
          <li key={one.id}>
            <div className={classes.owned}>
              <b>{nameOf(one.planId)}</b>
              <span>
                <Sum of={one} />
              </span>
              <span>
                {t(`plans.ways.${one.way}`)} {one.test && <TestMark />}
              </span>
              <span>
                {one.status === 'active' && one.paidUntil && <>{t('plans.columns.until')} </>}
                <Until of={one} />
              </span>
            </div>
            {one.note && <p className={classes.small}>{one.note}</p>}
            {one.way === 'card' && may('charge.write') && <CardActions subscription={one} />}
            {one.way !== 'card' && may('charge.write') && (
              <Button size="xs" mt={6} onClick={() => change(one)}>
                {t('plans.change.button')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ul className={classes.list}>
        {payments.data?.rows.map((payment) => (
          <li key={payment.id} className={classes.setting}>
            <span>
              {t(`plans.kinds.${payment.kind}`)} · {meansText(t, payment.means)} {payment.test && <TestMark />}
            </span>
            <span>
              {sumText(payment, language)} · {format.dayOfYear(payment.at)}
            </span>
          </li>
        ))}
      </ul>
      {changing && <ChangeDialog key={changing.id} subscription={changing} onClose={() => change(null)} />}
    </Section>
  )
}
