import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import type { Booking } from '../bookings/contract.ts'

export interface Paying {
  newsletter: NewsletterRow
  booking: Booking
  language: Language
  /** What is sold, in that language: it stands on the invoice. */
  name: string
  /** Where the sponsor comes back to: paid, and not paid. */
  done: string
  back: string
}

/** How the sponsors of a newsletter pay. */
export interface BookingPayments {
  /** By which words pages and mails say how. */
  means: 'card' | 'outside'
  /** Whether no money moves. */
  test: boolean
  /** Where a sponsor goes on to pay; null when they wait for an invoice. */
  begin(paying: Paying): Promise<string | null>
}
