import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import type { DeliveryKey } from '../mail/return-path.ts'
import { lockSendings } from '../sending/state.ts'
import { SubscriberLinks } from '../subscribers/subscriber-links.ts'
import { addAcceptedDeliveries } from '../testing/deliveries.ts'
import { lockWaiters } from '../testing/lock-waiters.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { recordFeedback } from './feedback.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

const words = (text: string) => ({ status: null, words: text })
const report = (delivery: DeliveryKey | undefined, kind: 'hard' | 'soft' | 'complaint', text = '') =>
  recordFeedback(server.context.db, delivery as DeliveryKey, { source: 'dsn', kind, ...words(text) })
const list = (publicationId: string, query = '') =>
  server.owner.call('GET', `${server.path}/publications/${publicationId}/feedback${query}`)

test('an owner reads bounces and complaints, newest first, by kind and page by page, with counts of deliveries', async () => {
  const subscriberIds = await server.addSubscribers(['a@example.com', 'b@example.com', 'c@example.com'])
  const [first, second, third] = await addAcceptedDeliveries(server, subscriberIds)
  const publicationId = first?.publicationId ?? ''
  await report(first, 'soft', '452 4.2.2 mailbox full')
  await report(first, 'hard', '550 5.1.1 no such user')
  await report(second, 'hard', '550 5.1.1 nobody')
  await report(third, 'complaint', 'abuse')
  const all = (await list(publicationId)).json()
  expect(all.rows.map(({ email, kind, suppressed }: Record<string, unknown>) => [email, kind, suppressed])).toEqual([
    ['c@example.com', 'complaint', true],
    ['b@example.com', 'hard', true],
    ['a@example.com', 'hard', true],
    ['a@example.com', 'soft', false],
  ])
  expect(all.counts).toEqual({ hard: 2, soft: 1, complaint: 1 })
  const { shownIds } = server.context
  expect(all.rows[0]).toMatchObject({
    words: 'abuse',
    source: 'dsn',
    status: null,
    subscriberId: shownIds.show(third?.subscriberId ?? ''),
  })
  const page = (await list(publicationId, '?kind=hard&limit=1')).json()
  expect([page.rows.length, page.rows[0].words]).toEqual([1, '550 5.1.1 nobody'])
  const rest = (await list(publicationId, `?kind=hard&limit=1&cursor=${page.next}`)).json()
  expect([rest.rows[0].words, rest.next]).toEqual(['550 5.1.1 no such user', null])
  const result = await server.owner.call('GET', `${server.path}/publications/${publicationId}/result`)
  expect(result.json()).toMatchObject({ bounces: 2, complaints: 1, counts: { intended: 3, accepted: 3 } })
})

test('a copy that came back is not called accepted where its reader is looked at, nor where they look themselves', async () => {
  const links = new SubscriberLinks(server.context.config.secret, server.context.signer)
  for (const [kind, read] of [
    ['soft', 'it came back'],
    ['hard', 'it came back'],
    ['complaint', 'sent'],
    [null, 'sent'],
  ] as const) {
    const [subscriberId = ''] = await server.addSubscribers([`${kind}-back@example.com`])
    const [delivery] = await addAcceptedDeliveries(server, [subscriberId])
    if (kind) await report(delivery, kind, '550 5.1.1 no such user')
    const asked = await server.owner.call('GET', server.subscriberPath(subscriberId))
    expect(asked.json().deliveries, kind ?? 'none').toMatchObject([{ state: 'accepted', returned: kind }])
    const { db } = server.context
    const row = await db.selectFrom('subscriber').selectAll().where('id', '=', subscriberId).executeTakeFirstOrThrow()
    const page = await server.app.inject(`/me/${links.fresh(row, server.context.now())}`)
    expect(page.body.match(/Sent to you.*?<\/section>/s)?.[0], kind ?? 'none').toMatch(new RegExp(`, ${read}<`))
  }
})

test('an erased subscriber is still counted, without the words of the report', async () => {
  const [subscriberId = ''] = await server.addSubscribers(['erased@example.com'])
  const [delivery] = await addAcceptedDeliveries(server, [subscriberId])
  await report(delivery, 'hard', '550 5.1.1 <erased@example.com> unknown')
  await server.owner.call('DELETE', server.subscriberPath(subscriberId))
  const { rows } = (await list(delivery?.publicationId ?? '')).json()
  expect(rows).toMatchObject([{ kind: 'hard', email: '', words: '' }])
})

test('a report about a subscriber who was erased before is counted, and writes no event about them', async () => {
  const [subscriberId = ''] = await server.addSubscribers(['gone@example.com'])
  const [hard, complaint] = [
    ...(await addAcceptedDeliveries(server, [subscriberId])),
    ...(await addAcceptedDeliveries(server, [subscriberId])),
  ]
  await server.owner.call('DELETE', server.subscriberPath(subscriberId))
  expect(await report(hard, 'hard')).toBe(true)
  expect(await report(complaint, 'complaint')).toBe(true)
  const { db } = server.context
  const events = await db.selectFrom('event').selectAll().where('subscriber_id', '=', subscriberId).execute()
  expect(events).toEqual([])
  expect((await list(hard?.publicationId ?? '')).json().counts).toMatchObject({ hard: 1 })
  expect((await list(complaint?.publicationId ?? '')).json().counts).toMatchObject({ complaint: 1 })
})

test('when more than a quarter of a publication bounces, nobody is marked, and those that were are restored', async () => {
  const { db } = server.context
  const subscriberIds = await server.addSubscribers(Array.from({ length: 40 }, (_, n) => `many${n}@example.com`))
  const deliveries = await addAcceptedDeliveries(server, subscriberIds)
  const bounced = async () => {
    const rows = await db.selectFrom('subscriber').select(['id', 'status']).where('id', 'in', subscriberIds).execute()
    return rows.filter(({ status }) => status === 'bounced').length
  }
  for (const delivery of deliveries.slice(0, 14)) await report(delivery, 'hard', '550 5.1.1 unknown')
  expect(await bounced()).toBe(14)
  for (const delivery of deliveries.slice(14)) await report(delivery, 'hard', '550 5.1.1 unknown')
  expect(await bounced()).toBe(0)
  const lines = db.selectFrom('audit').select(['actor', 'reason']).where('act', '=', 'suppressions_lifted')
  const line = await lines.execute()
  expect(line).toEqual([{ actor: 'system', reason: 'abnormal_sending' }])
  const counts = (await list(deliveries[0]?.publicationId ?? '')).json().counts
  expect(counts).toEqual({ hard: 40, soft: 0, complaint: 0 })
})

test('the newsletter sets how many soft bounces are too many', async () => {
  const change = (limit: unknown) => server.owner.call('PATCH', server.path, { softBounceLimit: limit })
  for (const wrong of [0, 51, 1.5, '3', null]) expect((await change(wrong)).statusCode).toBe(422)
  expect((await change(1)).json()).toMatchObject({ softBounceLimit: 1 })
  const [subscriberId = ''] = await server.addSubscribers(['soft@example.com'])
  const [delivery] = await addAcceptedDeliveries(server, [subscriberId])
  await report(delivery, 'soft')
  const read = await server.owner.call('GET', server.subscriberPath(subscriberId))
  expect(read.json().status).toBe('bounced')
})

test('one delivery that several sources report is one soft bounce', async () => {
  await server.owner.call('PATCH', server.path, { softBounceLimit: 2 })
  const [subscriberId = ''] = await server.addSubscribers(['once@example.com'])
  const [delivery] = await addAcceptedDeliveries(server, [subscriberId])
  await report(delivery, 'soft')
  await recordFeedback(server.context.db, delivery as DeliveryKey, { source: 'ses', kind: 'soft', ...words('') })
  const status = async () => (await server.owner.call('GET', server.subscriberPath(subscriberId))).json().status
  expect(await status()).toBe('active')
  await report((await addAcceptedDeliveries(server, [subscriberId]))[0], 'soft')
  expect(await status()).toBe('bounced')
})

const paused = { status: 'paused', stoppedBy: 'too_many_complaints' }
const sending = { status: 'sending', stoppedBy: null, stoppedAnswer: null }
const stateOf = async (publicationId: string) => {
  const { status, stoppedBy, stoppedAnswer } = (
    await server.owner.call('GET', `${server.path}/publications/${publicationId}`)
  ).json()
  return { status, stoppedBy, stoppedAnswer }
}
/** What was sent before no longer counts: the newsletter begins anew with one publication that is being sent. */
async function sendingTo(readers: number) {
  await sql`update sending set started_at = now() - interval '31 days', state = 'sent'`.execute(server.context.db)
  const subscriberIds = Array.from({ length: readers }, () => uuidv7())
  const deliveries = await addAcceptedDeliveries(server, subscriberIds, 'sending')
  return { publicationId: deliveries[0]?.publicationId ?? '', deliveries }
}
const recentOf = async (publicationId: string) => (await list(publicationId)).json().recent

test('one complaint on a list of 58 pauses nothing and warns of nothing', async () => {
  const { publicationId, deliveries } = await sendingTo(58)
  await report(deliveries[0], 'complaint')
  expect(await stateOf(publicationId)).toEqual(sending)
  expect(await recentOf(publicationId)).toEqual({ complaints: 1, accepted: 58, level: 'fine' })
})

test('complaints add up over the publications of 30 days, and pause what is being sent', async () => {
  const { publicationId: first, deliveries } = await sendingTo(600)
  await report(deliveries[0], 'complaint')
  await report(deliveries[1], 'complaint')
  await report(deliveries[2], 'complaint')
  expect(await stateOf(first)).toEqual(sending)
  expect(await recentOf(first)).toEqual({ complaints: 3, accepted: 600, level: 'watched' })
  await sql`update sending set state = 'sent' where id = ${first}`.execute(server.context.db)
  const [second] = await addAcceptedDeliveries(
    server,
    Array.from({ length: 400 }, () => uuidv7()),
    'sending',
  )
  const publicationId = second?.publicationId ?? ''
  // The complaint is about the publication of before; the rate is that of the newsletter.
  await report(deliveries[3], 'complaint')
  expect(await stateOf(publicationId)).toEqual({ ...paused, stoppedAnswer: '4/1000' })
  expect((await stateOf(first)).status).toBe('sent')
  await server.owner.call('POST', `${server.path}/publications/${publicationId}/resume`)
  expect(await stateOf(publicationId)).toEqual(sending)
  await report(second, 'complaint')
  expect(await stateOf(publicationId)).toEqual({ ...paused, stoppedAnswer: '5/1000' })
})

test('complaints of another newsletter, and those about what was sent a month ago, do not count', async () => {
  const { publicationId, deliveries } = await sendingTo(1_000)
  const old = deliveries.slice(0, 2)
  await Promise.all(old.map((delivery) => report(delivery, 'complaint')))
  await sql`update sending set started_at = now() - interval '30 days' where id = ${publicationId}`.execute(
    server.context.db,
  )
  const next = await addAcceptedDeliveries(
    server,
    Array.from({ length: 1_000 }, () => uuidv7()),
    'sending',
  )
  const foreign = await server.createNewsletter(await server.signUp())
  const theirs = await addAcceptedDeliveries(
    { context: server.context, newsletterId: foreign },
    Array.from({ length: 1_000 }, () => uuidv7()),
    'sending',
  )
  await report(next[0], 'complaint')
  await report(theirs[0], 'complaint')
  await report(theirs[1], 'complaint')
  await report(deliveries[3], 'complaint')
  expect((await stateOf(next[0]?.publicationId ?? '')).status).toBe('sending')
  expect(await recentOf(next[0]?.publicationId ?? '')).toEqual({ complaints: 1, accepted: 1_000, level: 'watched' })
})

test('complaints that arrive at the same time are counted one after the other', async () => {
  for (let round = 0; round < 12; round++) {
    // Three of 1,000 are too many, and two are not.
    const { publicationId, deliveries } = await sendingTo(1_000)
    const three = deliveries.slice(0, 3)
    expect(await Promise.all(three.map((delivery) => report(delivery, 'complaint')))).toEqual([true, true, true])
    expect(await stateOf(publicationId)).toEqual({ ...paused, stoppedAnswer: '3/1000' })
  }
})

test('the publication of another newsletter is not found', async () => {
  const stranger = await server.signUp()
  const other = await server.createNewsletter(stranger)
  const [subscriberId = ''] = await server.addSubscribers(['theirs@example.com'])
  const [delivery] = await addAcceptedDeliveries(server, [subscriberId])
  const path = `publications/${delivery?.publicationId}/feedback`
  expect((await stranger.call('GET', `/api/newsletters/${other}/${path}`)).statusCode).toBe(404)
  expect((await stranger.call('GET', `${server.path}/${path}`)).statusCode).toBe(404)
})

test('a publication may be saved while a complaint about it is recorded: neither fails', async () => {
  const { db } = server.context
  const [delivery] = await addAcceptedDeliveries(server, await server.addSubscribers(['both@example.com']))
  const { newsletterId = '', publicationId = '', subscriberId = '' } = delivery ?? {}
  const publication = `${server.path}/publications/${publicationId}`
  const { revision } = (await server.owner.call('GET', publication)).json()
  const saved = await db.transaction().execute(async (tx) => {
    // What recording a complaint does, with the save in between.
    await lockSendings(tx, { newsletterId, publicationId })
    const answer = server.owner.call('PATCH', publication, { title: 'High tide', revision })
    await vi.waitUntil(() => someoneWaits(), { timeout: 10_000 })
    await sql`insert into feedback (newsletter_id, id, at, publication_id, subscriber_id, kind, source)
      values (${newsletterId}, ${uuidv7()}, now(), ${publicationId}, ${subscriberId}, 'complaint', 'arf')`.execute(tx)
    return { answer }
  })
  expect((await saved.answer).statusCode).toBe(200)

  async function someoneWaits(): Promise<boolean> {
    return (await lockWaiters(db)) > 0
  }
})
