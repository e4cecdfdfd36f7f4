import { findConnected } from '../../charge/stripe/account.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { findFreeSeat } from '../bookings/change.ts'
import type { Booking } from '../bookings/contract.ts'
import { holdsSlot, isMissed } from '../bookings/state.ts'
import { dayAt, isSold } from '../days.ts'
import { CardPayments } from './card.ts'
import { invoicedOutside } from './invoiced-outside.ts'
import type { BookingPayments } from './payment.ts'

/** By card where the newsletter has connected Stripe, else by an invoice from outside of here. */
export async function paymentsOf(
  context: Pick<Context, 'db' | 'sealer' | 'config' | 'now'>,
  newsletterId: string,
): Promise<BookingPayments> {
  const connected = await findConnected(context, newsletterId)
  return connected ? new CardPayments(context, connected) : invoicedOutside
}

/** Whether a sponsor can pay now: nothing is paid, and the slot is theirs or can be taken up again. */
export async function isPayable(
  db: Db,
  { newsletter, booking, now }: { newsletter: NewsletterRow; booking: Booking; now: Date },
): Promise<boolean> {
  const { acts, amount, owed, state, placementId, day } = booking
  if (amount === 0 || state === 'replacement' || owed || !acts.includes('pay')) return false
  if (isMissed(booking, dayAt(newsletter, now))) return false
  // `scheduled` is how an approved one is shown. What was made good needs no slot of its own.
  if (state === 'scheduled' || state === 'made_good' || holdsSlot(state)) return true
  const slot = { newsletterId: newsletter.id, placementId, day }
  return (await isSold(db, newsletter, { day, now })) && (await findFreeSeat(db, slot)) !== null
}
