import { isDeepStrictEqual } from 'node:util'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { isUuid, uuidv7 } from '../../database/ids.ts'
import type { Subscription } from '../../database/types.ts'
import { enqueue } from '../../jobs/queue.ts'
import { type ChargingNewsletter, type SubscriptionRow, storeSubscription } from '../change.ts'
import { noteCouponUse } from '../plans/coupons.ts'
import { settleFailures } from './apply-failures.ts'
import type { ComparedValue } from './contract.ts'
import { begunAt, newestOf, type Statement } from './newest.ts'
import { paidWhenPaused } from './paused.ts'
import type { StatedNames, StatedSubscription } from './read-subscription.ts'

/** The ids that a subscription may name, of those that belong to the newsletter. */
export interface KnownNames {
  subscribers: Set<string>
  plans: Set<number>
  /** By id. */
  prices: Map<number, { planId: number; months: number | null }>
  publications: Set<string>
}

/** What became of the statements about a subscription. A problem that is told beside `stored` is for the owner's eye. */
export type SubscriptionOutcome =
  | { stored: SubscriptionRow; problem: 'subscriber_unknown' | null; asksFor?: 'discounts' }
  | 'ask'
  | 'not_ours'
  | 'plan_unknown'

/** Of those ids that Stripe's objects name, the ones that are this newsletter's. What they say of another newsletter is nothing to us. */
export async function findNames(tx: Db, newsletterId: string, stated: StatedNames[]): Promise<KnownNames> {
  const ours = stated.filter(({ newsletter }) => newsletter === newsletterId)
  const subscribers = ours.flatMap(({ subscriber }) => (subscriber && isUuid(subscriber) ? [subscriber] : []))
  const plans = ours.flatMap(({ plan }) => plan ?? [])
  const publications = ours.flatMap(({ publication }) => publication ?? [])
  const { rows } = await sql<{ kind: string; id: string; plan: number | null; months: number | null }>`
    select 'subscriber' as kind, id::text, null::integer as plan, null::smallint as months from subscriber
      where newsletter_id = ${newsletterId} and id = any(${subscribers}::uuid[])
    union all select 'plan', id::text, id, null from plan where newsletter_id = ${newsletterId} and kind = 'paid' and id = any(${plans}::integer[])
    union all select 'price', id::text, plan_id, months from price where newsletter_id = ${newsletterId} and plan_id = any(${plans}::integer[])
    union all select 'publication', id, null, null from publication
      where newsletter_id = ${newsletterId} and id = any(${publications}::text[])`.execute(tx)
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  return {
    subscribers: new Set(of('subscriber').map(({ id }) => id)),
    plans: new Set(of('plan').map(({ id }) => Number(id))),
    prices: new Map(of('price').map(({ id, plan, months }) => [Number(id), { planId: plan ?? 0, months }])),
    publications: new Set(of('publication').map(({ id }) => id)),
  }
}

/** The subscriptions with these ids at Stripe that are stored, by that id. */
export async function findByStripeIds(
  tx: Db,
  newsletterId: string,
  stripeIds: readonly string[],
): Promise<Map<string, SubscriptionRow>> {
  if (stripeIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('subscription')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('stripe_id', 'in', stripeIds)
    .execute()
  return new Map(rows.map((row) => [row.stripe_id ?? '', row]))
}

/**
 * Stores subscriptions as Stripe states them. To be called in a transaction that holds their locks (`lockObjects`).
 *
 * @param statements by the subscription's id at Stripe
 */
export async function applySubscriptions(
  tx: Db,
  newsletter: ChargingNewsletter,
  statements: ReadonlyMap<string, Statement[]>,
): Promise<Map<string, SubscriptionOutcome>> {
  const known = await findByStripeIds(tx, newsletter.id, [...statements.keys()])
  const all = [...statements.values()].flat()
  const names = await findNames(
    tx,
    newsletter.id,
    all.map(({ stated }) => stated.names),
  )
  const outcomes = new Map<string, SubscriptionOutcome>()
  for (const [stripeId, theirs] of inLockOrder(statements, known)) {
    const outcome = await applySubscription(tx, newsletter, { before: known.get(stripeId) ?? null, theirs, names })
    outcomes.set(stripeId, outcome)
  }
  return outcomes
}

/** Everybody who locks several subscribers does so in the order of their ids. */
const inLockOrder = (statements: ReadonlyMap<string, Statement[]>, known: Map<string, SubscriptionRow>) => {
  const subscriberOf = (stripeId: string, theirs: Statement[]) =>
    known.get(stripeId)?.subscriber_id ?? theirs[0]?.stated.names.subscriber?.toLowerCase() ?? ''
  return [...statements].toSorted(([a, ofA], [b, ofB]) => (subscriberOf(a, ofA) < subscriberOf(b, ofB) ? -1 : 1))
}

interface Told {
  before: SubscriptionRow | null
  theirs: Statement[]
  names: KnownNames
}

async function applySubscription(
  tx: Db,
  newsletter: ChargingNewsletter,
  { before, theirs, names }: Told,
): Promise<SubscriptionOutcome> {
  const ours = before ? theirs : theirs.filter(({ stated }) => stated.names.newsletter === newsletter.id)
  if (ours.length === 0) return 'not_ours'
  const valuesOf = (stated: StatedSubscription) => subscriptionValues(stated, { newsletter, before, names })
  const knownNow = { at: before?.stripe_at ?? null, ended: before?.status === 'ended' }
  const choice = newestOf(knownNow, ours, (stated) => before !== null && says(before, valuesOf(stated)))
  if (choice === 'ask') return 'ask'
  if (choice === 'nothing new') return { stored: await keepSince(tx, newsletter, { before, ours }), problem: null }
  const values = valuesOf(choice.take.stated)
  if (!values) return 'plan_unknown'
  const row = await store(tx, newsletter, { before, values, ...choice.take })
  const { coupon, newsletter: named } = choice.take.stated.names
  if (coupon !== null && named === newsletter.id && row.status !== 'incomplete')
    await noteCouponUse(tx, row, { couponId: coupon, at: choice.take.at })
  if (row.ended_at)
    await afterEnd(tx, row, { isUnpaid: before !== null && choice.take.stated.endedUnpaid, at: row.ended_at })
  const isUnknown = !before && row.subscriber_id === null
  const isDiscountUnknown = discountOf(choice.take.stated, before) === null
  return {
    stored: row,
    problem: isUnknown ? 'subscriber_unknown' : null,
    ...(isDiscountUnknown && { asksFor: 'discounts' }),
  }
}

/** What was owed is not asked for any more. Who did not pay is told once that it is over. */
async function afterEnd(
  tx: Db,
  { newsletter_id: newsletterId, id: subscriptionId }: SubscriptionRow,
  { isUnpaid, at }: { isUnpaid: boolean; at: Date },
): Promise<void> {
  await settleFailures(tx, newsletterId, { subscriptionId, at })
  if (isUnpaid) await enqueue(tx, 'mail_payment_failure', { newsletterId, subscriptionId, step: 'ended' })
}

type Values = Pick<Insertable<Subscription>, ComparedValue>

/** Null when it names no plan of this newsletter. */
function subscriptionValues(
  stated: StatedSubscription,
  { newsletter, before, names }: { newsletter: ChargingNewsletter; before: SubscriptionRow | null; names: KnownNames },
): Values | null {
  const named = stated.names.newsletter === newsletter.id ? stated.names : null
  const namedPlan = named?.plan && names.plans.has(named.plan) ? named.plan : null
  const plan = namedPlan ?? before?.plan_id
  if (!plan) return null
  const price = named?.price && names.prices.get(named.price)?.planId === plan ? named.price : null
  const subscriber = named?.subscriber && names.subscribers.has(named.subscriber) ? named.subscriber : null
  const publication = named?.publication && names.publications.has(named.publication) ? named.publication : null
  const discount = discountOf(stated, before)
  return {
    // Whoever has it keeps it: another name at Stripe gives it to nobody else, nor to somebody after their erasure.
    subscriber_id: before ? before.subscriber_id : subscriber,
    plan_id: plan,
    price_id: price ?? (before?.plan_id === plan ? before.price_id : null),
    way: 'card',
    test: stated.test,
    status: stated.status,
    currency: stated.currency,
    amount: stated.amount,
    discount: discount ?? 0,
    stripe_discounts: discount === null ? [] : stated.discounts.ids,
    period: stated.period,
    started_at: stated.startedAt,
    trial_until: stated.trialUntil,
    paid_until:
      before?.paused_at && stated.status === 'paused' ? paidWhenPaused(stated, before.paused_at) : stated.paidUntil,
    renews: stated.renews,
    resumes_at: stated.resumesAt,
    ended_at: stated.endedAt,
    cancelled_at: stated.cancelledAt,
    publication_id: before?.publication_id ?? publication,
    source: before?.source ?? named?.source ?? null,
    stripe_id: stated.stripeId,
  }
}

/** What is taken off each period: as stated, or as it was known of the same discounts. Null when only Stripe can say. */
function discountOf({ discounts: { ids, off } }: StatedSubscription, before: SubscriptionRow | null): number | null {
  if (off !== null) return off
  return before && isDeepStrictEqual(before.stripe_discounts, ids) ? Number(before.discount) : null
}

/** Whether a stored subscription is already as these values say. */
const says = (row: SubscriptionRow, values: Values | null): boolean =>
  values !== null && Object.keys(changesOf(row, values)).length === 0

/** Which values are otherwise than stored: each as it was and as it is said to be. */
function changesOf(row: SubscriptionRow | null, values: Values): Record<string, [unknown, unknown]> {
  const plain = (value: unknown) =>
    value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(' ') : (value ?? null)
  const pairs = Object.entries(values).map(([name, value]): [string, [unknown, unknown]] => {
    return [name, [plain(row?.[name as keyof SubscriptionRow]), plain(value)]]
  })
  return Object.fromEntries(pairs.filter(([, [was, is]]) => was !== is))
}

/**
 * What storing a statement would change, by the name of the value; null when nothing, or when it is none of this newsletter's. What has
 * ended here and goes on at Stripe is told, though an end is final.
 */
export async function differencesOf(
  db: Db,
  newsletter: ChargingNewsletter,
  { stated, at }: Statement,
): Promise<Record<string, [unknown, unknown]> | null> {
  const before = (await findByStripeIds(db, newsletter.id, [stated.stripeId])).get(stated.stripeId) ?? null
  if (!before && stated.names.newsletter !== newsletter.id) return null
  if (before?.stripe_at && before.stripe_at > at) return null
  if (before?.status === 'ended') return stated.status === 'ended' ? null : { status: [before.status, stated.status] }
  const names = await findNames(db, newsletter.id, [stated.names])
  const values = subscriptionValues(stated, { newsletter, before, names })
  if (!values) return { plan_id: [null, stated.names.plan] }
  const changes = changesOf(before, values)
  return Object.keys(changes).length > 0 ? changes : null
}

interface Change {
  before: SubscriptionRow | null
  values: Values
  at: Date
}

async function store(
  tx: Db,
  newsletter: ChargingNewsletter,
  { before, values, at, stated }: Change & Statement,
): Promise<SubscriptionRow> {
  const id = before?.id ?? uuidv7(at.getTime())
  const sinces = await sincesOf(tx, newsletter, { before, values, at })
  const paid_until = sinces.paused_at ? paidWhenPaused(stated, sinces.paused_at) : stated.paidUntil
  const row = { ...values, paid_until, ...sinces, id, stripe_at: at }
  await storeSubscription(tx, newsletter, { ...row, at })
  const stored = await findByStripeIds(tx, newsletter.id, [values.stripe_id ?? ''])
  return stored.get(values.stripe_id ?? '') as SubscriptionRow
}

/** An older statement that came late can say that a failure or a pause began earlier than was known. */
async function keepSince(
  tx: Db,
  newsletter: ChargingNewsletter,
  { before, ours }: { before: SubscriptionRow | null; ours: Statement[] },
): Promise<SubscriptionRow> {
  const row = before as SubscriptionRow
  if ((row.status !== 'past_due' && row.status !== 'paused') || !row.stripe_at) return row
  const sinces = await sincesOf(tx, newsletter, { before: row, values: row, at: row.stripe_at })
  const isSame =
    sinces.past_due_since?.getTime() === row.past_due_since?.getTime() &&
    sinces.paused_at?.getTime() === row.paused_at?.getTime()
  if (isSame) return row
  const { newsletter_id: _, changed_at: __, ...values } = row
  const paused = ours.find(({ stated }) => stated.status === 'paused')
  const paid_until =
    sinces.paused_at && paused
      ? paidWhenPaused({ ...paused.stated, paidUntil: row.paid_until }, sinces.paused_at)
      : row.paid_until
  await storeSubscription(tx, newsletter, { ...values, ...sinces, paid_until, at: row.stripe_at })
  return { ...row, ...sinces, paid_until }
}

/** Since when a renewal has failed, or a pause lasts: Stripe does not say it, and what it said one after the other does. */
async function sincesOf(tx: Db, newsletter: ChargingNewsletter, { before, values, at }: Change) {
  const { status } = values
  if (status !== 'past_due' && status !== 'paused') return { past_due_since: null, paused_at: null }
  const { rows } = await sql<{ earliest: Date | null; other: Date | null }>`
    with told as (
      select status, stated_at from payment_event
      where newsletter_id = ${newsletter.id} and object_id = ${values.stripe_id} and status is not null and stated_at <= ${at}
    ), other as (select max(stated_at) as at from told where status <> ${status})
    select min(told.stated_at) filter (where told.status = ${status} and (other.at is null or told.stated_at > other.at)) as earliest,
      max(other.at) as other
    from other left join told on true`.execute(tx)
  const [told = { earliest: null, other: null }] = rows
  const before_since = status === 'past_due' ? before?.past_due_since : before?.paused_at
  const stored = before?.status === status ? (before_since ?? null) : null
  const since = begunAt({ ...told, stored }, at)
  return {
    past_due_since: status === 'past_due' ? since : null,
    paused_at: status === 'paused' ? since : null,
  }
}
