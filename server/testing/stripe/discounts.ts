import type Stripe from 'stripe'
import { invalid } from './api-error.ts'
import { idOf, type World } from './world.ts'

/** Coupons as they are taken off: what they come to, until when, and how often they may be used. */

interface Redeemed {
  coupon: Stripe.Coupon
  customer: string
  subscription?: string
  session?: string
}

/** Whether a coupon may be used once more, in a currency (docs.stripe.com/api/coupons/object). */
export function refuseUsedUp(world: World, coupon: Stripe.Coupon, currency: string): void {
  const { max_redemptions: most, redeem_by: until, times_redeemed: times } = coupon
  if ((most !== null && times >= most) || (until !== null && until <= world.now()))
    throw invalid(`Coupon ${coupon.id} is used up and cannot be applied.`, 'discounts[0][coupon]', 'coupon_expired')
  if (coupon.currency && coupon.currency !== currency)
    throw invalid(
      `The coupon ${coupon.id} is in ${coupon.currency} and cannot be applied in ${currency}.`,
      'discounts[0][coupon]',
    )
}

export function redeem(world: World, { coupon, customer, subscription, session }: Redeemed): Stripe.Discount {
  coupon.times_redeemed += 1
  coupon.valid = coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions
  return world.add('discount', {
    id: world.idOf('discount'),
    object: 'discount',
    checkout_session: session ?? null,
    customer,
    customer_account: null,
    end: endOf(coupon, world.now()),
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: world.now(),
    subscription: subscription ?? null,
    subscription_item: null,
  })
}

/** In seconds. One of one time is over before the next invoice. */
function endOf({ duration, duration_in_months: months }: Stripe.Coupon, now: number): number | null {
  if (duration === 'forever') return null
  return duration === 'once' ? now + 1 : now + (months ?? 1) * 30 * 86_400
}

const discountsOf = (world: World, { discounts }: Pick<Stripe.Subscription, 'discounts'>): Stripe.Discount[] =>
  discounts.map((each) => world.get('discount', idOf(each)))

/** The ids of those discounts of a subscription that are not over. */
export const lastingDiscounts = (world: World, subscription: Stripe.Subscription): string[] =>
  discountsOf(world, subscription).flatMap(({ id, end }) => (end !== null && end <= world.now() ? [] : [id]))

/** What a coupon takes off a sum. */
export const takenOff = ({ percent_off: percent, amount_off: sum }: Stripe.Coupon, amount: number): number =>
  Math.min(amount, percent ? Math.round((amount * percent) / 100) : (sum ?? 0))

/** What all discounts of a subscription take off a sum. */
export function discountOf(world: World, subscription: Stripe.Subscription, amount: number): number {
  let left = amount
  for (const { source } of discountsOf(world, subscription))
    left -= takenOff(world.get('coupon', idOf(source.coupon ?? '')), left)
  return amount - left
}

type Wanted = Stripe.Emptyable<Stripe.SubscriptionUpdateParams.Discount[]>

/** The discounts that a subscription has after a request: those that it names, and those that its coupons become. */
export const discountsAfter = (world: World, subscription: Stripe.Subscription, wanted: Wanted): string[] =>
  (wanted || []).map(({ coupon: couponId, discount }) => {
    if (discount) return world.named('discount', discount, 'discounts[0][discount]').id
    const coupon = world.named('coupon', couponId ?? '', 'discounts[0][coupon]')
    refuseUsedUp(world, coupon, subscription.currency)
    return redeem(world, { coupon, customer: idOf(subscription.customer), subscription: subscription.id }).id
  })
