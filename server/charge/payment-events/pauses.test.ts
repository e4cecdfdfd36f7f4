import fc from 'fast-check'
import { sql } from 'kysely'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import { madeEvent } from '../../testing/stripe/history.ts'
import { actOnCard } from '../card/act.ts'
import { webhookEvents } from '../stripe/webhook-events.ts'
import { EventApplier } from './applier.ts'
import { differencesOf } from './apply-subscriptions.ts'
import { answeredAt } from './ask.ts'
import { monthlyPaymentAfter, paidWhenPaused } from './paused.ts'
import { factsOf } from './read-event.ts'
import { readSubscription } from './read-subscription.ts'
import { storeEvents } from './store-event.ts'

const DAY_MS = 86_400_000

let connected: ConnectedNewsletter
beforeAll(async () => {
  connected = await startConnectedNewsletter()
})
afterAll(() => connected?.stop())

const at = (text: string) => new Date(`${text}T08:00:00Z`)

const reader = async (email: string) => {
  const { server } = connected
  const [subscriberId = ''] = await server.addSubscribers([email])
  return { newsletterId: server.newsletterId, subscriberId }
}

const hear = async (events: Stripe.Event[]) => {
  const { context, newsletterId } = connected.server
  const rows = events.map((event) => ({ ...factsOf(event), newsletterId, body: JSON.stringify(event) }))
  await storeEvents(context.db, rows)
  await new EventApplier(context).drain()
}

const told = async () =>
  (await connected.history.events()).flatMap(({ event }) =>
    webhookEvents.some((type) => type === event.type) ? [JSON.parse(JSON.stringify(event)) as Stripe.Event] : [],
  )

const standing = async (subscriberId: string) => {
  const { db } = connected.server.context
  const { rows } = await sql<{ status: string; paid: Date; until: Date }>`
    select s.status, s.paid_until as paid, e.until from subscription s join entitlement e using (newsletter_id, subscriber_id, plan_id)
    where s.subscriber_id = ${subscriberId}`.execute(db)
  return rows[0]
}

const forget = () =>
  sql`truncate payment_event, payment_failure, payment, entitlement, revenue_change, subscription cascade`.execute(
    connected.server.context.db,
  )

test('who paused reads until the end of what was paid, whatever Stripe calls the months after it, and in any order', async () => {
  const { history, plan, server } = connected
  const key = await reader('pausing@example.org')
  await told()
  const stripeId = await history.buy(key, plan)
  const bought = await history.api.subscriptions.retrieve(stripeId)
  const end = new Date((bought.items.data[0]?.current_period_end ?? 0) * 1000)
  history.pass(10)
  await history.api.subscriptions.update(stripeId, { pause_collection: { behavior: 'void' } })
  history.pass(75)
  const events = await told()
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(events, { minLength: events.length }), fc.boolean(), async (order, atOnce) => {
      await forget()
      if (atOnce) await hear(order)
      else for (const event of order) await hear([event])
      expect(await standing(key.subscriberId)).toEqual({ status: 'paused', paid: end, until: end })
    }),
    { numRuns: 8, examples: [[events, false]] },
  )
  const { data } = await history.api.charges.list()
  expect(data).toHaveLength(1)

  const answer = await history.api.subscriptions.retrieve(stripeId)
  const statement = { stated: readSubscription(answer), at: answeredAt(answer, history.stripe.now()) }
  const newsletter = { id: server.newsletterId, grace_days: 14 }
  expect(statement.stated.paidUntil?.getTime()).toBeGreaterThan(end.getTime())
  expect(await differencesOf(server.context.db, newsletter, statement)).toBeNull()

  await history.api.subscriptions.update(stripeId, { pause_collection: '' })
  await hear(await told())
  expect(await standing(key.subscriberId)).toMatchObject({ status: 'active', paid: statement.stated.paidUntil })
}, 60_000)

test('a trial that ended without a card was read until its end', async () => {
  const { history, plan } = connected
  const key = await reader('trying@example.org')
  await told()
  const stripeId = await history.buy(key, { ...plan, trialDays: 14 })
  await hear(await told())
  const trial = await history.api.subscriptions.retrieve(stripeId)
  const paused = { ...trial, status: 'paused' }
  await hear([madeEvent('customer.subscription.paused', paused, (trial.trial_end ?? 0) + 1)])
  const end = new Date((trial.trial_end ?? 0) * 1000)
  expect(await standing(key.subscriberId)).toEqual({ status: 'paused', paid: end, until: end })
})

test.each([
  ['2026-01-15', '2026-02-15', 1, '2026-03-15'],
  ['2026-01-31', '2026-02-28', 1, '2026-03-31'],
  ['2026-01-31', '2026-03-31', 1, '2026-04-30'],
  ['2025-12-29', '2026-01-29', 2, '2026-03-29'],
  ['2025-12-30', '2026-02-28', 3, '2026-05-30'],
  ['2024-01-31', '2026-02-28', 12, '2027-02-28'],
] as const)(
  'each month from %s, paid until %s: after %i payments that are left out the next is on %s',
  (...[anchor, end, months, next]) => {
    expect(monthlyPaymentAfter(at(end), { months, anchor: at(anchor) })).toEqual(at(next))
  },
)

test('who bought on a 31st and pauses in February reads no day that nobody pays for', async () => {
  const since = Date.UTC(2026, 0, 31, 8)
  const { server, history, plan, stop } = await startConnectedNewsletter({
    clock: "Stripe's",
    daysAgo: (Date.now() - since) / DAY_MS,
  })
  const [subscriberId = ''] = await server.addSubscribers(['last@example.org'])
  const stripeId = await history.buy({ newsletterId: server.newsletterId, subscriberId }, plan)
  const hearAll = async () => {
    const events = await history.events()
    const rows = events.flatMap(({ event }) =>
      webhookEvents.some((type) => type === event.type)
        ? [{ ...factsOf(event), newsletterId: server.newsletterId, body: JSON.stringify(event) }]
        : [],
    )
    await storeEvents(server.context.db, rows)
    await new EventApplier(server.context).drain()
  }
  const read = async () =>
    await server.context.db
      .selectFrom('subscription')
      .selectAll()
      .where('stripe_id', '=', stripeId)
      .executeTakeFirstOrThrow()
  // Its time goes on while the test runs.
  const dayOf = (at: Date | null) => at?.toISOString().slice(0, 10)
  await hearAll()
  const { id, paid_until } = await read()
  expect(dayOf(paid_until)).toBe('2026-02-28')
  await actOnCard(server.context, { newsletterId: server.newsletterId, subscriptionId: id }, { to: 'pause', months: 1 })
  // The 29th of March: by the end of the period in February, it would be over.
  history.pass((Date.UTC(2026, 2, 29, 8) - since) / DAY_MS)
  await hearAll()
  expect(await read()).toMatchObject({ status: 'paused', paid_until })
  history.pass(2.1)
  await hearAll()
  const after = await read()
  expect([after.status, dayOf(after.paid_until)]).toEqual(['active', '2026-04-30'])
  expect((await history.api.charges.list()).data).toHaveLength(2)
  await stop()
}, 60_000)

test.each([
  { period: 'month', from: '2026-01-31', pausedAt: '2026-02-10', now: '2026-06-30', until: '2026-02-28' },
  { period: 'month', from: '2026-01-31', pausedAt: '2026-02-28', now: '2026-06-30', until: '2026-03-31' },
  { period: 'month', from: '2026-01-15', pausedAt: '2026-01-20', now: '2026-02-15', until: '2026-02-15' },
  { period: 'year', from: '2024-02-29', pausedAt: '2026-02-10', now: '2028-02-29', until: '2026-02-28' },
  // A trial: its periods are counted from its end.
  { period: 'month', from: '2026-03-10', pausedAt: '2026-02-20', now: '2026-05-10', until: '2026-03-10' },
] as const)(
  'each $period from $from, paused on $pausedAt: paid until $until',
  ({ period, from, pausedAt, now, until }) => {
    const periods = { paidUntil: at(now), period, unpaidPeriodsFrom: at(from) }
    expect(paidWhenPaused(periods, at(pausedAt))).toEqual(at(until))
  },
)
