import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SubscriberLinks } from '../../subscribers/subscriber-links.ts'
import { addBought } from '../../testing/stripe/bought.ts'
import { type ConnectedNewsletter, startConnectedNewsletter } from '../../testing/stripe/connected.ts'

let connected: ConnectedNewsletter
let people = 0
let email: string
let key: { newsletterId: string; subscriberId: string }
let subscriptionId: string
beforeAll(async () => {
  connected = await startConnectedNewsletter()
})
afterAll(() => connected?.stop())
beforeEach(async () => {
  const { server, history } = connected
  history.stripe.heal()
  people += 1
  email = `reader${people}@example.org`
  const [subscriberId = ''] = await server.addSubscribers([email])
  key = { newsletterId: server.newsletterId, subscriberId }
  ;({ subscriptionId } = await addBought(server.context.db, history.account, key))
})

const cancel = (body: object, id = subscriptionId) =>
  connected.server.owner.call('POST', `${connected.server.path}/charge/subscriptions/${id}/cancel`, body)
const stored = () =>
  connected.server.context.db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
const atStripe = async () => connected.history.api.subscriptions.retrieve((await stored()).stripe_id ?? '')
const mails = () => connected.server.queuedMail(email)

test('at the end of what was paid: it is read until then, gives nothing back, and its subscriber is told once, in their language', async () => {
  const { server } = connected
  await server.context.db.updateTable('subscriber').set({ language: 'fr' }).where('id', '=', key.subscriberId).execute()
  const { paid_until: until } = await stored()
  for (let time = 0; time < 3; time++)
    expect((await cancel({ when: 'period_end' })).json()).toMatchObject({ status: 'active', renews: false })
  expect(await stored()).toMatchObject({ paid_until: until, cancel_reason: 'owner' })
  expect(await atStripe()).toMatchObject({ cancel_at_period_end: true })
  expect(connected.history.account.world.all('refund')).toEqual([])
  const [mail, ...others] = await mails()
  expect(others).toEqual([])
  expect(mail).toMatchObject({ subject: expect.stringContaining('ne sera pas renouvelé') })
  expect(mail?.text).toContain('/me/')
  expect((await server.owner.call('GET', `${server.path}/audit?kind=charge`)).json().rows[0]).toMatchObject({
    act: 'subscription_cancelled',
    detail: { when: 'period_end' },
  })
})

test('now: it opens nothing any more, after an end that was promised too', async () => {
  await cancel({ when: 'period_end' })
  expect((await cancel({ when: 'now' })).json()).toMatchObject({ status: 'ended' })
  expect(await atStripe()).toMatchObject({ status: 'canceled' })
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    'Your “Supporter” of Low Water has ended',
    'Your “Supporter” of Low Water will not be renewed',
  ])
  expect((await cancel({ when: 'now' })).json()).toMatchObject({ error: { code: 'not_cancellable' } })
  expect(await mails()).toHaveLength(2)
})

test('five windows at once cancel once, and one mail goes out', async () => {
  await Promise.all(Array.from({ length: 5 }, () => cancel({ when: 'period_end' })))
  expect(await mails()).toHaveLength(1)
})

test('what the owner cancelled only the owner lets go on', async () => {
  const { server } = connected
  const { config, signer, db, now } = server.context
  await cancel({ when: 'period_end' })
  const row = await db.selectFrom('subscriber').selectAll().where('id', '=', key.subscriberId).executeTakeFirstOrThrow()
  const url = `/me/${new SubscriberLinks(config.secret, signer).fresh(row, now())}`
  expect((await server.inject({ method: 'GET', url })).body).not.toContain('value="resume"')
  for (const act of ['resume', 'stay']) {
    const payload = new URLSearchParams({ subscription: subscriptionId, act }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await server.inject({ method: 'POST', url, payload, headers })
    expect(answer.headers.location).toContain('said=notNow')
  }
  expect(await stored()).toMatchObject({ renews: false })
  const resume = `${server.path}/charge/subscriptions/${subscriptionId}/resume`
  expect((await server.owner.call('POST', resume)).json()).toMatchObject({ renews: true })
  expect((await server.inject({ method: 'GET', url })).body).toContain('renews by itself')
})

test('while Stripe is away nothing is changed and nobody is told', async () => {
  connected.history.stripe.fail({ kind: 'refuse', status: 503, of: 'POST /v1/subscriptions', times: 9 })
  expect((await cancel({ when: 'period_end' })).statusCode).toBe(503)
  expect(await stored()).toMatchObject({ renews: true, cancel_reason: null })
  expect(await mails()).toEqual([])
})

test('who may not be written to is cancelled all the same, and nobody is written to', async () => {
  const { db } = connected.server.context
  const suppressed = { newsletter_id: key.newsletterId, email_normalised: email, reason: 'bounced' as const }
  await db.insertInto('suppression').values(suppressed).execute()
  expect((await cancel({ when: 'now' })).json()).toMatchObject({ status: 'ended' })
  expect(await mails()).toEqual([])
})

test('what is no subscription by card, or nothing at all, is refused', async () => {
  expect((await cancel({ when: 'later' })).statusCode).toBe(422)
  expect((await cancel({})).statusCode).toBe(422)
  for (const id of ['x', '01890000-0000-7000-8000-000000000000'])
    expect((await cancel({ when: 'now' }, id)).statusCode).toBe(404)
  await connected.server.context.db
    .updateTable('subscription')
    .set({ way: 'outside', stripe_id: null })
    .where('id', '=', subscriptionId)
    .execute()
  expect((await cancel({ when: 'now' })).statusCode).toBe(409)
})
