import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addBought } from '../../testing/stripe/bought.ts'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'

let connected: ConnectedNewsletter
let people = 0
let bought: { subscriptionId: string; paymentId: string }
beforeAll(async () => {
  connected = await startConnectedNewsletter()
})
afterAll(() => connected?.stop())
beforeEach(async () => {
  const { server, history } = connected
  history.stripe.heal()
  people += 1
  const [subscriberId = ''] = await server.addSubscribers([`buyer${people}@example.org`])
  bought = await addBought(server.context.db, history.account, { newsletterId: server.newsletterId, subscriberId })
})

const giveBack = (body: object, paymentId = bought.paymentId) =>
  connected.server.owner.call(
    'POST',
    `/api/newsletters/${connected.server.newsletterId}/charge/payments/${paymentId}/give-back`,
    { amount: 600, seen: 0, access: 'goes_on', ...body },
  )
const refunds = () => connected.history.account.world.all('refund').map(({ amount }) => amount)
const subscription = () =>
  connected.server.context.db
    .selectFrom('subscription')
    .select(['status', 'renews'])
    .where('id', '=', bought.subscriptionId)
    .executeTakeFirstOrThrow()

test('an owner gives a part back, then the rest; the books say so at once, and the webhook says nothing new', async () => {
  const before = refunds().length
  expect((await giveBack({ amount: 200 })).json()).toMatchObject({ refunded: 200, amount: 600 })
  expect((await giveBack({ amount: 401, seen: 200 })).statusCode).toBe(422)
  expect((await giveBack({ amount: 400, seen: 200 })).json()).toMatchObject({ refunded: 600 })
  expect((await giveBack({ amount: 1, seen: 600 })).json()).toMatchObject({ error: { code: 'nothing_to_refund' } })
  expect(refunds().slice(0, refunds().length - before)).toEqual([400, 200])
  expect(await subscription()).toEqual({ status: 'active', renews: true })
  const { owner, path } = connected.server
  expect((await owner.call('GET', `${path}/audit?kind=charge`)).json().rows[0]).toMatchObject({
    act: 'payment_given_back',
  })
})

test('two windows at once give back once, whatever each of them asks for', async () => {
  const before = refunds().length
  const answers = await Promise.all([200, 200, 300].map((amount) => giveBack({ amount })))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
  expect(refunds()).toHaveLength(before + 1)
})

test('an answer that gets lost gives back once', async () => {
  const before = refunds().length
  connected.history.stripe.fail({ kind: 'lose', of: 'POST /v1/refunds' })
  expect((await giveBack({})).json()).toMatchObject({ refunded: 600 })
  expect(refunds()).toHaveLength(before + 1)
})

test('while Stripe is away nothing is given back, and the books say nothing', async () => {
  const before = refunds().length
  connected.history.stripe.fail({ kind: 'refuse', status: 500, times: 20 })
  expect((await giveBack({ access: 'now' })).json()).toMatchObject({ error: { code: 'stripe_away' } })
  expect(refunds()).toHaveLength(before)
  expect(await subscription()).toMatchObject({ status: 'active' })
})

test('access goes on, ends with what was paid, or ends now; also when Stripe is away after the money has gone', async () => {
  expect((await giveBack({ amount: 100, access: 'period_end' })).statusCode).toBe(200)
  expect(await subscription()).toEqual({ status: 'active', renews: false })
  connected.history.stripe.fail({ kind: 'break', of: 'DELETE /v1/subscriptions', times: 3 })
  expect((await giveBack({ amount: 100, seen: 100, access: 'now' })).statusCode).toBe(200)
  expect(await subscription()).toMatchObject({ status: 'active' })
  await connected.server.work()
  const stripeIds = connected.history.account.world.all('subscription')[0]
  expect(stripeIds?.status).toBe('canceled')
})

test('nonsense is refused, and what is no payment by card is not found', async () => {
  for (const body of [{ amount: 0 }, { amount: 1.5 }, { seen: -1 }, { access: 'never' }, { amount: null }])
    expect([body, (await giveBack(body)).statusCode]).toEqual([body, 422])
  for (const id of ['x', '0192c0de-0000-7000-8000-00000000000a'])
    expect((await giveBack({}, id)).json()).toMatchObject({ error: { code: 'payment_not_found' } })
})
