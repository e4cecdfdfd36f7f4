import { sql } from 'kysely'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseNewsletter, eraseSubscriber } from '../../personal-data/erase.ts'
import { addNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import { connectAccount, madeEvent, SECRET, type StripeHistory } from '../../testing/stripe/history.ts'
import { readablePlans } from '../change.ts'
import { WEBHOOK_PURPOSE } from '../stripe/account.ts'

let connected: ConnectedNewsletter
let server: TestNewsletter
let history: StripeHistory
let plan: ConnectedNewsletter['plan']
let people = 0
let ahead = 0
beforeAll(async () => {
  connected = await startConnectedNewsletter()
  ;({ server, history, plan } = connected)
  const real = server.context.now
  server.context.now = () => new Date(real().getTime() + ahead)
})
afterAll(() => connected?.stop())

const signed = (payload: string, secret = SECRET, at = server.context.now()) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at.getTime() / 1000) })

const post = async (
  payload: string,
  signature: string | null = signed(payload),
  newsletterId = server.newsletterId,
) => {
  const headers = { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) }
  const answer = await server.inject({ method: 'POST', url: `/stripe/${newsletterId}`, payload, headers })
  return { status: answer.statusCode, body: answer.body }
}

const events = () => server.context.db.selectFrom('payment_event').selectAll().execute()
const event = async (id: string) => (await events()).find((row) => row.id === id)
const subscription = async (stripeId: string) =>
  server.context.db.selectFrom('subscription').selectAll().where('stripe_id', '=', stripeId).executeTakeFirst()

async function subscriber() {
  people += 1
  const [subscriberId = ''] = await server.addSubscribers([`reader${people}@example.org`])
  return { newsletterId: server.newsletterId, subscriberId }
}

/** What was said since the last time, of each type the newest. */
async function told(): Promise<Record<string, Stripe.Event>> {
  const posted = await history.events()
  return Object.fromEntries(posted.map(({ event: each }) => [each.type, each]))
}

const tell = async (...told: (Stripe.Event | undefined)[]) => {
  for (const each of told) expect((await post(JSON.stringify(each))).status).toBe(200)
}

/** An event of the test's own, about an object as it is or as it would be. */
const eventOf = (type: string, object: object, created = Math.floor(server.context.now().getTime() / 1000)) =>
  madeEvent(type, object, created)

test('only what the account has signed within five minutes is stored, and nobody learns which newsletters there are', async () => {
  const other = await addNewsletter(server.context.db, server.owner.userId)
  const payload = JSON.stringify(eventOf('invoice.created', { id: 'in_1' }))
  const late = new Date(server.context.now().getTime() - 301_000)
  const refused = await Promise.all([
    post(payload, null),
    post(payload, 't=1,v1=00'),
    post(payload, signed(payload, 'whsec_of_another')),
    post(payload, signed(payload, SECRET, late)),
    post(payload.replace('in_1', 'in_2'), signed(payload)),
    post(payload, signed(payload), other),
    post(payload, signed(payload), 'nobody'),
  ])
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]))
  expect(new Set(refused.map(({ body }) => body)).size).toBe(1)
  expect(await events()).toEqual([])
  expect((await post(`"${'x'.repeat(600_000)}"`)).status).toBe(413)
  expect((await post('no json')).status).toBe(400)
  expect((await post(payload)).status).toBe(200)
})

test('an event that is sent again, also at the same time, is one row as it came', async () => {
  const payload = JSON.stringify(eventOf('invoice.created', { id: 'in_3', customer: 'cus_3' }), null, 2)
  for (const { status } of await Promise.all(Array.from({ length: 20 }, () => post(payload)))) expect(status).toBe(200)
  const rows = async () => (await events()).filter(({ object_id }) => object_id === 'in_3')
  expect(await rows()).toMatchObject([{ body: payload, customer: 'cus_3', applied_at: null }])
  await server.work()
  await post(payload)
  await server.work()
  expect(await rows()).toMatchObject([{ attempts: 1 }])
})

test('while a secret is replaced, what the one before has signed is taken for some days', async () => {
  const { db, sealer } = server.context
  const give = (secret: string) =>
    db
      .updateTable('stripe_account')
      .set({ webhook_secret: sealer.seal(WEBHOOK_PURPOSE, secret) })
      .where('newsletter_id', '=', server.newsletterId)
      .execute()
  const payload = JSON.stringify(eventOf('invoice.created', { id: 'in_4' }))
  await give('whsec_new')
  expect((await post(payload)).status).toBe(200)
  expect((await post(payload, signed(payload, 'whsec_new'))).status).toBe(200)
  await sql`update stripe_account set earlier_until = now() - interval '1 second'`.execute(db)
  expect((await post(payload)).status).toBe(401)
  await give(SECRET)
})

test('of two statements of one second that differ, Stripe says which one holds', async () => {
  const key = await subscriber()
  const id = await history.buy(key, plan)
  await tell(...Object.values(await told()))
  await server.work()
  const now = await history.api.subscriptions.retrieve(id)
  const created = now.created + 60
  await tell(
    eventOf('customer.subscription.updated', { ...now, status: 'past_due' }, created),
    eventOf('customer.subscription.updated', { ...now, cancel_at_period_end: true }, created),
  )
  const asked = history.stripe.requests.length
  ahead += 120_000
  history.pass(1)
  await server.work()
  expect(history.stripe.requests.slice(asked)).toEqual([`GET /v1/subscriptions/${id}`])
  expect(await subscription(id)).toMatchObject({ status: 'active', renews: true })
})

test('with Stripe away nobody is locked out, and what could not be asked is asked later', async () => {
  const key = await subscriber()
  const id = await history.buy(key, plan)
  const { 'customer.subscription.created': begun, 'customer.subscription.updated': opened, ...rest } = await told()
  await tell(begun, opened)
  await server.work()
  expect(await readablePlans(server.context.db, key, new Date())).toEqual(new Set([plan.planId]))
  history.stripe.fail({ kind: 'refuse', status: 500, times: 6 })
  await expect(history.api.subscriptions.retrieve(id)).rejects.toThrow()
  const object = (opened as Stripe.Event).data.object as Stripe.Subscription
  const tie = eventOf('customer.subscription.updated', { ...object, status: 'unpaid' }, opened?.created)
  await tell(tie)
  await server.work()
  expect(await event(tie.id)).toMatchObject({ applied_at: null, problem: 'stripe_away' })
  expect(await readablePlans(server.context.db, key, new Date())).toEqual(new Set([plan.planId]))
  history.stripe.fail({ kind: 'refuse', status: 429, times: 1 })
  ahead += 10 * 60_000
  history.pass(1)
  await server.work()
  expect(await event(tie.id)).toMatchObject({ applied_at: null, problem: 'stripe_away' })
  ahead += 60 * 60_000
  await server.work()
  expect(await event(tie.id)).toMatchObject({ problem: null, applied_at: expect.any(Date) })
  await tell(...Object.values(rest))
}, 30_000)

test('an invoice of which the subscription never came brings it by itself', async () => {
  const key = await subscriber()
  const id = await history.buy(key, plan)
  const { 'invoice.paid': paid } = await told()
  await tell(paid)
  await server.work()
  expect(await event(paid?.id ?? '')).toMatchObject({ applied_at: null, waits_for: id })
  ahead += 2 * 60_000
  await server.work()
  expect(await subscription(id)).toMatchObject({ status: 'active', subscriber_id: key.subscriberId })
  const payments = await server.context.db.selectFrom('payment').selectAll().execute()
  expect(payments.filter(({ subscriber_id }) => subscriber_id === key.subscriberId)).toMatchObject([{ amount: 600 }])
})

test('what an account sells besides, and what names another newsletter, changes nothing and is no problem', async () => {
  const key = await subscriber()
  const foreign = await addNewsletter(server.context.db, server.owner.userId)
  const ids = [
    await history.buy(key, { ...plan, names: { tirage_newsletter: foreign } }),
    await history.buy(key, { ...plan, names: { tirage_newsletter: 'nobody' } }),
  ]
  await tell(...(await history.events()).map((posted) => posted.event))
  await server.work()
  for (const id of ids) expect(await subscription(id)).toBeUndefined()
  const answer = await server.owner.call('GET', `${server.path}/charge/stripe/events`)
  expect(answer.json().problems).toEqual([])
})

test('an unknown subscriber is stored for the owner’s eye and reads nothing; an unknown plan is told, and applied once it is there', async () => {
  const stranger = { newsletterId: server.newsletterId, subscriberId: '01890000-0000-7000-8000-000000000000' }
  const unknown = await history.buy(stranger, plan)
  await tell((await told())['customer.subscription.created'])
  const key = await subscriber()
  const other = await history.buy(key, { ...plan, planId: 99_999 })
  const { 'customer.subscription.created': later } = await told()
  await tell(later)
  await server.work()
  expect(await subscription(unknown)).toMatchObject({ subscriber_id: null })
  expect(await subscription(other)).toBeUndefined()
  const { problems } = (await server.owner.call('GET', `${server.path}/charge/stripe/events`)).json()
  expect(problems.map((row: { problem: string; applied: boolean }) => [row.problem, row.applied]).toSorted()).toEqual([
    ['plan_unknown', false],
    ['subscriber_unknown', true],
  ])
  const retried = await server.owner.call('POST', `${server.path}/charge/stripe/events/${later?.id}/retry`)
  expect(retried.statusCode).toBe(200)
  expect((await server.owner.call('POST', `${server.path}/charge/stripe/events/evt_none/retry`)).statusCode).toBe(404)
})

test('an event that nobody can read stops no other', async () => {
  const broken = [
    eventOf('customer.subscription.updated', { id: 'sub_broken', status: 'active' }),
    eventOf('invoice.paid', { id: 'in_broken', status: 'paid' }),
    eventOf('refund.created', {}),
  ]
  await tell(...broken)
  const key = await subscriber()
  const id = await history.buy(key, plan)
  await tell(...Object.values(await told()))
  await server.work()
  expect(await subscription(id)).toMatchObject({ status: 'active' })
  expect(await event(broken[0]?.id ?? '')).toMatchObject({ problem: 'unreadable', due_at: Number.POSITIVE_INFINITY })
})

test('an event that fails in the database is tried a few times, and those beside it are applied', async () => {
  const key = await subscriber()
  const id = await history.buy(key, plan)
  const all = await told()
  const object = (all['customer.subscription.created'] as Stripe.Event).data.object as Stripe.Subscription
  const poison = eventOf('customer.subscription.created', { ...object, id: 'sub_poison', currency: '??' })
  await tell(poison, ...Object.values(all))
  await server.work()
  expect(await subscription(id)).toMatchObject({ status: 'active' })
  expect(await event(poison.id)).toMatchObject({ problem: 'failed', attempts: 1, applied_at: null })
  for (let day = 0; day < 10; day++) {
    ahead += 24 * 3_600_000
    await server.work()
  }
  expect(await event(poison.id)).toMatchObject({ problem: 'failed', attempts: 8, due_at: Number.POSITIVE_INFINITY })
})

test('a renewal that fails is told once for each attempt, never to whom no mail may go, and its end once', async () => {
  const [told1, silent] = [await subscriber(), await subscriber()]
  const { api, stripe, account } = history
  const ids = [await history.buy(told1, plan), await history.buy(silent, plan)]
  for (const id of ids) stripe.declineCards(account, String((await api.subscriptions.retrieve(id)).customer))
  await sql`insert into suppression (newsletter_id, email_normalised, reason)
    select newsletter_id, email_normalised, 'complained' from subscriber where id = ${silent.subscriberId}`.execute(
    server.context.db,
  )
  const seen: string[] = []
  for (const days of [31, 4, 6, 8]) {
    history.pass(days)
    const events = (await history.events()).map((posted) => posted.event)
    await tell(...events, ...events)
    await server.work()
    const state = (await server.owner.call('GET', `${server.path}/charge/payment-failures`)).json()
    seen.push(`${state.rows.length} ${state.rows[0]?.attempts ?? ''}`)
  }
  const caught = await server.context.relays.outbox.list()
  const subjects = caught.map(({ to, subject }) => `${String(to)} ${subject}`)
  expect(seen).toEqual(['2 1', '2 2', '2 3', '0 '])
  const address = `reader${people - 1}@example.org`
  expect(subjects.toReversed()).toEqual([
    `${address} Your payment for Low Water did not go through`,
    `${address} Your payment for Low Water did not go through`,
    `${address} Your payment for Low Water did not go through`,
    `${address} Your “Supporter” of Low Water has ended`,
  ])
})

test('what Stripe said of a buyer who never showed that the address was theirs is forgotten with them too, and of nobody else', async () => {
  const [key, other] = [await subscriber(), await subscriber()]
  const id = await history.buy(key, plan)
  await history.buy(other, plan)
  const [customer, stays] = [await history.customerOf(id), await history.customerOf(await history.buy(other, plan))]
  const { data } = await history.api.charges.list({ customer })
  await history.api.refunds.create({ charge: data[0]?.id ?? '' })
  history.stripe.dispute(history.account, data[0]?.id ?? '')
  const posted = await history.events()
  await tell(...posted.map(({ event: each }) => each))
  await server.work()
  const about = posted.filter(({ event: { type } }) => ['refund.created', 'charge.dispute.created'].includes(type))
  const words = async () =>
    (await events()).filter((row) => row.body !== null && about.some((each) => each.event.id === row.id))
  expect(await words()).toHaveLength(2)
  const ofOther = async () => (await events()).filter((row) => row.customer === stays && row.body !== null).length
  const before = await ofOther()
  expect(before).toBeGreaterThan(2)
  expect(await eraseSubscriber(server.context, key)).toBe(true)
  expect((await events()).filter((row) => row.customer === customer || row.body?.includes(customer))).toEqual([])
  expect(await words()).toEqual([])
  expect(await ofOther()).toBe(before)
})

test('what Stripe said of an erased person is forgotten, and what it says later brings them back to nobody', async () => {
  const key = await subscriber()
  const id = await history.buy(key, plan)
  const customer = await history.customerOf(id)
  const values = {
    newsletter_id: server.newsletterId,
    test: true,
    stripe_id: customer,
    subscriber_id: key.subscriberId,
  }
  await server.context.db.insertInto('stripe_customer').values(values).execute()
  const all = await told()
  await tell(...Object.values(all))
  await server.work()
  expect((await events()).filter((row) => row.customer === customer).length).toBeGreaterThan(2)
  expect(await eraseSubscriber(server.context, key)).toBe(true)
  expect((await events()).filter((row) => row.customer === customer || row.body?.includes(customer))).toEqual([])
  const now = await history.api.subscriptions.retrieve(id)
  await tell(eventOf('customer.subscription.updated', { ...now, cancel_at_period_end: true }, now.created + 9_999_999))
  await server.work()
  expect(await subscription(id)).toMatchObject({ status: 'ended', subscriber_id: null })
})

test('a newsletter that is gone answers as one that never was, and its events go with it', async () => {
  const gone = await addNewsletter(server.context.db, server.owner.userId)
  await connectAccount(server.context, gone, history.account.key)
  const payload = JSON.stringify(eventOf('invoice.created', { id: 'in_5' }))
  await sql`update newsletter set deleted_at = now() where id = ${gone}`.execute(server.context.db)
  expect((await post(payload, signed(payload), gone)).status).toBe(200)
  await eraseNewsletter(server.context.db, gone)
  expect((await post(payload, signed(payload), gone)).status).toBe(401)
  expect((await events()).filter(({ newsletter_id }) => newsletter_id === gone)).toEqual([])
})
