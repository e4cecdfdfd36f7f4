import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import type { Connected } from '../../charge/stripe/account.ts'
import { stripeRefusal } from '../../charge/stripe/client.ts'
import type { Context } from '../../context.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { BookingCheckout } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { lockBooking } from '../bookings/bookings.ts'
import type { BookingPayments, Paying } from './payment.ts'

/** How long a checkout is open, so that few pay for a slot that lapsed or was cancelled meanwhile. */
const OPEN_MS = 60 * 60_000
/** Stripe keeps one open for half an hour at least. */
const LEAST_OPEN_MS = 31 * 60_000
/** Who has less time left than this gets another checkout. */
const TOO_SHORT_MS = 60_000

export type CheckoutRow = Selectable<BookingCheckout>

/** Payments by card on Stripe's page, in the account of the newsletter. */
export class CardPayments implements BookingPayments {
  readonly means = 'card'
  readonly test: boolean

  constructor(
    private readonly context: Pick<Context, 'db' | 'now'>,
    private readonly connected: Connected,
  ) {
    this.test = connected.account.test
  }

  /**
   * Pressed twice it leads to the same checkout.
   *
   * @throws AppError booking_not_found, booking_moved_on, stripe_away, stripe_refused, stripe_right_missing, stripe_key_refused
   */
  async begin(paying: Paying): Promise<string> {
    const checkout = await this.#store(paying)
    if (checkout.url) return checkout.url
    const { stripe } = this.connected
    const session = await stripe.checkout.sessions
      .create(this.#params(paying, checkout), { idempotencyKey: `booking ${checkout.id}` })
      .catch((error: unknown) => {
        throw stripeRefusal(error)
      })
    if (!session.url) throw new AppError('stripe_refused', { params: { reason: 'checkout' } })
    await this.context.db
      .updateTable('booking_checkout')
      .set({ stripe_id: session.id, url: session.url })
      .where('newsletter_id', '=', checkout.newsletter_id)
      .where('id', '=', checkout.id)
      .where('paid_at', 'is', null)
      .execute()
    return session.url
  }

  /** The checkout that is open already, else a new one. What is told to Stripe is fixed with it, so that trying again says the same. */
  #store({ newsletter, booking, language }: Paying): Promise<CheckoutRow> {
    const { db, now } = this.context
    return db.transaction().execute(async (tx) => {
      const at = now()
      const { heldUntil, paidAt, refundedAt } = await lockBooking(tx, {
        newsletterId: newsletter.id,
        bookingId: booking.id,
      })
      if (paidAt && !refundedAt) throw new AppError('booking_moved_on')
      const open = await tx
        .selectFrom('booking_checkout')
        .selectAll()
        .where('newsletter_id', '=', newsletter.id)
        .where('booking_id', '=', booking.id)
        .where('test', '=', this.test)
        .where('language', '=', language)
        .where('paid_at', 'is', null)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      const left = open ? open.expires_at.getTime() - at.getTime() : 0
      if (open && left > (open.url ? TOO_SHORT_MS : LEAST_OPEN_MS)) return open
      const row = {
        ...{
          newsletter_id: newsletter.id,
          id: uuidv7(at.getTime()),
          booking_id: booking.id,
          test: this.test,
          language,
        },
        ...{ opened_at: at, expires_at: endOf(at, heldUntil) },
      }
      return tx.insertInto('booking_checkout').values(row).returningAll().executeTakeFirstOrThrow()
    })
  }

  #params({ newsletter, booking, language, name, done, back }: Paying, checkout: CheckoutRow) {
    const metadata = { tirage_newsletter: newsletter.id, tirage_booking: booking.id, tirage_checkout: checkout.id }
    const params: Stripe.Checkout.SessionCreateParams = {
      ...(booking.email && { customer_email: booking.email }),
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: {
            product_data: { name },
            currency: booking.currency,
            unit_amount: booking.amount,
            tax_behavior: newsletter.tax_inside ? 'inclusive' : 'exclusive',
          },
        },
      ],
      locale: language,
      expires_at: Math.floor(checkout.expires_at.getTime() / 1000),
      automatic_tax: { enabled: this.connected.account.automatic_tax },
      // A sponsor is a business: its name, address and number stand on the invoice.
      tax_id_collection: { enabled: true },
      billing_address_collection: 'required',
      metadata,
      payment_intent_data: { metadata },
      invoice_creation: { enabled: true, invoice_data: { description: name, metadata } },
      success_url: done,
      cancel_url: back,
    }
    return params
  }
}

/** Before the slot lapses, where Stripe lets it. */
function endOf(at: Date, heldUntil: Date | null): Date {
  const wanted = Math.min(at.getTime() + OPEN_MS, heldUntil?.getTime() ?? Number.POSITIVE_INFINITY)
  return new Date(Math.max(wanted, at.getTime() + LEAST_OPEN_MS))
}
