import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
  expect(await show()).toContain('It goes on by itself on')
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
  for (const act of ['cancel', 'portal', 'resume'])
    for (const url of [standing, others, '/me/nobody']) {
      const answer = await press({ act }, url)
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
