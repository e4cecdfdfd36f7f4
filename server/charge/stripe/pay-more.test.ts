import { afterAll, beforeAll, expect, test } from 'vitest'
import { SubscriberLinks } from '../../subscribers/subscriber-links.ts'
import { addPaidPlan } from '../../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type StripeAccount, type StripeStandIn, startStripe } from '../../testing/stripe/stand-in.ts'

let stripe: StripeStandIn
let server: TestNewsletter
let account: StripeAccount
let planId: number
let people = 0
beforeAll(async () => {
  stripe = await startStripe()
  server = await startTestNewsletter({ STRIPE_API: stripe.url, SUBSCRIBE_LIMIT: '1000', SUBSCRIBE_PRESSURE: '1000' })
  account = stripe.addAccount()
  await server.owner.call('PUT', `${server.path}/charge/stripe`, { key: account.key })
  planId = await addPaidPlan(server.context.db, server.newsletterId)
  const at = `${server.path}/charge/plans/${planId}`
  await server.owner.call('PATCH', at, { payMore: true })
  const prices = [
    { currency: 'eur', period: 'year', amount: 5400, suggested: 7200 },
    { currency: 'eur', period: 'month', amount: 600 },
    { currency: 'eur', period: 'once', amount: 2050, months: 6 },
    { currency: 'jpy', period: 'year', amount: 6000, suggested: 9000 },
    { currency: 'jpy', period: 'once', amount: 1500 },
  ]
  expect((await server.owner.call('PUT', `${at}/prices`, { prices })).statusCode).toBe(200)
})
afterAll(async () => {
  await server?.stop()
  stripe?.stop()
})

const plansPage = async (query: string) =>
  (await server.inject({ method: 'GET', url: `/plans/${server.newsletterId}?${query}` })).body

/** What the form of the page of plans proposes, and the id of its price. */
async function formOf(query: string) {
  const body = await plansPage(query)
  return {
    price: /name="price" value="(\d+)"/.exec(body)?.[1] ?? '',
    proposed: /name="amount"[^>]* value="([^"]*)"/.exec(body)?.[1],
    least: /class="small" id="least-\d+">([^<]*)</.exec(body)?.[1],
  }
}

const submit = (form: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url: `/checkout/${server.newsletterId}`,
    payload: new URLSearchParams({ consent: 'yes', email: `giver${++people}@example.org`, ...form }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const hear = async () => {
  await stripe.deliver(account, {
    post: async ({ url, body, signature }) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      return (await server.inject({ method: 'POST', url: new URL(url).pathname, payload: body, headers })).statusCode
    },
  })
  await server.work()
}

test.each([
  ['per=year&currency=eur&lang=en', '72', 'At least €54.'],
  ['per=month&currency=eur&lang=en', '6', 'At least €6.'],
  ['per=once&currency=eur&lang=fr', '20,50', 'Au moins 20,50\u00a0€.'],
  ['per=year&currency=jpy&lang=en', '9,000', 'At least ¥6,000.'],
])('the form for %s proposes %s and names the least', async (query, proposed, least) => {
  expect(await formOf(query)).toMatchObject({ proposed, least })
})

test.each([
  ['per=year&currency=eur', '60.50', { currency: 'eur', amount: 6050, period: 'year' }],
  ['per=month&currency=eur', '7,5', { currency: 'eur', amount: 750, period: 'month' }],
  ['per=once&currency=eur', '33.33', { currency: 'eur', amount: 3333, period: 'once' }],
  ['per=year&currency=jpy', '12,000', { currency: 'jpy', amount: 12_000, period: 'year' }],
  ['per=once&currency=jpy', '1501', { currency: 'jpy', amount: 1501, period: 'once' }],
])('%s: who gives %s has the plan at that sum, and the books say so', async (query, amount, expected) => {
  const { price } = await formOf(query)
  const going = await submit({ price, amount })
  expect(going.statusCode).toBe(200)
  const [session] = account.world.all('checkout.session')
  expect(session?.amount_total).toBe(expected.amount)
  stripe.pay(account, session?.id ?? '')
  await hear()
  const { db } = server.context
  const subscription = await db
    .selectFrom('subscription')
    .selectAll()
    .where('price_id', '=', Number(price))
    .executeTakeFirstOrThrow()
  expect(subscription).toMatchObject({ ...expected, plan_id: planId, price_id: Number(price), status: 'active' })
  const payment = await db
    .selectFrom('payment')
    .selectAll()
    .where('subscription_id', '=', subscription.id)
    .executeTakeFirstOrThrow()
  expect(payment).toMatchObject({ amount: expected.amount, currency: expected.currency, kind: 'payment' })
  const { secret } = server.context.config
  const links = new SubscriberLinks(secret, server.context.signer)
  const key = { newsletterId: server.newsletterId, subscriberId: subscription.subscriber_id ?? '' }
  const own = await server.inject({ method: 'GET', url: `/me/${links.standing(key)}` })
  expect(own.statusCode).toBe(200)
})

test.each([
  ['per=year&currency=jpy', '12000.5'],
  ['per=year&currency=jpy', '5999'],
  ['per=year&currency=jpy', '600001'],
  ['per=once&currency=eur', '20.49'],
  ['per=once&currency=eur', '33.333'],
  ['per=month&currency=eur', '-7'],
  ['per=month&currency=eur', 'six'],
])('%s: %s is refused on a page that says why, with nothing at Stripe', async (query, amount) => {
  const before = account.world.all('checkout.session').length
  const { price } = await formOf(query)
  const answer = await submit({ price, amount })
  expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining('at least the price of the plan')])
  expect(answer.body).toContain(`href="/plans/${server.newsletterId}?lang=en"`)
  expect(account.world.all('checkout.session')).toHaveLength(before)
})

test('a form without an address or a yes is refused on a page that says which', async () => {
  const { price } = await formOf('per=year&currency=eur')
  const said = async (form: Record<string, string>) => (await submit({ price, ...form })).body
  expect(await said({ email: 'nobody' })).toContain('This does not look like an email address.')
  expect(await said({ consent: '' })).toContain('Tick the box')
})
