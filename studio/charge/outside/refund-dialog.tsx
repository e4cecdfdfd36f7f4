import { Button, Group, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { typedSum } from '../../../server/charge/money.ts'
import { noteRefund, type Payment } from '../../../server/charge/outside/contract.ts'
import { call } from '../../api.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { amountIn } from '../typed-amount.ts'

/** Notes that what was paid outside was given back. */
export function RefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { amount: typedSum(payment.amount - payment.refunded, payment.currency, language), note: '' } },
    async ({ note, ...typed }) => {
      const amount = amountIn('amount', { text: typed.amount, currency: payment.currency, language }, { t })
      const params = { newsletterId: id, paymentId: payment.id }
      await call(noteRefund, { params, body: { amount, note, at: new Date().toISOString() } })
      await queries.invalidateQueries({ queryKey: chargeKey(id) })
      onClose()
    },
  )
  return (
    <Dialog opened onClose={onClose} title={t('plans.payments.refundTitle')}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <p className={classes.quiet}>{t('plans.payments.refundText')}</p>
        <TextInput
          label={`${t('plans.enter.amount')} (${payment.currency.toUpperCase()})`}
          inputMode="decimal"
          required
          {...form.getInputProps('amount')}
        />
        <TextInput label={t('plans.enter.note')} maxLength={200} {...form.getInputProps('note')} />
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('plans.payments.note')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
