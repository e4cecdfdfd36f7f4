import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import type { BookingKey } from '../bookings/bookings.ts'
import type { Booking } from '../bookings/contract.ts'
import { isPayable, paymentsOf } from '../payment/payments-of.ts'
import { findPlacement } from '../placements.ts'
import { bookingAddress } from './links.ts'
import { placementNameIn, writtenDay } from './words.ts'

/** Where a sponsor goes on to pay. */
export interface Going {
  url: string
  /** No money moves there. */
  test: boolean
}

interface Paid {
  newsletter: NewsletterRow
  booking: Booking
  key: BookingKey
}

/**
 * Begins the payment of a booking; without a way to pay here its sponsor waits for an invoice.
 *
 * @throws AppError booking_moved_on when it cannot be paid now, and what `BookingPayments.begin` throws
 */
export async function beginPayment(
  context: Pick<Context, 'db' | 'sealer' | 'signer' | 'config' | 'now'>,
  { newsletter, booking, key }: Paid,
  language: Language,
): Promise<Going | 'invoice'> {
  const { db, now } = context
  if (!(await isPayable(db, { newsletter, booking, now: now() }))) throw new AppError('booking_moved_on')
  const own = `${bookingAddress(context, { ...key, linkVersion: booking.linkVersion })}?lang=${language}&said=`
  const placement = await findPlacement(db, { newsletterId: newsletter.id, placementId: booking.placementId })
  const name = [newsletter.name, placementNameIn(placement, language), writtenDay(booking.day, language)].join(', ')
  const payments = await paymentsOf(context, newsletter.id)
  const returning = { done: `${own}paying`, back: `${own}not_paid` }
  const url = await payments.begin({ newsletter, booking, language, name, ...returning })
  return url === null ? 'invoice' : { url, test: payments.test }
}
