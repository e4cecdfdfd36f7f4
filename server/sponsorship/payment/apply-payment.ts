import { sql } from 'kysely'
import type { StatedPurchase } from '../../charge/payment-events/read-payment.ts'
import { storePayment } from '../../charge/payments.ts'
import type { Db } from '../../database/client.ts'
import { isUuid, uuidv7 } from '../../database/ids.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { enqueue } from '../../jobs/queue.ts'
import { type BookingKey, lockBooking, type StoredBooking } from '../bookings/bookings.ts'
import { changeBooking, noteOnBooking } from '../bookings/change.ts'
import { holdsSlot } from '../bookings/state.ts'
import { type Calendar, lockDays, requireSold } from '../days.ts'
import type { CheckoutRow } from './card.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** What became of a sponsor's payment by card. */
    tell_of_payment: { newsletterId: string; bookingId: string; about: PaymentNews }
  }
}

/** `owed`: there is no slot for it. */
type PaymentNews = 'paid' | 'owed' | 'given_back' | 'disputed'

type Outcome = 'stored' | 'not_ours' | 'booking_unknown' | 'sum_differs'

/**
 * Writes what a sponsor paid by card into the books, and lets the booking have its slot, in one transaction with the mark that the event was applied. Said
 * again, nothing is done twice. Money for which there is no slot any more is kept with its booking until a member decides.
 */
export async function applyBookingPayment(
  tx: Db,
  newsletterId: string,
  { purchase, now }: { purchase: StatedPurchase; now: Date },
): Promise<Outcome> {
  const { names } = purchase
  if (names.newsletter !== newsletterId) return 'not_ours'
  const key = { newsletterId, bookingId: names.booking ?? '' }
  const booking = await lockBooking(tx, key).catch(nullIfMissing)
  const checkout = booking && (await lockCheckout(tx, key, names.checkout))
  // Whoever may write in the account can write any name, and ask for any sum, there.
  if (!booking || checkout?.test !== purchase.test) return 'booking_unknown'
  if (checkout.paid_at && checkout.stripe_id !== purchase.stripeId) return 'booking_unknown'
  if (!isSumOf(booking, purchase)) return 'sum_differs'
  await storePayment(tx, newsletterId, {
    ...{ id: uuidv7(purchase.at.getTime()), booking_id: booking.id, kind: 'payment', test: purchase.test },
    ...{ at: purchase.at, currency: purchase.currency, amount: purchase.amount, tax: purchase.tax },
    // What it was besides a card, only the charge says: the nightly comparison reads it with the fee.
    ...{ country: purchase.country, means: 'card', source: 'sponsor' },
    ...{ stripe_id: purchase.stripeId, stripe_payment_intent: purchase.paymentIntent },
  })
  if (checkout.paid_at) return 'stored'
  await setCheckout(tx, checkout, { paid_at: purchase.at, stripe_id: purchase.stripeId })
  const hasSlot = await takesSlot(tx, key, { booking, now })
  if (!hasSlot) {
    await setCheckout(tx, checkout, { owed_at: now })
    await noteOnBooking(tx, key, { act: 'pay_without_slot', actor: 'sponsor', at: now })
  }
  await enqueue(tx, 'tell_of_payment', { ...key, about: hasSlot ? 'paid' : 'owed' })
  return 'stored'
}

/** Tax comes on top where the newsletter's prices are without it. */
const isSumOf = ({ amount, currency }: StoredBooking, paid: StatedPurchase): boolean =>
  paid.currency === currency && (paid.amount === amount || paid.amount - paid.tax === amount)

function nullIfMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'booking_not_found') return null
  throw error
}

async function lockCheckout(
  tx: Db,
  { newsletterId, bookingId }: BookingKey,
  id: string | null,
): Promise<CheckoutRow | undefined> {
  if (id === null || !isUuid(id)) return undefined
  return tx
    .selectFrom('booking_checkout')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('booking_id', '=', bookingId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

const setCheckout = (
  tx: Db,
  { newsletter_id, id }: CheckoutRow,
  values: Partial<Pick<CheckoutRow, 'paid_at' | 'stripe_id' | 'owed_at' | 'returned_at' | 'disputed_at'>>,
) =>
  tx
    .updateTable('booking_checkout')
    .set(values)
    .where('newsletter_id', '=', newsletter_id)
    .where('id', '=', id)
    .execute()

/** Of what another one has, was paid already, or is over, nobody gets a slot. */
const withoutSlot: readonly ErrorCode[] = ['slot_taken', 'booking_moved_on', 'day_not_sold']

async function takesSlot(
  tx: Db,
  key: BookingKey,
  { booking, now }: { booking: StoredBooking; now: Date },
): Promise<boolean> {
  try {
    // What was made good has its other day already.
    if (!holdsSlot(booking.state) && booking.state !== 'made_good') {
      // Nobody blocks the day meanwhile.
      await lockDays(tx, key.newsletterId)
      await requireSold(tx, await calendarOf(tx, key.newsletterId), { day: booking.day, now })
    }
    await changeBooking(tx, key, { act: 'pay', actor: 'sponsor', at: now })
    return true
  } catch (error) {
    if (error instanceof AppError && withoutSlot.includes(error.code)) return false
    throw error
  }
}

const calendarOf = (tx: Db, newsletterId: string): Promise<Calendar> =>
  tx
    .selectFrom('newsletter')
    .select(['id', 'timezone', 'sponsor_weekdays'])
    .where('id', '=', newsletterId)
    .executeTakeFirstOrThrow()

/** The bookings that a batch of payments is about, each locked before any slot is: whoever changes a booking locks it first. */
export async function lockBookings(tx: Db, newsletterId: string, ids: string[]): Promise<void> {
  const known = ids.filter(isUuid)
  if (known.length === 0) return
  await sql`select from booking where newsletter_id = ${newsletterId} and id = any(${known}::uuid[]) order by id for update`.execute(
    tx,
  )
}

/**
 * What the books say of a sponsor's payment after money went back: the booking that it paid is given back with it. One whose refund failed in the end has
 * money here and no slot. What a bank took back is noted, and a member decides.
 */
export async function settleReturnedBooking(
  tx: Db,
  { newsletterId, bookingId }: BookingKey,
  { paymentId, stripeId, now }: { paymentId: string; stripeId: string | null; now: Date },
): Promise<void> {
  const key = { newsletterId, bookingId }
  await lockBooking(tx, key)
  const checkout = await tx
    .selectFrom('booking_checkout')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('stripe_id', '=', stripeId)
    .forUpdate()
    .executeTakeFirst()
  if (!checkout?.paid_at) return
  const { paid, refunded, disputed } = await sumsOf(tx, newsletterId, paymentId)
  const isReturned = refunded >= paid
  if (isReturned && !checkout.returned_at) await giveBack(tx, key, { checkout, now })
  if (!isReturned && checkout.returned_at) {
    await setCheckout(tx, checkout, { returned_at: null, owed_at: now })
    await noteOnBooking(tx, key, { act: 'refund_failed', actor: 'system', at: now })
    await enqueue(tx, 'tell_of_payment', { ...key, about: 'owed' })
  }
  const isDisputed = disputed > 0
  if (isDisputed === (checkout.disputed_at !== null)) return
  await setCheckout(tx, checkout, { disputed_at: isDisputed ? now : null })
  await noteOnBooking(tx, key, { act: isDisputed ? 'dispute' : 'dispute_won', actor: 'system', at: now })
  if (isDisputed) await enqueue(tx, 'tell_of_payment', { ...key, about: 'disputed' })
}

/** What has a slot leaves it. What had none is settled. */
async function giveBack(tx: Db, key: BookingKey, { checkout, now }: { checkout: CheckoutRow; now: Date }) {
  await setCheckout(tx, checkout, { returned_at: now, owed_at: null })
  if (!checkout.owed_at)
    await changeBooking(tx, key, { act: 'refund', actor: 'system', at: now }).catch((error: unknown) => {
      // It was given back already.
      if (!(error instanceof AppError && error.code === 'booking_moved_on')) throw error
    })
  else await noteOnBooking(tx, key, { act: 'refund_owed', actor: 'system', at: now })
  await enqueue(tx, 'tell_of_payment', { ...key, about: 'given_back' })
}

/** In the smallest unit, each as a positive number. */
async function sumsOf(tx: Db, newsletterId: string, paymentId: string) {
  const { rows } = await sql<{ paid: number; refunded: number; disputed: number }>`
    select coalesce(sum(amount) filter (where kind = 'payment'), 0)::float8 as paid,
      coalesce(-sum(amount) filter (where kind = 'refund'), 0)::float8 as refunded,
      coalesce(-sum(amount) filter (where kind = 'dispute'), 0)::float8 as disputed
    from payment where newsletter_id = ${newsletterId} and (id = ${paymentId} or refund_of = ${paymentId})`.execute(tx)
  return rows[0] ?? { paid: 0, refunded: 0, disputed: 0 }
}
