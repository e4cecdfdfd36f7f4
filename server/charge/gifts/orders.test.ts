import type { JobHelpers } from 'graphile-worker'
import { sql } from 'kysely'
import StripeSdk from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import { SECRET } from '../../testing/stripe/history.ts'
import { jobsOf } from '../../work.ts'
import { EventApplier } from '../payment-events/applier.ts'
import { beginComparison, continueComparison, findUnderWay } from '../payment-events/comparison.ts'
import type { Gift } from './contract.ts'
import { forgetGiftOrdersJob } from './forget-orders.job.ts'
import { redeem } from './redeem.ts'

const DAY_MS = 86_400_000
let connected: ConnectedNewsletter
let server: ConnectedNewsletter['server']
let history: ConnectedNewsletter['history']
let yearly: number
let people = 0
beforeAll(async () => {
  connected = await startConnectedNewsletter()
  ;({ server, history } = connected)
  const { db } = server.context
  const year = db.selectFrom('price').select('id').where('plan_id', '=', connected.plan.planId)
  yearly = (await year.where('period', '=', 'year').executeTakeFirstOrThrow()).id
})
afterAll(() => connected?.stop())
beforeEach(async () => {
  history.stripe.heal()
  await setGiftable(true)
  await history.events()
})

const setGiftable = (giftable: boolean) =>
  server.owner.call('PATCH', `${server.path}/charge/plans/${connected.plan.planId}`, { giftable })
const someone = () => `giver${++people}@example.org`
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const give = (fields: Record<string, string> = {}, newsletterId = server.newsletterId) =>
  server.inject({
    method: 'POST',
    url: `/plans/${newsletterId}/give?lang=en`,
    remoteAddress: `203.0.113.${++people % 250}`,
    payload: new URLSearchParams({ price: String(yearly), email: someone(), ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  })

/** The checkout of an order, not paid yet. */
async function ordered(fields: Record<string, string> = {}) {
  const answer = await give(fields)
  expect([answer.statusCode, answer.headers.refresh]).toEqual([200, expect.stringContaining('/c/pay/')])
  const [session] = history.account.world.all('checkout.session')
  return session ?? expect.fail('no session')
}

/** An order that is paid, with the events of it. */
async function paid(fields: Record<string, string> = {}) {
  const session = await ordered(fields)
  history.stripe.pay(history.account, session.id)
  return { session, bodies: (await history.events()).map(({ body }) => body) }
}

async function tell(bodies: string[]) {
  for (const payload of bodies) {
    const signature = StripeSdk.webhooks.generateTestHeaderString({ payload, secret: SECRET })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const url = `/stripe/${server.newsletterId}`
    expect((await server.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(200)
  }
  await server.work()
}

const gifts = async (): Promise<Gift[]> => (await server.owner.call('GET', `${server.path}/charge/gifts`)).json().rows
const newest = async () => (await gifts())[0] ?? expect.fail('no gift')
const orderOf = (stripeId: string) =>
  server.context.db.selectFrom('gift_order').selectAll().where('stripe_id', '=', stripeId).executeTakeFirstOrThrow()
const books = (stripeId: string) =>
  server.context.db
    .selectFrom('payment as p')
    .innerJoin('gift_order as o', 'o.gift_id', 'p.gift_id')
    .select(['p.kind', 'p.amount', 'p.plan_id', 'p.test', 'p.subscription_id'])
    .where('o.stripe_id', '=', stripeId)
    .orderBy('p.at')
    .execute()
async function mailsTo(email: string) {
  const mails = (await server.context.relays.outbox.list()).filter(({ to }) => to === email)
  const sources = await Promise.all(mails.map(({ id }) => server.context.relays.outbox.read(id)))
  return sources.map((mail) =>
    String(mail?.source)
      .replaceAll(/=\r?\n/g, '')
      .replaceAll('=3D', '='),
  )
}
async function take({ id }: Pick<Gift, 'id'>) {
  const [subscriberId = ''] = await server.addSubscribers([someone()])
  const newsletter = { id: server.newsletterId, grace_days: 14 }
  expect(await redeem(server.context, newsletter, { giftId: id, subscriberId })).toBe('given')
  return subscriberId
}
const refund = async (paymentIntent: unknown, amount?: number) => {
  await history.api.refunds.create({ payment_intent: String(paymentIntent), ...(amount && { amount }) })
  return (await history.events()).map(({ body }) => body)
}

test('a plan is given only where its owner says so, and its page says for how long and for how much', async () => {
  const { body } = await server.inject({ url: `/plans/${server.newsletterId}?lang=en` })
  expect(body).toContain(`/plans/${server.newsletterId}/give?price=${yearly}`)
  const page = await server.inject({ url: `/plans/${server.newsletterId}/give?price=${yearly}&lang=en` })
  expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('12 months of')])
  const [, french = ''] = /href="([^"]*lang=fr[^"]*)"/.exec(page.body) ?? []
  expect((await server.inject({ url: french.replaceAll('&amp;', '&') })).body).toContain('12\u00a0mois d’abonnement')
  await setGiftable(false)
  expect((await server.inject({ url: `/plans/${server.newsletterId}?lang=en` })).body).not.toContain('/give?')
  for (const price of [yearly, connected.plan.priceId, 999_999, 'x', ''])
    expect((await give({ price: String(price) })).statusCode).toBe(404)
  await setGiftable(true)
  expect((await give({ price: String(connected.plan.priceId) })).statusCode).toBe(404)
})

test('somebody buys a gift: nobody is written to before it is paid, then both get the code, and anyone takes it', async () => {
  const [email, recipient] = [someone(), someone()]
  const session = await ordered({ email, recipient, name: 'Ada', message: 'Read <b>on</b>\nby the sea' })
  expect(session).toMatchObject({ mode: 'payment', customer_email: email, amount_total: 5400, currency: 'eur' })
  const before = (await gifts()).length
  await server.work()
  expect([await mailsTo(email), await mailsTo(recipient), (await gifts()).length]).toEqual([[], [], before])
  history.stripe.pay(history.account, session.id)
  await tell((await history.events()).map(({ body }) => body))
  const gift = await newest()
  expect(gift).toMatchObject({ planId: connected.plan.planId, months: 12, state: 'open' })
  expect(gift.bought).toMatchObject({
    buyer: email,
    recipient,
    test: true,
    returned: false,
    mailedAt: expect.any(String),
  })
  const [receipt = '', ...noMore] = await mailsTo(email)
  expect(noMore).toEqual([])
  expect(receipt).toContain(gift.code)
  expect(receipt).toContain('54')
  const [present = '', ...none] = await mailsTo(recipient)
  expect(none).toEqual([])
  expect(present).toContain(gift.code)
  expect(present).toContain('&lt;b&gt;on&lt;/b&gt;')
  expect(present).toContain(`/plans/${server.newsletterId}/gift?lang=en`)
  expect(await books(session.id)).toEqual([
    { kind: 'payment', amount: 5400, plan_id: connected.plan.planId, test: true, subscription_id: null },
  ])
  const subscriberId = await take(gift)
  const { rows } =
    await sql`select s.way, s.test, s.amount from subscription s where s.subscriber_id = ${subscriberId}`.execute(
      server.context.db,
    )
  expect(rows).toEqual([{ way: 'gift', test: true, amount: null }])
  expect((await sql`select from revenue_change`.execute(server.context.db)).rows).toEqual([])
  expect(await orderOf(session.id)).toMatchObject({ recipient_email: null, recipient_name: '', message: '' })
  expect((await newest()).bought).toMatchObject({ buyer: email, recipient: null })
})

test('events that come again, shuffled, late or never end in the same state', async () => {
  const told = async (order: (bodies: string[]) => string[], alter = false) => {
    const email = someone()
    const { session, bodies } = await paid({ email })
    const back = await refund(session.payment_intent, 400)
    await tell(order([...bodies, ...back]))
    if (alter) await compare()
    const { paid_at, gift_id, returned_at } = await orderOf(session.id)
    return {
      ...{ paid: paid_at !== null, gift: gift_id !== null, returned: returned_at !== null },
      books: (await books(session.id)).map(({ kind, amount }) => `${kind} ${amount}`).toSorted(),
      mails: (await mailsTo(email)).length,
    }
  }
  const expected = { paid: true, gift: true, returned: false, books: ['payment 5400', 'refund -400'], mails: 1 }
  expect(await told((bodies) => bodies)).toEqual(expected)
  expect(await told((bodies) => bodies.toReversed())).toEqual(expected)
  expect(await told((bodies) => [...bodies, ...bodies.toReversed(), ...bodies])).toEqual(expected)
  expect(await told(() => [], true)).toEqual(expected)
})

async function compare() {
  const { db, now, log } = server.context
  await beginComparison(db, server.newsletterId, now())
  const comparison = (await findUnderWay(db, server.newsletterId)) ?? expect.fail('none is under way')
  const newsletter = { id: server.newsletterId, grace_days: 14 }
  await continueComparison({ db, now, log, newsletter, stripe: history.api, test: true, comparison })
  await server.work()
}

test('many events at once make one code', async () => {
  const { session, bodies } = await paid()
  const before = (await gifts()).length
  await Promise.all([tell(bodies), tell(bodies), tell(bodies)])
  expect((await gifts()).length).toBe(before + 1)
  expect(await books(session.id)).toHaveLength(1)
})

test('a session that is not paid yet makes nothing, and its payment that comes later does', async () => {
  const { session, bodies } = await paid()
  const completed = bodies.find((body) => body.includes('checkout.session.completed')) ?? ''
  const event = JSON.parse(completed)
  const before = (await gifts()).length
  const unpaid = { ...event, data: { object: { ...event.data.object, payment_status: 'unpaid' } } }
  await tell([JSON.stringify(unpaid)])
  expect([(await gifts()).length, await books(session.id)]).toEqual([before, []])
  await tell([JSON.stringify({ ...event, id: `${event.id}_later`, type: 'checkout.session.async_payment_succeeded' })])
  expect((await gifts()).length).toBe(before + 1)
  // Another event that says the same makes no second one.
  await tell([JSON.stringify({ ...event, id: `${event.id}_again` })])
  expect([(await gifts()).length, (await books(session.id)).length]).toEqual([before + 1, 1])
})

test('an event that names another order, another newsletter or none makes nothing', async () => {
  const { bodies } = await paid()
  const event = JSON.parse(bodies.find((body) => body.includes('checkout.session.completed')) ?? '')
  const before = (await gifts()).length
  const naming = (metadata: object, number: number) =>
    JSON.stringify({
      ...event,
      id: `${event.id}_${number}`,
      data: { object: { ...event.data.object, metadata: { ...event.data.object.metadata, ...metadata } } },
    })
  await tell([
    naming({ tirage_gift: 'x' }, 1),
    naming({ tirage_gift: '01890000-0000-7000-8000-000000000000' }, 2),
    naming({ tirage_newsletter: 'another' }, 3),
  ])
  expect((await gifts()).length).toBe(before)
  const unknown = server.context.db.selectFrom('payment_event').select('id').where('problem', '=', 'order_unknown')
  expect(await unknown.execute()).toHaveLength(2)
})

test('what is given back before anybody took it is withdrawn, and comes again when the refund fails', async () => {
  const { session, bodies } = await paid()
  await tell(bodies)
  await tell(await refund(session.payment_intent, 5000))
  expect((await newest()).state).toBe('open')
  const rest = await refund(session.payment_intent)
  await tell(rest)
  const gift = await newest()
  expect([gift.state, gift.bought?.returned]).toEqual(['withdrawn', true])
  const [subscriberId = ''] = await server.addSubscribers([someone()])
  const newsletter = { id: server.newsletterId, grace_days: 14 }
  expect(await redeem(server.context, newsletter, { giftId: gift.id, subscriberId })).toBe('over')
  expect((await again(gift.id)).statusCode).toBe(409)
  const event = JSON.parse(rest.find((body) => body.includes('"refund.created"')) ?? '')
  const failed = { ...event.data.object, status: 'failed' }
  await tell([JSON.stringify({ ...event, id: `${event.id}_f`, type: 'refund.failed', data: { object: failed } })])
  expect(await newest()).toMatchObject({ state: 'open', bought: { returned: false } })
})

test('what was taken goes on after a refund, or ends now, as the owner says', async () => {
  for (const [access, status] of [
    ['goes_on', 'active'],
    ['now', 'ended'],
  ]) {
    const { session, bodies } = await paid()
    await tell(bodies)
    const subscriberId = await take(await newest())
    const query = server.context.db.selectFrom('payment').select('id').where('stripe_id', '=', session.id)
    const { id: paymentId } = await query.executeTakeFirstOrThrow()
    const { rows } = (await server.owner.call('GET', `${server.path}/charge/payments`)).json()
    const payment = rows.find(({ id }: { id: string }) => id === paymentId)
    expect(payment).toMatchObject({ gift: true, amount: 5400, kind: 'payment', planId: connected.plan.planId })
    const url = `${server.path}/charge/payments/${paymentId}/give-back`
    expect((await server.owner.call('POST', url, { amount: 5400, seen: 0, access })).statusCode).toBe(200)
    await tell((await history.events()).map(({ body }) => body))
    const found = sql<{ status: string }>`select status from subscription where subscriber_id = ${subscriberId}`
    expect((await found.execute(server.context.db)).rows).toEqual([{ status }])
    expect((await newest()).state).toBe('taken')
    expect(await books(session.id)).toHaveLength(2)
  }
})

const again = (giftId: string) => server.owner.call('POST', `${server.path}/charge/gifts/${giftId}/mail`)

test('a mail waits for its day, also through a restart; its owner may send it now, and none goes to who complained', async () => {
  const { db } = server.context
  const [recipient, complained] = [someone(), someone()]
  const { bodies } = await paid({ recipient, day: dayIn(40) })
  await tell(bodies)
  expect(await mailsTo(recipient)).toEqual([])
  const gift = await newest()
  expect(gift.bought).toMatchObject({ recipient, mailedAt: null })
  const { rows } = await sql<{ run_at: Date }>`
    select run_at from graphile_worker._private_jobs where run_at > now() + interval '38 days'`.execute(db)
  expect(rows).toHaveLength(1)
  expect((await again(gift.id)).statusCode).toBe(200)
  expect((await again(gift.id)).statusCode).toBe(200)
  await server.work()
  expect(await mailsTo(recipient)).toHaveLength(1)
  const row = { newsletter_id: server.newsletterId, email_normalised: complained, reason: 'complained' as const }
  await db.insertInto('suppression').values(row).execute()
  await tell((await paid({ recipient: complained, email: complained })).bodies)
  expect(await mailsTo(complained)).toEqual([])
  expect((await again('x')).statusCode).toBe(404)
})

test('a worker that is killed before it says that it is done mails once', async () => {
  const { db } = server.context
  const email = someone()
  const { bodies } = await paid({ email })
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  for (const payload of bodies) {
    const signature = StripeSdk.webhooks.generateTestHeaderString({ payload, secret: SECRET })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    await server.inject({ method: 'POST', url: `/stripe/${server.newsletterId}`, payload, headers })
  }
  await new EventApplier(server.context).drain()
  const jobs = await sql<{ id: string; payload: never }>`
    select j.id, j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'mail_bought_gift'`.execute(db)
  expect(jobs.rows).toHaveLength(1)
  for (const job of [...jobs.rows, ...jobs.rows])
    await jobsOf(server.context).mail_bought_gift(job.payload, { job } as unknown as JobHelpers)
  expect(await server.queuedMail(email)).toHaveLength(1)
  await server.work()
  expect(await mailsTo(email)).toHaveLength(1)
})

test('what is wrong is said beside its field, a robot orders nothing, and pressing twice is one order', async () => {
  const orders = async () => (await server.context.db.selectFrom('gift_order').select('id').execute()).length
  const before = await orders()
  const recipient = someone()
  for (const [wrong, field] of [
    [{ email: 'nobody' }, 'email'],
    [{ recipient: 'nobody' }, 'recipient'],
    [{ message: 'To whom?' }, 'recipient'],
    [{ recipient, message: 'x'.repeat(501) }, 'message'],
    [{ recipient, message: 'See https://evil.example' }, 'message'],
    [{ recipient, message: 'a\u0000b' }, 'message'],
    [{ recipient, name: 'x'.repeat(81) }, 'name'],
    [{ recipient, day: dayIn(-2) }, 'day'],
    [{ recipient, day: dayIn(400) }, 'day'],
    [{ recipient, day: '2026-99-99' }, 'day'],
    [{ recipient, day: "'; drop" }, 'day'],
  ] as const) {
    const answer = await give(wrong)
    expect([wrong, answer.statusCode, answer.body.includes(`id="${field}-problem"`)]).toEqual([wrong, 422, true])
  }
  expect((await give({ website: 'x' })).statusCode).toBe(303)
  expect(await orders()).toBe(before)
  const same = { email: someone(), recipient }
  const sessions = history.account.world.all('checkout.session').length
  await Promise.all([give(same), give(same)])
  expect([await orders(), history.account.world.all('checkout.session').length]).toEqual([before + 1, sessions + 1])
  expect((await give({}, 'nothing')).statusCode).toBe(404)
})

test('nobody orders without end for one address', async () => {
  const recipient = someone()
  const answers = []
  for (let count = 0; count < 6; count += 1) answers.push((await give({ recipient })).statusCode)
  expect(answers).toEqual([200, 200, 200, 200, 200, 429])
})

test('addresses are forgotten 90 days after the mail, and orders that nobody paid after 30', async () => {
  const { session, bodies } = await paid({ recipient: someone() })
  await tell(bodies)
  const open = await ordered()
  const after = (days: number) =>
    forgetGiftOrdersJob({ ...server.context, now: () => new Date(Date.now() + days * DAY_MS) })
  await after(29)({}, {} as JobHelpers)
  expect((await orderOf(open.id)).buyer_email).not.toBeNull()
  await after(89)({}, {} as JobHelpers)
  expect((await orderOf(session.id)).recipient_email).not.toBeNull()
  await expect(orderOf(open.id)).rejects.toThrow()
  await after(91)({}, {} as JobHelpers)
  expect(await orderOf(session.id)).toMatchObject({ buyer_email: null, recipient_email: null, message: '' })
})
