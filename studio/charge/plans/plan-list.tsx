import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { holdMarks } from '../../../i18n/french-spaces.ts'
import type { Plan } from '../../../server/charge/plans/contract.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import classes from '../charge.module.css'
import { planName, priceText } from '../words.ts'

/** Plans by name, each with its prices, how many have it, and what can be done with it. */
export function PlanList({ plans, act }: { plans: Plan[]; act?: (plan: Plan) => ReactNode }) {
  const language = useLanguage()
  return (
    <ul className={classes.list}>
      {plans.map((plan) => (
        <li key={plan.id}>
          <div className={classes.plan}>
            <Link to={`/charge/plans/${plan.id}`}>{planName(plan, language)}</Link>
            <Prices plan={plan} />
            {act?.(plan)}
          </div>
          <p className={classes.quiet}>
            {holdMarks((plan.words[language] ?? Object.values(plan.words)[0])?.promise ?? '')}
          </p>
          <State plan={plan} />
        </li>
      ))}
    </ul>
  )
}

function Prices({ plan }: { plan: Plan }) {
  const { t } = useTranslation()
  const language = useLanguage()
  if (plan.kind === 'free') return <span>{t('plans.free')}</span>
  return <span>{plan.prices.map((price) => priceText(t, price, language)).join(' · ') || t('plans.noPrice')}</span>
}

function State({ plan }: { plan: Plan }) {
  const { t } = useTranslation()
  const format = useFormat()
  const taken = t('plans.subscribers', { count: plan.placesTaken, n: format.number(plan.placesTaken) })
  const isOver = plan.places !== null && plan.placesTaken > plan.places
  const places =
    plan.places !== null &&
    t(isOver ? 'plans.overPlaces' : 'plans.ofPlaces', { count: plan.places, n: format.number(plan.places) })
  const parts = [
    plan.kind === 'paid' && [taken, places].filter(Boolean).join(' '),
    plan.trialDays > 0 && t('plans.trialOf', { count: plan.trialDays }),
    plan.closedAt && t('plans.closedSince', { date: format.dayOfYear(plan.closedAt) }),
    !plan.shown && t('plans.hidden'),
  ].filter(Boolean)
  return parts.length > 0 && <p className={classes.small}>{parts.join(' · ')}</p>
}
