import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Booking, invoiceDays } from '../../server/sponsorship/bookings/contract.ts'
import { dayOf } from '../day.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { placementsQuery } from './queries.ts'
import { placementName } from './words.ts'

/** Says of a booking what is due. */
export function useDueWords(): (booking: Booking) => string {
  const { t } = useTranslation()
  const { timezone } = useNewsletter()
  const nameOf = usePlacementNames()
  const format = useFormat()
  const today = dayOf(new Date(), timezone)
  return (booking) =>
    t(`sponsorship.${dueOf(booking, today)}`, {
      sponsor: booking.sponsor,
      placement: nameOf(booking.placementId),
      day: format.calendarDay(booking.day),
    })
}

type Facts = Pick<
  Booking,
  'state' | 'day' | 'owed' | 'disputed' | 'creativeDue' | 'invoicedAt' | 'paidAt' | 'givenBack'
>

/** What of a booking is due: an answer, its words, what is owed when its day went by without it, its invoice, or its report. */
export function dueOf(
  { state, day, owed, disputed, creativeDue, invoicedAt, paidAt, givenBack }: Facts,
  today: string,
) {
  if (owed) return 'dueOwed'
  if (state === 'made_good' && !paidAt) return 'dueUnpaid'
  if (state === 'made_good') return givenBack > 0 ? 'dueCancelledOtherRest' : 'dueCancelledOther'
  if (state === 'cancelled') return givenBack > 0 ? 'dueCancelledRest' : 'dueCancelled'
  if (state === 'requested') return 'dueRequest'
  if (state === 'reported') return !paidAt && invoicedAt && isOverdue(invoicedAt) ? 'dueUnpaid' : 'dueReport'
  if (day < today && state === 'accepted') return 'dueLapsed'
  if (day < today || state === 'ran') return 'dueMissed'
  if (disputed) return 'dueDisputed'
  if (state === 'creative_in') return 'dueCreative'
  const isReady = state === 'approved' || state === 'scheduled'
  return isReady || creativeDue >= today ? 'dueUnpaid' : 'dueLate'
}

const isOverdue = (invoicedAt: string) => Date.now() - Date.parse(invoicedAt) >= invoiceDays * 24 * 3_600_000

/** What a placement is called in the language on screen. */
function usePlacementNames(): (placementId: number) => string {
  const { id } = useNewsletter()
  const language = useLanguage()
  const { data } = useQuery(placementsQuery(id))
  return (placementId) => {
    const found = data?.placements.find((one) => one.id === placementId)
    return found ? placementName(found, language) : '—'
  }
}
