import { useTranslation } from 'react-i18next'
import type { Booking } from '../../server/sponsorship/bookings/contract.ts'
import type { Placement } from '../../server/sponsorship/contract.ts'
import { dayOf } from '../day.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { momentOf, placementName } from './words.ts'

/** What a booking waits for, and who does it. Null where its state says all, or its money is what matters. */
export function useNextWords({
  booking,
  placement,
}: {
  booking: Booking
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
      due: format.dayInWords(momentOf(booking.creativeDue)),
      placement: placement ? placementName(placement, language) : '—',
      title: booking.publication?.title ?? '—',
    })
  )
}

type Facts = Pick<Booking, 'state' | 'day' | 'creativeDue' | 'owed'>

/** Which sentence says what comes next. */
export function nextOf({ state, day, creativeDue, owed }: Facts, today: string) {
  if (owed) return null
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
