import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StripeAccount, type StripeStandIn, startStripe } from './stand-in.ts'

let stripe: StripeStandIn
let account: StripeAccount
let api: Stripe
beforeAll(async () => {
  stripe = await startStripe()
  account = stripe.addAccount()
  api = client(account.key)
})
afterAll(() => stripe?.stop())

function client(key: string): Stripe {
  const { hostname, port } = new URL(stripe.url)
  return new Stripe(key, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 2 })
}

async function monthly() {
  const product = await api.products.create({ name: 'Supporter' })
  const recurring = { interval: 'month' } as const
  return api.prices.create({
    product: product.id,
    currency: 'eur',
    unit_amount: 600,
    recurring,
    tax_behavior: 'inclusive',
  })
}

async function subscribe(values: Stripe.Checkout.SessionCreateParams = {}) {
  const price = await monthly()
  const session = await api.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'https://news.example.org/done?session={CHECKOUT_SESSION_ID}',
    ...values,
  })
  const paid = stripe.pay(account, session.id)
  return api.subscriptions.retrieve(String(paid.subscription), { expand: ['latest_invoice.payments'] })
}

const refusal = async (request: Promise<unknown>) => {
  const error = await request.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('it was not refused')
  const { statusCode, code, param, type } = error
  return { statusCode, code, param, type }
}

test.each<[string, object, { code: string; param: string }]>([
  ['a parameter that nobody knows', { name: 'A', colour: 'red' }, { code: 'parameter_unknown', param: 'colour' }],
  ['one that is missing', { description: 'A' }, { code: 'parameter_missing', param: 'name' }],
  ['a word in place of a truth', { name: 'A', active: 'perhaps' }, { code: 'parameter_invalid', param: 'active' }],
  [
    'one deep inside',
    { name: 'A', default_price_data: { currency: 'eur', recurring: { interval: 'fortnight' } } },
    { code: 'parameter_invalid', param: 'default_price_data[recurring][interval]' },
  ],
  [
    'a word in place of a number',
    { name: 'A', default_price_data: { currency: 'eur', unit_amount: 'six' } },
    { code: 'parameter_invalid_integer', param: 'default_price_data[unit_amount]' },
  ],
])('%s is refused as the API refuses it', async (_what, params, expected) => {
  // What the types forbid has to be written past them.
  expect(await refusal(api.products.create(params as Stripe.ProductCreateParams))).toMatchObject({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    ...expected,
  })
})

test('a subscription has its period on its item, and its invoice names it under parent', async () => {
  const subscription = await subscribe()
  const invoice = subscription.latest_invoice
  if (typeof invoice !== 'object' || !invoice) throw new Error('it was not expanded')
  expect(subscription).toMatchObject({ status: 'active', currency: 'eur', livemode: false })
  expect(subscription.items.data[0]?.current_period_end).toBeGreaterThan(Date.now() / 1000 + 27 * 86_400)
  expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id)
  expect(invoice).toMatchObject({ status: 'paid', amount_paid: 600, billing_reason: 'subscription_create' })
  expect(invoice.payments?.data[0]?.payment.type).toBe('payment_intent')
})

test('tax inside a price is a part of it', async () => {
  const subscription = await subscribe({ automatic_tax: { enabled: true } })
  const invoice = await api.invoices.retrieve(String(Object(subscription.latest_invoice).id))
  expect(invoice).toMatchObject({ total: 600, total_excluding_tax: 500, total_taxes: [{ amount: 100 }] })
})

test('the same idempotency key brings the same answer, and no other parameters', async () => {
  const options = { idempotencyKey: 'one' }
  const first = await api.customers.create({ email: 'a@example.org' }, options)
  expect((await api.customers.create({ email: 'a@example.org' }, options)).id).toBe(first.id)
  expect(await refusal(api.customers.create({ email: 'b@example.org' }, options))).toMatchObject({
    type: 'StripeIdempotencyError',
  })
})

test('an answer that gets lost leaves one customer, because the SDK asks again with its key', async () => {
  stripe.fail({ kind: 'lose', of: 'POST /v1/customers' })
  const { id } = await api.customers.create({ email: 'lost@example.org' })
  const { data } = await api.customers.list({ email: 'lost@example.org' })
  expect(data.map((customer) => customer.id)).toEqual([id])
})

test('a right that a key lacks is named', async () => {
  const key = stripe.addKey(account, { product: 'read', customer: 'write' })
  const restricted = client(key)
  await restricted.products.list()
  expect(await refusal(restricted.products.create({ name: 'A' }))).toMatchObject({ statusCode: 403 })
  expect(await refusal(restricted.billingPortal.configurations.list())).toMatchObject({ statusCode: 403 })
  expect(await refusal(client('rk_test_none').products.list())).toMatchObject({ statusCode: 401 })
})

test('a renewal is paid; one that fails is tried again and ends the subscription', async () => {
  const subscription = await subscribe()
  const end = subscription.items.data[0]?.current_period_end ?? 0
  stripe.moveTo(new Date(end * 1000 + 1000))
  const renewed = await api.subscriptions.retrieve(subscription.id)
  expect(renewed.status).toBe('active')
  expect(renewed.items.data[0]?.current_period_start).toBe(end)

  stripe.declineCards(account, String(subscription.customer))
  const next = renewed.items.data[0]?.current_period_end ?? 0
  stripe.moveTo(new Date(next * 1000 + 86_400_000))
  expect((await api.subscriptions.retrieve(subscription.id)).status).toBe('past_due')
  stripe.moveTo(new Date(next * 1000 + 16 * 86_400_000))
  expect(await api.subscriptions.retrieve(subscription.id)).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
  })
  const { data } = await api.invoices.list({ subscription: subscription.id })
  expect(data.map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
    ['open', 4],
    ['paid', 1],
    ['paid', 1],
  ])
})

test('webhooks are signed as Stripe signs them, in the order that is asked for, and one that is not taken waits', async () => {
  const url = 'https://news.example.org/stripe/abc'
  const endpoint = await api.webhookEndpoints.create({ url, enabled_events: ['*'], api_version: Stripe.API_VERSION })
  await api.customers.create({ email: 'c@example.org' })
  await api.products.create({ name: 'Patron' })
  const seen: string[] = []
  const post = async ({ body, signature }: { body: string; signature: string }) => {
    seen.push(Stripe.webhooks.constructEvent(body, signature, endpoint.secret ?? '').type)
    return seen.length === 1 ? 500 : 200
  }
  expect(await stripe.deliver(account, { post, order: (events) => events.toReversed() })).toEqual([
    { type: 'product.created', status: 500 },
    { type: 'customer.created', status: 200 },
  ])
  expect(stripe.waiting(account).map(({ event }) => event.type)).toEqual(['product.created'])
  await stripe.deliver(account, { post, times: 2 })
  expect(seen).toEqual(['product.created', 'customer.created', 'product.created', 'product.created'])
  await api.webhookEndpoints.del(endpoint.id)
})

test('a refund leaves less to give back, and no more than was paid', async () => {
  const subscription = await subscribe()
  const { data } = await api.charges.list({ customer: String(subscription.customer) })
  const charge = data[0]?.id ?? ''
  await api.refunds.create({ charge, amount: 200 })
  expect(await refusal(api.refunds.create({ charge, amount: 401 }))).toMatchObject({ param: 'amount' })
  await api.refunds.create({ charge })
  expect(await api.charges.retrieve(charge)).toMatchObject({ amount_refunded: 600, refunded: true })
  expect(await refusal(api.refunds.create({ charge }))).toMatchObject({ code: 'charge_already_refunded' })
})
