import { Button, Group, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currencies, typedSum } from '../../../server/charge/money.ts'
import { enterPayment, type Subscription, updateSubscription } from '../../../server/charge/outside/contract.ts'
import { call } from '../../api.ts'
import { dayOf, endOfDay, monthsLater } from '../../day.ts'
import { knownCode } from '../../known-code.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { amountIn } from '../typed-amount.ts'
import { PaymentFields, type PaymentValues, paidMoment } from './payment-fields.tsx'

interface Values extends PaymentValues, Record<string, unknown> {
  withPayment: boolean
  until: string
  note: string
}

/** Another end and note for what is paid outside, with or without a further payment; or its end now. */
export function ChangeDialog({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id, currency, timezone } = useNewsletter()
  const queries = useQueryClient()
  const [ending, end] = useState(false)
  const unit = subscription.currency ?? knownCode(currencies, currency) ?? 'eur'
  const due = subscription.nextAmount ?? subscription.amount
  const params = { newsletterId: id, subscriptionId: subscription.id }
  const isOver = subscription.status === 'ended'
  const needsEnd = subscription.way === 'gift' && !isOver
  const before = subscription.paidUntil && !isOver ? dayOf(subscription.paidUntil, timezone) : ''
  const finish = async () => {
    await queries.invalidateQueries({ queryKey: chargeKey(id) })
    onClose()
  }
  const { form, error, busy, submit } = useServerForm<Values>(
    {
      initialValues: {
        ...{
          withPayment: false,
          currency: unit,
          means: 'transfer',
          paidAt: dayOf(new Date(), timezone),
          note: subscription.note,
        },
        amount: due === null ? '' : typedSum(due, unit, language),
        until: before,
      },
    },
    async (values) => {
      const until = endOfDay(values.until, timezone)
      // The end that it has already would open again what was ended before.
      const isOtherEnd = values.until !== before
      if (values.withPayment) {
        const { currency: paidIn, means, paidAt, note } = values
        const amount = amountIn('amount', { text: values.amount, currency: paidIn, language }, { t })
        await call(enterPayment, {
          params,
          body: { amount, currency: paidIn, means, at: paidMoment(paidAt, timezone, t), until, note },
        })
      } else await call(updateSubscription, { params, body: { ...(isOtherEnd && { until }), note: values.note } })
      await finish()
    },
  )
  const choosePayment = (withPayment: boolean) => {
    form.setFieldValue('withPayment', withPayment)
    const from = dayOf(subscription.paidUntil ?? new Date(), timezone)
    if (withPayment) form.setFieldValue('until', monthsLater(from, subscription.period === 'month' ? 1 : 12))
  }
  return (
    <Dialog opened onClose={onClose} title={subscription.subscriber?.name || subscription.subscriber?.email}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <Switch
          label={t('plans.change.withPayment')}
          checked={form.values.withPayment}
          onChange={(event) => choosePayment(event.currentTarget.checked)}
        />
        {form.values.withPayment && <PaymentFields form={form} />}
        <DateField
          label={t('plans.enter.until')}
          description={needsEnd ? undefined : t(isOver ? 'plans.change.againHint' : 'plans.enter.untilHint')}
          required={needsEnd}
          {...form.getInputProps('until')}
        />
        <TextInput label={t('plans.enter.note')} maxLength={200} {...form.getInputProps('note')} />
        <ErrorNotice error={error} />
        <Group justify="space-between" gap="sm">
          {isOver ? (
            <span />
          ) : (
            <Button variant="subtle" color="rouge" onClick={() => end(true)}>
              {t('plans.change.end')}…
            </Button>
          )}
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('plans.save')}
          </Button>
        </Group>
      </form>
      <ConfirmDelete
        opened={ending}
        onClose={() => end(false)}
        title={t('plans.change.endAsk')}
        confirm={t('plans.change.end')}
        onConfirm={async () => {
          await call(updateSubscription, { params, body: { ended: true } })
          await finish()
        }}
      >
        {t('plans.change.endText')}
      </ConfirmDelete>
    </Dialog>
  )
}
