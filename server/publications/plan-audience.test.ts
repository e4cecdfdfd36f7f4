import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunning, plan } from '../sending/deliveries.ts'
import { addPaidPlan, addPaidSubscription } from '../testing/charge.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

let server: TestNewsletter
let relay: RecordingRelay
let plans: number[]
let paid: string

beforeAll(async () => {
  relay = await startRecordingRelay()
  server = await startTestNewsletter({ SMTP_URL: relay.url })
  const { db } = server.context
  plans = [await addPaidPlan(db, server.newsletterId, 'One'), await addPaidPlan(db, server.newsletterId, 'Two')]
  const [one = '', two = '', ended = ''] = await server.addSubscribers(
    ['one', 'two', 'ended', 'free'].map((name) => `${name}@example.org`),
  )
  paid = one
  const key = (subscriberId: string) => ({ newsletterId: server.newsletterId, subscriberId })
  await addPaidSubscription(db, key(one), { planId: plans[0] ?? 0 })
  await addPaidSubscription(db, key(two), { planId: plans[1] ?? 0 })
  await addPaidSubscription(db, key(ended), { planId: plans[1] ?? 0, paid_until: new Date(Date.now() - 60_000) })
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

const check = (publicationId: string, query: string) =>
  server.owner.call('GET', `${server.path}/publications/${publicationId}/check?${query}`)

test.each([
  ['paid', ['one', 'two'], null],
  ['free', ['ended', 'free'], null],
  ['two', ['two'], 'Two'],
])('a publication is counted for, sent to and listed with its audience by plan: %s', async (asked, names, name) => {
  const plan = asked === 'two' ? plans[1] : asked
  const { id } = await server.draft()
  expect((await check(id, `plan=${plan}`)).json().audience.receive).toBe(names.length)
  relay.received.length = 0
  const sent = await server.send(id, { audience: { kind: 'plan', plan } })
  expect(sent.json().audience).toEqual({ kind: 'plan', plan, name })
  await server.work()
  expect(relay.received.map(({ to }) => to.split('@')[0]).sort()).toEqual(names)
  const list = await server.owner.call('GET', `${server.path}/publications`)
  expect(list.json().rows.find((row: { id: string }) => row.id === id).audience).toEqual({ kind: 'plan', plan, name })
})

test('who has no plan any more when their copy would leave does not get it', async () => {
  const { id } = await server.draft()
  relay.received.length = 0
  await server.send(id, { audience: { kind: 'plan', plan: 'paid' } })
  const { db } = server.context
  const [sending] = await findRunning(db)
  if (!sending) throw new Error('nothing is being sent')
  await plan(db, sending)
  await db
    .updateTable('entitlement')
    .set({ until: new Date(0) })
    .where('subscriber_id', '=', paid)
    .execute()
  await server.work()
  expect(relay.received.map(({ to }) => to)).toEqual(['two@example.org'])
  expect(await server.counts(id)).toEqual({ intended: 2, accepted: 1, suppressed: 1 })
  const later = new Date(Date.now() + 86_400_000)
  await db.updateTable('entitlement').set({ until: later }).where('subscriber_id', '=', paid).execute()
})

test('a plan of nobody, of another newsletter or of no kind is refused', async () => {
  const { db } = server.context
  const { id } = await server.draft()
  const foreign = await addPaidPlan(db, await addNewsletter(db, server.owner.userId, 'Other'))
  for (const plan of [999, foreign]) {
    expect((await check(id, `plan=${plan}`)).json().error.code).toBe('plan_not_found')
    expect((await server.send(id, { audience: { kind: 'plan', plan } })).json().error.code).toBe('plan_not_found')
    const filter = { on: 'plan', op: 'has', plan }
    const made = await server.owner.call('POST', `${server.path}/segments`, { name: `plan ${plan}`, filter })
    expect(made.json().error.code).toBe('plan_not_found')
  }
  for (const plan of ['all', 0, -1, 1.5, 2 ** 40, null]) {
    expect((await server.send(id, { audience: { kind: 'plan', plan } })).statusCode).toBe(422)
    expect((await check(id, `plan=${plan}`)).statusCode).toBe(422)
  }
})
