import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dateFormat } from '../../languages.ts'
import type { Session } from '../../testing/app.ts'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import { SECRET } from '../../testing/stripe/history.ts'
import type { MoveGroup, PriceMove } from './contract.ts'

const DAY_MS = 86_400_000

let connected: ConnectedNewsletter
let server: ConnectedNewsletter['server']
let history: ConnectedNewsletter['history']
let people = 0
beforeAll(async () => {
  connected = await startConnectedNewsletter({ clock: "Stripe's" })
  ;({ server, history } = connected)
  const keyOf = async (role: string) => {
    const made = await server.owner.call('POST', `${server.path}/api-keys`, { name: role, role })
    return server.withKey(made.json().secret)
  }
  key = await keyOf('owner')
  editorsKey = await keyOf('editor')
})
afterAll(() => connected?.stop())
beforeEach(async () => {
  history.stripe.heal()
  const { db } = server.context
  await sql`truncate price_move cascade`.execute(db)
  await sql`update subscription set status = 'ended', ended_at = now() where status <> 'ended'`.execute(db)
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await offer(600)
})

const plan = () => `${server.path}/charge/plans/${connected.plan.planId}`
// Days pass here, and no session lasts that long.
let key: Session['call']
let editorsKey: Session['call']
const call = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object) => key(method, url, body)

/** Offers the plan at another monthly price; answers the id of it. */
async function offer(amount: number): Promise<number> {
  const prices = [
    { currency: 'eur', period: 'month', amount },
    { currency: 'eur', period: 'year', amount: 5400 },
  ]
  const answer = (await call('PUT', `${plan()}/prices`, { prices })).json()
  return answer.prices.find(({ period }: { period: string }) => period === 'month').id
}

interface Buyer {
  email: string
  stripeId: string
  subscriptionId: string
}

/** Somebody who pays 600 a month by card, at the price that is offered now. */
async function buyer(names: Record<string, string> = {}): Promise<Buyer> {
  people += 1
  const email = `reader${people}@example.org`
  const [subscriberId = ''] = await server.addSubscribers([email])
  const priceId = await offer(600)
  const key = { newsletterId: server.newsletterId, subscriberId }
  const stripeId = await history.buy(key, { planId: connected.plan.planId, priceId, names })
  await hear()
  const { id } = await server.context.db
    .selectFrom('subscription')
    .select('id')
    .where('stripe_id', '=', stripeId)
    .executeTakeFirstOrThrow()
  return { email, stripeId, subscriptionId: id }
}

async function hear() {
  for (const { event } of await history.events()) {
    const payload = JSON.stringify(event)
    const timestamp = Math.floor(server.context.now().getTime() / 1000)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    await server.inject({ method: 'POST', url: `/stripe/${server.newsletterId}`, payload, headers })
  }
  await server.work()
}

/** As the clock does every hour, in which jobs that failed are tried again as well. */
async function anHour() {
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(server.context.db)
  await sql`select graphile_worker.add_job('move_prices_due', '{}'::json)`.execute(server.context.db)
  await hear()
}

/** Lets days pass, with the jobs of each. */
async function pass(days: number) {
  for (let day = 0; day < days; day++) {
    history.pass(1)
    await anHour()
  }
}

const shown = async (): Promise<{ groups: MoveGroup[]; leftOut: PriceMove['leftOut']; moves: PriceMove[] }> =>
  (await call('GET', `${plan()}/price-moves`)).json()
async function start(priceId: number, seen = 1): Promise<PriceMove> {
  const answer = await call('POST', `${plan()}/price-moves`, { priceIds: [priceId], seen })
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body])
  await hear()
  return answer.json()
}
const newest = async () => (await shown()).moves[0]
/** The mails about the price that somebody was sent, the newest first. */
async function mailsTo(email: string) {
  const { outbox } = server.context.relays
  const theirs = (await outbox.list()).filter(
    ({ to, subject }) => String(to) === email && subject.includes('Supporter'),
  )
  return Promise.all(
    theirs.map(async ({ id, subject }) => {
      const kept = await outbox.read(id)
      return { subject, text: (await PostalMime.parse(kept?.source ?? '')).text ?? '' }
    }),
  )
}
const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject)
const retrieve = (id: string) => history.api.subscriptions.retrieve(id)
const priceOf = async (id: string) => (await retrieve(id)).items.data[0]?.price.unit_amount
const paid = async (id: string) => {
  const customer = await history.customerOf(id)
  return (await history.api.invoices.list({ customer, limit: 100 })).data
    .map(({ amount_paid: amount, created }) => ({ amount, at: created * 1000 }))
    .toReversed()
}

test('the owner sees first how many, what each pays and will pay, and from when', async () => {
  await buyer()
  await buyer()
  const priceId = await offer(800)
  const { groups, leftOut, moves } = await shown()
  expect([leftOut, moves]).toEqual([[], []])
  expect(groups).toMatchObject([{ priceId, currency: 'eur', period: 'month', from: 600, to: 800, subscribers: 2 }])
  const inDays = (new Date(groups[0]?.firstAt ?? 0).getTime() - server.context.now().getTime()) / DAY_MS
  expect(inDays).toBeGreaterThanOrEqual(30)
  expect(inDays).toBeLessThanOrEqual(62)
})

test('who will pay more hears of it once, and pays it 30 days later at the earliest, without a proration', async () => {
  const { email, stripeId, subscriptionId } = await buyer()
  await pass(12)
  const priceId = await offer(800)
  const noticed = server.context.now()
  await start(priceId)
  expect(await newest()).toMatchObject({ noticed: 1, moved: 0, waiting: 0, doneAt: null })
  const [mail, ...others] = await mailsTo(email)
  expect(others).toEqual([])
  expect(mail?.text).toContain('€6 a month')
  expect(mail?.text).toContain('€8 a month')
  expect(mail?.text).toContain('/me/')
  expect(await priceOf(stripeId)).toBe(600)
  // Until then it shows what it will cost, and is counted at what is paid.
  const listed = await call('GET', `${server.path}/charge/subscriptions`)
  const mine = listed.json().rows.find(({ id }: { id: string }) => id === subscriptionId)
  expect(mine).toMatchObject({ amount: 600, nextAmount: 800 })
  await pass(70)
  const payments = await paid(stripeId)
  expect(payments.map(({ amount }) => amount)).toEqual([600, 600, 800])
  const first = payments.find(({ amount }) => amount === 800)
  expect((first?.at ?? 0) - noticed.getTime()).toBeGreaterThanOrEqual(30 * DAY_MS)
  const named = dateFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/Paris' }).format(first?.at ?? 0)
  expect(mail?.subject).toContain(named)
  expect(await newest()).toMatchObject({ noticed: 0, moved: 1, doneAt: expect.any(String) })
  expect(await subjects(email)).toHaveLength(1)
  const stored = server.context.db.selectFrom('subscription').selectAll().where('id', '=', subscriptionId)
  expect(await stored.executeTakeFirst()).toMatchObject({ amount: 800, price_id: priceId, next_price_id: null })
}, 60_000)

test('who will pay less pays it from the next payment on, and hears of it once', async () => {
  const { email, stripeId } = await buyer()
  await start(await offer(500))
  expect(await priceOf(stripeId)).toBe(500)
  expect(await newest()).toMatchObject({ moved: 1, doneAt: expect.any(String) })
  expect(await subjects(email)).toEqual(['Your “Supporter” of Low Water costs less: €5 a month'])
  await pass(33)
  expect((await paid(stripeId)).map(({ amount }) => amount)).toEqual([600, 500])
})

test('who cancels, pauses or changes after the notice, or whom it did not reach, is left alone, each with the reason', async () => {
  const going: Record<string, Buyer> = {}
  for (const name of ['cancelled', 'paused', 'changed', 'no_mail', 'moved']) going[name] = await buyer()
  const id = (name: string) => going[name]?.stripeId ?? ''
  await pass(10)
  await start(await offer(800), 5)
  await history.api.subscriptions.update(id('cancelled'), { cancel_at_period_end: true })
  await history.api.subscriptions.update(id('changed'), { metadata: { tirage_price: '1' } })
  await history.api.subscriptions.update(id('paused'), { pause_collection: { behavior: 'void' } })
  const suppressed = { newsletter_id: server.newsletterId, email_normalised: going.no_mail?.email ?? '' }
  await server.context.db
    .insertInto('suppression')
    .values({ ...suppressed, reason: 'bounced' })
    .execute()
  await pass(55)
  const move = await newest()
  expect(move).toMatchObject({ moved: 1, noticed: 0, waiting: 0, doneAt: expect.any(String) })
  const reasons = move?.leftOut.map(({ reason, subscribers }) => `${reason} ${subscribers}`)
  expect(reasons?.toSorted()).toEqual(['cancelled 1', 'changed 1', 'no_mail 1', 'paused 1'])
  for (const name of ['cancelled', 'paused', 'changed', 'no_mail'])
    expect([name, await priceOf(id(name))]).toEqual([name, 600])
}, 60_000)

test('who is left out from the beginning is counted before it begins', async () => {
  const resting = await buyer()
  await history.api.subscriptions.update(resting.stripeId, { pause_collection: { behavior: 'void' } })
  const bounced = await buyer()
  const suppressed = { newsletter_id: server.newsletterId, email_normalised: bounced.email }
  await server.context.db
    .insertInto('suppression')
    .values({ ...suppressed, reason: 'complained' })
    .execute()
  const late = await buyer()
  history.stripe.declineCards(history.account, await history.customerOf(late.stripeId))
  await pass(32)
  const priceId = await offer(800)
  const reasons = (await shown()).leftOut.map(({ reason, subscribers }) => `${reason} ${subscribers}`).toSorted()
  expect(reasons).toEqual(['failing 1', 'no_mail 1', 'paused 1'])
  expect((await call('POST', `${plan()}/price-moves`, { priceIds: [priceId], seen: 2 })).json()).toMatchObject({
    error: { code: 'price_move_changed' },
  })
})

test('a stop changes nobody further, and who was told hears that they keep their price', async () => {
  const { email, stripeId } = await buyer()
  const { id } = await start(await offer(800))
  const stop = () => call('POST', `${server.path}/charge/price-moves/${id}/stop`)
  expect((await stop()).json()).toMatchObject({ stoppedAt: expect.any(String) })
  expect((await stop()).statusCode).toBe(200)
  await pass(65)
  expect(await priceOf(stripeId)).toBe(600)
  expect(await newest()).toMatchObject({ kept: 1, noticed: 0, moved: 0 })
  expect(await subjects(email)).toEqual([
    'Your “Supporter” of Low Water stays at €6 a month',
    expect.stringContaining('costs €8 a month'),
  ])
}, 60_000)

test('jobs at the same time, and again, tell and move each once', async () => {
  const rising = await buyer()
  const priceId = await offer(800)
  const { id: moveId } = (await call('POST', `${plan()}/price-moves`, { priceIds: [priceId], seen: 1 })).json()
  const payload = JSON.stringify({ newsletterId: server.newsletterId, moveId })
  for (let time = 0; time < 6; time++)
    await sql`select graphile_worker.add_job('move_prices', ${payload}::json)`.execute(server.context.db)
  await Promise.all([server.work(), server.work(), server.work()])
  expect(await subjects(rising.email)).toHaveLength(1)
})

test('killed between Stripe and its record, it is found done and told once; while Stripe is away nobody is told it is done', async () => {
  const { email, stripeId } = await buyer()
  const priceId = await offer(500)
  // Its answer and those of the SDK's repetitions get lost, and so does the record.
  history.stripe.fail({ kind: 'lose', of: `POST /v1/subscriptions/${stripeId}`, times: 3 })
  await start(priceId)
  expect(await priceOf(stripeId)).toBe(500)
  expect(await subjects(email)).toEqual([])
  history.stripe.heal()
  await anHour()
  expect(await newest()).toMatchObject({ moved: 1 })
  expect(await subjects(email)).toHaveLength(1)
  await anHour()
  expect(await subjects(email)).toHaveLength(1)
}, 60_000)

test('what is wrong, foreign or under way begins nothing', async () => {
  await buyer()
  const priceId = await offer(800)
  const begin = (body: object, of = plan()) => call('POST', `${of}/price-moves`, body)
  for (const body of [{}, { priceIds: [], seen: 1 }, { priceIds: [priceId], seen: 0 }, { priceIds: ['x'], seen: 1 }])
    expect((await begin(body)).statusCode).toBe(422)
  expect((await begin({ priceIds: [priceId, 1_999_999], seen: 1 })).statusCode).toBe(404)
  expect((await begin({ priceIds: [priceId], seen: 1 }, `${server.path}/charge/plans/999999`)).statusCode).toBe(404)
  const both = await Promise.all([1, 2, 3].map(() => begin({ priceIds: [priceId], seen: 1 })))
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
  for (const id of ['x', '01890000-0000-7000-8000-000000000000'])
    expect((await call('POST', `${server.path}/charge/price-moves/${id}/stop`)).statusCode).toBe(404)
  expect((await editorsKey('POST', `${plan()}/price-moves`, { priceIds: [priceId], seen: 1 })).statusCode).toBe(403)
})
