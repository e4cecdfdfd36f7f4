import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { giveBackPayment } from '../../../server/charge/card/contract.ts'
import { typedSum } from '../../../server/charge/money.ts'
import type { Payment } from '../../../server/charge/outside/contract.ts'
import { call } from '../../api.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { sponsorshipKey } from '../../sponsorship/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { amountIn } from '../typed-amount.ts'
import { sumText } from '../words.ts'

const accesses = ['goes_on', 'period_end', 'now'] as const

interface Props {
  /** `opens`: it opens a subscription, of which is said what becomes of it. */
  payment: Pick<Payment, 'id' | 'amount' | 'refunded' | 'currency' | 'test'> & { opens: boolean }
  onClose: () => void
}

/** Gives money back to a card, whole or in part, and says what becomes of the subscription. */
export function GiveBackDialog({ payment, onClose }: Props) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const left = payment.amount - payment.refunded
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { amount: typedSum(left, payment.currency, language), access: 'goes_on' } },
    async (values) => {
      const amount = amountIn('amount', { text: values.amount, currency: payment.currency, language }, { t })
      const access = accesses.find((one) => one === values.access) ?? 'goes_on'
      const params = { newsletterId: id, paymentId: payment.id }
      await call(giveBackPayment, { params, body: { amount, seen: payment.refunded, access } })
      await queries.invalidateQueries({ queryKey: chargeKey(id) })
      await queries.invalidateQueries({ queryKey: sponsorshipKey(id) })
      onClose()
    },
  )
  const sum = sumText({ ...payment, amount: left }, language)
  return (
    <Dialog opened onClose={onClose} title={t('plans.giveBack.title')}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <p className={classes.quiet}>{t(payment.test ? 'plans.giveBack.textTest' : 'plans.giveBack.text', { sum })}</p>
        <TextInput
          label={`${t('plans.enter.amount')} (${payment.currency.toUpperCase()})`}
          inputMode="decimal"
          required
          {...form.getInputProps('amount')}
        />
        {payment.opens && (
          <Radio.Group label={t('plans.giveBack.access')} {...form.getInputProps('access')}>
            <Stack gap={6} mt={6}>
              {accesses.map((one) => (
                <Radio key={one} value={one} label={t(`plans.giveBack.accesses.${one}`)} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="filled" color="rouge" loading={busy}>
            {t('plans.giveBack.confirm')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
