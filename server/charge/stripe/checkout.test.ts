import { sql } from 'kysely'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '../../database/ids.ts'
import { eraseSubscriber } from '../../personal-data/erase.ts'
import { monthsLater } from '../../subscribers/leave.ts'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type StripeAccount, type StripeStandIn, startStripe } from '../../testing/stripe/stand-in.ts'
import { storePayment } from '../payments.ts'
import { cancelAtStripe, pauseAtStripe, portalAddress, refundPayment, resumeAtStripe } from './actions.ts'
import { startCheckout } from './checkout.ts'

let stripe: StripeStandIn
let server: TestNewsletter
let account: StripeAccount
let planId: number
let people = 0
beforeAll(async () => {
  stripe = await startStripe()
  server = await startTestNewsletter({ STRIPE_API: stripe.url, SUBSCRIBE_LIMIT: '1000', SUBSCRIBE_PRESSURE: '1000' })
  account = stripe.addAccount()
  const connected = await server.owner.call('PUT', `${server.path}/charge/stripe`, { key: account.key })
  expect(connected.json()).toMatchObject({ connected: true })
  planId = await addPaidPlan(server.context.db, server.newsletterId)
})
afterAll(async () => {
  await server?.stop()
  stripe?.stop()
})
beforeEach(() => stripe.heal())

const someone = () => `buyer${++people}@example.org`
const sessions = () => account.world.all('checkout.session')
const priceOf = async (period: 'month' | 'year' | 'once', plan = planId) => {
  const { db } = server.context
  const row = await db
    .selectFrom('price')
    .select('id')
    .where('plan_id', '=', plan)
    .where('period', '=', period)
    .executeTakeFirst()
  if (row) return row.id
  const price = { newsletter_id: server.newsletterId, plan_id: plan, currency: 'eur', period, amount: 12_000 }
  return (await db.insertInto('price').values(price).returning('id').executeTakeFirstOrThrow()).id
}

async function buy(fields: Record<string, string | number> = {}, language = 'en') {
  const price = await priceOf('year')
  const form = new URLSearchParams({ price: String(price), email: someone(), consent: 'yes' })
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  return server.inject({
    method: 'POST',
    url: `/checkout/${server.newsletterId}?lang=${language}`,
    payload: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  })
}

async function bought(fields: Record<string, string | number> = {}) {
  const answer = await buy(fields)
  expect([answer.statusCode, answer.headers.refresh]).toEqual([200, expect.stringContaining(`${stripe.url}/c/pay/`)])
  const [session] = sessions()
  if (!session) throw new Error('no session')
  return session
}

const subscriptionOf = (session: Stripe.Checkout.Session) =>
  account.world.get('subscription', String(stripe.pay(account, session.id).subscription))

/** What webhooks would have stored. */
async function stored(session: Stripe.Checkout.Session) {
  const [subscriberId = ''] = await server.addSubscribers([someone()])
  const key = { newsletterId: server.newsletterId, subscriberId }
  const subscription = subscriptionOf(session)
  const values = { planId, way: 'card' as const, test: true, stripe_id: subscription.id, renews: true }
  return { subscription, key, subscriptionId: await addPaidSubscription(server.context.db, key, values) }
}

test('the page of plans has a form for each price, which says that it is a test', async () => {
  const { body } = await server.inject({ method: 'GET', url: `/plans/${server.newsletterId}` })
  expect(body).toContain(`action="/checkout/${server.newsletterId}?lang=en" method="post"`)
  expect(body).toContain(`name="price" value="${await priceOf('year')}"`)
  expect(body).toContain('Try the payment (test)')
  const { db } = server.context
  await db.updateTable('plan').set({ trial_days: 14 }).where('id', '=', planId).execute()
  const withTrial = await server.inject({ method: 'GET', url: `/plans/${server.newsletterId}` })
  await db.updateTable('plan').set({ trial_days: 0 }).where('id', '=', planId).execute()
  expect(withTrial.body).toContain('The first 14 days are free.')
})

test('a stranger is led to Stripe, with the names by which the purchase is found again', async () => {
  const email = someone()
  const session = await bought({ email, publication: 'low-tide', source: 'a-boat' })
  expect(session).toMatchObject({ mode: 'subscription', customer: null, customer_email: email, currency: 'eur' })
  const subscriber = await server.context.db
    .selectFrom('subscriber')
    .select(['id', 'status'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  expect(subscriber.status).toBe('pending')
  expect(subscriptionOf(session).metadata).toEqual({
    tirage_newsletter: server.newsletterId,
    tirage_plan: String(planId),
    tirage_price: String(await priceOf('year')),
    tirage_subscriber: subscriber.id,
    tirage_publication: 'low-tide',
    tirage_source: 'a-boat',
  })
})

test('a sale is due to the publication and the source from which its buyer came to the page of plans', async () => {
  const { db, config } = server.context
  const content = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Open.' }] }, { type: 'paywall' }],
  }
  const { id } = await server.draft({ title: 'The ebb', content })
  await server.send(id, { channel: 'web' })
  await server.work()
  const { slug } = await db.selectFrom('publication').select('slug').where('id', '=', id).executeTakeFirstOrThrow()
  const article = await server.inject({ url: `/n/${server.newsletterId}/${slug}` })
  const [, toPlans = ''] = /href="(\/plans\/[^"]*)"/.exec(article.body) ?? []
  const fieldsAt = async (url: string, referer = '') => {
    const { body } = await server.inject({ url, headers: { referer } })
    const [form = ''] = /<form action="\/checkout.*?<\/form>/s.exec(body) ?? []
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? ''
    return { price: value('price'), publication: value('publication'), source: value('source'), to: value('to') }
  }
  const plans = `/plans/${server.newsletterId}`
  expect(await fieldsAt(toPlans)).toMatchObject({ publication: id, source: 'paywall', to: slug })
  expect(await fieldsAt(plans)).toMatchObject({ publication: '', source: 'plans', to: '' })
  expect(await fieldsAt(`${plans}?utm_source=radio`)).toMatchObject({ source: 'radio' })
  expect(await fieldsAt(`${plans}?to=${slug}&source=a%00%0d%0ab`)).toMatchObject({ source: 'a   b', publication: id })
  // A campaign leads to the publication, and its paywall to the plans.
  const before = `${config.publicUrl}/n/${server.newsletterId}/${slug}?utm_source=radio&utm_medium=air`
  const fields = await fieldsAt(toPlans, before)
  expect(fields).toMatchObject({ publication: id, source: 'radio' })
  expect(await fieldsAt(toPlans, 'https://elsewhere.example/?utm_source=forged')).toMatchObject({ source: 'paywall' })
  expect(await fieldsAt(`${plans}?to=not-there`)).toMatchObject({ publication: '', source: 'plans' })
  // Whoever chooses another period or types a coupon on the way loses nothing of it.
  const { body } = await server.inject({ url: toPlans, headers: { referer: before } })
  const [, other = ''] = /href="(\?per=month[^"]*)"/.exec(body) ?? []
  expect(await fieldsAt(`${plans}${other.replaceAll('&amp;', '&')}`)).toMatchObject({
    publication: id,
    source: 'radio',
    to: slug,
  })
  const session = await bought(fields)
  expect(subscriptionOf(session).metadata).toMatchObject({ tirage_publication: id, tirage_source: 'radio' })
  expect(session.cancel_url).toContain(`to=${slug}&source=radio`)
})

test('the answer is the same for an address that is known and one that is not', async () => {
  const known = someone()
  await server.addSubscribers([known])
  const answers = [await buy({ email: known }), await buy({ email: someone() })]
  const shapes = answers.map(({ statusCode, body }) => [statusCode, body.replaceAll(/cs_test_\w+/g, '')])
  expect(shapes[0]).toEqual(shapes[1])
})

test('ten buyers at once find one product and one price', async () => {
  const plan = await addPaidPlan(server.context.db, server.newsletterId, 'Patron')
  const price = await priceOf('month', plan)
  const answers = await Promise.all(Array.from({ length: 10 }, () => buy({ price })))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  expect(account.world.all('product').filter(({ id }) => id.endsWith(`_${plan}`))).toHaveLength(1)
  expect(account.world.all('price').filter(({ lookup_key: key }) => key?.endsWith(`_${price}`))).toHaveLength(1)
})

test('pressing twice brings one checkout, so nothing can be paid twice', async () => {
  const fields = { email: someone() }
  const [one, two] = await Promise.all([buy(fields), buy(fields)])
  expect(one.headers.refresh).toBe(two.headers.refresh)
})

test('what is bought once is paid once, with its names on the session', async () => {
  const session = await bought({ price: await priceOf('once') })
  expect(session).toMatchObject({ mode: 'payment', amount_total: 12_000, metadata: { tirage_plan: String(planId) } })
})

test('a buyer gives more where the plan takes more, and never less than the price', async () => {
  const plan = await addPaidPlan(server.context.db, server.newsletterId, 'Friend')
  const price = await priceOf('year', plan)
  expect((await buy({ price, amount: '60' })).statusCode).toBe(422)
  await server.context.db.updateTable('plan').set({ pay_more: true }).where('id', '=', plan).execute()
  expect((await bought({ price, amount: '60.50' })).amount_total).toBe(6050)
  for (const amount of ['53.99', '0', '-60', '60.555', '9999999', 'sixty', '6e3'])
    expect([amount, (await buy({ price, amount })).statusCode]).toEqual([amount, 422])
})

test('trials, taxes and codes are asked of Stripe', async () => {
  const plan = await addPaidPlan(server.context.db, server.newsletterId, 'Trial')
  await server.context.db.updateTable('plan').set({ trial_days: 14 }).where('id', '=', plan).execute()
  const switches = { automaticTax: true, taxIdCollection: true }
  await server.owner.call('PATCH', `${server.path}/charge/stripe`, switches)
  const session = await bought({ price: await priceOf('month', plan) })
  expect(session).toMatchObject({
    allow_promotion_codes: true,
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
  })
  expect(subscriptionOf(session).status).toBe('trialing')
  await server.owner.call('PATCH', `${server.path}/charge/stripe`, { automaticTax: false, taxIdCollection: false })
})

test('who has shown that the address is theirs is one customer at Stripe', async () => {
  const email = someone()
  const [subscriberId = ''] = await server.addSubscribers([email])
  const at = { done: 'https://a.example/done', back: 'https://a.example/back' }
  const buying = {
    newsletterId: server.newsletterId,
    subscriberId,
    email,
    proven: true,
    language: 'fr' as const,
    ...at,
  }
  const asked = { ...buying, sum: null, coupon: null, publicationId: null, source: null }
  await startCheckout(server.context, { ...asked, priceId: await priceOf('year') })
  await startCheckout(server.context, { ...asked, priceId: await priceOf('month') })
  const [one, two] = sessions()
  expect(one?.customer).toBe(two?.customer)
  expect(account.world.all('customer').filter((customer) => customer.email === email)).toHaveLength(1)
  // Somebody deletes them at Stripe.
  account.world.remove(String(one?.customer))
  await startCheckout(server.context, { ...asked, priceId: await priceOf('year'), source: 'again' })
  expect(sessions()[0]?.customer).not.toBe(one?.customer)
})

test.each<[string, Record<string, string | number>, number]>([
  ['no address', { email: 'nobody' }, 422],
  ['no consent', { consent: '' }, 422],
  ['a price that does not exist', { price: 999_999 }, 404],
  ['a price that is no number', { price: '1; drop table price' }, 404],
  ['very long fields', { source: 'x'.repeat(15_000) }, 200],
  ['too much', { source: 'x'.repeat(20_000) }, 413],
])('%s', async (_what, fields, status) => {
  expect((await buy(fields)).statusCode).toBe(status)
})

test('a price of another newsletter is none of this one', async () => {
  const other = await server.createNewsletter(server.owner)
  const plan = await addPaidPlan(server.context.db, other)
  expect((await buy({ price: await priceOf('year', plan) })).statusCode).toBe(404)
})

test.each([
  ['409', { kind: 'refuse', status: 409 }],
  ['429', { kind: 'refuse', status: 429 }],
  ['500', { kind: 'refuse', status: 500 }],
  ['an answer that gets lost', { kind: 'lose' }],
  ['an answer that comes after the time of an attempt', { kind: 'delay', ms: 8_500 }],
] as const)('%s of Stripe is got over by asking again: one checkout', async (_what, fault) => {
  const before = sessions().length
  stripe.fail({ ...fault, of: 'POST /v1/checkout/sessions' })
  const answer = await buy()
  expect(answer.statusCode).toBe(fault.kind === 'refuse' && fault.status === 429 ? 503 : 200)
  expect(sessions().length - before).toBe(answer.statusCode === 200 ? 1 : 0)
})

test('while Stripe is away the buyer hears that nothing was charged, in their language', async () => {
  stripe.fail({ kind: 'break', of: 'POST /v1/checkout/sessions', times: 20 })
  const english = await buy()
  expect(english.statusCode).toBe(503)
  expect(english.body).toContain('Nothing was charged')
  const french = await buy({}, 'fr')
  expect([french.statusCode, french.body]).toEqual([503, expect.stringContaining('Rien n’a été débité')])
})

test('cancelling, pausing and going on reach Stripe', async () => {
  const { subscription, subscriptionId } = await stored(await bought())
  const key = { newsletterId: server.newsletterId, subscriptionId }
  await cancelAtStripe(server.context, key, { when: 'period_end', feedback: 'too_expensive', comment: 'Sorry.' })
  expect(subscription).toMatchObject({
    cancel_at_period_end: true,
    cancellation_details: { feedback: 'too_expensive' },
  })
  await resumeAtStripe(server.context, key, { now: server.context.now() })
  expect(subscription).toMatchObject({ cancel_at_period_end: false, pause_collection: null })
  await pauseAtStripe(server.context, key, { months: 2 })
  // It was bought for a year.
  const next = monthsLater(new Date(subscription.billing_cycle_anchor * 1000), 14).getTime() / 1000
  expect(subscription.pause_collection).toEqual({ behavior: 'void', resumes_at: next - 3_600 })
  await resumeAtStripe(server.context, key, { now: server.context.now() })
  await cancelAtStripe(server.context, key, { when: 'period_end' })
  expect(subscription.cancel_at_period_end).toBe(true)
  await cancelAtStripe(server.context, key, { when: 'now' })
  expect(subscription.status).toBe('canceled')
  expect(await portalAddress(server.context, key, { language: 'fr', back: 'https://a.example' })).toContain(
    '/p/session/',
  )
})

test('a refund that is asked for twice is given once, and no more than was paid', async () => {
  const { subscription, key, subscriptionId } = await stored(await bought())
  const { db } = server.context
  const [invoice] = account.world.all('invoice').filter(({ id }) => id === subscription.latest_invoice)
  const paymentId = uuidv7()
  await db.transaction().execute((tx) =>
    storePayment(tx, key.newsletterId, {
      id: paymentId,
      subscription_id: subscriptionId,
      subscriber_id: key.subscriberId,
      kind: 'payment',
      test: true,
      at: new Date(),
      currency: 'eur',
      amount: 5400,
      means: 'card',
      stripe_id: invoice?.id ?? '',
    }),
  )
  const asked = { newsletterId: key.newsletterId, paymentId }
  const [one, two] = await Promise.all([
    refundPayment(server.context, asked, 400),
    refundPayment(server.context, asked, 400),
  ])
  expect(one.id).toBe(two.id)
  await expect(refundPayment(server.context, asked, 999_999)).rejects.toMatchObject({ code: 'invalid' })
  stripe.fail({ kind: 'lose', of: 'POST /v1/refunds' })
  const rest = await refundPayment(server.context, asked, 500)
  expect(account.world.all('refund').map(({ id, amount }) => [id, amount])).toEqual([
    [rest.id, 500],
    [one.id, 400],
  ])
})

test('who is erased is charged no more: their subscription is cancelled at Stripe, also when it was away first', async () => {
  const { subscription, key } = await stored(await bought())
  stripe.fail({ kind: 'break', of: 'DELETE /v1/subscriptions', times: 3 })
  const { context } = server
  await eraseSubscriber(context, key)
  await server.work()
  expect(subscription.status).toBe('active')
  // As when the time of its next attempt has come.
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(context.db)
  await server.work()
  expect(subscription.status).toBe('canceled')
})
