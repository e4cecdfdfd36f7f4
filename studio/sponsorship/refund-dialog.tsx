import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { typedSum } from '../../server/charge/money.ts'
import { moneyOfBooking } from '../../server/sponsorship/bookings/contract.ts'
import { call } from '../api.ts'
import { amountIn } from '../charge/typed-amount.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { type ShownBooking, sponsorshipKey } from './queries.ts'
import classes from './sponsorship.module.css'
import { sumText } from './words.ts'

/** Notes what was given back of a booking that was paid outside, in part or in all. */
export function RefundDialog({ booking, onClose }: { booking: ShownBooking; onClose: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const format = useFormat()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const { currency, givenBack } = booking
  const left = booking.amount - givenBack
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { amount: typedSum(left, currency, language), words: '' } },
    async ({ words, ...typed }) => {
      const amount = amountIn('amount', { text: typed.amount, currency, language }, { t })
      const params = { newsletterId, bookingId: booking.id }
      try {
        const { state } = await call(moneyOfBooking, {
          params,
          body: { act: 'refund', words, amount, seen: givenBack },
        })
        const what = t(state === 'refunded' ? 'sponsorship.state.refunded' : 'sponsorship.happened.refund_part')
        notifications.show({ message: t('sponsorship.acted', { sponsor: booking.sponsor, what }) })
      } finally {
        await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
      }
      onClose()
    },
  )
  return (
    <Dialog opened onClose={onClose} title={t('sponsorship.act.refund')}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <p className={classes.quiet}>
          {t(booking.acts.includes('cancel') ? 'sponsorship.refund.textBefore' : 'sponsorship.refund.text', {
            left: sumText({ amount: left, currency }, language),
          })}
        </p>
        {booking.madeGoodBy?.stands && booking.madeGoodBy.day !== booking.ranOn && (
          <p className={classes.quiet}>
            {t('sponsorship.refund.otherDay', { day: format.calendarDayInMonth(booking.madeGoodBy.day) })}
          </p>
        )}
        <TextInput
          label={`${t('sponsorship.refund.amount')} (${currency.toUpperCase()})`}
          inputMode="decimal"
          required
          {...form.getInputProps('amount')}
        />
        <Textarea
          label={t('sponsorship.toSponsorOptional')}
          description={t(booking.email ? 'sponsorship.toSponsorMailed' : 'sponsorship.toSponsorShown')}
          maxLength={1000}
          autosize
          minRows={2}
          {...form.getInputProps('words')}
        />
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('sponsorship.act.refund')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
