import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

let room: TestNewsletter
let relay: RecordingRelay
beforeEach(async () => {
  room = await startTestNewsletter({ PRIVATE_RELAYS: 'true' })
  relay = await startRecordingRelay()
  await sql`update newsletter set postal_address = ''`.execute(room.context.db)
  await room.addSubscribers(['ada@example.org'])
})
afterEach(async () => {
  vi.restoreAllMocks()
  await room?.stop()
  await relay?.stop()
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', rest: string, body?: unknown) =>
  room.owner.call(method, `${room.path}${rest}`, body)
const codeOf = (answer: { statusCode: number; json(): { error?: { code: string } } }) =>
  answer.json().error?.code ?? answer.statusCode

async function addRelay(): Promise<void> {
  const port = Number(new URL(relay.url).port)
  const way = { kind: 'smtp', host: '127.0.0.1', port, security: 'none', username: null }
  expect(codeOf(await call('POST', '/relays', { name: 'Ours', way }))).toBe(200)
}

async function postalProblem(id: string) {
  const { problems } = (await call('GET', `/publications/${id}/check`)).json()
  return problems.find(({ code }: { code: string }) => code === 'no_postal_address')
}

const giveAddress = () => call('PATCH', '', { postalAddress: '4 quai de la Criée\n29770 Audierne' })

test('caught mail needs no postal address; mail that leaves does, and says so before and when it is sent', async () => {
  const { id } = await room.draft()
  const { id: later } = await room.draft()
  expect(await postalProblem(id)).toMatchObject({ blocks: false })
  expect(codeOf(await room.send(id))).toBe(200)
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 1, caught: 1 })

  await addRelay()
  expect(await postalProblem(later)).toMatchObject({ blocks: true })
  const at = new Date(Date.now() + 60_000).toISOString()
  const segment = { publicationId: later, segmentId: null, paused: false }
  for (const answer of [
    await room.send(later),
    await room.send(later, { at }),
    await call('PUT', '/welcomes', segment),
  ]) {
    expect(codeOf(answer)).toBe('no_postal_address')
  }
  expect(codeOf(await room.send(later, { channel: 'web' }))).toBe(200)
  expect(relay.received).toEqual([])
})

test('what was scheduled while mail was caught stays a draft when a relay was added meanwhile', async () => {
  const { id } = await room.draft()
  expect(codeOf(await room.send(id, { at: new Date(Date.now() + 60_000).toISOString() }))).toBe(200)
  await addRelay()
  await sql`update graphile_worker._private_jobs set run_at = now() where key = ${`start:${id}`}`.execute(
    room.context.db,
  )
  await room.work()
  expect(await room.state(id)).toEqual({ status: 'draft', stopped_by: 'no_postal_address' })
  // The owner is mailed the reason.
  const toReaders = () => relay.received.filter(({ to }) => to !== room.owner.email)
  expect(toReaders()).toEqual([])

  await giveAddress()
  expect(codeOf(await room.send(id))).toBe(200)
  await room.work()
  expect(toReaders()).toHaveLength(1)
})

test('a relay that is added while a sending runs gets none of its mail without the address, and all of it with the address', async () => {
  const { id } = await room.draft()
  expect(codeOf(await room.send(id))).toBe(200)
  const { relays } = room.context
  const choose = relays.choose.bind(relays)
  // Its mail is laid out for the outbox when the relay comes.
  vi.spyOn(relays, 'choose').mockImplementationOnce(async (...asked) => {
    await addRelay()
    return choose(...asked)
  })
  await room.work()
  expect(relay.received).toEqual([])
  expect(await room.state(id)).toEqual({ status: 'paused', stopped_by: 'no_postal_address' })

  await giveAddress()
  expect(codeOf(await call('POST', `/publications/${id}/resume`))).toBe(200)
  await room.work()
  expect(relay.received.map(({ to, raw }) => [to, raw.toString().includes('29770 Audierne')])).toEqual([
    ['ada@example.org', true],
  ])
})
