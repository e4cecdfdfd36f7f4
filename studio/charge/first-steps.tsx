import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Section } from '../ui/section.tsx'
import classes from './charge.module.css'
import connect from './connect/connect.module.css'
import { overviewQuery } from './queries.ts'

const counted = ['plan', 'pay', 'paywall'] as const

/** From nothing to somebody who reads what they paid for: what is done, and what comes next. Nothing is drawn once all of it is done. */
export function FirstSteps() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, handle, may } = useNewsletter()
  const { data } = useQuery(overviewQuery(id))
  if (!data || !may('charge.write')) return null
  const { priced, entered, card, paywall } = data.begun
  const done = { plan: priced, pay: entered || card, paywall, look: false }
  const count = counted.filter((one) => done[one]).length
  if (count === counted.length) return null
  const ways: Record<keyof typeof done, ReactNode> = {
    plan: <Way to="/charge/plans/new">{t('charge.steps.plan.action')}</Way>,
    pay: !card && <Way to={studioPaths.chargeStripe}>{t('charge.steps.pay.action')}</Way>,
    paywall: <Way to={studioPaths.publish}>{t('charge.steps.paywall.action')}</Way>,
    look: priced && (
      <Anchor href={`/plans/${handle ?? id}`} target="_blank" rel="noopener">
        {t('charge.steps.look.action')}
      </Anchor>
    ),
  }
  return (
    <Section
      title={t('charge.steps.title')}
      aside={
        <span className={classes.small}>
          {t('charge.steps.of', { done: format.number(count), all: format.number(counted.length) })}
        </span>
      }
    >
      <ol className={connect.steps}>
        {([...counted, 'look'] as const).map((step) => (
          <li key={step} data-done={done[step] || undefined}>
            <h3>
              {t(`charge.steps.${step}.title`)} {done[step] && <small>{t('charge.steps.done')}</small>}
            </h3>
            <p>{t(`charge.steps.${step}.text`)}</p>
            {(!done[step] || step === 'pay') && ways[step]}
          </li>
        ))}
      </ol>
    </Section>
  )
}

const Way = ({ to, children }: { to: string; children: string }) => (
  <Anchor component={Link} to={to}>
    {children}
  </Anchor>
)
