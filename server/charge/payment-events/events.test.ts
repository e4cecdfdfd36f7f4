import fc from 'fast-check'
import { sql } from 'kysely'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDatabaseAway } from '../../database/away.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import type { TestNewsletter } from '../../testing/newsletter.ts'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import type { StripeHistory } from '../../testing/stripe/history.ts'
import type { Posted } from '../../testing/stripe/webhooks.ts'
import { webhookEvents } from '../stripe/webhook-events.ts'
import { EventApplier } from './applier.ts'
import { approveRepairs, beginComparison, continueComparison, findUnderWay } from './comparison.ts'
import { factsOf } from './read-event.ts'
import { storeEvents } from './store-event.ts'

let connected: ConnectedNewsletter
let server: TestNewsletter
let history: StripeHistory
let told: Posted[]
beforeAll(async () => {
  connected = await startConnectedNewsletter()
  ;({ server, history } = connected)
  told = await eventfulYear()
})
afterAll(() => connected?.stop())

type Seven = [SubscriberKey, SubscriberKey, SubscriberKey, SubscriberKey, SubscriberKey, SubscriberKey, SubscriberKey]

/** Everything that can happen to a subscription, to seven people at once. */
async function eventfulYear(): Promise<Posted[]> {
  const { newsletterId, context } = server
  const { plan } = connected
  const emails = Array.from({ length: 7 }, (_, index) => `reader${index}@example.org`)
  const ids = await server.addSubscribers(emails)
  const keys = ids.map((subscriberId) => ({ newsletterId, subscriberId }))
  const [steady, failing, mending, cancelling, pausing, trying, forever] = keys as Seven
  const lifetime = {
    newsletter_id: newsletterId,
    plan_id: plan.planId,
    currency: 'eur',
    period: 'once' as const,
    amount: 9000,
  }
  const { id: onceId } = await context.db.insertInto('price').values(lifetime).returning('id').executeTakeFirstOrThrow()
  const { api, account, stripe } = history
  await history.buy(steady, plan)
  const ends = await history.buy(failing, plan)
  const mends = await history.buy(mending, plan)
  const cancels = await history.buy(cancelling, plan)
  const pauses = await history.buy(pausing, plan)
  await history.buy(trying, { ...plan, trialDays: 14 })
  await history.buy(forever, { ...plan, priceId: onceId, once: true })
  await api.subscriptions.update(pauses, { pause_collection: { behavior: 'void' } })
  history.pass(10)
  await api.subscriptions.update(cancels, { cancel_at_period_end: true })
  for (const subscription of [ends, mends]) stripe.declineCards(account, await history.customerOf(subscription))
  history.pass(24)
  stripe.declineCards(account, await history.customerOf(mends), false)
  history.pass(30)
  await api.subscriptions.update(pauses, { pause_collection: '' })
  history.pass(30)
  const { data: charges } = await api.charges.list({ limit: 100 })
  const paid = charges.filter((charge) => charge.paid)
  await api.refunds.create({ charge: paid[0]?.id ?? '', amount: 200 })
  await api.refunds.create({ charge: paid[1]?.id ?? '' })
  stripe.dispute(account, paid[2]?.id ?? '')
  return (await history.events()).filter(({ event }) => webhookEvents.some((type) => type === event.type))
}

const send = async (events: Posted[]) =>
  storeEvents(
    server.context.db,
    events.map(({ body }) => ({
      ...factsOf(JSON.parse(body) as Stripe.Event),
      newsletterId: server.newsletterId,
      body,
    })),
  )
const apply = () => new EventApplier(server.context).drain()
/** As the applier does, which looks again after a connection was lost. */
const untilBack = (): Promise<void> =>
  apply().catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error
    return untilBack()
  })

/** What is stored, without what each run makes anew: our ids, and the times at which we did something. */
async function state() {
  const { db } = server.context
  const { rows } = await sql<{ state: object }>`
    select jsonb_build_object(
      'subscriptions', (select jsonb_agg(to_jsonb(s) - 'id' - 'changed_at' - 'stripe_at' order by stripe_id) from subscription s),
      'entitlements', (select jsonb_agg(to_jsonb(e) order by subscriber_id, plan_id) from entitlement e),
      'payments', (select jsonb_agg(to_jsonb(p) - 'id' - 'subscription_id' - 'refund_of'
        || jsonb_build_object('of', (select stripe_id from payment o where o.id = p.refund_of),
          'subscription', (select stripe_id from subscription o where o.id = p.subscription_id)) order by stripe_id) from payment p),
      'revenue', (select jsonb_agg(r order by stripe_id) from (
        select s.stripe_id, sum(yearly) from revenue_change r join subscription s on s.id = r.subscription_id group by 1 having sum(yearly) <> 0) r),
      'failures', (select jsonb_agg(to_jsonb(f) - 'subscription_id' - 'told_attempt' order by invoice_id) from payment_failure f),
      'open', (select jsonb_agg(jsonb_build_array(id, type, problem, waits_for)) from payment_event where applied_at is null)
    ) as state`.execute(db)
  return rows[0]?.state
}

async function forget() {
  await sql`truncate stripe_comparison, payment_event, payment_failure, payment, entitlement, revenue_change, subscription cascade`.execute(
    server.context.db,
  )
}

async function goOn() {
  const { db, now, log } = server.context
  const comparison = await findUnderWay(db, server.newsletterId)
  if (!comparison) throw new Error('none is under way')
  const newsletter = { id: server.newsletterId, grace_days: 14 }
  await continueComparison({ db, now, log, newsletter, stripe: history.api, test: true, comparison })
}

async function compare(going: () => Promise<void> = goOn) {
  const { db, now } = server.context
  const { newsletterId } = server
  const { id } = await beginComparison(db, newsletterId, now())
  await going()
  const query = db.selectFrom('stripe_comparison').selectAll().where('id', '=', id)
  const { state: outcome } = await query.executeTakeFirstOrThrow()
  if (outcome !== 'stopped') return outcome
  expect(await approveRepairs(db, { newsletterId, id })).toBe(true)
  await going()
  return (await query.executeTakeFirstOrThrow()).state
}

/** What no list tells: since when somebody did not pay, which they have paid by now, and what was given back by a bank. */
async function lasting() {
  const { failures: _, payments, ...rest } = (await state()) as { failures: unknown; payments: { kind: string }[] }
  return { ...rest, payments: payments.filter(({ kind }) => kind !== 'dispute') }
}

async function inOrder() {
  await forget()
  for (const event of told) await send([event])
  await apply()
  return state()
}

test('a year is stored as it happened, one event after the other', async () => {
  await forget()
  for (const event of told) {
    await send([event])
    await apply()
  }
  const { db } = server.context
  const subscriptions = await db
    .selectFrom('subscription as s')
    .innerJoin('subscriber', 'subscriber.id', 's.subscriber_id')
    .select(['s.status', 's.renews', 's.period'])
    .orderBy('email')
    .execute()
  expect(subscriptions.map(({ status, renews, period }) => [status, renews, period])).toEqual([
    ['active', true, 'month'],
    ['ended', false, 'month'],
    ['active', true, 'month'],
    ['ended', false, 'month'],
    ['active', true, 'month'],
    ['active', true, 'month'],
    ['active', false, 'once'],
  ])
  const payments = await db.selectFrom('payment').selectAll().execute()
  const sum = (kind: string) => payments.filter((row) => row.kind === kind).map(({ amount, tax }) => [amount, tax])
  expect(sum('payment').length).toBeGreaterThan(12)
  expect(sum('payment')).toContainEqual([600, 100])
  expect(sum('refund')).toContainEqual([-200, -33])
  expect(sum('dispute')).toHaveLength(1)
  expect(await state()).toMatchObject({ open: null })
}, 120_000)

test('in any order, repeated and in batches of any size, the same events end in the same state', async () => {
  const expected = await inOrder()
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(told, { minLength: told.length }),
      fc.integer({ min: 1, max: 60 }),
      async (order, size) => {
        await forget()
        for (let from = 0; from < order.length; from += size) {
          await send(order.slice(from, from + size))
          await send(order.slice(Math.max(0, from - size), from + 1))
          await apply()
        }
        expect(await state()).toEqual(expected)
      },
    ),
    { numRuns: 3 },
  )
}, 120_000)

test('several processes at once, each of which loses its connection now and then, apply each event once', async () => {
  const { db } = server.context
  const expected = await inOrder()
  await forget()
  await send(told)
  // This one connection is never lost.
  await db.connection().execute(async (kept) => {
    for (let round = 0; round < 6; round++) {
      const applying = [apply(), apply(), apply()].map((each) => each.catch(() => {}))
      // As when the process is killed in the middle of a transaction.
      await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(kept)
      await Promise.all(applying)
    }
    await Promise.all([untilBack(), untilBack(), untilBack()])
    // What one of them postponed, because its connection was gone, is due later.
    await sql`update payment_event set due_at = now() where applied_at is null`.execute(kept)
  })
  await untilBack()
  expect(await state()).toEqual(expected)
}, 120_000)

test('whatever gets lost, the comparison with the lists of Stripe puts it right', async () => {
  await inOrder()
  await compare()
  const expected = await lasting()
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(told), async (some) => {
      await forget()
      await send(some)
      await apply()
      expect(await compare()).toBe('done')
      await apply()
      expect({ ...(await lasting()), open: null }).toEqual({ ...expected, open: null })
    }),
    { numRuns: 3, examples: [[[]]] },
  )
}, 120_000)

test('a comparison that is broken off at each list goes on from there, reads no list twice, and ends in the same', async () => {
  await inOrder()
  await compare()
  const expected = await lasting()
  const read = async () => {
    await forget()
    const from = history.stripe.requests.length
    return () => history.stripe.requests.slice(from).filter((line) => lists.includes(line))
  }
  const lists = ['subscriptions', 'checkout/sessions', 'invoices', 'charges', 'refunds'].map(
    (list) => `GET /v1/${list}`,
  )
  const atOnce = await read()
  expect(await compare()).toBe('done')
  const asked = atOnce().length
  const inPieces = await read()
  // Each is refused as often as the SDK asks.
  for (const of of lists) history.stripe.fail({ kind: 'refuse', status: 500, of, times: 3 })
  let brokenOff = 0
  const patiently = async (): Promise<void> => {
    try {
      await goOn()
    } catch (error) {
      expect(error).toBeInstanceOf(Stripe.errors.StripeAPIError)
      brokenOff += 1
      await patiently()
    }
  }
  expect(await compare(patiently)).toBe('done')
  expect(brokenOff).toBe(lists.length)
  expect(inPieces()).toHaveLength(asked + 3 * lists.length)
  await apply()
  expect(await lasting()).toEqual(expected)
}, 120_000)
