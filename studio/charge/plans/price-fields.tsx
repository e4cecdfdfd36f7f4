import { ActionIcon, Button, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Currency } from '../../../server/charge/money.ts'
import { Period, type Plan, type PriceShape } from '../../../server/charge/plans/contract.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useCurrencies } from '../../newsletters/use-currencies.ts'
import type { Faults } from '../../ui/faults.ts'
import { IconPlus, IconTrash } from '../../ui/icons.ts'
import classes from '../charge.module.css'
import { amountFault } from '../typed-amount.ts'
import { currencyName } from '../words.ts'
import { nextPlace, type PriceDraft, priceOf } from './price-draft.ts'

interface Props {
  drafts: PriceDraft[]
  faults: Faults
  change: (drafts: PriceDraft[]) => void
  payMore: boolean
  /** Who has the plan now: a price says how many pay it. */
  holders: Plan['holders']
}

/** The prices of a plan, a row for each currency and period. */
export function PriceFields({ drafts, faults, change, payMore, holders }: Props) {
  const { t } = useTranslation()
  const currencies = useCurrencies('plans')
  const set = (at: number, values: Partial<PriceDraft>) =>
    change(drafts.map((draft, index) => (index === at ? { ...draft, ...values } : draft)))
  const free = nextPlace(drafts, currencies)
  const [added, setAdded] = useState<number | null>(null)
  const add = (place: NonNullable<typeof free>) => {
    const key = Math.max(-1, ...drafts.map((draft) => draft.key)) + 1
    setAdded(key)
    change([...drafts, { ...place, key, amount: '', suggested: '', months: place.period === 'once' ? 12 : null }])
  }
  return (
    <>
      <div className={classes.scroll}>
        <table className={`${classes.table} ${classes.prices}`}>
          <thead>
            <tr>
              <th>{t('plans.price.currency')}</th>
              <th>{t('plans.price.paid')}</th>
              <th>{t(payMore ? 'plans.price.least' : 'plans.price.price')}</th>
              {payMore && <th>{t('plans.price.suggested')}</th>}
              <td />
            </tr>
          </thead>
          <tbody>
            {drafts.map((draft, at) => (
              <Row
                key={draft.key}
                draft={draft}
                isNew={draft.key === added}
                faultOf={(field) => faults[`prices.${at}.${field}`]}
                set={(values) => set(at, values)}
                payMore={payMore}
                holders={holders}
                remove={() => change(drafts.toSpliced(at, 1))}
              />
            ))}
          </tbody>
        </table>
      </div>
      {free && (
        <Button
          mt="sm"
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} stroke={1.6} />}
          onClick={() => add(free)}
        >
          {t('plans.price.add')}
        </Button>
      )}
    </>
  )
}

interface RowProps {
  draft: PriceDraft
  /** Whether it was added just now: it is to be filled in. */
  isNew: boolean
  faultOf: (field: keyof PriceDraft) => string | undefined
  set: (values: Partial<PriceDraft>) => void
  payMore: boolean
  holders: Plan['holders']
  remove: () => void
}

function Row({ draft, isNew, faultOf, set, payMore, holders, remove }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const currencies = useCurrencies('plans')
  const typed = { text: draft.amount, currency: draft.currency, language }
  const fault = draft.amount === '' ? null : amountFault(typed, t, t('plans.zeroPrice'))
  const paying = payingOf(holders, priceOf({ ...draft, suggested: '' }, false, language))
  const named = `${draft.currency.toUpperCase()}, ${t(`plans.period.${draft.period}`)}`
  return (
    <tr>
      <td data-column={t('plans.price.currency')}>
        <Select
          aria-label={t('plans.price.currency')}
          autoFocus={isNew}
          searchable
          allowDeselect={false}
          className={classes.currency}
          data={currencies.map((value) => ({ value, label: currencyName(value, language) }))}
          value={draft.currency}
          error={faultOf('currency')}
          onChange={(value) => value && set({ currency: value as Currency })}
        />
      </td>
      <td data-column={t('plans.price.paid')}>
        <Select
          aria-label={t('plans.price.paid')}
          allowDeselect={false}
          className={classes.periodOf}
          data={Period.options.map((value) => ({ value, label: t(`plans.period.${value}`) }))}
          value={draft.period}
          error={faultOf('period')}
          onChange={(value) => value && set({ period: value as PriceDraft['period'] })}
        />
        {draft.period === 'once' && (
          <NumberInput
            mt={4}
            className={classes.periodOf}
            size="xs"
            aria-label={t('plans.price.months')}
            placeholder={t('plans.price.forGood')}
            suffix={` ${t('plans.price.monthsShort')}`}
            min={1}
            max={120}
            allowDecimal={false}
            value={draft.months ?? ''}
            error={faultOf('months')}
            onChange={(value) => set({ months: value === '' ? null : Number(value) })}
          />
        )}
      </td>
      <td data-column={t(payMore ? 'plans.price.least' : 'plans.price.price')}>
        <TextInput
          className={classes.sum}
          aria-label={t('plans.price.of', { named })}
          inputMode="decimal"
          error={fault ?? faultOf('amount')}
          value={draft.amount}
          onChange={(event) => set({ amount: event.currentTarget.value })}
        />
        {paying > 0 && <small>{t('plans.holders.ofPrice', { count: paying, n: format.number(paying) })}</small>}
      </td>
      {payMore && (
        <td data-column={t('plans.price.suggested')}>
          <TextInput
            className={classes.sum}
            aria-label={t('plans.price.suggestedOf', { named })}
            inputMode="decimal"
            error={faultOf('suggested')}
            value={draft.suggested}
            onChange={(event) => set({ suggested: event.currentTarget.value })}
          />
        </td>
      )}
      <td data-right>
        <ActionIcon variant="subtle" color="gray" aria-label={t('plans.price.remove', { named })} onClick={remove}>
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </td>
    </tr>
  )
}

/** How many pay this price, with a coupon or without. */
const payingOf = (holders: Plan['holders'], price: PriceShape | null): number =>
  holders
    .filter(
      (one) =>
        one.priceId !== null &&
        one.currency === price?.currency &&
        one.period === price?.period &&
        one.amount === price?.amount,
    )
    .reduce((sum, { subscribers }) => sum + subscribers, 0)
