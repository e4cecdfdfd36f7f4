import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dayOf } from '../../day.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import { BesideRecurring } from './beside-recurring.tsx'
import classes from './figures.module.css'
import { isEmpty, movementKinds } from './movement-kinds.ts'
import { averagesOf, payingIn } from './paying.ts'
import { type Figures, figuresQuery } from './queries.ts'
import { askedOf } from './range-choice.ts'
import { RecurringChart } from './recurring-chart.tsx'
import { useMoney } from './use-money.ts'

/** The recurring revenue of the last twelve months, for the first page of Charge. */
export function RevenueOverview() {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const today = dayOf(new Date(), newsletter.timezone)
  const query = useQuery(figuresQuery(newsletter.id, askedOf('12', { today, dates: { from: today, to: today } })))
  const legend = (
    <ul className={classes.legend}>
      {movementKinds.map(({ kind, colour }) => (
        <li key={kind}>
          <i style={{ background: colour }} />
          {t(`figures.kind.${kind}`)}
        </li>
      ))}
    </ul>
  )
  return (
    <Section title={t('figures.recurring')} aside={query.data && !isEmpty(query.data) && legend}>
      <QueryContent query={query}>
        {(figures) => (
          <>
            {isEmpty(figures) ? (
              <p className={classes.note}>{t('figures.noneRecurring')}</p>
            ) : (
              <RecurringChart points={figures.recurring.points} currency={figures.currency ?? newsletter.currency} />
            )}
            <Facts figures={figures} currency={figures.currency ?? newsletter.currency} />
            <BesideRecurring figures={figures} />
            {figures.recurringEnds.length > 1 && (
              <p className={classes.note}>
                {t('figures.oneCurrency', { currency: (figures.currency ?? newsletter.currency).toUpperCase() })}
              </p>
            )}
          </>
        )}
      </QueryContent>
    </Section>
  )
}

function Facts({ figures, currency }: { figures: Figures; currency: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMoney(currency)
  const { lost } = figures.recurring
  const { lifetime } = averagesOf(figures.recurring)
  const paying = payingIn(figures)
  const facts = [
    { key: 'now', value: <Now figures={figures} currency={currency} /> },
    {
      key: 'paying',
      value: format.number(paying.end),
      beside: paying.change === 0 ? '' : t('figures.changeOfYear', { change: format.signed(paying.change) }),
    },
    { key: 'lost', value: format.rate(lost) },
    { key: 'lifetime', value: lifetime === null ? '—' : money.monthly(lifetime) },
  ] as const
  return (
    <dl className={`${classes.facts} ${classes.overview}`}>
      {facts.map((fact) => (
        <div key={fact.key}>
          <dt>{t(`figures.fact.${fact.key}`)}</dt>
          <dd>
            {fact.value} {'beside' in fact && <small>{fact.beside}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The recurring revenue of each currency that has any, else nothing of the one that is shown. */
function Now({ figures: { recurringEnds }, currency }: { figures: Figures; currency: string }) {
  return (recurringEnds.length > 0 ? recurringEnds : [{ currency, yearly: 0 }]).map((each) => (
    <Monthly key={each.currency} {...each} />
  ))
}

function Monthly({ currency, yearly }: { currency: string; yearly: number }) {
  return <div>{useMoney(currency).monthly(yearly)}</div>
}
