import { createHash, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { Plan, Price } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import { Currency } from '../currency.ts'
import { readSum } from '../money.ts'
import { findCoupon, isUsable } from '../plans/coupons.ts'
import { takePlace } from '../plans/places.ts'
import { type Connected, requireConnected } from './account.ts'
import { isGone, stripeRefusal } from './client.ts'
import { type CouponRow, couponAtStripe } from './coupons.ts'
import { forgetObjects, priceOf, productOf, recurringOf, type Sold, soldAt } from './objects.ts'

/** As long as a buyer who presses twice, or comes back to the page, gets the same checkout, in milliseconds. */
const SAME_CHECKOUT_MS = 15 * 60_000
/** One hundred times the least: what is more was mistyped. */
const MOST_TIMES = 100

export interface Buying {
  newsletterId: string
  priceId: number
  /** As the buyer typed it; null: the price. More than the price only where its plan takes more. */
  sum: string | null
  /** The code of a coupon, as it was typed. */
  coupon: string | null
  /** Null when nobody here has the address. */
  subscriberId: string | null
  email: string
  /** Whether the buyer has shown that the address is theirs: only then is their card at Stripe offered to them. */
  proven: boolean
  language: Language
  publicationId: string | null
  source: string | null
  /** Where Stripe leads back to: paid, and not paid. */
  done: string
  back: string
}

type Opening = Pick<Context, 'db' | 'sealer' | 'config' | 'now'>

/**
 * Begins a purchase on Stripe's page. Nothing is stored here, and nothing is owed, until the buyer pays there.
 *
 * @returns the address of that page, and whether no money moves there
 * @throws AppError stripe_not_connected, price_not_found, coupon_not_found, plan_closed, plan_full, `invalid` for an amount that the plan does not take,
 * stripe_away, stripe_refused, stripe_right_missing, stripe_key_refused
 */
export async function startCheckout(context: Opening, buying: Buying): Promise<{ url: string; test: boolean }> {
  const connected = await requireConnected(context, buying.newsletterId)
  const offer = await findOffer(context, buying)
  try {
    return await begin(context, connected, { buying, offer })
  } catch (error) {
    if (!isGone(error)) throw stripeRefusal(error)
    // Somebody deleted at Stripe what was sold, or the customer. Both are made anew, once.
    await forgetObjects(context.db, connected.account)
    await forgetCustomer(context.db, connected, buying.subscriberId)
    return begin(context, connected, { buying, offer, anew: true }).catch((again: unknown) => {
      throw stripeRefusal(again)
    })
  }
}

interface Offer {
  sold: Sold
  plan: Pick<Selectable<Plan>, 'id' | 'trial_days'>
  price: Selectable<Price>
  /** More than the price. */
  amount: number | null
  coupon: CouponRow | null
}

async function findOffer({ db, now }: Opening, buying: Buying): Promise<Offer> {
  const { newsletterId, priceId, sum, language } = buying
  const price = await db
    .selectFrom('price')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', priceId)
    .where('replaced_at', 'is', null)
    .executeTakeFirst()
  if (!price) throw new AppError('price_not_found')
  const key = { newsletterId, planId: price.plan_id }
  await db.transaction().execute((tx) => takePlace(tx, key, now()))
  const plan = await db
    .selectFrom('plan')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', price.plan_id)
    .executeTakeFirstOrThrow()
  const more = sum === null ? null : readMore(price, { sum, language, payMore: plan.pay_more })
  const coupon = await couponFor(db, buying, { planId: plan.id, currency: price.currency, now: now() })
  return { plan, price, amount: more, coupon, sold: await soldAt(db, newsletterId, price.id) }
}

async function couponFor(db: Db, { newsletterId, coupon: code }: Buying, bought: Parameters<typeof isUsable>[1]) {
  if (!code) return null
  const coupon = await findCoupon(db, newsletterId, code)
  if (!coupon || !isUsable(coupon, bought)) throw new AppError('coupon_not_found')
  return coupon
}

/** What is typed beyond the price, in the smallest unit; null when it is the price. */
function readMore(
  { amount, currency }: Selectable<Price>,
  { sum, language, payMore }: { sum: string; language: Language; payMore: boolean },
): number | null {
  const typed = readSum(sum, Currency.parse(currency), language)
  if (typed === amount) return null
  const problem = typed === null || typed < amount ? 'too_small' : 'too_large'
  if (typed === null || !payMore || typed < amount || typed > amount * MOST_TIMES)
    throw new AppError('invalid', { fields: { amount: problem } })
  return typed
}

async function begin(
  { db, now }: Pick<Opening, 'db' | 'now'>,
  connected: Connected,
  { buying, offer, anew = false }: { buying: Buying; offer: Offer; anew?: boolean },
): Promise<{ url: string; test: boolean }> {
  const { account, stripe } = connected
  const customer = buying.proven ? await customerOf(db, connected, { ...buying, anew }) : null
  const params: Stripe.Checkout.SessionCreateParams = {
    ...(customer ? knownBuyer(account, customer) : { customer_email: buying.email }),
    mode: offer.price.period === 'once' ? 'payment' : 'subscription',
    line_items: [{ quantity: 1, ...(await lineOf(db, connected, offer)) }],
    locale: buying.language,
    ...(await discountsFor({ db, now }, connected, offer)),
    automatic_tax: { enabled: account.automatic_tax },
    tax_id_collection: { enabled: account.tax_id_collection },
    ...namesOf(buying, offer),
    success_url: buying.done,
    cancel_url: buying.back,
  }
  const idempotencyKey = keyOf(account.newsletter_id, params, now())
  const { url } = await stripe.checkout.sessions.create(params, { idempotencyKey })
  if (!url) throw new AppError('stripe_refused', { params: { reason: 'checkout' } })
  return { url, test: account.test }
}

/** Our coupon; without one, the buyer may type a code that was made at Stripe. */
async function discountsFor({ db, now }: Pick<Opening, 'db' | 'now'>, connected: Connected, { coupon }: Offer) {
  if (!coupon) return { allow_promotion_codes: true }
  return { discounts: [{ coupon: await couponAtStripe(db, connected, { coupon, now: now() }) }] }
}

/** What is asked of a customer whom Stripe knows already, so that it may keep what they type. */
function knownBuyer({ automatic_tax: tax, tax_id_collection: numbers }: Connected['account'], customer: string) {
  if (!tax && !numbers) return { customer }
  return {
    customer,
    customer_update: { ...(tax && { address: 'auto' as const }), ...(numbers && { name: 'auto' as const }) },
  }
}

async function lineOf(db: Db, connected: Connected, { sold, price, amount }: Offer) {
  if (amount === null) return { price: await priceOf(db, connected, sold) }
  const recurring = recurringOf(price.period)
  return {
    price_data: {
      product: await productOf(db, connected, sold),
      currency: price.currency,
      unit_amount: amount,
      tax_behavior: sold.taxInside ? ('inclusive' as const) : ('exclusive' as const),
      ...(recurring && { recurring }),
    },
  }
}

/** By these, webhooks find what was bought, and by whom. */
function namesOf(buying: Buying, { plan, price, coupon }: Offer): Partial<Stripe.Checkout.SessionCreateParams> {
  const metadata = {
    tirage_newsletter: buying.newsletterId,
    tirage_plan: String(plan.id),
    tirage_price: String(price.id),
    ...(coupon && { tirage_coupon: String(coupon.id) }),
    ...(buying.subscriberId && { tirage_subscriber: buying.subscriberId }),
    ...(buying.publicationId && { tirage_publication: buying.publicationId }),
    ...(buying.source && { tirage_source: buying.source.slice(0, 200) }),
  }
  if (price.period === 'once')
    return { metadata, payment_intent_data: { metadata }, invoice_creation: { enabled: true } }
  const trial = plan.trial_days > 0 ? { trial_period_days: plan.trial_days } : {}
  return { metadata, subscription_data: { metadata, ...trial } }
}

/** The same for the same purchase within a quarter of an hour, so that pressing twice brings one checkout. */
function keyOf(newsletterId: string, params: Stripe.Checkout.SessionCreateParams, now: Date): string {
  const period = Math.floor(now.getTime() / SAME_CHECKOUT_MS)
  return `checkout ${createHash('sha256')
    .update(JSON.stringify([newsletterId, period, params]))
    .digest('hex')}`
}

async function customerOf(
  db: Db,
  { stripe, account }: Connected,
  { subscriberId, email, language, anew }: Buying & { anew: boolean },
) {
  if (!subscriberId) return null
  const { newsletter_id, test } = account
  const known = await db
    .selectFrom('stripe_customer')
    .select('stripe_id')
    .where('newsletter_id', '=', newsletter_id)
    .where('test', '=', test)
    .where('subscriber_id', '=', subscriberId)
    .executeTakeFirst()
  if (known) return known.stripe_id
  const metadata = { tirage_newsletter: newsletter_id, tirage_subscriber: subscriberId }
  const { id } = await stripe.customers.create(
    { email, preferred_locales: [language], metadata },
    // The same key would bring back the one that is gone.
    { idempotencyKey: anew ? randomUUID() : `customer ${newsletter_id} ${subscriberId} ${email} ${language}` },
  )
  await db
    .insertInto('stripe_customer')
    .values({ newsletter_id, test, stripe_id: id, subscriber_id: subscriberId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return id
}

async function forgetCustomer(db: Db, { account }: Connected, subscriberId: string | null): Promise<void> {
  if (!subscriberId) return
  await db
    .deleteFrom('stripe_customer')
    .where('newsletter_id', '=', account.newsletter_id)
    .where('test', '=', account.test)
    .where('subscriber_id', '=', subscriberId)
    .execute()
}
