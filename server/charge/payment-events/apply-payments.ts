import type { Selectable } from 'kysely'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { Payment } from '../../database/types.ts'
import { settleReturnedBooking } from '../../sponsorship/payment/apply-payment.ts'
import { monthsLater } from '../../subscribers/leave.ts'
import { type ChargingNewsletter, type SubscriptionRow, storeSubscription } from '../change.ts'
import { settleReturnedGift } from '../gifts/apply-order.ts'
import { storePayment } from '../payments.ts'
import { noteCouponUse } from '../plans/coupons.ts'
import { settleFailures } from './apply-failures.ts'
import { findByStripeIds, type KnownNames } from './apply-subscriptions.ts'
import { type StatedPayment, type StatedPurchase, type StatedReturn, share } from './read-payment.ts'

type PaymentRow = Selectable<Payment>

/** Writes what was paid for a subscription into the books. */
export async function applyPayment(
  tx: Db,
  { newsletter_id, id, subscriber_id, plan_id, publication_id, source }: SubscriptionRow,
  payment: StatedPayment,
): Promise<void> {
  await storePayment(tx, newsletter_id, {
    id: uuidv7(payment.at.getTime()),
    subscription_id: id,
    subscriber_id,
    plan_id,
    kind: 'payment',
    test: payment.test,
    at: payment.at,
    currency: payment.currency,
    amount: payment.amount,
    tax: payment.tax,
    country: payment.country,
    // What it was besides a card, only the charge says: the nightly comparison reads it with the fee.
    means: 'card',
    period_from: payment.periodFrom,
    period_until: payment.periodUntil,
    publication_id,
    source,
    stripe_id: payment.stripeId,
    stripe_payment_intent: payment.paymentIntent,
  })
  await settleFailures(tx, newsletter_id, { invoiceId: payment.stripeId, at: payment.at })
}

/** Stores what was bought once, with its payment. A purchase that is stored stays as it is. */
export async function applyPurchase(
  tx: Db,
  newsletter: ChargingNewsletter,
  { purchase, names }: { purchase: StatedPurchase; names: KnownNames },
): Promise<'stored' | 'not_ours' | 'price_unknown' | 'subscriber_unknown'> {
  const { names: named, at } = purchase
  if (named.newsletter !== newsletter.id) return 'not_ours'
  const price = named.price === null ? undefined : names.prices.get(named.price)
  if (!price || price.planId !== named.plan) return 'price_unknown'
  const known = await findByStripeIds(tx, newsletter.id, [purchase.stripeId])
  const stored = known.get(purchase.stripeId)
  const subscriber = named.subscriber && names.subscribers.has(named.subscriber) ? named.subscriber : null
  if (!stored)
    await storeSubscription(tx, newsletter, {
      id: uuidv7(at.getTime()),
      subscriber_id: subscriber,
      plan_id: price.planId,
      price_id: named.price,
      way: 'card',
      test: purchase.test,
      status: 'active',
      currency: purchase.currency,
      amount: purchase.amount,
      period: 'once',
      started_at: at,
      paid_until: price.months === null ? null : monthsLater(at, price.months),
      renews: false,
      publication_id: named.publication && names.publications.has(named.publication) ? named.publication : null,
      source: named.source,
      stripe_id: purchase.stripeId,
      stripe_at: at,
      at,
    })
  const row = stored ?? (await findByStripeIds(tx, newsletter.id, [purchase.stripeId])).get(purchase.stripeId)
  if (row && named.coupon !== null) await noteCouponUse(tx, row, { couponId: named.coupon, at })
  if (row && purchase.amount > 0)
    await applyPayment(tx, row, { ...purchase, periodFrom: at, periodUntil: row.paid_until })
  return subscriber || stored ? 'stored' : 'subscriber_unknown'
}

/** Notes by which name refunds and disputes will call the payment of an invoice. @returns whether the payment is stored */
export async function linkPayment(
  tx: Db,
  newsletterId: string,
  { invoice, paymentIntent }: { invoice: string; paymentIntent: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payment')
    .set({ stripe_payment_intent: paymentIntent })
    .where('newsletter_id', '=', newsletterId)
    .where('stripe_id', '=', invoice)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Writes money that went back into the books. @returns whether the payment that it belongs to is stored */
export async function applyReturn(
  tx: Db,
  newsletterId: string,
  { returned, now }: { returned: StatedReturn; now: Date },
): Promise<boolean> {
  const payment = await findPayment(tx, newsletterId, returned.paymentIntent)
  if (!payment) return false
  for (const { stripeId, at, currency, amount, fee } of returned.rows)
    await storePayment(tx, newsletterId, {
      id: uuidv7(at.getTime()),
      subscription_id: payment.subscription_id,
      subscriber_id: payment.subscriber_id,
      plan_id: payment.plan_id,
      gift_id: payment.gift_id,
      booking_id: payment.booking_id,
      kind: returned.kind,
      test: payment.test,
      at,
      currency,
      amount,
      tax: share(payment.tax, amount, payment.amount),
      fee,
      country: payment.country,
      means: payment.means,
      publication_id: payment.publication_id,
      source: payment.source,
      refund_of: payment.id,
      stripe_id: stripeId,
    })
  if (payment.gift_id) await settleReturnedGift(tx, newsletterId, { giftId: payment.gift_id, now })
  if (payment.booking_id) {
    const { booking_id: bookingId, id: paymentId, stripe_id: stripeId } = payment
    await settleReturnedBooking(tx, { newsletterId, bookingId }, { paymentId, stripeId, now })
  }
  return true
}

async function findPayment(tx: Db, newsletterId: string, paymentIntent: string | null): Promise<PaymentRow | null> {
  if (paymentIntent === null) return null
  const query = tx.selectFrom('payment').selectAll().where('newsletter_id', '=', newsletterId)
  const found = query.where('stripe_payment_intent', '=', paymentIntent).where('kind', '=', 'payment')
  return (await found.executeTakeFirst()) ?? null
}
