import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, type Script, startRecordingRelay } from '../testing/recording-relay.ts'
import { takeBackRefusals } from './delivery-state.ts'
import { Dispatcher } from './dispatcher.ts'
import type { Sending } from './sending.ts'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

interface Server extends TestNewsletter {
  relay: RecordingRelay
  bounced(): Promise<string[]>
}

interface Refusing extends Server {
  id: string
  addresses: string[]
  /** Addresses that were refused, each as often as it was. */
  refused: string[]
  /** From now on. */
  answer(script: Script): void
}

/** A publication to so many subscribers that is being sent through a relay with a will of its own. */
async function sendTo(count: number, script: Script): Promise<Refusing> {
  const refused: string[] = []
  let answer = script
  const server = await startRefusing((to, attempt) => {
    const said = answer(to, attempt)
    if (said && typeof said === 'object') refused.push(to)
    return said
  })
  const addresses = Array.from({ length: count }, (_, n) => `subscriber${n}@example.org`)
  await server.addSubscribers(addresses)
  const { id } = await server.draft()
  await server.send(id)
  await server.work()
  return {
    ...server,
    id,
    addresses,
    refused,
    answer: (other) => (answer = other),
  }
}

async function startRefusing(script: Script): Promise<Server> {
  const relay = await startRecordingRelay(script)
  open.push(relay)
  const server = await startTestNewsletter({ SMTP_URL: relay.url })
  open.push(server)
  const { db } = server.context
  return {
    ...server,
    relay,
    async bounced() {
      const rows = await db.selectFrom('subscriber').select('email').where('status', '=', 'bounced').execute()
      const kept = await db.selectFrom('suppression').select('email_normalised').execute()
      expect(kept.map((row) => row.email_normalised).sort()).toEqual(rows.map(({ email }) => email).sort())
      return rows.map(({ email }) => email).sort()
    },
  }
}

const say = (code: number, text: string) => () => ({ code, text })

test.each([
  ['relaying denied', say(550, 'relay not permitted'), 'relay_refused', /relay not permitted/],
  [
    'a quota in words',
    say(550, 'Domain lowwater.test has exceeded the max emails per hour (500/500 (100%)) allowed. Message discarded.'),
    'relay_refused',
    /max emails per hour/,
  ],
  ['a sender that is not believed', say(550, 'Sender verify failed'), 'relay_refused', /Sender verify failed/],
  ['words that nobody knows', say(550, 'No'), 'too_many_refusals', /550 No/],
  ['addresses that do not exist, all of them', say(550, '5.1.1 User unknown'), 'too_many_refusals', /5\.1\.1/],
] as const)('%s pause it within 50 messages, and nobody is bounced', async (...[, script, reason, words]) => {
  const sent = await sendTo(400, script)
  expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: reason })
  const read = (await sent.owner.call('GET', `${sent.path}/publications/${sent.id}`)).json()
  expect(read.stoppedAnswer).toMatch(words)
  expect(sent.refused.length).toBeLessThanOrEqual(50)
  expect(await sent.bounced()).toEqual([])
  expect(await sent.counts(sent.id)).toEqual({ intended: 400, queued: 400 })

  sent.answer(() => null)
  await sent.owner.call('POST', `${sent.path}/publications/${sent.id}/resume`, {})
  // A relay that refused rests a moment before it is asked again.
  await sent.work()
  expect(await sent.counts(sent.id)).toEqual({ intended: 400, accepted: 400 })
  expect(sent.relay.received.map(({ to }) => to).sort()).toEqual(sent.addresses.toSorted())
  expect(await sent.bounced()).toEqual([])
})

test('a quota that ends in the middle pauses it within 50 messages, and those before it got one each', async () => {
  let taken = 0
  const sent = await sendTo(600, () => {
    taken += 1
    return taken > 300 ? { code: 550, text: 'You have exceeded your hourly limit' } : null
  })
  expect(await sent.state(sent.id)).toMatchObject({ status: 'paused' })
  expect(sent.refused.length).toBeLessThanOrEqual(50)
  expect(await sent.bounced()).toEqual([])
  sent.answer(() => null)
  await sent.owner.call('POST', `${sent.path}/publications/${sent.id}/resume`, {})
  await sent.work()
  expect(sent.relay.received.map(({ to }) => to).sort()).toEqual(sent.addresses.toSorted())
})

test('a worker that dies while it marks who bounced leaves a sending that is ended later, and nobody unmarked', async () => {
  const server = await startRefusing((to) => (to.startsWith('gone') ? { code: 550, text: '5.1.1 User unknown' } : null))
  await sql`create sequence marked`.execute(server.context.db)
  await sql`
    create function die_at_first() returns trigger language plpgsql as $$ begin
      if nextval('marked') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return null;
    end $$`.execute(server.context.db)
  await sql`create trigger die after insert on suppression for each statement execute function die_at_first()`.execute(
    server.context.db,
  )
  await server.addSubscribers(['gone@example.org', 'ada@example.org'])
  const { id } = await server.draft()
  await server.send(id)
  await server.work()
  expect(await sql`select last_value::int from marked`.execute(server.context.db)).toMatchObject({
    rows: [{ last_value: 2 }],
  })
  expect(await server.state(id)).toMatchObject({ status: 'sent', stopped_by: null })
  expect(await server.bounced()).toEqual(['gone@example.org'])
})

test('who was marked as bounced before the relay refused the last ones keeps the words of the server', async () => {
  const gone = { code: 550, text: '5.1.1 User unknown' }
  const isGone = (to: string) => Number(/\d+/.exec(to)?.[0]) < 5
  const waits = (to: string) => Number(/\d+/.exec(to)?.[0]) >= 90
  const sent = await sendTo(100, (to) => (isGone(to) ? gone : waits(to) ? { code: 451, text: 'greylisted' } : null))
  expect(await sent.bounced()).toEqual(sent.addresses.filter(isGone).sort())
  const { db } = sent.context
  await sql`update delivery set due_at = now() where state = 'deferred'`.execute(db)
  sent.answer(say(550, 'relay not permitted'))
  await sent.work()
  expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'relay_refused' })
  sent.answer(() => null)
  await sent.owner.call('POST', `${sent.path}/publications/${sent.id}/resume`, {})
  await sent.work()
  expect(await sent.counts(sent.id)).toEqual({ intended: 100, accepted: 95, failed: 5 })
})

test('a quota that ends near the end says nothing about addresses that were unknown before: it goes on, and marks exactly them', async () => {
  const isGone = (to: string) => Number(/\d+/.exec(to)?.[0]) % 20 === 7
  const others = new Set<string>()
  let quota = 935
  const sent = await sendTo(1_000, (to) => {
    if (isGone(to)) return { code: 550, text: '5.1.1 User unknown' }
    return others.add(to).size > quota ? { code: 550, text: 'You have exceeded your hourly limit' } : null
  })
  expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'relay_refused' })
  expect(await sent.bounced()).toEqual([])
  quota = 1_000
  await sent.owner.call('POST', `${sent.path}/publications/${sent.id}/resume`, {})
  await sent.work()
  expect(await sent.state(sent.id)).toMatchObject({ status: 'sent', stopped_by: null })
  expect(await sent.counts(sent.id)).toEqual({ intended: 1_000, accepted: 950, failed: 50 })
  expect(await sent.bounced()).toEqual(sent.addresses.filter(isGone).sort())
})

test('a twentieth that does not exist is marked as bounced, exactly they, also when they were imported together', async () => {
  const isGone = (to: string) => Number(/\d+/.exec(to)?.[0]) >= 570
  const sent = await sendTo(600, (to) => (isGone(to) ? { code: 550, text: '5.1.1 User unknown' } : null))
  expect(await sent.state(sent.id)).toMatchObject({ status: 'sent' })
  expect(await sent.counts(sent.id)).toEqual({ intended: 600, accepted: 570, failed: 30 })
  expect(await sent.bounced()).toEqual(sent.addresses.filter(isGone).sort())
})

test.each([
  ['relaying', '4.7.1 <reader@example.org>: Relay access denied'],
  ['a sender', '4.1.7 <ines@lowwater.test>: Sender address rejected: undeliverable address'],
])(
  '%s that is denied for now, as Postfix says unless told otherwise: few are tried, and it pauses',
  async (_, words) => {
    const sent = await sendTo(400, say(450, words))
    expect(await sent.state(sent.id)).toMatchObject({ status: 'paused' })
    const read = (await sent.owner.call('GET', `${sent.path}/publications/${sent.id}`)).json()
    expect(read.stoppedAnswer).toBe(`450 ${words}`)
    expect(sent.refused.length).toBeLessThanOrEqual(50)
    const { queued = 0, deferred = 0 } = await sent.counts(sent.id)
    expect(queued + deferred).toBe(400)
    expect(await sent.bounced()).toEqual([])
  },
)

test('one odd address that the relay does not carry is tried later, and the others arrive', async () => {
  const sent = await sendTo(100, (to) =>
    to === 'subscriber50@example.org' ? { code: 550, text: 'relay not permitted' } : null,
  )
  expect(await sent.state(sent.id)).toMatchObject({ status: 'sending' })
  expect(await sent.counts(sent.id)).toEqual({ intended: 100, accepted: 99, deferred: 1 })
  expect(await sent.bounced()).toEqual([])
})

test('when nobody was accepted, nobody is marked: one wrong address proves nothing', async () => {
  const sent = await sendTo(2, say(550, '5.1.1 User unknown'))
  expect(await sent.counts(sent.id)).toEqual({ intended: 2, failed: 2 })
  expect(await sent.state(sent.id)).toMatchObject({ status: 'sent' })
  expect(await sent.bounced()).toEqual([])
})

test('an owner who believes the relay lets it go on, and all of them are marked', async () => {
  const sent = await sendTo(60, say(550, '5.1.1 User unknown'))
  expect(await sent.state(sent.id)).toMatchObject({ status: 'paused', stopped_by: 'too_many_refusals' })
  const trusted = await sent.owner.call('POST', `${sent.path}/publications/${sent.id}/trust`, {})
  expect(trusted.json()).toMatchObject({ status: 'sending', stoppedBy: null })
  await sent.work()
  expect(await sent.counts(sent.id)).toEqual({ intended: 60, failed: 60 })
  expect(await sent.bounced()).toHaveLength(60)
})

test('who believes the relay at once is not stopped by what was counted before', async () => {
  const server = await startRefusing(say(550, '5.1.1 User unknown'))
  await server.addSubscribers(Array.from({ length: 60 }, (_, n) => `subscriber${n}@example.org`))
  const { id } = await server.draft()
  await server.send(id)
  const dispatcher = new Dispatcher(server.context)
  open.push(dispatcher)
  await dispatcher.poll()
  await expect.poll(async () => (await server.state(id)).status).toBe('paused')
  await expect.poll(() => server.counts(id)).toEqual({ intended: 60, queued: 60 })
  await server.owner.call('POST', `${server.path}/publications/${id}/trust`, {})
  await dispatcher.drain()
  expect(await server.counts(id)).toEqual({ intended: 60, failed: 60 })
})

test('what is cancelled after an abnormal stop does not wait for ever', async () => {
  const sent = await sendTo(60, say(550, '5.1.1 User unknown'))
  const { db } = sent.context
  const [sending] = await sql<Sending>`
    select newsletter_id as "newsletterId", publication_id as "publicationId", id from sending`
    .execute(db)
    .then(({ rows }) => rows)
  if (!sending) throw new Error('there is no sending')
  await db.updateTable('delivery').set({ state: 'failed', due_at: null }).execute()
  await sent.owner.call('POST', `${sent.path}/publications/${sent.id}/cancel`, {})
  expect(await takeBackRefusals(db, sending, 'too_many_refusals')).toBe(0)
  expect(await sent.counts(sent.id)).toEqual({ intended: 60, failed: 60 })
})

test('another relay takes over when the first refuses everybody', async () => {
  const denying = await startRecordingRelay(say(550, 'relay not permitted'))
  const taking = await startRecordingRelay()
  open.push(denying, taking)
  const server = await startTestNewsletter({ PRIVATE_RELAYS: 'true' })
  open.push(server)
  for (const [name, relay] of [
    ['denying', denying],
    ['taking', taking],
  ] as const) {
    const { hostname, port } = new URL(relay.url)
    const way = { kind: 'smtp', host: hostname, port: Number(port), security: 'none', username: null }
    const added = await server.owner.call('POST', `${server.path}/relays`, {
      name,
      way,
      weight: name === 'denying' ? 100 : 1,
    })
    expect(added.statusCode).toBe(200)
  }
  await server.addSubscribers(Array.from({ length: 200 }, (_, n) => `subscriber${n}@example.org`))
  const { id } = await server.draft()
  await server.send(id)
  await server.work()
  const counts = await server.counts(id)
  expect((counts.accepted ?? 0) + (counts.deferred ?? 0)).toBe(200)
  expect(counts.deferred ?? 0).toBeLessThanOrEqual(50)
  expect(taking.received).toHaveLength(counts.accepted ?? 0)
})

test('sends again to those who were refused, by reason, and to nobody who was accepted', async () => {
  const sent = await sendTo(90, (to) => {
    const n = Number(/\d+/.exec(to)?.[0])
    if (n < 5) return { code: 554, text: `5.7.1 message ${n} looks like spam` }
    if (n < 8) return { code: 552, text: '5.2.2 mailbox full' }
    return null
  })
  const path = `${sent.path}/publications/${sent.id}/deliveries`
  expect(await sent.counts(sent.id)).toEqual({ intended: 90, accepted: 82, failed: 8 })
  const reasons = (await sent.owner.call('GET', `${path}/reasons?state=failed`)).json().rows
  expect(reasons).toEqual([
    { reason: expect.stringContaining('looks like spam'), answer: expect.any(String), count: 5 },
    { reason: expect.stringContaining('mailbox full'), answer: '552 5.2.2 mailbox full', count: 3 },
  ])
  await sent.context.db
    .updateTable('subscriber')
    .set({ status: 'unsubscribed' })
    .where('email', '=', 'subscriber0@example.org')
    .execute()
  sent.answer(() => null)
  const again = await sent.owner.call('POST', `${path}/again`, { state: 'failed', reason: reasons[0].reason })
  expect(again.json()).toEqual({ queued: 4 })
  expect(await sent.state(sent.id)).toMatchObject({ status: 'sending' })
  await sent.work()
  expect(await sent.counts(sent.id)).toEqual({ intended: 90, accepted: 86, failed: 4 })
  expect((await sent.owner.call('POST', `${path}/again`, { state: 'accepted' })).statusCode).toBe(422)
  expect((await sent.owner.call('POST', `${path}/again`, { state: 'failed' })).json()).toEqual({ queued: 3 })
  await sent.work()
  const copies = Map.groupBy(sent.relay.received, ({ to }) => to)
  expect(copies.size).toBe(89)
  expect([...copies.values()].every(({ length }) => length === 1)).toBe(true)
  const stranger = await sent.signUp()
  expect((await stranger.call('POST', `${path}/again`, { state: 'failed' })).statusCode).toBe(404)
})
