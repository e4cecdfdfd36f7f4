import { useTranslation } from 'react-i18next'
import type { Booking } from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { dayOf } from '../day.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import type { ShownBooking } from './queries.ts'
import { placementName, sumText } from './words.ts'

/** What a booking waits for, and who does it. Null where its state says all, or money without a slot is what matters. */
export function useNextWords({
  booking,
  placement,
}: {
  booking: ShownBooking
  placement: Placement | undefined
}): string | null {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { timezone } = useNewsletter()
  const next = nextOf(booking, dayOf(new Date(), timezone))
  return (
    next &&
    t(`sponsorship.nextFor.${next}`, {
      due: format.calendarDayInMonth(booking.creativeDue),
      placement: placement ? placementName(placement, language) : '—',
      title: booking.publication?.title ?? '—',
      sum: sumText({ amount: booking.paidHere, currency: booking.currency }, language),
    })
  )
}

type Given = Pick<ShownBooking, 'state' | 'ranAt' | 'madeGoodBy'>

const isOtherOff = ({ state, madeGoodBy }: Given): boolean => state === 'made_good' && !madeGoodBy?.stands

/** Whether a booking that has not run was given another day, and that one was cancelled too. */
export const lostItsOtherDay = (booking: Given): boolean => isOtherOff(booking) && !booking.ranAt

/** Whether a booking ran, and only the day that was given after it was cancelled. */
export const ranWithoutOther = (booking: Given): boolean => isOtherOff(booking) && booking.ranAt !== null

type Facts = Pick<
  ShownBooking,
  'state' | 'day' | 'creativeDue' | 'owed' | 'paidHere' | 'invoicedAt' | 'paidAt' | 'ranAt' | 'madeGoodBy'
> & {
  cardPayments: readonly unknown[]
}

/** Which sentence says what comes next. */
export function nextOf(booking: Facts, today: string) {
  const { state, day, creativeDue, owed, paidHere, cardPayments } = booking
  if (owed) return null
  const isOff = state === 'cancelled' || lostItsOtherDay(booking)
  if (isOff && paidHere > 0) return cardPayments.length > 0 ? 'giveBackCard' : 'giveBack'
  if (lostItsOtherDay(booking) && !booking.paidAt) return 'nothingOwed'
  if (ranWithoutOther(booking)) {
    if (paidHere > 0) return cardPayments.length > 0 ? 'ranPaidCard' : 'ranPaid'
    return booking.invoicedAt && !booking.paidAt ? 'ranUnpaid' : null
  }
  const waits = waiting[state]
  if (waits === 'text' && creativeDue < today && day >= today) return 'late'
  if (waits === null || day >= today) return waits
  return state === 'accepted' ? 'lapsed' : 'missed'
}

const waiting = {
  requested: null,
  accepted: 'accepted',
  declined: null,
  expired: null,
  invoiced: 'text',
  paid: 'text',
  creative_in: 'creative_in',
  changes_asked: 'text',
  approved: 'approved',
  scheduled: 'scheduled',
  ran: null,
  reported: null,
  cancelled: null,
  refunded: null,
  made_good: null,
  replacement: 'text',
} as const satisfies Record<Booking['state'], string | null>
