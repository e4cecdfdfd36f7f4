import { useTranslation } from 'react-i18next'
import type { Plan } from '../../../server/charge/plans/contract.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { Section } from '../../ui/section.tsx'
import classes from '../charge.module.css'
import { priceText, sumText } from '../words.ts'

/** Who has a plan now, by what they pay and how. */
export function HoldersSection({ plan }: { plan: Plan }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const count = (fits: (one: Plan['holders'][number]) => boolean) =>
    plan.holders.filter(fits).reduce((sum, { subscribers }) => sum + subscribers, 0)
  const late = count(({ status }) => status === 'past_due')
  const leaving = count(({ leaving }) => leaving)
  return (
    <Section title={t('plans.holders.title')}>
      {plan.placesTaken === 0 ? (
        <p className={classes.quiet}>{t('plans.holders.nobody')}</p>
      ) : (
        <p className={classes.figure}>
          {format.number(plan.placesTaken)} <small>{t('plans.holders.have', { count: plan.placesTaken })}</small>
        </p>
      )}
      <dl className={classes.facts}>
        {plan.holders.map((one) => (
          <div
            key={`${one.priceId} ${one.currency} ${one.amount} ${one.discount} ${one.way} ${one.status} ${one.leaving}`}
          >
            <dt>
              {one.amount !== null && one.currency !== null && one.period !== null
                ? `${priceText(t, { amount: one.amount, currency: one.currency, period: one.period }, language)}, ${t(`plans.ways.${one.way}`)}`
                : t(`plans.ways.${one.way}`)}
              {one.discount > 0 && one.amount !== null && (
                <small>
                  {t('plans.holders.withCoupon', {
                    sum: sumText({ amount: Math.max(0, one.amount - one.discount), currency: one.currency }, language),
                  })}
                </small>
              )}
              {one.status === 'trialing' && `, ${t('plans.state.trialing')}`}
            </dt>
            <dd>{format.number(one.subscribers)}</dd>
          </div>
        ))}
        {late > 0 && (
          <div>
            <dt>{t('plans.holders.late')}</dt>
            <dd>{format.number(late)}</dd>
          </div>
        )}
        {leaving > 0 && (
          <div>
            <dt>{t('plans.holders.leaving')}</dt>
            <dd>{format.number(leaving)}</dd>
          </div>
        )}
      </dl>
    </Section>
  )
}
