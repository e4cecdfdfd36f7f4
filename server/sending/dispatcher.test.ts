import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { AppError, type ErrorCode } from '../errors.ts'
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
  const server = await startTestNewsletter({ SMTP_URL: relay.url })
  open.push(server)
  return { ...server, relay }
}

async function startDispatcher(server: TestNewsletter, tuning: Partial<Tuning> = {}): Promise<Dispatcher> {
  const dispatcher = new Dispatcher(server.context, { ...defaultTuning, ...tuning })
  open.push(dispatcher)
  await dispatcher.start()
  return dispatcher
}

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `subscriber${index}@example.org`)

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(10)
}

test('three workers share one publication, and every subscriber gets it once', async () => {
  const server = await withRelay()
  await server.addSubscribers(addresses(300))
  for (let n = 0; n < 3; n++) await startDispatcher(server, { batch: 7 })
  const { id } = await server.draft()
  await server.send(id)
  await until(async () => (await server.state(id)).status === 'sent')
  expect(await server.counts(id)).toEqual({ intended: 300, accepted: 300 })
  expect(server.relay.received.map(({ to }) => to).sort()).toEqual(addresses(300).sort())
})

test('a sending begins when it is asked for, long before the next poll', async () => {
  const server = await withRelay()
  await server.addSubscribers(addresses(3))
  await startDispatcher(server, { pollMs: 600_000 })
  const { id } = await server.draft()
  await server.send(id)
  await until(() => server.relay.received.length === 3)
})

test('a pause reaches every worker before what waits is sent', async () => {
  const server = await withRelay(() => 'wait')
  await server.addSubscribers(addresses(100))
  for (let n = 0; n < 2; n++) await startDispatcher(server, { batch: 25 })
  const { id } = await server.draft()
  await server.send(id)
  await until(async () => (await server.counts(id)).claimed === 40)
  await server.owner.call('POST', `${server.path}/publications/${id}/pause`, {})
  // All would be sent in half a second.
  const drip = setInterval(server.relay.release, 5)
  await until(async () => ((await server.counts(id)).claimed ?? 0) === 0)
  clearInterval(drip)
  const { accepted = 0, queued = 0 } = await server.counts(id)
  expect(accepted + queued).toBe(100)
  expect(queued).toBeGreaterThan(0)
  expect(server.relay.received).toHaveLength(accepted)
})

test('a pause also stops messages that a slow relay was given and has not begun to receive', async () => {
  let asked = 0
  const server = await withRelay(() => {
    asked += 1
    return 'wait'
  })
  await server.addSubscribers(addresses(200))
  const dispatcher = await startDispatcher(server)
  const { id } = await server.draft()
  await server.send(id)
  // Each of ten connections asks twice: for the recipient, and at the end of the text.
  await until(() => asked === 20)
  await server.owner.call('POST', `${server.path}/publications/${id}/pause`, {})
  await dispatcher.poll()
  const drip = setInterval(server.relay.release, 5)
  await until(async () => ((await server.counts(id)).claimed ?? 0) === 0)
  clearInterval(drip)
  expect(server.relay.received).toHaveLength(10)
  expect(await server.counts(id)).toEqual({ intended: 200, accepted: 10, queued: 190 })
})

test('a slow sending makes server for another one, and both are finished', async () => {
  let slow = true
  const server = await withRelay((to) => (slow && to.startsWith('subscriber') ? 'wait' : null))
  await server.addSubscribers(addresses(40))
  const other = await addNewsletter(server.context.db, server.owner.userId, 'High Water')
  const subscriber = { newsletter_id: other, email: 'ada@example.org', email_normalised: 'ada@example.org', name: null }
  await server.context.db
    .insertInto('subscriber')
    .values({ ...subscriber, id: uuidv7(), language: 'en', status: 'active', confirmed_at: new Date() })
    .execute()
  const { id } = await server.draft()
  await server.send(id)
  const dispatcher = await startDispatcher(server, { senders: 1, sliceMs: 300, pollMs: 20 })
  await until(async () => (await server.counts(id)).claimed === 20)
  const path = `/api/newsletters/${other}/publications`
  const content = { type: 'doc', content: [paragraph('The sea comes back.')] }
  const second = (await server.owner.call('POST', path, { title: 'High tide', content })).json()
  await server.owner.call('POST', `${path}/${second.id}/send`, {})
  const drip = setInterval(server.relay.release, 5)
  await until(async () => (await server.state(second.id)).status === 'sent')
  slow = false
  await until(async () => (await server.state(id)).status === 'sent')
  clearInterval(drip)
  await dispatcher.stop()
  expect(await server.counts(second.id)).toEqual({ intended: 1, accepted: 1 })
  expect(await server.counts(id)).toEqual({ intended: 40, accepted: 40 })
  expect(server.relay.received).toHaveLength(41)
})

test('a worker that is stopped finishes its messages, and another one sends the rest', async () => {
  const server = await withRelay(() => 'wait')
  await server.addSubscribers(addresses(120))
  const first = await startDispatcher(server, { batch: 100 })
  const { id } = await server.draft()
  await server.send(id)
  await until(async () => (await server.counts(id)).claimed === 20)
  const stopped = first.stop()
  const drip = setInterval(server.relay.release, 5)
  await stopped
  const { accepted = 0, queued = 0 } = await server.counts(id)
  expect([accepted + queued, accepted < 120]).toEqual([120, true])
  await startDispatcher(server)
  await until(async () => (await server.state(id)).status === 'sent')
  clearInterval(drip)
  expect(await server.counts(id)).toEqual({ intended: 120, accepted: 120 })
  expect(new Set(server.relay.received.map(({ to }) => to)).size).toBe(120)
  expect(server.relay.received).toHaveLength(120)
})

test('a publication that cannot be compiled is paused with its reason, instead of being tried for ever', async () => {
  const server = await withRelay()
  await server.addSubscribers(addresses(2))
  const { id } = await server.draft()
  await server.send(id)
  await sql`update newsletter set timezone = 'Nowhere/Never' where id = ${server.newsletterId}`.execute(
    server.context.db,
  )
  await server.work()
  expect(await server.state(id)).toEqual({ status: 'paused', stopped_by: 'internal' })
  expect(await server.counts(id)).toEqual({ intended: 2, queued: 2 })
  expect(server.relay.received).toEqual([])
})

test.each(['busy', 'rendering_failed'] as const)(
  'a layout that is refused with %s is tried again, and the sending goes on',
  async (code) => {
    const server = await withRelay()
    await server.addSubscribers(addresses(3))
    const { id } = await server.draft()
    await server.send(id)
    const refused = refuseLayouts(server, code, 3)
    await startDispatcher(server, { pollMs: 5 })
    await until(async () => (await server.state(id)).status !== 'sending')
    expect(refused.mock.calls.length).toBeGreaterThan(3)
    expect(await server.state(id)).toMatchObject({ status: 'sent', stopped_by: null })
    expect(server.relay.received).toHaveLength(3)
  },
)

test('while the server is busy for long, the sending is paused and says why; resumed later, it goes out', async () => {
  const server = await withRelay()
  await server.addSubscribers(addresses(3))
  const { id } = await server.draft()
  await server.send(id)
  const refused = refuseLayouts(server, 'busy')
  await startDispatcher(server, { pollMs: 5, patienceMs: 200 })
  await until(async () => (await server.state(id)).status !== 'sending')
  expect(await server.state(id)).toMatchObject({ status: 'paused', stopped_by: 'busy' })
  expect(refused.mock.calls.length).toBeGreaterThan(1)
  refused.mockRestore()
  await server.owner.call('POST', `${server.path}/publications/${id}/resume`, {})
  await until(async () => (await server.state(id)).status === 'sent')
  expect(server.relay.received).toHaveLength(3)
})

/** Retries come due at once and none is the last, for as long as it has to take. */
async function retrying(server: TestNewsletter, holds: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    await sql`update delivery set due_at = now(), attempts = least(attempts, 2) where state = 'deferred'`.execute(
      server.context.db,
    )
    return holds()
  })
}

test('a relay that puts everything off for longer than `patienceMs` pauses the sending with its words; resumed, it goes out', async () => {
  const taken = new Set<string>()
  let down = true
  const server = await withRelay((to) => {
    if (taken.size < 20) taken.add(to)
    return taken.has(to) || !down ? null : { code: 451, text: '4.3.2 System not accepting network messages' }
  })
  await server.addSubscribers(addresses(100))
  const { id } = await server.draft()
  await server.send(id)
  await startDispatcher(server, { pollMs: 5, recordMs: 5, patienceMs: 200 })
  await retrying(server, async () => (await server.state(id)).status !== 'sending')
  expect(await server.state(id)).toEqual({ status: 'paused', stopped_by: 'relay_unreachable' })
  const stopped = (await server.owner.call('GET', `${server.path}/publications/${id}`)).json()
  expect(stopped.stoppedAnswer).toContain('4.3.2 System not accepting network messages')
  // Copies under way are finished, and a moment later their answers are in the database.
  await until(async () => !(await server.counts(id)).claimed)
  const { accepted = 0, deferred = 0, queued = 0 } = await server.counts(id)
  expect([accepted, deferred + queued]).toEqual([20, 80])
  down = false
  await server.owner.call('POST', `${server.path}/publications/${id}/resume`, {})
  await retrying(server, async () => (await server.state(id)).status === 'sent')
  expect(server.relay.received.map(({ to }) => to).sort()).toEqual(addresses(100).sort())
})

test.each([
  ['asks new senders to wait', '4.7.1 Greylisted, please try again later'],
  ['has had too much at once', '4.7.0 Rate limit exceeded'],
])('a relay that %s is only tried again', async (_, text) => {
  const times = 12
  const server = await withRelay((_to, attempt) => (attempt < times ? { code: 451, text } : null))
  await server.addSubscribers(addresses(60))
  const { id } = await server.draft()
  await server.send(id)
  await startDispatcher(server, { pollMs: 5, recordMs: 5, patienceMs: 1 })
  await retrying(server, async () => (await server.state(id)).status !== 'sending')
  expect(await server.state(id)).toEqual({ status: 'sent', stopped_by: null })
})

test('copies that are the last few of a sending may be put off for long without pausing it', async () => {
  const gone = new Set(addresses(55))
  let away = 0
  const server = await withRelay((to) =>
    gone.has(to) && away++ < 4 * gone.size ? { code: 451, text: '4.3.0 Temporary system problem' } : null,
  )
  await server.addSubscribers(addresses(150))
  const { id } = await server.draft()
  await server.send(id)
  await startDispatcher(server, { pollMs: 5, recordMs: 5, patienceMs: 1 })
  await retrying(server, async () => (await server.state(id)).status !== 'sending')
  expect(await server.state(id)).toEqual({ status: 'sent', stopped_by: null })
})

test('a text that is too heavy pauses its sending after five tries, with that reason', async () => {
  const server = await withRelay()
  await server.addSubscribers(addresses(3))
  const { id } = await server.draft()
  await server.send(id)
  const refused = refuseLayouts(server, 'rendering_failed')
  await startDispatcher(server, { pollMs: 5 })
  await until(async () => (await server.state(id)).status !== 'sending')
  expect(refused).toHaveBeenCalledTimes(5)
  expect(await server.state(id)).toMatchObject({ status: 'paused', stopped_by: 'rendering_failed' })
})

/** The layout of mails is refused, always or so often. */
function refuseLayouts(server: TestNewsletter, code: ErrorCode, times = Number.POSITIVE_INFINITY) {
  const { threads } = server.context
  const run = threads.run.bind(threads)
  let refused = 0
  return vi.spyOn(threads, 'run').mockImplementation((job, input, size) => {
    refused += 1
    return refused > times ? run(job, input, size) : Promise.reject(new AppError(code))
  })
}
