import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { addNewsletter, paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, type Script, startRecordingRelay } from '../testing/recording-relay.ts'
import { Dispatcher } from './dispatcher.ts'
import { defaultTuning, type Tuning } from './tuning.ts'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

async function withRelay(script?: Script): Promise<TestNewsletter & { relay: RecordingRelay }> {
  const relay = await startRecordingRelay(script)
  open.push(relay)
  const room = await startTestNewsletter({ SMTP_URL: relay.url })
  open.push(room)
  return { ...room, relay }
}

async function startDispatcher(room: TestNewsletter, tuning: Partial<Tuning> = {}): Promise<Dispatcher> {
  const dispatcher = new Dispatcher(room.context, { ...defaultTuning, ...tuning })
  open.push(dispatcher)
  await dispatcher.start()
  return dispatcher
}

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `reader${index}@example.org`)

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10)
}

test('three workers share one publication, and every reader gets one', async () => {
  const room = await withRelay()
  await room.addSubscribers(addresses(300))
  for (let n = 0; n < 3; n++) await startDispatcher(room, { batch: 7 })
  const { id } = await room.draft()
  await room.send(id)
  await until(async () => (await room.state(id)).status === 'sent')
  expect(await room.counts(id)).toEqual({ intended: 300, accepted: 300 })
  expect(room.relay.received.map(({ to }) => to).sort()).toEqual(addresses(300).sort())
})

test('a sending begins when it is asked for, long before the next look', async () => {
  const room = await withRelay()
  await room.addSubscribers(addresses(3))
  await startDispatcher(room, { pollMs: 600_000 })
  const { id } = await room.draft()
  await room.send(id)
  await until(() => room.relay.received.length === 3)
})

test('a pause reaches every worker within two seconds', async () => {
  const room = await withRelay(() => 'wait')
  await room.addSubscribers(addresses(100))
  for (let n = 0; n < 2; n++) await startDispatcher(room, { batch: 25 })
  const { id } = await room.draft()
  await room.send(id)
  await until(async () => (await room.counts(id)).claimed === 100)
  await room.owner.call('POST', `${room.path}/publications/${id}/pause`, {})
  const paused = performance.now()
  const drip = setInterval(room.relay.release, 5)
  await until(async () => ((await room.counts(id)).claimed ?? 0) === 0)
  clearInterval(drip)
  expect(performance.now() - paused).toBeLessThan(2_000)
  const { accepted = 0, queued = 0 } = await room.counts(id)
  expect(accepted + queued).toBe(100)
  expect(queued).toBeGreaterThan(0)
  expect(room.relay.received).toHaveLength(accepted)
})

test('a pause also holds back what a slow relay was handed and has not begun', async () => {
  let asked = 0
  const room = await withRelay(() => {
    asked += 1
    return 'wait'
  })
  await room.addSubscribers(addresses(200))
  const dispatcher = await startDispatcher(room)
  const { id } = await room.draft()
  await room.send(id)
  // At each of ten connections: for its recipient, and at the end of its text.
  await until(() => asked === 20)
  await room.owner.call('POST', `${room.path}/publications/${id}/pause`, {})
  await dispatcher.poll()
  const drip = setInterval(room.relay.release, 5)
  await until(async () => ((await room.counts(id)).claimed ?? 0) === 0)
  clearInterval(drip)
  expect(room.relay.received).toHaveLength(10)
  expect(await room.counts(id)).toEqual({ intended: 200, accepted: 10, queued: 190 })
})

test('a publication that is slow to leave gives its place to another, and both are sent to the end', async () => {
  let slow = true
  const room = await withRelay((to) => (slow && to.startsWith('reader') ? 'wait' : null))
  await room.addSubscribers(addresses(40))
  const other = await addNewsletter(room.context.db, room.owner.userId, 'High Water')
  const reader = { newsletter_id: other, email: 'ada@example.org', email_normalised: 'ada@example.org', name: null }
  await room.context.db
    .insertInto('subscriber')
    .values({ ...reader, id: uuidv7(), language: 'en', status: 'active', confirmed_at: new Date() })
    .execute()
  const { id } = await room.draft()
  await room.send(id)
  const dispatcher = await startDispatcher(room, { senders: 1, sliceMs: 300, pollMs: 20 })
  await until(async () => (await room.counts(id)).claimed === 40)
  const path = `/api/newsletters/${other}/publications`
  const content = { type: 'doc', content: [paragraph('The sea comes back.')] }
  const second = (await room.owner.call('POST', path, { title: 'High tide', content })).json()
  await room.owner.call('POST', `${path}/${second.id}/send`, {})
  const drip = setInterval(room.relay.release, 5)
  await until(async () => (await room.state(second.id)).status === 'sent')
  slow = false
  await until(async () => (await room.state(id)).status === 'sent')
  clearInterval(drip)
  await dispatcher.stop()
  expect(await room.counts(second.id)).toEqual({ intended: 1, accepted: 1 })
  expect(await room.counts(id)).toEqual({ intended: 40, accepted: 40 })
  expect(room.relay.received).toHaveLength(41)
})

test('told to stop, a worker finishes what is on its way, and another goes on with the rest', async () => {
  const room = await withRelay(() => 'wait')
  await room.addSubscribers(addresses(120))
  const first = await startDispatcher(room, { batch: 100 })
  const { id } = await room.draft()
  await room.send(id)
  await until(async () => (await room.counts(id)).claimed === 120)
  const stopped = first.stop()
  const drip = setInterval(room.relay.release, 5)
  await stopped
  const { accepted = 0, queued = 0 } = await room.counts(id)
  expect([accepted + queued, accepted < 120]).toEqual([120, true])
  await startDispatcher(room)
  await until(async () => (await room.state(id)).status === 'sent')
  clearInterval(drip)
  expect(await room.counts(id)).toEqual({ intended: 120, accepted: 120 })
  expect(new Set(room.relay.received.map(({ to }) => to)).size).toBe(120)
  expect(room.relay.received).toHaveLength(120)
})

test('what cannot be made into mail is paused and says so, instead of being tried for ever', async () => {
  const room = await withRelay()
  await room.addSubscribers(addresses(2))
  const { id } = await room.draft()
  await room.send(id)
  await sql`update newsletter set timezone = 'Nowhere/Never' where id = ${room.newsletterId}`.execute(room.context.db)
  await room.work()
  expect(await room.state(id)).toEqual({ status: 'paused', stopped_by: 'internal' })
  expect(await room.counts(id)).toEqual({ intended: 2, queued: 2 })
  expect(room.relay.received).toEqual([])
})
