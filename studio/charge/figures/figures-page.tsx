import { Button, Menu, SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportBooks } from '../../../server/charge/figures/contract.ts'
import { addressOf } from '../../api.ts'
import { dayOf } from '../../day.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { IconDownload } from '../../ui/icons.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Section } from '../../ui/section.tsx'
import { BesideRecurring } from './beside-recurring.tsx'
import { CsvLink } from './csv-link.tsx'
import classes from './figures.module.css'
import { balanceOf } from './movement-kinds.ts'
import { Movements } from './movements.tsx'
import { averagesOf, payingIn } from './paying.ts'
import { type Figures, figuresQuery } from './queries.ts'
import { askedOf, isRange, type Preset, presets } from './range-choice.ts'
import { CurrenciesCard, PlansCard, PublicationsCard, RefundsCard, SourcesCard, TrialsCard } from './sold-cards.tsx'
import { useMoney } from './use-money.ts'

/** What is sold, over any range, beside the range before. */
export function FiguresPage() {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const today = dayOf(new Date(), newsletter.timezone)
  const [preset, setPreset] = useState<Preset>('6')
  const [dates, setDates] = useState({ from: `${today.slice(0, 4)}-01-01`, to: today })
  const [compared, setCompared] = useState(true)
  const [currency, setCurrency] = useState<string | null>(null)
  const asked =
    preset === 'dates' && !isRange(dates) ? askedOf('6', { today, dates }) : askedOf(preset, { today, dates })
  const query = useQuery(figuresQuery(newsletter.id, { ...asked, ...(currency && { currency }) }))
  const isCompared = compared && preset !== 'all'
  return (
    <>
      <PageTitle title={t('shell.titles.figures')}>
        <BooksMenu figures={query.data ?? null} />
      </PageTitle>
      <div className={classes.controls}>
        <SegmentedControl
          aria-label={t('figures.rangeLabel')}
          value={preset}
          onChange={(value) => setPreset(presets.find((each) => each === value) ?? '6')}
          data={presets.map((value) => ({ value, label: t(`figures.preset.${value}`) }))}
        />
        {preset === 'dates' &&
          (['from', 'to'] as const).map((end) => (
            <DateField
              key={end}
              size="xs"
              aria-label={t(`figures.${end}`)}
              value={dates[end]}
              error={isRange(dates) ? null : end === 'to' && t('figures.noRange')}
              onChange={({ currentTarget }) => setDates({ ...dates, [end]: currentTarget.value })}
            />
          ))}
        {preset !== 'all' && (
          <Select
            size="xs"
            aria-label={t('figures.comparedTo')}
            value={compared ? 'before' : 'nothing'}
            allowDeselect={false}
            onChange={(value) => setCompared(value === 'before')}
            data={(['before', 'nothing'] as const).map((value) => ({ value, label: t(`figures.compared.${value}`) }))}
          />
        )}
        {query.data && query.data.currencies.length > 1 && (
          <Select
            size="xs"
            w={110}
            aria-label={t('figures.currency')}
            value={query.data.currency}
            allowDeselect={false}
            onChange={setCurrency}
            data={query.data.currencies.map((value) => ({ value, label: value.toUpperCase() }))}
          />
        )}
      </div>
      <QueryContent query={query}>{(data) => <Shown figures={data} compared={isCompared} />}</QueryContent>
    </>
  )
}

function Shown({ figures, compared }: { figures: Figures; compared: boolean }) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const currency = figures.currency ?? newsletter.currency
  return (
    <>
      <Section title={t('figures.recurring')} aside={<CsvLink figures={figures} chart="movements" />}>
        <Headline figures={figures} currency={currency} compared={compared} />
        <Movements figures={figures} currency={currency} compared={compared} />
        <BesideRecurring figures={figures} />
        <p className={classes.note}>{t('figures.recurringNote')}</p>
        <Definitions />
      </Section>
      <div className={classes.cards}>
        <PlansCard figures={figures} />
        <TrialsCard figures={figures} compared={compared} />
        <RefundsCard figures={figures} currency={currency} />
        <PublicationsCard figures={figures} currency={currency} />
        <SourcesCard figures={figures} currency={currency} />
        <CurrenciesCard figures={figures} />
      </div>
    </>
  )
}

function Headline({ figures, currency, compared }: { figures: Figures; currency: string; compared: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMoney(currency)
  const { recurring, recurringBefore } = figures
  const paying = payingIn(figures)
  const balance = balanceOf(recurring.total)
  const { average, lifetime } = averagesOf(recurring)
  const facts = [
    { key: 'inRange', value: money.signedMonthly(balance), isUp: balance > 0 },
    ...(compared
      ? [{ key: 'inRangeBefore', value: money.signedMonthly(balanceOf(recurringBefore.total)) } as const]
      : []),
    {
      key: 'lost',
      value: format.rate(recurring.lost),
      beside:
        compared && recurringBefore.lost !== null
          ? t('figures.against', { before: format.rate(recurringBefore.lost) })
          : '',
    },
    {
      key: 'paying',
      value: format.number(paying.end),
      beside: paying.change === 0 ? '' : format.signed(paying.change),
    },
    { key: 'average', value: average === null ? '—' : money.monthly(average) },
    {
      key: 'lifetime',
      value: lifetime === null ? '—' : money.monthly(lifetime),
    },
  ] as const
  return (
    <div className={classes.top}>
      <p className={classes.big}>{money.monthly(recurring.end)}</p>
      <dl className={classes.facts}>
        {facts.map((fact) => (
          <div key={fact.key}>
            <dt>{t(`figures.fact.${fact.key}`)}</dt>
            <dd data-up={('isUp' in fact && fact.isUp) || undefined}>
              {fact.value} {'beside' in fact && <small>{fact.beside}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** The books for an accountant, in the language on screen. */
function BooksMenu({ figures }: { figures: Figures | null }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const language = useLanguage()
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button leftSection={<IconDownload size={15} stroke={1.6} />}>{t('figures.forAccountant')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['each', 'months'] as const).flatMap((rows) =>
          ([language, language === 'en' ? 'fr' : 'en'] as const).map((namesIn) => (
            <Menu.Item
              key={`${rows} ${namesIn}`}
              component="a"
              href={addressOf(exportBooks, { newsletterId: id }, { ...figures?.range, rows, namesIn, sheet: namesIn })}
              download
            >
              {t(`figures.booksOf.${rows}.${namesIn}`)}
            </Menu.Item>
          )),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const defined = ['recurring', 'paying', 'movements', 'lost', 'lifetime', 'trials', 'sales', 'calendar'] as const

/** What each figure counts, in short; docs/charge-figures.md says all of it. */
function Definitions() {
  const { t } = useTranslation()
  return (
    <details className={classes.details}>
      <summary>{t('figures.definitions')}</summary>
      <dl className={classes.definitions}>
        {defined.map((key) => (
          <div key={key}>
            <dt>{t(`figures.define.${key}.title`)}</dt>
            <dd>{t(`figures.define.${key}.text`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
