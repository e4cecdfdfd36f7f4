import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { readableList } from '../../domains/readable-list.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { Section } from '../../ui/section.tsx'
import { shownTitle } from '../../ui/shown-title.ts'
import { CsvLink } from './csv-link.tsx'
import classes from './figures.module.css'
import { originText } from './origin-text.ts'
import { payingOf } from './paying.ts'
import type { Figures } from './queries.ts'
import { useMoney } from './use-money.ts'

interface Props {
  figures: Figures
  currency: string
}

/** Who has which plan, by how they pay. */
export function PlansCard({ figures }: { figures: Figures }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const paying = figures.plans.filter((plan) => payingOf(plan) > 0 || plan.change !== 0)
  const most = Math.max(1, ...paying.map(payingOf))
  const rest = (['trial', 'late', 'leaving', 'paused', 'outside', 'complimentary', 'gift'] as const)
    .map((standing) => ({ standing, count: figures.plans.reduce((sum, plan) => sum + plan[standing], 0) }))
    .filter(({ count }) => count > 0)
  return (
    <Section title={t('figures.charts.plans')} aside={<CsvLink figures={figures} chart="plans" />}>
      {paying.length === 0 && rest.length === 0 && <p className={classes.note}>{t('figures.nothingYet')}</p>}
      <ul className={classes.bars}>
        {paying.map((plan) => (
          <li key={`${plan.planId} ${plan.period}`}>
            <span>
              <b>
                {t(`figures.period.${plan.period || 'none'}`, {
                  plan: plan.names[language] ?? Object.values(plan.names)[0] ?? '',
                })}
              </b>
              <small>{t('figures.changeInRange', { change: format.signed(plan.change) })}</small>
            </span>
            <i className={classes.bar}>
              <i style={{ width: `${(Math.max(0, payingOf(plan)) / most) * 100}%`, background: 'var(--tirage-v5)' }} />
            </i>
            <span className={classes.value}>{format.number(payingOf(plan))}</span>
          </li>
        ))}
      </ul>
      <dl className={classes.lines}>
        {rest.map(({ standing, count }) => (
          <div key={standing}>
            <dt>{t(`figures.standing.${standing}`)}</dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>{t('figures.plansNote')}</p>
    </Section>
  )
}

/** What became of the trials that began. */
export function TrialsCard({ figures, compared }: { figures: Figures; compared: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { trials, trialsBefore } = figures
  const running = trials.begun - trials.finished
  return (
    <Section title={t('figures.charts.trials')} aside={<CsvLink figures={figures} chart="trials" />}>
      <div className={classes.headline}>
        {trials.rate !== null && <b>{format.rate(trials.rate)}</b>}
        <p>
          {t(trials.rate === null ? 'figures.noTrialOver' : 'figures.trialsPay')}
          {compared && trialsBefore.rate !== null && (
            <> {t('figures.against', { before: format.rate(trialsBefore.rate) })}</>
          )}
        </p>
      </div>
      <ol className={classes.funnel}>
        {(['begun', 'finished', 'paying'] as const).map((step) => (
          <li key={step}>
            <i style={{ width: `${trials.begun > 0 ? (trials[step] / trials.begun) * 100 : 0}%` }} />
            <span>{t(`figures.trialStep.${step}`)}</span>
            <b>{format.number(trials[step])}</b>
          </li>
        ))}
      </ol>
      <p className={classes.note}>{t('figures.trialsNote', { count: running, number: format.number(running) })}</p>
    </Section>
  )
}

/** What was given back, and by whom it was asked for. */
export function RefundsCard({ figures, currency }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMoney(currency)
  const own = figures.money.find((each) => each.currency === currency)
  const back = own ? -(own.refunded + own.disputed) : 0
  const counts = (['refunds', 'disputes'] as const).flatMap((kind) => {
    const count = own?.[kind] ?? 0
    return count === 0 ? [] : [t(`figures.${kind}`, { count, number: format.number(count) })]
  })
  const payments = own?.payments ?? 0
  return (
    <Section title={t('figures.charts.refunds')} aside={<CsvLink figures={figures} chart="refunds" />}>
      <div className={classes.headline}>
        <b>{money.sum(back)}</b>
        <p>
          {counts.length === 0
            ? t('figures.refundsNone')
            : `${t('figures.refundsOf', {
                back: readableList(format.locale, counts),
                count: payments,
                payments: format.number(payments),
              })} ${t('figures.refundsNote')}`}
        </p>
      </div>
      <ul className={classes.refunds}>
        {figures.givenBack.map((each) => (
          <li key={`${each.at} ${each.amount} ${each.name}`}>
            <span>{each.name ?? t(`figures.gaveBack.${each.kind}`)}</span>
            <span>{format.day(each.at)}</span>
            <span className={classes.value}>{money.sum(-each.amount)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What the publications brought in that people had read before they paid. */
export function PublicationsCard({ figures, currency }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMoney(currency)
  return (
    <Section title={t('figures.charts.publications')} aside={<CsvLink figures={figures} chart="publications" />}>
      {figures.publications.length === 0 && <p className={classes.note}>{t('figures.nothingYet')}</p>}
      <ul className={classes.titles}>
        {figures.publications.map(({ origin, title, number, sales, amount }) => (
          <li key={origin ?? ''}>
            <span>
              {title === null ? (
                <b>{t(origin === null ? 'figures.unknown' : 'figures.deleted')}</b>
              ) : (
                <Anchor component={Link} to={`/publish/${origin}`} className={classes.title ?? ''}>
                  {shownTitle(title, t)}
                </Anchor>
              )}
              <small>
                {number !== null && `${t('figures.number', { number })}, `}
                {t('figures.sales', { count: sales, number: format.number(sales) })}
              </small>
            </span>
            <span className={classes.value}>{money.sum(amount)}</span>
          </li>
        ))}
      </ul>
      <p className={classes.note}>{t('figures.publicationsNote')}</p>
    </Section>
  )
}

/** Where those who paid came from. */
export function SourcesCard({ figures, currency }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMoney(currency)
  const most = Math.max(1, ...figures.sources.map(({ amount }) => amount))
  return (
    <Section title={t('figures.charts.sources')} aside={<CsvLink figures={figures} chart="sources" />}>
      {figures.sources.length === 0 && <p className={classes.note}>{t('figures.nothingYet')}</p>}
      <ul className={classes.bars}>
        {figures.sources.map(({ origin, sales, amount }) => (
          <li key={origin ?? ''}>
            <span>
              <b>{originText(t, origin)}</b>
              <small>{t('figures.sales', { count: sales, number: format.number(sales) })}</small>
            </span>
            <i className={classes.bar} data-bare="true">
              <i
                style={{
                  width: `${(Math.max(0, amount) / most) * 100}%`,
                  background: origin === null ? 'var(--tirage-line2)' : 'var(--tirage-v1)',
                }}
              />
            </i>
            <span className={classes.value}>{money.sum(amount)}</span>
          </li>
        ))}
      </ul>
      <p className={classes.note}>{t('figures.sourcesNote')}</p>
    </Section>
  )
}

/** What came in, what it cost, and what is left, each currency in its own. */
export function CurrenciesCard({ figures }: { figures: Figures }) {
  const { t } = useTranslation()
  const format = useFormat()
  const toCome = figures.money.reduce((sum, { feesToCome }) => sum + feesToCome, 0)
  return (
    <Section title={t('figures.charts.currencies')} aside={<CsvLink figures={figures} chart="currencies" />}>
      {figures.money.length === 0 && <p className={classes.note}>{t('figures.nothingYet')}</p>}
      {figures.money.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.money}>
            <thead>
              <tr>
                <th scope="col">{t('figures.currency')}</th>
                <th scope="col">{t('figures.takenIn')}</th>
                <th scope="col">{t('figures.tax')}</th>
                <th scope="col">{t('figures.fees')}</th>
                <th scope="col">{t('figures.keep')}</th>
              </tr>
            </thead>
            <tbody>
              {figures.money.map((each) => (
                <MoneyRow key={each.currency} money={each} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {toCome > 0 && (
        <p className={classes.note}>{t('figures.feesToCome', { count: toCome, number: format.number(toCome) })}</p>
      )}
      <p className={classes.note}>{t('figures.currenciesNote')}</p>
    </Section>
  )
}

function MoneyRow({
  money: { currency, paid, refunded, disputed, tax, fee, feesToCome, net },
}: {
  money: Figures['money'][number]
}) {
  const { t } = useTranslation()
  const money = useMoney(currency)
  return (
    <tr>
      <th scope="row">{currency.toUpperCase()}</th>
      <td>{money.sum(paid + refunded + disputed)}</td>
      <td>{money.sum(tax)}</td>
      <td>
        {fee === 0 && feesToCome > 0 ? t('figures.notYetKnown') : money.sum(0 - fee)}
        {fee !== 0 && feesToCome > 0 && <small>{t('figures.notAllKnown')}</small>}
      </td>
      <td>{money.sum(net - tax)}</td>
    </tr>
  )
}
