import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import type { SubscriptionRow } from '../change.ts'
import { monthlyPaymentAfter } from '../payment-events/paused.ts'
import { type Connected, requireConnected } from './account.ts'
import { stripeRefusal } from './client.ts'
import { type CouponRow, couponAtStripe } from './coupons.ts'

type Opening = Pick<Context, 'db' | 'sealer' | 'config'>

/** Why somebody cancels, in Stripe's words. */
export type Feedback = NonNullable<Stripe.SubscriptionUpdateParams.CancellationDetails['feedback']>

export interface SubscriptionKey {
  newsletterId: string
  subscriptionId: string
}

/**
 * Cancels a subscription at Stripe: at the end of what is paid for, or now.
 *
 * @returns the subscription as Stripe has it now, to be stored as its webhooks are
 * @throws AppError subscription_not_found, stripe_not_connected, stripe_away, stripe_refused, stripe_right_missing, stripe_key_refused
 */
export const cancelAtStripe = (
  context: Opening,
  key: SubscriptionKey,
  { when, feedback = null, comment = '' }: { when: 'period_end' | 'now'; feedback?: Feedback | null; comment?: string },
): Promise<Stripe.Response<Stripe.Subscription>> =>
  act(context, key, ({ stripe }, id) => {
    const details = { ...(feedback && { feedback }), ...(comment && { comment: comment.slice(0, 500) }) }
    const cancellation_details = Object.keys(details).length > 0 ? { cancellation_details: details } : {}
    if (when === 'now') return stripe.subscriptions.cancel(id, cancellation_details, once())
    return stripe.subscriptions.update(id, { cancel_at_period_end: true, ...cancellation_details, expand }, once())
  })

/**
 * Takes back a cancellation or a pause. Once that what was paid is over, a period begins now and is charged now: Stripe has counted those of
 * the pause as paid, and would ask for nothing until the next.
 *
 * @throws as `cancelAtStripe`
 */
export const resumeAtStripe = (
  context: Opening,
  key: SubscriptionKey,
  { now }: { now: Date },
): Promise<Stripe.Response<Stripe.Subscription>> =>
  act(context, key, ({ stripe }, id, { status, paid_until: until }) => {
    const going = { cancel_at_period_end: false, pause_collection: '' as const, expand }
    if (status !== 'paused' || !until || until > now) return stripe.subscriptions.update(id, going, once())
    const beginning = { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' } as const
    // Pressed twice, it charges once: what was paid before the pause says which period it is that begins.
    const idempotencyKey = `resume ${key.subscriptionId} ${until.getTime()}`
    return stripe.subscriptions.update(id, { ...going, ...beginning }, { idempotencyKey })
  })

/**
 * Takes back a cancellation, with a coupon for staying. Those that are taken off already stay.
 *
 * @throws as `cancelAtStripe`
 */
export const stayAtStripe = (
  context: Opening & Pick<Context, 'now'>,
  key: SubscriptionKey,
  coupon: CouponRow,
): Promise<Stripe.Response<Stripe.Subscription>> =>
  act(context, key, async (connected, id, { cancelled_at: cancelledAt }) => {
    const { stripe } = connected
    const couponId = await couponAtStripe(context.db, connected, { coupon, now: context.now() })
    const { discounts } = await stripe.subscriptions.retrieve(id)
    const kept = discounts.map((one) => ({ discount: typeof one === 'string' ? one : one.id }))
    return stripe.subscriptions.update(
      id,
      {
        cancel_at_period_end: false,
        discounts: [...kept, { coupon: couponId }],
        // By which its use is counted, here and when its webhook comes.
        metadata: { tirage_coupon: coupon.id },
        expand,
      },
      { idempotencyKey: `stay ${key.subscriptionId} ${coupon.id} ${cancelledAt?.getTime() ?? 0}` },
    )
  })

/** Before the first payment that is not left out, so that it is asked for. */
const RESUMES_BEFORE_SECONDS = 3_600

/** Leaves out so many monthly payments; they are not asked for later. @throws as `cancelAtStripe` */
export const pauseAtStripe = (
  context: Opening,
  key: SubscriptionKey,
  { months }: { months: number },
): Promise<Stripe.Response<Stripe.Subscription>> =>
  act(context, key, async ({ stripe }, id) => {
    // On which day of the month Stripe charges is not told by the end of a period, which a short month brings forward.
    const { billing_cycle_anchor: anchor, items } = await stripe.subscriptions.retrieve(id)
    const end = Math.max(...items.data.map((item) => item.current_period_end))
    const next = monthlyPaymentAfter(new Date(end * 1000), { months, anchor: new Date(anchor * 1000) })
    const pause = { behavior: 'void' as const, resumes_at: next.getTime() / 1000 - RESUMES_BEFORE_SECONDS }
    return stripe.subscriptions.update(id, { pause_collection: pause, expand }, once())
  })

/** What is taken off is stated by coupons alone, and those are stated where they are asked for. */
const expand = ['discounts.source.coupon']

/** Setting something to what it is already changes nothing, so only the retries of one call need the same key. */
const once = () => ({ idempotencyKey: randomUUID() })

async function act<T>(
  context: Opening,
  key: SubscriptionKey,
  call: (connected: Connected, stripeId: string, row: SubscriptionRow) => Promise<T>,
): Promise<T> {
  const row = await findPaidByCard(context.db, key)
  const connected = await connectedFor(context, key.newsletterId, row.test)
  return call(connected, row.stripe_id ?? '', row).catch((error: unknown) => {
    throw stripeRefusal(error)
  })
}

async function findPaidByCard(db: Db, { newsletterId, subscriptionId }: SubscriptionKey): Promise<SubscriptionRow> {
  const row = await db
    .selectFrom('subscription')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriptionId)
    .where('stripe_id', 'is not', null)
    .executeTakeFirst()
  if (!row) throw new AppError('subscription_not_found')
  return row
}

/** What was bought with test keys is known to those alone. */
async function connectedFor(context: Opening, newsletterId: string, test: boolean): Promise<Connected> {
  const connected = await requireConnected(context, newsletterId)
  if (connected.account.test !== test) throw new AppError('stripe_not_connected')
  return connected
}

/**
 * Gives a payment back, in part or in all. Pressing twice gives back once: the key says how much was given back before.
 *
 * @param amount in the smallest unit; what is left of the payment when it is left out
 * @returns the refund as Stripe has it, to be stored as its webhooks are
 * @throws AppError payment_not_found, nothing_to_refund, `invalid` for more than is left, and as `cancelAtStripe`
 */
export async function refundPayment(
  context: Opening,
  { newsletterId, paymentId }: { newsletterId: string; paymentId: string },
  amount?: number,
): Promise<Stripe.Refund> {
  const payment = await context.db
    .selectFrom('payment')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', paymentId)
    .where('kind', '=', 'payment')
    .where('stripe_id', 'is not', null)
    .executeTakeFirst()
  if (!payment) throw new AppError('payment_not_found')
  const back = await context.db
    .selectFrom('payment')
    .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
    .where('newsletter_id', '=', newsletterId)
    .where('refund_of', '=', paymentId)
    .executeTakeFirst()
  const before = -Number(back?.sum ?? 0)
  const left = payment.amount - before
  if (left <= 0) throw new AppError('nothing_to_refund')
  if (amount !== undefined && amount > left) throw new AppError('invalid', { fields: { amount: 'too_large' } })
  const { stripe } = await connectedFor(context, newsletterId, payment.test)
  const sum = amount ?? left
  try {
    const intent = await intentOf(stripe, payment.stripe_id ?? '')
    if (!intent) throw new AppError('payment_not_found')
    const metadata = { tirage_newsletter: newsletterId, tirage_payment: paymentId }
    const idempotencyKey = `refund ${paymentId} ${before} ${sum}`
    return await stripe.refunds.create({ payment_intent: intent, amount: sum, metadata }, { idempotencyKey })
  } catch (error) {
    throw error instanceof AppError ? error : stripeRefusal(error)
  }
}

/** What paid an invoice, or what was bought once. An invoice does not name it: an object of its own does. */
async function intentOf(stripe: Stripe, id: string): Promise<string | null> {
  const intent = id.startsWith('cs_')
    ? (await stripe.checkout.sessions.retrieve(id)).payment_intent
    : (await stripe.invoicePayments.list({ invoice: id, status: 'paid', limit: 1 })).data[0]?.payment.payment_intent
  return typeof intent === 'string' ? intent : (intent?.id ?? null)
}

/**
 * The address of Stripe's page on which a subscriber changes their card and finds their invoices. Made for one visit.
 *
 * @throws AppError subscription_not_found when they have bought nothing by card, and as `cancelAtStripe`
 */
export async function portalAddress(
  context: Opening,
  key: SubscriptionKey,
  { language, back }: { language: Language; back: string },
): Promise<string> {
  const session = await act(context, key, async ({ stripe }, id) => {
    const { customer } = await stripe.subscriptions.retrieve(id)
    return stripe.billingPortal.sessions.create(
      {
        customer: typeof customer === 'string' ? customer : customer.id,
        configuration: await configurationOf(stripe),
        locale: language,
        return_url: back,
      },
      once(),
    )
  })
  return session.url
}

/** Cards and invoices alone: cancelling and pausing are ours, so that they take three clicks and a reason can be given. */
async function configurationOf(stripe: Stripe): Promise<string> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  const ours = data.find(({ metadata }) => metadata?.tirage === PORTAL_VERSION)
  if (ours) return ours.id
  const { id } = await stripe.billingPortal.configurations.create(
    {
      metadata: { tirage: PORTAL_VERSION },
      features: {
        customer_update: { enabled: true, allowed_updates: ['address', 'name', 'tax_id'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
      },
    },
    { idempotencyKey: `portal ${PORTAL_VERSION}` },
  )
  return id
}

/** Raised whenever what the portal offers changes. */
const PORTAL_VERSION = '1'
