import { type Selectable, sql } from 'kysely'
import type Stripe from 'stripe'
import type { Db } from '../../database/client.ts'
import type { PaymentEvent } from '../../database/types.ts'
import { enqueue } from '../../jobs/queue.ts'
import { applyBookingPayment, lockBookings } from '../../sponsorship/payment/apply-payment.ts'
import type { ChargingNewsletter, SubscriptionRow } from '../change.ts'
import { applyGiftOrder } from '../gifts/apply-order.ts'
import { applyFailure, applyNextAttempt } from './apply-failures.ts'
import { applyPayment, applyPurchase, applyReturn, linkPayment } from './apply-payments.ts'
import {
  applySubscriptions,
  findByStripeIds,
  findNames,
  type KnownNames,
  type SubscriptionOutcome,
} from './apply-subscriptions.ts'
import type { EventProblem } from './contract.ts'
import type { Statement } from './newest.ts'
import { type Happening, readEvent } from './read-event.ts'

/** What became of an event. */
type Outcome =
  | { applied: true; problem: EventProblem | null }
  /** It comes again when this object is known, or after a while. */
  | { applied: false; waitsFor: string }
  /** It is not tried again. */
  | { applied: false; problem: EventProblem }

export interface Batch {
  tx: Db
  newsletter: ChargingNewsletter
  now: Date
}

interface Told extends Pick<Selectable<PaymentEvent>, 'id' | 'type' | 'object_id' | 'stated_at' | 'attempts'> {
  happening: Happening | null
}

export interface Applied {
  /** How many events were taken. */
  events: number
  /** The objects that only Stripe can say more of: subscriptions and payment intents. */
  ask: string[]
}

const done = { applied: true, problem: null } as const
const ignored = { applied: true, problem: 'not_ours' } as const
/** A wait ends when the object comes. This is how long it is, when the object does not come, until Stripe is asked for it. */
const WAIT_MINUTES = [1, 5, 30, 120, 360, 720, 1440, 1440]
export const MAX_ATTEMPTS = WAIT_MINUTES.length

export const retryAt = (now: Date, attempts: number): Date =>
  new Date(now.getTime() + (WAIT_MINUTES[Math.min(attempts, MAX_ATTEMPTS - 1)] ?? 0) * 60_000)

/**
 * Applies events that are due, in one transaction with the mark that they were.
 *
 * @param ids only these; without them, as many as `limit`, those first that wait longest
 */
export async function applyBatch(batch: Batch, { ids, limit }: { ids?: string[]; limit: number }): Promise<Applied> {
  const { tx, newsletter } = batch
  const told = await claim(batch, { ids, limit })
  await lockObjects(tx, newsletter.id, told.flatMap(lockedBy))
  const statements = Map.groupBy(
    told.flatMap(({ happening, stated_at: at }): Statement[] =>
      happening?.kind === 'subscription' ? [{ stated: happening.stated, at }] : [],
    ),
    ({ stated }) => stated.stripeId,
  )
  const stored = await applySubscriptions(tx, newsletter, statements)
  const outcomes = new Map<string, Outcome>()
  for (const event of told)
    if (event.happening?.kind === 'subscription') outcomes.set(event.id, outcomeOf(stored.get(event.object_id), event))
  await applyRest(batch, told, outcomes)
  await mark(batch, told, outcomes)
  await wake(batch, told, outcomes)
  const unknown = [...stored].flatMap(([id, outcome]) => (typeof outcome === 'object' && outcome.asksFor ? [id] : []))
  return { events: told.length, ask: [...new Set([...asked(told, outcomes), ...unknown])] }
}

async function claim({ tx, newsletter, now }: Batch, { ids, limit }: { ids?: string[] | undefined; limit: number }) {
  let query = tx
    .selectFrom('payment_event')
    .select(['id', 'type', 'object_id', 'stated_at', 'attempts', 'body'])
    .where('newsletter_id', '=', newsletter.id)
    .where('applied_at', 'is', null)
    .where('due_at', '<=', now)
  if (ids) query = query.where('id', 'in', ids)
  const rows = await query.orderBy('due_at').orderBy('stated_at').limit(limit).forUpdate().skipLocked().execute()
  return rows.map(({ body, ...row }): Told => ({ ...row, happening: read(body) }))
}

function read(body: string | null): Happening | null {
  try {
    return readEvent(JSON.parse(body ?? '') as Stripe.Event)
  } catch {
    return null
  }
}

/** What nobody else may change while the event is applied. */
function lockedBy({ happening }: Told): string[] {
  switch (happening?.kind) {
    case 'subscription':
      return [happening.stated.stripeId]
    case 'purchase':
      return [happening.purchase.stripeId]
    case 'payment':
      return [happening.payment.subscription ?? '', happening.payment.stripeId]
    case 'failure':
    case 'next attempt':
      return [happening.failure.subscription, happening.failure.invoice]
    case 'link':
      return [happening.invoice]
    case 'return':
      return [happening.returned.paymentIntent ?? '']
    default:
      return []
  }
}

/** Until the transaction ends nobody else applies what is said of these objects, stored or not. */
export async function lockObjects(tx: Db, newsletterId: string, names: string[]): Promise<void> {
  const keys = [...new Set(names)].map((name) => `${newsletterId} ${name}`)
  await sql`select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(name, 11) as key from unnest(${keys}::text[]) name order by 1
    ) k`.execute(tx)
}

function outcomeOf(outcome: SubscriptionOutcome | undefined, { object_id }: Told): Outcome {
  if (outcome === 'not_ours') return ignored
  if (outcome === 'plan_unknown') return { applied: false, problem: 'plan_unknown' }
  if (outcome === 'ask' || outcome === undefined) return { applied: false, waitsFor: object_id }
  return { applied: true, problem: outcome.problem }
}

/** In an order in which each finds what it needs, when all are in the batch. */
async function applyRest(batch: Batch, told: Told[], outcomes: Map<string, Outcome>): Promise<void> {
  const { tx, newsletter } = batch
  const happenings = told.flatMap(({ happening }) => happening ?? [])
  const purchased = happenings.flatMap((each) => (each.kind === 'purchase' ? [each.purchase.names] : []))
  const names = await findNames(tx, newsletter.id, purchased)
  await lockBookings(
    tx,
    newsletter.id,
    purchased.flatMap(({ booking }) => booking ?? []),
  )
  const subscriptions = await findByStripeIds(
    tx,
    newsletter.id,
    happenings.flatMap((each) =>
      each.kind === 'payment'
        ? (each.payment.subscription ?? [])
        : each.kind === 'failure'
          ? each.failure.subscription
          : [],
    ),
  )
  for (const kind of ['purchase', 'payment', 'link', 'return', 'failure', 'next attempt', 'nothing'] as const)
    for (const event of told)
      if (event.happening?.kind === kind)
        outcomes.set(event.id, await applyOne(batch, event.happening, { names, subscriptions }))
  for (const { id, happening } of told) if (!happening) outcomes.set(id, { applied: false, problem: 'unreadable' })
}

interface Found {
  names: KnownNames
  subscriptions: Map<string, SubscriptionRow>
}

async function applyOne(
  { tx, newsletter, now }: Batch,
  happening: Exclude<Happening, { kind: 'subscription' }>,
  { names, subscriptions }: Found,
): Promise<Outcome> {
  switch (happening.kind) {
    case 'purchase': {
      if (happening.purchase.names.gift !== null) {
        const outcome = await applyGiftOrder(tx, newsletter, { purchase: happening.purchase, now })
        if (outcome === 'order_unknown') return { applied: false, problem: outcome }
        return outcome === 'stored' ? done : ignored
      }
      if (happening.purchase.names.booking !== null) {
        const outcome = await applyBookingPayment(tx, newsletter.id, { purchase: happening.purchase, now })
        if (outcome === 'booking_unknown' || outcome === 'sum_differs') return { applied: false, problem: outcome }
        return outcome === 'stored' ? done : ignored
      }
      const outcome = await applyPurchase(tx, newsletter, { purchase: happening.purchase, names })
      if (outcome === 'price_unknown') return { applied: false, problem: outcome }
      return { applied: true, problem: outcome === 'stored' ? null : outcome }
    }
    case 'payment': {
      const waitsFor = happening.payment.subscription ?? ''
      const subscription = subscriptions.get(waitsFor)
      if (!subscription) return isForeign(happening.names, newsletter) ? ignored : { applied: false, waitsFor }
      await applyPayment(tx, subscription, happening.payment)
      return done
    }
    case 'failure': {
      const waitsFor = happening.failure.subscription
      const subscription = subscriptions.get(waitsFor)
      if (!subscription) return isForeign(happening.names, newsletter) ? ignored : { applied: false, waitsFor }
      const { newsletter_id: newsletterId, id: subscriptionId } = subscription
      if (await applyFailure(tx, subscription, happening.failure))
        await enqueue(tx, 'mail_payment_failure', {
          newsletterId,
          subscriptionId,
          step: 'failed',
          invoiceId: happening.failure.invoice,
        })
      return done
    }
    case 'next attempt': {
      if (await applyNextAttempt(tx, newsletter.id, happening.failure)) return done
      return isForeign(happening.names, newsletter) ? ignored : { applied: false, waitsFor: happening.failure.invoice }
    }
    case 'link':
      return (await linkPayment(tx, newsletter.id, happening)) ? done : { applied: false, waitsFor: happening.invoice }
    case 'return': {
      const isKnown = await applyReturn(tx, newsletter.id, { returned: happening.returned, now })
      const waitsFor = happening.returned.paymentIntent
      return isKnown ? done : waitsFor === null ? ignored : { applied: false, waitsFor }
    }
    case 'nothing':
      return done
  }
}

/** Whether it says itself that it belongs to something else that the same account sells. */
const isForeign = ({ newsletter }: { newsletter: string | null }, { id }: ChargingNewsletter) => newsletter !== id

async function mark({ tx, newsletter, now }: Batch, told: Told[], outcomes: Map<string, Outcome>): Promise<void> {
  const rows = told.map(({ id, attempts, happening }) => {
    const outcome = outcomes.get(id) ?? done
    const waitsFor = 'waitsFor' in outcome ? outcome.waitsFor : null
    const isOver = waitsFor === null || attempts + 1 >= MAX_ATTEMPTS
    // An account sells other things too: what never turns out to be ours is no problem of an owner's.
    const mayBeOthers = happening?.kind === 'link' || happening?.kind === 'return' || happening?.kind === 'next attempt'
    const isOthers = isOver && waitsFor !== null && mayBeOthers
    return {
      id,
      applied: outcome.applied || isOthers,
      waitsFor,
      problem: 'problem' in outcome ? outcome.problem : isOthers ? 'not_ours' : isOver ? 'gone' : null,
      due: isOver ? 'infinity' : retryAt(now, attempts).toISOString(),
    }
  })
  await sql`
    update payment_event e set applied_at = case when u.applied then ${now}::timestamptz end, attempts = least(e.attempts + 1, 100),
      waits_for = case when u.applied then null else u.waits_for end, problem = u.problem,
      due_at = case when u.applied then e.due_at else u.due end
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ applied }) => applied)}::boolean[],
      ${rows.map(({ waitsFor }) => waitsFor)}::text[], ${rows.map(({ problem }) => problem)}::text[],
      ${rows.map(({ due }) => due)}::timestamptz[]) as u (id, applied, waits_for, problem, due)
    where e.newsletter_id = ${newsletter.id} and e.id = u.id`.execute(tx)
}

/** Those that wait for what is known since now are due at once. */
async function wake(batch: Batch, told: Told[], outcomes: Map<string, Outcome>): Promise<void> {
  const known = told.flatMap(({ id, happening }) => {
    if (!outcomes.get(id)?.applied) return []
    if (happening?.kind === 'subscription') return [happening.stated.stripeId]
    if (happening?.kind === 'payment') return [happening.payment.stripeId, happening.payment.paymentIntent ?? '']
    if (happening?.kind === 'failure') return [happening.failure.invoice]
    if (happening?.kind === 'purchase') return [happening.purchase.paymentIntent ?? '']
    return happening?.kind === 'link' ? [happening.paymentIntent] : []
  })
  await wakeWaiting(batch, known)
}

export async function wakeWaiting({ tx, newsletter, now }: Batch, known: string[]): Promise<void> {
  if (known.length === 0) return
  await tx
    .updateTable('payment_event')
    .set({ due_at: now, waits_for: null })
    .where('newsletter_id', '=', newsletter.id)
    .where('applied_at', 'is', null)
    .where('waits_for', 'in', [...new Set(known)])
    .execute()
}

/** Two statements of one moment are settled at once. What was waited for is asked for when it did not come. */
function asked(told: Told[], outcomes: Map<string, Outcome>): string[] {
  const names = told.flatMap(({ id, attempts, happening }) => {
    const outcome = outcomes.get(id)
    if (!outcome || !('waitsFor' in outcome)) return []
    const isTie = happening?.kind === 'subscription'
    return (isTie || attempts > 0) && /^(sub|pi)_/.test(outcome.waitsFor) ? [outcome.waitsFor] : []
  })
  return [...new Set(names)]
}
