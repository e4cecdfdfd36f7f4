import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import type { Db } from '../../database/client.ts'
import type { Coupon } from '../../database/types.ts'
import type { Connected } from './account.ts'
import { kept, nullIfGone, nullIfThere } from './objects.ts'

export type CouponRow = Selectable<Coupon>

/** The furthest end that Stripe takes is five years away. */
const FURTHEST_MS = 5 * 365 * 86_400_000
const NAME_LENGTH = 40

/**
 * The id at Stripe of one of our coupons. It is made when it is needed, under an id of ours, so that two buyers at the same time find the
 * same one. Stripe counts its uses too, and refuses the one after the last.
 */
export function couponAtStripe(db: Db, connected: Connected, { coupon, now }: { coupon: CouponRow; now: Date }) {
  const { stripe, account } = connected
  const id = `tirage_${coupon.newsletter_id}_${coupon.id}`
  return kept(db, { account, kind: 'coupon', ourId: coupon.id }, async () => {
    const found = await stripe.coupons.retrieve(id).catch(nullIfGone)
    if (found) return found.id
    const made = await stripe.coupons
      .create({ id, ...paramsOf(coupon, now) }, { idempotencyKey: randomUUID() })
      .catch(nullIfThere)
    return made?.id ?? id
  })
}

function paramsOf(coupon: CouponRow, now: Date): Stripe.CouponCreateParams {
  const { code, percent, amount, currency, months, most, used, until } = coupon
  const isWithin = until && until.getTime() - now.getTime() < FURTHEST_MS
  return {
    name: code.slice(0, NAME_LENGTH),
    ...(percent !== null && { percent_off: percent }),
    ...(amount !== null && currency !== null && { amount_off: Number(amount), currency }),
    ...(months === null ? { duration: 'forever' } : { duration: 'repeating', duration_in_months: months }),
    ...(most !== null && { max_redemptions: Math.max(1, most - used) }),
    ...(isWithin && { redeem_by: Math.floor(until.getTime() / 1000) }),
    metadata: { tirage_newsletter: coupon.newsletter_id, tirage_coupon: coupon.id },
  }
}
