import { Alert, Button, Group, Select, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  actOnBooking,
  type Booking,
  type CardPayment,
  makeGood,
  moneyOfBooking,
} from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { call } from '../api.ts'
import { dayOf, monthsLater } from '../day.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { bookingPath } from './booking-path.ts'
import { calendarQuery, type ShownBooking, sponsorshipKey } from './queries.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { freeDays } from './slots-state.ts'
import classes from './sponsorship.module.css'
import { lostItsOtherDay, useNextWords } from './use-next-words.ts'
import { sumText } from './words.ts'

const memberActs = ['accept', 'approve', 'ask_changes', 'decline', 'cancel'] as const
type Asked = (typeof memberActs)[number] | 'run' | 'invoice' | 'pay' | 'make_good'
type Act = Asked | 'refund'

/** Those that lead on. The first of them that is possible stands out. */
const leading: readonly Act[] = ['accept', 'approve', 'pay']

interface Acting {
  booking: ShownBooking
  placement: Placement | undefined
  /** What the sponsor says was changed on this page and not saved. */
  hasUnsavedCreative: boolean
}

/** What can be done with a booking now. Each asks once more, with words for the sponsor. */
export function BookingActs({ booking, placement, hasUnsavedCreative }: Acting) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const hint = useNextWords({ booking, placement })
  const [asking, ask] = useState<Act | null>(null)
  const acts: Act[] = [
    ...(may('sponsorship.write') ? memberActs.slice(0, 2) : []),
    ...(may('charge.write') ? (['invoice', 'pay'] as const) : []),
    ...(may('sponsorship.write') ? [...memberActs.slice(2), 'make_good' as const] : []),
    // What was paid by card goes back where it came from.
    ...(may('charge.write') && !booking.cardPayments.some(isHere) ? (['refund'] as const) : []),
  ]
  // A request is declined: to cancel it would be another word for the same.
  const isRequest = booking.acts.includes('decline')
  const possible = acts.filter((act) => booking.acts.includes(act) && !(isRequest && act === 'cancel'))
  const isOff = booking.state === 'cancelled' || lostItsOtherDay(booking)
  const first = possible.find((act) => (isOff ? act === 'refund' : leading.includes(act)))
  const isOver = booking.acts.length === 0
  return (
    <>
      {(isOver || possible.length > 0 || hint) && (
        <Section title={t('sponsorship.next')}>
          {isOver && <NothingNext booking={booking} />}
          {!isOver && hint && <p className={classes.quiet}>{hint}</p>}
          {possible.length > 0 && (
            <div className={classes.acts}>
              {possible.map((act) => (
                <Button
                  key={act}
                  onClick={() => ask(act)}
                  {...(act === first && { variant: 'filled', color: 'encre' })}
                >
                  {t(`sponsorship.act.${act}`)}
                </Button>
              ))}
            </div>
          )}
        </Section>
      )}
      {/* It stays when the booking moves on meanwhile: what was asked is answered in it. */}
      {asking === 'refund' ? (
        <RefundDialog booking={booking} onClose={() => ask(null)} />
      ) : (
        asking && <AskDialog {...{ booking, hasUnsavedCreative }} act={asking} onClose={() => ask(null)} />
      )}
    </>
  )
}

/** The money of a day that took the place of another stays with that one. */
function NothingNext({ booking }: Pick<Acting, 'booking'>) {
  const { paidFor } = booking
  const isOff = booking.state === 'cancelled' || lostItsOtherDay(booking)
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  if (!isOff || !paidFor) return <p className={classes.quiet}>{t('sponsorship.nothingNext')}</p>
  const paid = { sum: sumText(paidFor, language), day: format.calendarDayInMonth(paidFor.day) }
  return (
    <p className={classes.quiet}>
      {t('sponsorship.paidForOther', paid)} <Link to={bookingPath(paidFor.id)}>{t('sponsorship.toGiveBack')}</Link>
    </p>
  )
}

/** For what was published without Tirage. In its publications a booking runs by itself. */
export function RanElsewhere({ booking }: Pick<Acting, 'booking'>) {
  const { t } = useTranslation()
  const { may, timezone } = useNewsletter()
  const [asking, ask] = useState(false)
  const isToCome = booking.day > dayOf(new Date(), timezone)
  const dialog = asking && <AskDialog booking={booking} act="run" onClose={() => ask(false)} />
  if (isToCome || !may('sponsorship.write') || !booking.acts.includes('run')) return dialog
  return (
    <div className={classes.elsewhere}>
      <p className={classes.quiet}>{t('sponsorship.ranElsewhere')}</p>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => ask(true)}>
        {t('sponsorship.act.run')}
      </Button>
      {dialog}
    </div>
  )
}

const isHere = ({ amount, refunded, owed }: CardPayment): boolean => !owed && refunded < amount

const isMoney = (act: Asked): act is 'invoice' | 'pay' => act === 'invoice' || act === 'pay'

/** Whether it is an answer to what the sponsor sent. */
const judges = (act: Asked): boolean => act === 'approve' || act === 'ask_changes'

interface Asking {
  booking: ShownBooking
  act: Asked
  hasUnsavedCreative?: boolean
  onClose: () => void
}

function AskDialog({ booking, act, hasUnsavedCreative = false, onClose }: Asking) {
  const { t } = useTranslation()
  const { id: newsletterId, timezone } = useNewsletter()
  const queries = useQueryClient()
  // What came in while this is asked was not read.
  const [seen] = useState(booking.creativeSent)
  const { form, error, busy, submit } = useServerForm({ initialValues: { words: '', day: '' } }, async (values) => {
    const { words, day } = values
    const params = { newsletterId, bookingId: booking.id }
    try {
      const { sponsor } = booking
      let state: Booking['state'] = 'made_good'
      if (act === 'make_good') await call(makeGood, { params, body: { day } })
      else if (isMoney(act)) ({ state } = await call(moneyOfBooking, { params, body: { act, words } }))
      else ({ state } = await call(actOnBooking, { params, body: { act, words, ...(judges(act) && { seen }) } }))
      const what = t(act === 'pay' ? 'sponsorship.state.paid' : `sponsorship.state.${state}`)
      notifications.show({ message: t('sponsorship.acted', { sponsor, what }) })
      onClose()
    } finally {
      await queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
    }
  })
  return (
    <Dialog opened onClose={onClose} title={t(`sponsorship.act.${act}`)}>
      <form noValidate className={classes.form} onSubmit={submit}>
        {act === 'cancel' && <CancelWords booking={booking} />}
        {hasUnsavedCreative && judges(act) && <Alert color="ocre">{t('sponsorship.creativeUnsaved')}</Alert>}
        {act === 'make_good' ? (
          <>
            <p className={classes.quiet}>
              {t('sponsorship.anotherDayText')} {booking.creative && t('sponsorship.anotherDayWith')}{' '}
              {booking.acts.includes('cancel') &&
                booking.day >= dayOf(new Date(), timezone) &&
                t('sponsorship.anotherDayFree')}
            </p>
            <FreeDayField booking={booking} field={form.getInputProps('day')} />
          </>
        ) : (
          <Textarea
            label={t(act === 'ask_changes' ? 'sponsorship.toChange' : 'sponsorship.toSponsorOptional')}
            description={t(booking.email ? 'sponsorship.toSponsorMailed' : 'sponsorship.toSponsorShown')}
            required={act === 'ask_changes'}
            maxLength={1000}
            autosize
            minRows={2}
            {...form.getInputProps('words')}
          />
        )}
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t(act === 'cancel' ? 'ui.keep' : 'ui.cancel')}</Button>
          <Button type="submit" variant="filled" color={act === 'cancel' ? 'rouge' : 'encre'} loading={busy}>
            {t(`sponsorship.act.${act}`)}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

interface FreeDayFieldProps {
  booking: Booking
  field: ReturnType<UseFormReturnType<{ day: string }>['getInputProps']>
}

/** As far ahead as sponsors can ask. */
const MONTHS_AHEAD = 3

/** The days of the next months on which the placement is free, without its own. */
function FreeDayField({ booking, field }: FreeDayFieldProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, timezone } = useNewsletter()
  const to = monthsLater(dayOf(new Date(), timezone), MONTHS_AHEAD)
  const { data: calendar } = useQuery(calendarQuery(id, { to }))
  const days = calendar && freeDays(calendar, booking.placementId).filter((day) => day !== booking.day)
  if (days?.length === 0) return <p>{t('sponsorship.noFreeDay')}</p>
  return (
    <Select
      {...field}
      required
      searchable
      label={t('sponsorship.day')}
      data={(days ?? []).map((day) => ({ value: day, label: format.calendarFullDay(day) }))}
    />
  )
}

/** What follows when a booking is cancelled, before it is. */
function CancelWords({ booking }: Pick<Asking, 'booking'>) {
  const { paidHere, currency, paidFor, unpaidFor, ranBefore, cardPayments } = booking
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const sum = sumText({ amount: paidHere, currency }, language)
  return (
    <p className={classes.quiet}>
      {t('sponsorship.cancelText')}{' '}
      {paidHere > 0 && t(cardPayments.length > 0 ? 'sponsorship.cancelCard' : 'sponsorship.cancelPaid', { sum })}
      {unpaidFor &&
        t(`sponsorship.${ranBefore ? 'cancelStillOwed' : 'cancelUnowed'}`, { sum: sumText(unpaidFor, language) })}
      {paidFor &&
        t('sponsorship.cancelOther', {
          sum: sumText(paidFor, language),
          day: format.calendarDayInMonth(paidFor.day),
        })}
    </p>
  )
}
