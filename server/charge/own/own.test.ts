import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { monthsLater } from '../../subscribers/leave.ts'
import { SubscriberLinks } from '../../subscribers/subscriber-links.ts'
import { addPaidSubscription } from '../../testing/charge.ts'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'
import { SECRET } from '../../testing/stripe/history.ts'

let connected: ConnectedNewsletter
let links: SubscriberLinks
let people = 0
let key: { newsletterId: string; subscriberId: string }
let page: string
let subscriptionId: string
beforeAll(async () => {
  connected = await startConnectedNewsletter()
  const { config, signer } = connected.server.context
  links = new SubscriberLinks(config.secret, signer)
})
afterAll(() => connected?.stop())
beforeEach(async () => {
  connected.history.stripe.heal()
  key = await reader()
  page = await freshPage(key)
  subscriptionId = await bought(key)
})

async function reader() {
  people += 1
  const { server } = connected
  const [subscriberId = ''] = await server.addSubscribers([`reader${people}@example.org`])
  return { newsletterId: server.newsletterId, subscriberId }
}

async function freshPage({ newsletterId, subscriberId }: typeof key) {
  const { db, now } = connected.server.context
  const row = await db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriberId)
    .executeTakeFirstOrThrow()
  return `/me/${links.fresh(row, now())}`
}

/** A month by card, as the webhooks tell of it; answers our id. */
async function bought(of: typeof key) {
  const { server, history, plan } = connected
  const stripeId = await history.buy(of, plan)
  await hear()
  const row = await server.context.db
    .selectFrom('subscription')
    .select('id')
    .where('stripe_id', '=', stripeId)
    .executeTakeFirstOrThrow()
  return row.id
}

async function hear() {
  const { server, history } = connected
  for (const { event } of await history.events()) {
    const payload = JSON.stringify(event)
    const timestamp = Math.floor(server.context.now().getTime() / 1000)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    await server.inject({ method: 'POST', url: `/stripe/${server.newsletterId}`, payload, headers })
  }
  await server.work()
}

const show = async (url = page) => (await connected.server.inject({ method: 'GET', url })).body
const press = (fields: Record<string, string>, url = page) =>
  connected.server.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams({ subscription: subscriptionId, ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const stored = () =>
  connected.server.context.db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow()

test('a subscriber cancels by two presses, reads on until the end, and may go on after all', async () => {
  expect(await show()).toContain('It renews by itself on')
  const cancelled = await press({ act: 'cancel', reason: 'unused' })
  expect(cancelled.headers.location).toContain('said=cancelled')
  expect(await stored()).toMatchObject({ status: 'active', renews: false, cancel_reason: 'unused' })
  const shown = await show()
  expect(shown).toContain('and nothing more is charged')
  expect(shown).not.toContain('Cancel now')
  await hear()
  expect(await stored()).toMatchObject({ renews: false, cancel_reason: 'unused' })
  expect((await press({ act: 'resume' })).headers.location).toContain('said=resumed')
  expect(await stored()).toMatchObject({ status: 'active', renews: true, cancel_reason: null })
})

test('a subscriber pauses for some months, reads what they paid, and is charged nothing until it goes on', async () => {
  const { history } = connected
  const { paid_until: paid, stripe_id } = await stored()
  expect(await show()).toContain('Pause this subscription')
  for (const months of ['', '4', '0', 'x', '-1']) {
    expect((await press({ act: 'rest', months })).headers.location).not.toContain('said')
    expect(await stored()).toMatchObject({ status: 'active' })
  }
  expect((await press({ act: 'rest', months: '2' })).headers.location).toContain('said=resting')
  expect(await stored()).toMatchObject({ status: 'paused', paid_until: paid, renews: true })
  const shown = await show()
  expect(shown).toContain('It is paused. You can read until')
  expect(shown).not.toContain('Pause now')
  expect((await press({ act: 'rest', months: '2' })).headers.location).toContain('said=notNow')
  const before = (await history.api.charges.list({ limit: 100 })).data.length
  const customer = await history.customerOf(stripe_id ?? '')
  const charges = async () => (await history.api.charges.list({ customer })).data.length
  const twoMonths = (monthsLater(paid ?? new Date(), 2).getTime() - history.stripe.now().getTime()) / 86_400_000
  history.pass(twoMonths - 0.5)
  await hear()
  expect([await charges(), (await stored()).paid_until]).toEqual([1, paid])
  // Who bought on a 31st has paid until the end of a shorter month; Stripe begins the next period on a 31st again.
  history.pass(4)
  await hear()
  expect(before).toBeGreaterThan(0)
  expect(await charges()).toBe(2)
  expect(await stored()).toMatchObject({ status: 'active', renews: true, resumes_at: null })
})

test('who goes on while they still have time is charged on the day that they were charged on before', async () => {
  const { history } = connected
  const { paid_until, stripe_id } = await stored()
  const customer = await history.customerOf(stripe_id ?? '')
  await press({ act: 'rest', months: '1' })
  expect((await press({ act: 'resume' })).headers.location).toContain('said=resumed')
  expect(await stored()).toMatchObject({ status: 'active', paid_until })
  expect((await history.api.charges.list({ customer })).data).toHaveLength(1)
})

test('who goes on after it is charged for the month that begins then, once, however often they press', async () => {
  const { history, server } = connected
  const { stripe_id } = await stored()
  const customer = await history.customerOf(stripe_id ?? '')
  await press({ act: 'rest', months: '3' })
  const past = new Date(Date.now() - 86_400_000)
  await server.context.db
    .updateTable('subscription')
    .set({ paid_until: past })
    .where('id', '=', subscriptionId)
    .execute()
  expect(await show()).toContain('your card is charged when you go on')
  await Promise.all(Array.from({ length: 8 }, () => press({ act: 'resume' })))
  await press({ act: 'resume' })
  await hear()
  expect((await history.api.charges.list({ customer })).data).toHaveLength(2)
  const { status, paid_until } = await stored()
  expect([status, Number(paid_until) > history.stripe.now().getTime() + 27 * 86_400_000]).toEqual(['active', true])
})

const offer = async (values: object) => {
  const { server } = connected
  const body = { percent: 50, months: 3, code: `STAY${people}`, ...values }
  const coupon = await server.owner.call('POST', `/api/newsletters/${server.newsletterId}/charge/coupons`, body)
  const settings = { winBackCouponId: coupon.json().id as number }
  await server.owner.call('PATCH', `/api/newsletters/${server.newsletterId}/charge/settings`, settings)
  return settings.winBackCouponId
}

test('who has cancelled is offered to stay for less, once, and nothing stands in the way of cancelling', async () => {
  const { history } = connected
  const couponId = await offer({})
  expect(await show()).not.toContain('Stay for less')
  expect((await press({ act: 'stay' })).headers.location).toContain('said=notNow')
  await press({ act: 'cancel' })
  expect(await show()).toContain('50% off each payment, for 3 months.')
  const answers = await Promise.all(Array.from({ length: 5 }, () => press({ act: 'stay' })))
  expect(answers.some(({ headers }) => String(headers.location).includes('said=stayed'))).toBe(true)
  expect(await stored()).toMatchObject({ status: 'active', renews: true, cancel_reason: null })
  await hear()
  const { stripe_id } = await stored()
  const atStripe = await history.api.subscriptions.retrieve(stripe_id ?? '')
  expect(atStripe.discounts).toHaveLength(1)
  const { db } = connected.server.context
  const uses = await db.selectFrom('coupon_use').select('subscription_id').where('coupon_id', '=', couponId).execute()
  expect(uses).toEqual([{ subscription_id: subscriptionId }])
  await press({ act: 'cancel' })
  expect(await show()).not.toContain('Stay for less')
  expect((await press({ act: 'stay' })).headers.location).toContain('said=notNow')
  expect(await stored()).toMatchObject({ renews: false })
})

test('an offer in another currency, or of a closed coupon, is none', async () => {
  const couponId = await offer({ percent: null, amount: 100, currency: 'usd', code: `USD${people}` })
  await press({ act: 'cancel' })
  expect(await show()).not.toContain('Stay for less')
  const { server } = connected
  await server.owner.call('DELETE', `/api/newsletters/${server.newsletterId}/charge/coupons/${couponId}`)
  await offer({})
  expect(await show()).toContain('Stay for less')
})

test('ten presses at once cancel once', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => press({ act: 'cancel' })))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([303]))
  expect(await stored()).toMatchObject({ status: 'active', renews: false })
})

test('nothing is changed while Stripe is away, and the page says so', async () => {
  connected.history.stripe.fail({ kind: 'refuse', status: 500, times: 10 })
  const answer = await press({ act: 'cancel' })
  expect(answer.headers.location).toContain('said=stripeAway')
  expect(await show(answer.headers.location ?? '')).toContain('Nothing was changed')
  expect(await stored()).toMatchObject({ renews: true, cancel_reason: null })
})

test('card and invoices are on Stripe’s page, for one visit', async () => {
  const answer = await press({ act: 'portal' })
  expect(answer.headers.refresh).toContain(connected.history.stripe.url)
})

test('a link that may have been passed on, and somebody else, change and see nothing of it', async () => {
  const standing = `/me/${links.standing(key)}`
  expect(await show(standing)).not.toContain('Card and invoices')
  const other = await reader()
  const others = await freshPage(other)
  for (const act of ['cancel', 'portal', 'resume', 'rest', 'stay'])
    for (const url of [standing, others, '/me/nobody']) {
      const answer = await press({ act, months: '1' }, url)
      expect([act, url, answer.statusCode, answer.headers.refresh]).toEqual([act, url, 303, undefined])
    }
  expect(await stored()).toMatchObject({ renews: true })
  for (const subscription of ['', 'x', '0192c0de-0000-7000-8000-00000000000a'])
    expect((await press({ act: 'cancel', subscription })).headers.location).toContain('said=notPaid')
})

test('what was paid outside says when it ends, and has nothing to cancel', async () => {
  const outside = await reader()
  const { db } = connected.server.context
  const paidOutside = await addPaidSubscription(db, outside, { planId: connected.plan.planId })
  const url = await freshPage(outside)
  const shown = await show(url)
  expect(shown).toContain('€54 a year.')
  expect(shown).not.toContain('Cancel')
  expect((await press({ act: 'cancel', subscription: paidOutside }, url)).headers.location).toContain('said=notPaid')
})
