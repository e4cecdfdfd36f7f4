import { Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Currency } from '../../../server/charge/money.ts'
import { outsideMeans } from '../../../server/charge/outside/contract.ts'
import { useCurrencies } from '../../newsletters/use-currencies.ts'
import classes from '../charge.module.css'

export interface PaymentValues {
  amount: string
  currency: Currency
  means: (typeof outsideMeans)[number]
  paidAt: string
}

/** How much came, in what, how and when. */
export function PaymentFields<V extends PaymentValues>({ form }: { form: UseFormReturnType<V> }) {
  const { t } = useTranslation()
  return (
    <>
      <div className={classes.pair}>
        <TextInput label={t('plans.enter.amount')} inputMode="decimal" required {...form.getInputProps('amount')} />
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
        <TextInput type="date" required label={t('plans.enter.paidAt')} {...form.getInputProps('paidAt')} />
      </div>
    </>
  )
}
