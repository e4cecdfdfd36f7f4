import Stripe from 'stripe'
import { findConnected } from '../../charge/stripe/account.ts'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/queue.ts'

/** Ends the checkouts of a booking that cannot be paid any more, so that nobody pays for it on a page that is still open. */
export function closeBookingCheckoutsJob(context: Context): Job<'close_booking_checkouts'> {
  const { db, now } = context
  return async ({ newsletterId, bookingId }) => {
    const connected = await findConnected(context, newsletterId)
    const open = await db
      .selectFrom('booking_checkout')
      .select(['id', 'stripe_id'])
      .where('newsletter_id', '=', newsletterId)
      .where('booking_id', '=', bookingId)
      .where('test', '=', connected?.account.test ?? false)
      .where('paid_at', 'is', null)
      .where('stripe_id', 'is not', null)
      .where('expires_at', '>', now())
      .execute()
    for (const { id, stripe_id } of open) {
      await connected?.stripe.checkout.sessions.expire(stripe_id ?? '').catch(unlessOver)
      await db
        .updateTable('booking_checkout')
        .set({ expires_at: now(), url: null })
        .where('newsletter_id', '=', newsletterId)
        .where('id', '=', id)
        .execute()
    }
  }
}

/** It is paid, or over: an event says so. */
function unlessOver(error: unknown): void {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
}
