import { sql } from 'kysely'
import type Stripe from 'stripe'
import StripeSdk from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import { SECRET } from '../../testing/stripe/history.ts'
import type { Comparison, Event, Failure } from './contract.ts'

let connected: ConnectedNewsletter
let server: ConnectedNewsletter['server']
let history: ConnectedNewsletter['history']
beforeAll(async () => {
  connected = await startConnectedNewsletter()
  ;({ server, history } = connected)
})
afterAll(() => connected?.stop())

const get = async <T>(path: string): Promise<T> =>
  (await server.owner.call('GET', `${server.path}/charge${path}`)).json()
const tasks = () => get<Record<string, number | null>>('/stripe/tasks')
const comparisons = async () => (await get<{ comparisons: Comparison[] }>('/stripe/comparisons')).comparisons
const calm = { events: 0, nameless: 0, stopped: null, failures: 0, testFailures: 0 }

async function tell(events: Stripe.Event[]) {
  for (const event of events) {
    const payload = JSON.stringify(event)
    const signature = StripeSdk.webhooks.generateTestHeaderString({ payload, secret: SECRET })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    expect(
      (await server.inject({ method: 'POST', url: `/stripe/${server.newsletterId}`, payload, headers })).statusCode,
    ).toBe(200)
  }
  await server.work()
}

const posted = async () => (await history.events()).map(({ event }) => event)

test('a renewal that failed says who, how much, the next attempt, the mail and the end of grace, until it is paid', async () => {
  expect(await tasks()).toEqual(calm)
  const [subscriberId = ''] = await server.addSubscribers(['late@example.org'])
  const id = await history.buy({ newsletterId: server.newsletterId, subscriberId }, connected.plan)
  await tell(await posted())
  history.stripe.declineCards(history.account, await history.customerOf(id))
  history.pass(31)
  await tell(await posted())
  const { rows } = await get<{ rows: Failure[] }>('/payment-failures')
  expect(rows).toMatchObject([
    {
      email: 'late@example.org',
      planId: connected.plan.planId,
      amount: 600,
      currency: 'eur',
      attempts: 1,
      toldAttempt: 1,
      mayBeTold: true,
    },
  ])
  expect(new Date(rows[0]?.readsUntil ?? 0).getTime()).toBeGreaterThan(new Date(rows[0]?.failedAt ?? 0).getTime())
  expect(await tasks()).toEqual({ ...calm, failures: 1, testFailures: 1 })
  await sql`insert into suppression (newsletter_id, email_normalised, reason) values (${server.newsletterId}, 'late@example.org', 'bounced')`.execute(
    server.context.db,
  )
  expect((await get<{ rows: Failure[] }>('/payment-failures')).rows).toMatchObject([{ mayBeTold: false }])
  history.pass(20)
  await tell(await posted())
  expect(await tasks()).toEqual(calm)
})

test.each(['as they happened', 'the other way round'])(
  'the next attempt is known though Stripe names it only after the failure, told %s',
  async (order) => {
    const [subscriberId = ''] = await server.addSubscribers([`${order.replaceAll(' ', '.')}@example.org`])
    const id = await history.buy({ newsletterId: server.newsletterId, subscriberId }, connected.plan)
    await tell(await posted())
    const customer = await history.customerOf(id)
    history.stripe.declineCards(history.account, customer)
    for (const days of [31, 3]) {
      history.pass(days)
      const events = await posted()
      const failed = events.find(({ type }) => type === 'invoice.payment_failed')?.data.object as Stripe.Invoice
      expect(failed.next_payment_attempt).toBeNull()
      for (const event of order === 'as they happened' ? events : events.toReversed()) await tell([event])
      const { data } = await history.api.invoices.list({ customer, limit: 1 })
      const { rows } = await get<{ rows: Failure[] }>('/payment-failures')
      expect(rows[0]).toMatchObject({
        attempts: failed.attempt_count,
        nextAttemptAt: new Date((data[0]?.next_payment_attempt ?? 0) * 1000).toISOString(),
      })
    }
    history.pass(20)
    await tell(await posted())
  },
)

test('what could not be applied is counted while somebody can do something about it', async () => {
  const [subscriberId = ''] = await server.addSubscribers(['plan@example.org'])
  const key = { newsletterId: server.newsletterId, subscriberId }
  await history.buy(key, { ...connected.plan, planId: 99_999 })
  const stranger = { ...key, subscriberId: '01890000-0000-7000-8000-000000000000' }
  const nobodys = await history.buy(stranger, connected.plan)
  await tell((await posted()).filter(({ type }) => type === 'customer.subscription.created'))
  expect(await tasks()).toEqual({ ...calm, events: 1, nameless: 1 })
  const { problems } = await get<{ problems: Event[] }>('/stripe/events')
  const shown = problems.map(({ problem, applied, mayRetry, dueAt }) => ({ problem, applied, mayRetry, dueAt }))
  expect(shown.toSorted((one, other) => one.problem.localeCompare(other.problem))).toEqual([
    { problem: 'plan_unknown', applied: false, mayRetry: true, dueAt: null },
    { problem: 'subscriber_unknown', applied: true, mayRetry: false, dueAt: null },
  ])

  // Without its words it cannot be tried again, and nobody is asked to.
  await sql`update payment_event set body = null where problem = 'plan_unknown'`.execute(server.context.db)
  expect(await tasks()).toEqual({ ...calm, nameless: 1 })
  const { problems: later } = await get<{ problems: Event[] }>('/stripe/events')
  expect(later.some(({ mayRetry }) => mayRetry)).toBe(false)
  await history.api.subscriptions.cancel(nobodys)
  await tell(await posted())
  expect((await tasks()).nameless).toBe(0)
})

test('a comparison that stopped waits for an owner, and says how much is mended once they let it go on', async () => {
  const bought = 21
  const addresses = Array.from({ length: bought }, (_, at) => `lost${at}@example.org`)
  for (const subscriberId of await server.addSubscribers(addresses))
    await history.buy({ newsletterId: server.newsletterId, subscriberId }, connected.plan)
  await history.events()
  expect((await server.owner.call('POST', `${server.path}/charge/stripe/comparisons`)).statusCode).toBe(200)
  await server.work()
  const [stopped] = await comparisons()
  expect(stopped).toMatchObject({ state: 'stopped', repaired: 0 })
  expect(stopped?.differences).toBeGreaterThanOrEqual(bought)
  expect((await tasks()).stopped).toBeGreaterThanOrEqual(bought)
  const repair = `${server.path}/charge/stripe/comparisons/${stopped?.id}/repair`
  expect((await server.owner.call('POST', repair)).statusCode).toBe(200)
  await server.work()
  expect((await tasks()).stopped).toBeNull()
  const [after] = await comparisons()
  expect(after?.repaired).toBeGreaterThanOrEqual(bought)
})
