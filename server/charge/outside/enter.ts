import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { isUuid, uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { enqueue } from '../../jobs/queue.ts'
import { releaseConfirmation } from '../../subscribers/confirmation-queue.ts'
import { lockSubscriber } from '../../subscribers/queries.ts'
import { type SubscriptionRow, storeSubscription } from '../change.ts'
import { storePayment } from '../payments.ts'
import { takePlace } from '../plans/places.ts'
import type { enterPayment, enterSubscription, noteRefund, updateSubscription } from './contract.ts'
import { canGoOn, findHeld, planHeld } from './held.ts'
import { periodAmount } from './period-amount.ts'

interface Clocked {
  db: Kysely<DB>
  now: () => Date
}

export type Entered = Omit<z.output<typeof enterSubscription.body>, 'subscriberId' | 'email' | 'name' | 'language'> & {
  /** As the database has it. */
  subscriberId: string
}

/**
 * Stores a subscription that Stripe does not charge, with its payment. @returns its id.
 * Of whom has the plan already it is refused, unless it says where it goes.
 * @throws AppError plan_not_found, plan_closed, plan_full, plan_held, price_not_found, invalid for an end before its beginning and a payment to come
 */
export const enter = ({ db, now }: Clocked, newsletter: NewsletterRow, entered: Entered): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const at = now()
    const { ifHeld } = entered
    const held = ifHeld === 'beside' ? null : await findHeld(tx, { ...entered, newsletterId: newsletter.id }, at)
    if (!held) return enterIn(tx, newsletter, { ...entered, at })
    if (ifHeld === 'refuse' || !canGoOn(held)) throw planHeld(held)
    return goOnBehind(tx, newsletter, { ...entered, subscriptionId: held.id, at })
  })

/**
 * The same for a line of a file, unless its subscriber has the plan until then, for who enters a file in two windows has it once.
 * @returns whether it was entered
 * @throws AppError as `enter`
 */
export const enterOnce = ({ db, now }: Clocked, newsletter: NewsletterRow, entered: Entered): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`lines of files ${newsletter.id}`}, 0))`.execute(tx)
    if (await isThere(tx, newsletter.id, entered)) return false
    await enterIn(tx, newsletter, { ...entered, at: now() })
    return true
  })

const isThere = async (tx: Db, newsletterId: string, { subscriberId, planId, until }: Entered): Promise<boolean> =>
  (await tx
    .selectFrom('subscription')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', '=', subscriberId)
    .where('plan_id', '=', planId)
    .where('status', '<>', 'ended')
    .where((on) => on.or([on('paid_until', 'is', null), on('paid_until', '>=', endOf(until))]))
    .executeTakeFirst()) !== undefined

async function enterIn(
  tx: Db,
  newsletter: NewsletterRow,
  { ifHeld, ...entered }: Entered & { at: Date },
): Promise<string> {
  const { subscriberId, planId, way, priceId, period, payment, startsAt, until, note, tell, at } = entered
  const paidUntil = endOf(until)
  const start = new Date(startsAt ?? payment?.at ?? at)
  if (payment) requireCome(payment.at, { field: 'payment.at', now: at })
  requireOrder(start, paidUntil, at)
  await takePlace(tx, { newsletterId: newsletter.id, planId }, at)
  // The plan is locked from here on, so whoever presses twice has it once.
  const held = ifHeld === 'refuse' ? await findHeld(tx, { ...entered, newsletterId: newsletter.id }, at) : null
  if (held) throw planHeld(held)
  const price = priceId === null ? null : await findPrice(tx, { newsletterId: newsletter.id, planId, priceId })
  const ofPrice = price?.period ?? period
  const subscription = {
    ...{ id: uuidv7(), subscriber_id: subscriberId, plan_id: planId, price_id: priceId, way, note },
    status: 'active' as const,
    currency: payment?.currency ?? price?.currency ?? null,
    amount: payment
      ? periodAmount({ payment, price, period: ofPrice, from: start, until: paidUntil, goesOn: false })
      : (price?.amount ?? null),
    period: ofPrice,
    started_at: start,
    paid_until: paidUntil,
    at,
  }
  await storeSubscription(tx, newsletter, subscription)
  if (payment) await storeOutside(tx, newsletter.id, { subscription, payment, from: start, until: paidUntil, note })
  await releaseConfirmation(tx, { newsletterId: newsletter.id, subscriberId })
  if (tell)
    await enqueue(tx, 'mail_entered_subscription', { newsletterId: newsletter.id, subscriptionId: subscription.id })
  return subscription.id
}

const endOf = (until: string | null): Date | null => (until === null ? null : new Date(until))

function requireOrder(start: Date, until: Date | null, now: Date): void {
  if (until && until <= start)
    throw new AppError('invalid', { fields: { until: until <= now ? 'day_past' : 'before_start' } })
}

/** What goes on ends after what is held already. */
function requireLater(held: Pick<SubscriptionRow, 'paid_until' | 'started_at'>, until: Date | null, now: Date): void {
  if (held.paid_until === null) requireOrder(held.started_at, until, now)
  else if (until && until <= held.paid_until)
    throw new AppError('invalid', { fields: { until: until <= now ? 'day_past' : 'before_held' } })
}

/** How far the clock of who enters a payment may be ahead of ours. */
const CLOCKS_DIFFER_MS = 3_600_000

function requireCome(paidAt: string, { field, now }: { field: string; now: Date }): void {
  if (new Date(paidAt).getTime() > now.getTime() + CLOCKS_DIFFER_MS)
    throw new AppError('invalid', { fields: { [field]: 'day_ahead' } })
}

async function findPrice(
  tx: Db,
  { newsletterId, planId, priceId }: { newsletterId: string; planId: number; priceId: number },
) {
  const price = await tx
    .selectFrom('price')
    .select(['currency', 'amount', 'period'])
    .where('newsletter_id', '=', newsletterId)
    .where('plan_id', '=', planId)
    .where('id', '=', priceId)
    .executeTakeFirst()
  if (!price) throw new AppError('price_not_found')
  return price
}

interface OutsidePayment {
  subscription: Pick<SubscriptionRow, 'id' | 'subscriber_id' | 'plan_id'>
  payment: { amount: number; currency: string; means: string; at: string }
  from: Date
  until: Date | null
  note: string
}

const storeOutside = (
  tx: Db,
  newsletterId: string,
  { subscription, payment, from, until, note }: OutsidePayment,
): Promise<boolean> =>
  storePayment(tx, newsletterId, {
    ...{ id: uuidv7(), subscription_id: subscription.id, subscriber_id: subscription.subscriber_id },
    ...{ plan_id: subscription.plan_id, kind: 'payment', at: new Date(payment.at), currency: payment.currency },
    ...{ amount: payment.amount, means: payment.means, period_from: from, period_until: until, note },
  })

interface SubscriptionKey {
  newsletterId: string
  subscriptionId: string
}

/** @throws AppError subscription_not_found, charged_by_stripe */
async function findOutside(
  tx: Db,
  { newsletterId, subscriptionId }: SubscriptionKey,
  lock?: 'lock',
): Promise<Omit<SubscriptionRow, 'newsletter_id' | 'changed_at'>> {
  const found = await tx
    .selectFrom('subscription')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', uuidOf(subscriptionId))
    .$if(lock === 'lock', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!found) throw new AppError('subscription_not_found')
  if (found.way === 'card') throw new AppError('charged_by_stripe')
  const { newsletter_id: _, changed_at: __, ...subscription } = found
  return subscription
}

/**
 * Locked in the order in which `storeSubscription` locks: the subscriber, then their subscription. That of somebody who was erased is in the books
 * alone, and opens nothing again.
 *
 * @throws AppError subscription_not_found, charged_by_stripe
 */
async function lockOutside(tx: Db, key: SubscriptionKey) {
  const { subscriber_id: subscriberId } = await findOutside(tx, key)
  if (!subscriberId) throw new AppError('subscription_not_found')
  await lockSubscriber(tx, { newsletterId: key.newsletterId, subscriberId })
  return findOutside(tx, key, 'lock')
}

/** What is no UUID is the id of nothing. */
const uuidOf = (text: string): string => (isUuid(text) ? text : '00000000-0000-0000-0000-000000000000')

/**
 * Corrects a subscription, or ends it now.
 * @throws AppError subscription_not_found, charged_by_stripe, plan_not_found, plan_closed, plan_full, invalid
 */
export const correct = (
  { db, now }: Clocked,
  newsletter: NewsletterRow,
  {
    subscriptionId,
    until,
    planId,
    note,
    ended,
  }: z.output<typeof updateSubscription.body> & Pick<SubscriptionKey, 'subscriptionId'>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const at = now()
    const key = { newsletterId: newsletter.id, subscriptionId }
    const isOther = planId !== undefined && planId !== (await findOutside(tx, key)).plan_id
    if (isOther) await takePlace(tx, { newsletterId: newsletter.id, planId }, at)
    const subscription = await lockOutside(tx, key)
    const paidUntil = until === undefined ? undefined : endOf(until)
    if (paidUntil === null && subscription.way === 'gift')
      throw new AppError('invalid', { fields: { until: 'required' } })
    if (paidUntil) requireOrder(subscription.started_at, paidUntil, at)
    const opensAgain = paidUntil !== undefined && (paidUntil === null || paidUntil > at)
    await storeSubscription(tx, newsletter, {
      ...subscription,
      ...(isOther && { plan_id: planId, price_id: null, next_price_id: null }),
      ...(paidUntil !== undefined && { paid_until: paidUntil }),
      ...(opensAgain && { status: 'active', ended_at: null }),
      ...(note !== undefined && { note }),
      ...(ended && subscription.status !== 'ended' && { status: 'ended', ended_at: at }),
      at,
    })
  })

interface Further extends Omit<OutsidePayment, 'subscription' | 'from'> {
  subscription: Pick<SubscriptionRow, 'id' | 'subscriber_id' | 'plan_id' | 'paid_until' | 'period'>
  /** At which it is paid from now on; null: a sum that was agreed. */
  priceId: number | null
}

/**
 * Stores a payment that goes on from the end of what was paid, or from the payment when that is later.
 * @returns the columns of its subscription that it decides
 */
async function storeFurther(tx: Db, newsletterId: string, { subscription, priceId, ...further }: Further) {
  const { payment, until } = further
  const paidAt = new Date(payment.at)
  const from = subscription.paid_until && subscription.paid_until > paidAt ? subscription.paid_until : paidAt
  await storeOutside(tx, newsletterId, { ...further, subscription, from })
  const price = priceId === null ? null : await findPrice(tx, { newsletterId, planId: subscription.plan_id, priceId })
  const period = price?.period ?? subscription.period
  const amount = periodAmount({ payment, price, period, from, until, goesOn: true })
  return {
    ...{ way: 'outside' as const, amount, currency: payment.currency },
    ...{ price_id: priceId, period, next_price_id: null },
  }
}

/** Adds what is entered behind a subscription that its subscriber has: with a payment it is paid outside from then on. @returns its id */
async function goOnBehind(
  tx: Db,
  newsletter: NewsletterRow,
  { subscriptionId, planId, priceId, payment, until, note, tell, at }: Entered & { subscriptionId: string; at: Date },
): Promise<string> {
  const key = { newsletterId: newsletter.id, subscriptionId }
  const subscription = await lockOutside(tx, key)
  const paidUntil = endOf(until)
  if (payment) requireCome(payment.at, { field: 'payment.at', now: at })
  requireLater(subscription, paidUntil, at)
  if (priceId !== null) await findPrice(tx, { newsletterId: newsletter.id, planId, priceId })
  const further = { subscription, priceId: priceId ?? subscription.price_id, until: paidUntil, note }
  await storeSubscription(tx, newsletter, {
    ...subscription,
    ...{ status: 'active', ended_at: null, paid_until: paidUntil },
    ...(payment && (await storeFurther(tx, newsletter.id, { ...further, payment }))),
    ...(!payment && note !== '' && { note }),
    at,
  })
  if (tell) await enqueue(tx, 'mail_entered_subscription', key)
  return subscriptionId
}

/** A further payment: it opens the plan until its end, at the price that was agreed for the next period. @throws AppError subscription_not_found, charged_by_stripe, invalid */
export const payAgain = (
  { db, now }: Clocked,
  newsletter: NewsletterRow,
  {
    subscriptionId,
    until,
    note,
    ...payment
  }: z.output<typeof enterPayment.body> & Pick<SubscriptionKey, 'subscriptionId'>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const at = now()
    const subscription = await lockOutside(tx, { newsletterId: newsletter.id, subscriptionId })
    const paidUntil = endOf(until)
    requireCome(payment.at, { field: 'at', now: at })
    requireLater(subscription, paidUntil, at)
    const priceId = subscription.next_price_id ?? subscription.price_id
    await storeSubscription(tx, newsletter, {
      ...subscription,
      ...{ status: 'active', ended_at: null, paid_until: paidUntil },
      ...(await storeFurther(tx, newsletter.id, { subscription, priceId, payment, until: paidUntil, note })),
      at,
    })
  })

/** Notes a refund that was paid outside. @throws AppError payment_not_found, charged_by_stripe, refund_too_large */
export const refundOutside = (
  db: Kysely<DB>,
  { newsletterId, paymentId }: { newsletterId: string; paymentId: string },
  { amount, at, note }: z.output<typeof noteRefund.body>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    // Two refunds of one payment are counted one after the other.
    const payment = await tx
      .selectFrom('payment')
      .selectAll()
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', uuidOf(paymentId))
      .where('kind', '=', 'payment')
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!payment) throw new AppError('payment_not_found')
    if (payment.stripe_id) throw new AppError('charged_by_stripe')
    const { rows } = await sql<{ back: number }>`
      select coalesce(-sum(amount), 0) as back from payment
      where newsletter_id = ${newsletterId} and refund_of = ${payment.id}`.execute(tx)
    if (amount > Number(payment.amount) - Number(rows[0]?.back ?? 0))
      throw new AppError('refund_too_large', { field: 'amount' })
    const { subscription_id, subscriber_id, plan_id, currency, means, publication_id, source, test } = payment
    await storePayment(tx, newsletterId, {
      ...{ subscription_id, subscriber_id, plan_id, currency, means, publication_id, source, test },
      ...{ id: uuidv7(), kind: 'refund', at: new Date(at), amount: -amount, refund_of: payment.id, note },
    })
  })
