import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import type { StripeDifference } from '../../database/types.ts'
import { applyBookingPayment } from '../../sponsorship/payment/apply-payment.ts'
import { applyGiftOrder } from '../gifts/apply-order.ts'
import { type Batch, lockObjects, wakeWaiting } from './apply-batch.ts'
import { applyPayment, applyPurchase, applyReturn } from './apply-payments.ts'
import { applySubscriptions, findByStripeIds, findNames } from './apply-subscriptions.ts'
import type { DifferenceProblem } from './contract.ts'
import { readCheckout, readInvoice, readRefund, type StatedPurchase } from './read-payment.ts'
import { readSubscription } from './read-subscription.ts'

/** Stores what Stripe's list says of one object, through the same writers as its events, and forgets its words. */
export async function repairDifference(batch: Batch, difference: Selectable<StripeDifference>): Promise<void> {
  const { tx, newsletter, now } = batch
  const { comparison_id, object_id, body } = difference
  const problem = body === null ? 'gone' : await repair(batch, difference, body)
  await tx
    .updateTable('stripe_difference')
    .set({ body: null, ...(problem ? { problem } : { repaired_at: now }) })
    .where('newsletter_id', '=', newsletter.id)
    .where('comparison_id', '=', comparison_id)
    .where('object_id', '=', object_id)
    .execute()
}

async function repair(
  batch: Batch,
  { object_id, stated_at }: Selectable<StripeDifference>,
  body: string,
): Promise<DifferenceProblem | null> {
  const { tx, newsletter, now } = batch
  await lockObjects(tx, newsletter.id, [object_id])
  const said = JSON.parse(body) as Stripe.Subscription | Stripe.Invoice | Stripe.Refund | Stripe.Checkout.Session
  switch (said.object) {
    case 'subscription': {
      const stated = readSubscription(said)
      const statement = { stated, at: stated_at, asked: true as const }
      const outcome = (await applySubscriptions(tx, newsletter, new Map([[object_id, [statement]]]))).get(object_id)
      await wakeWaiting(batch, [object_id])
      if (!outcome || typeof outcome === 'string') return 'unknown'
      return outcome.stored.status === 'ended' && stated.status !== 'ended' ? 'ended_here' : null
    }
    case 'invoice': {
      const payment = readInvoice(said)
      const ours = await findByStripeIds(tx, newsletter.id, [payment?.subscription ?? ''])
      const subscription = ours.get(payment?.subscription ?? '')
      if (!payment || !subscription) return 'unknown'
      await applyPayment(tx, subscription, payment)
      await wakeWaiting(batch, [object_id, payment.paymentIntent ?? ''])
      return null
    }
    case 'checkout.session': {
      const purchase = readCheckout(said)
      if (!purchase) return 'unknown'
      const outcome = await applyCheckout(batch, purchase)
      if (outcome !== 'stored' && outcome !== 'subscriber_unknown') return 'unknown'
      await wakeWaiting(batch, [object_id, purchase.paymentIntent ?? ''])
      return null
    }
    case 'refund':
      return (await applyReturn(tx, newsletter.id, { returned: readRefund(said), now })) ? null : 'unknown'
  }
}

async function applyCheckout({ tx, newsletter, now }: Batch, purchase: StatedPurchase) {
  if (purchase.names.gift !== null) return applyGiftOrder(tx, newsletter, { purchase, now })
  if (purchase.names.booking !== null) return applyBookingPayment(tx, newsletter.id, { purchase, now })
  return applyPurchase(tx, newsletter, { purchase, names: await findNames(tx, newsletter.id, [purchase.names]) })
}
