import { sql } from 'kysely'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPaidSubscription } from '../../testing/charge.ts'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import { SECRET } from '../../testing/stripe/history.ts'
import { noteCouponUse } from '../plans/coupons.ts'

let connected: ConnectedNewsletter
let made = 0
beforeAll(async () => {
  connected = await startConnectedNewsletter()
})
afterAll(() => connected?.stop())
beforeEach(() => connected.history.stripe.heal())

const api = (method: 'POST' | 'GET' | 'DELETE', rest: string, body?: object) =>
  connected.server.owner.call(method, `/api/newsletters/${connected.server.newsletterId}/charge${rest}`, body)

async function coupon(values: object = {}): Promise<{ id: number; code: string }> {
  made += 1
  return (await api('POST', '/coupons', { code: `CODE${made}`, percent: 50, ...values })).json()
}

const plans = async (query: string) =>
  (await connected.server.inject({ method: 'GET', url: `/plans/${connected.server.newsletterId}?per=month&${query}` }))
    .body

/** Goes to Stripe's page with a code; answers what was said, and the session. */
async function go(code: string, named?: string) {
  made += 1
  const email = named ?? `buyer${made}@example.org`
  const { server, plan, history } = connected
  const fields = { price: String(plan.priceId), email, consent: 'yes', coupon: code, lang: 'en' }
  const answer = await server.inject({
    method: 'POST',
    url: `/checkout/${server.newsletterId}`,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const session = /cs_test_\w+/.exec(String(answer.headers.refresh))?.[0] ?? ''
  return { answer, session, pay: () => history.stripe.pay(history.account, session) }
}

async function hear(times = 1) {
  const { server, history } = connected
  for (const { event } of await history.events())
    for (let time = 0; time < times; time++) {
      const payload = JSON.stringify(event)
      const timestamp = Math.floor(server.context.now().getTime() / 1000)
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp })
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      await server.inject({ method: 'POST', url: `/stripe/${server.newsletterId}`, payload, headers })
    }
  await server.work()
}

const stored = (stripeId: unknown) =>
  connected.server.context.db
    .selectFrom('subscription')
    .selectAll()
    .where('stripe_id', '=', String(stripeId))
    .executeTakeFirstOrThrow()
const uses = (id: number) =>
  connected.server.context.db.selectFrom('coupon_use').selectAll().where('coupon_id', '=', id).execute()
const yearly = async (id: string) => {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(yearly), 0)::integer as sum from revenue_change where subscription_id = ${id}`.execute(
    connected.server.context.db,
  )
  return rows[0]?.sum
}

test('the page shows what a code takes off, and says when it takes nothing off', async () => {
  const { code } = await coupon({ months: 3 })
  const shown = await plans(`coupon=${code.toLowerCase()}&lang=en`)
  expect(shown).toContain('<s>€6</s>')
  expect(shown).toContain('<b>€3</b>')
  expect(shown).toContain('for 3 months; then the full price')
  expect(shown).toContain(`name="coupon" value="${code.toLowerCase()}"`)
  for (const other of ['NONE', '%3Cscript%3E', 'x'.repeat(300)]) {
    const refused = await plans(`coupon=${other}&lang=en`)
    expect(refused).toContain('cannot be used for these plans')
    expect(refused).not.toContain('<s>')
    expect(refused).not.toContain('<script>')
    expect(refused).not.toContain('code of a gift')
  }
  // Any code that is written as those of gifts are, for this page knows of none.
  const gift = await plans('coupon=abcd-efgh-jkmn&lang=en')
  expect(gift).toContain('written like the code of a gift')
  expect(gift).toContain('/gift?lang=en&amp;code=ABCD-EFGH-JKMN')
  // The other way round the same is said of every code.
  for (const typed of [code, 'ABCD-EFGH-JKMN']) {
    const payload = new URLSearchParams({ code: typed, email: 'reader@example.org' }).toString()
    const url = `/plans/${connected.server.newsletterId}/gift?lang=en`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { body } = await connected.server.inject({ method: 'POST', url, headers, payload })
    expect(body).toContain('Does your code take something off a price?')
    expect(body).toContain(`?lang=en&amp;coupon=${typed}`)
  }
})

test('a code is taken off at Stripe, counted once when it was bought, and the recurring revenue is what is left', async () => {
  const { id, code } = await coupon()
  const { pay } = await go(code)
  expect(await uses(id)).toHaveLength(0)
  const { subscription, amount_total: total } = pay()
  expect(total).toBe(300)
  await hear(3)
  const row = await stored(subscription)
  expect(row).toMatchObject({ status: 'active', amount: 600, discount: 300 })
  expect(await yearly(row.id)).toBe(3600)
  expect(await uses(id)).toHaveLength(1)
  const payment = connected.server.context.db.selectFrom('payment').select('amount')
  expect(await payment.where('subscription_id', '=', row.id).execute()).toEqual([{ amount: 300 }])
})

test('what is taken off for some months comes back into the recurring revenue when they are over', async () => {
  const { code } = await coupon({ percent: null, amount: 200, currency: 'eur', months: 2 })
  const { pay } = await go(code)
  const { subscription } = pay()
  await hear()
  const { id } = await stored(subscription)
  expect(await yearly(id)).toBe(4800)
  connected.history.pass(95)
  await hear()
  expect(await stored(subscription)).toMatchObject({ discount: 0, stripe_discounts: [] })
  expect(await yearly(id)).toBe(7200)
})

test('while Stripe is away a purchase opens all the same, and the discount is known later', async () => {
  const { code } = await coupon()
  const { pay } = await go(code)
  const { subscription } = pay()
  connected.history.stripe.fail({ kind: 'refuse', status: 503, of: 'GET /v1/subscriptions', times: 3 })
  await hear()
  expect(await stored(subscription)).toMatchObject({ status: 'active', discount: 0 })
  connected.history.stripe.heal()
  await connected.history.api.subscriptions.update(String(subscription), { metadata: { touched: 'yes' } })
  await hear()
  expect(await stored(subscription)).toMatchObject({ discount: 300 })
})

test('a use is counted once, however often its purchase is said', async () => {
  const { server, plan } = connected
  const { db } = server.context
  const { newsletterId } = server
  const [subscriberId = ''] = await server.addSubscribers(['live@example.org'])
  const id = await addPaidSubscription(db, { newsletterId, subscriberId }, { planId: plan.planId })
  const { id: couponId } = await coupon()
  const note = (test: boolean) =>
    noteCouponUse(db, { newsletter_id: newsletterId, id, test }, { couponId, at: new Date() })
  await Promise.all(Array.from({ length: 5 }, () => note(false)))
  const { coupons } = (await api('GET', '/coupons')).json()
  expect(coupons[0]).toMatchObject({ id: couponId, used: 1 })
})

test('the last use is taken by one of two who pay at the same time', async () => {
  const { code } = await coupon({ most: 1 })
  const [one, two] = [await go(code), await go(code)]
  one.pay()
  expect(() => two.pay()).toThrow('used up')
  await hear()
})

test('ten buyers at once make one coupon at Stripe', async () => {
  const { code } = await coupon({ percent: 10 })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => go(code, `many${at}@example.org`)))
  expect(answers.every(({ session }) => session !== '')).toBe(true)
  const { account } = connected.history
  expect(account.world.all('coupon').filter(({ name }) => name === code)).toHaveLength(1)
})

test('a code that is unknown, closed, over or in another currency opens no checkout', async () => {
  const closed = await coupon()
  await api('DELETE', `/coupons/${closed.id}`)
  const foreign = await coupon({ percent: null, amount: 100, currency: 'usd' })
  const sessions = connected.history.account.world.all('checkout.session').length
  for (const code of ['NONE', closed.code, foreign.code, '<b>', 'x'.repeat(5000)]) {
    const { answer } = await go(code)
    expect([code.slice(0, 9), answer.statusCode, answer.headers.refresh]).toEqual([code.slice(0, 9), 404, undefined])
  }
  expect(connected.history.account.world.all('checkout.session')).toHaveLength(sessions)
})
