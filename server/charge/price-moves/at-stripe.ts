import type Stripe from 'stripe'
import type { Context } from '../../context.ts'
import { moment, readSubscription } from '../payment-events/read-subscription.ts'
import type { Connected } from '../stripe/account.ts'
import { isGone } from '../stripe/client.ts'
import { forgetObjects, priceOf, soldAt } from '../stripe/objects.ts'
import type { LeftOut } from './contract.ts'
import type { Moving } from './moving.ts'
import { noticeOver } from './schedule.ts'

const expand = ['discounts.source.coupon']

/**
 * Gives a subscription at Stripe its new price, from the next payment on and without a proration. What Stripe says of it at this moment decides, for it may have
 * changed since we heard of it. What was done before, by a process that was killed then, is found done.
 *
 * @returns the subscription as Stripe has it now; why it is left alone; `not due` while its next payment is too soon after the notice
 * @throws Stripe's error
 */
export async function priceAtStripe(
  { db }: Pick<Context, 'db'>,
  connected: Connected,
  { moving, stripeId }: { moving: Moving; stripeId: string },
): Promise<Stripe.Response<Stripe.Subscription> | LeftOut | 'not due'> {
  const { stripe, account } = connected
  const { newsletterId, moveId, subscriptionId, priceId, noticedAt } = moving
  const found = await stripe.subscriptions.retrieve(stripeId, { expand })
  const [item, ...others] = found.items.data
  if (!item || others.length > 0) return 'changed'
  const sold = await soldAt(db, newsletterId, priceId)
  if (found.metadata.tirage_price === String(priceId) && item.price.unit_amount === moving.amount) return found
  const reason = whyLeftOut(found, moving)
  if (reason) return reason
  if (noticedAt && moment(item.current_period_end) < noticeOver(noticedAt)) return 'not due'
  const price = await priceOf(db, connected, sold)
  try {
    return await stripe.subscriptions.update(
      stripeId,
      {
        items: [{ id: item.id, price }],
        proration_behavior: 'none',
        metadata: { tirage_price: priceId },
        expand,
      },
      { idempotencyKey: `move ${moveId} ${subscriptionId} ${price}` },
    )
  } catch (error) {
    if (!isGone(error)) throw error
    // Somebody deleted the price at Stripe. It is made anew when this is tried again.
    await forgetObjects(db, account)
    throw new Error(`the price ${price} is gone at Stripe`, { cause: error })
  }
}

function whyLeftOut(found: Stripe.Subscription, { fromPriceId, fromAmount }: Moving): LeftOut | null {
  const { status, renews, amount, names, discounts } = readSubscription(found)
  if (status === 'ended' || !renews) return 'cancelled'
  if (names.price !== fromPriceId || amount !== fromAmount || (found.items.data[0]?.quantity ?? 1) !== 1)
    return 'changed'
  if (status === 'paused') return 'paused'
  if (status === 'past_due') return 'failing'
  return discounts.ids.length > 0 ? 'coupon' : null
}
