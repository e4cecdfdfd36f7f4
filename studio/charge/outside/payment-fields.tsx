import { Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Currency } from '../../../server/charge/money.ts'
import { outsideMeans } from '../../../server/charge/outside/contract.ts'
import { ApiError } from '../../api.ts'
import { dayOf, momentOfDay } from '../../day.ts'
import { useCurrencies } from '../../newsletters/use-currencies.ts'
import { DateField } from '../../ui/date-field.tsx'
import classes from '../charge.module.css'

export interface PaymentValues {
  amount: string
  currency: Currency
  means: (typeof outsideMeans)[number]
  paidAt: string
}

/** When the money came, in a newsletter's timezone. @throws ApiError for a day to come */
export function paidMoment(paidAt: string, timezone: string, t: TFunction): string {
  if (paidAt > dayOf(new Date(), timezone))
    throw new ApiError('invalid', '', { fields: { paidAt: t('errors.fields.day_ahead') } })
  return momentOfDay(paidAt, timezone)
}

interface Props<V> {
  form: UseFormReturnType<V>
  /** A sum was typed. */
  onSum?: () => void
}

/** How much came, in what, how and when. */
export function PaymentFields<V extends PaymentValues>({ form, onSum }: Props<V>) {
  const { t } = useTranslation()
  const amount = form.getInputProps('amount')
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label={t('plans.enter.amount')}
          description={t('plans.enter.amountFor')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="decimal"
          required
          {...amount}
          onBlur={(event) => {
            amount.onBlur?.(event)
            onSum?.()
          }}
        />
        <Select
          label={t('plans.price.currency')}
          searchable
          allowDeselect={false}
          data={useCurrencies('plans').map((value) => ({ value, label: value.toUpperCase() }))}
          {...form.getInputProps('currency')}
        />
      </div>
      <div className={classes.pair}>
        <Select
          label={t('plans.enter.means')}
          allowDeselect={false}
          data={outsideMeans.map((value) => ({ value, label: t(`plans.means.${value}`) }))}
          {...form.getInputProps('means')}
        />
        <DateField required label={t('plans.enter.paidAt')} {...form.getInputProps('paidAt')} />
      </div>
    </>
  )
}
