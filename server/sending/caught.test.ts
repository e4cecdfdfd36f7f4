import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { beginSending } from './state.ts'

let room: TestNewsletter
let relay: RecordingRelay
let id: string
let ada: string
beforeAll(async () => {
  room = await startTestNewsletter({ PRIVATE_RELAYS: 'true' })
  relay = await startRecordingRelay()
  ;[ada = ''] = await room.addSubscribers(['ada@example.org', 'bea@example.org'])
  id = (await room.draft()).id
  await room.send(id)
  await room.work()
})
afterAll(async () => {
  await room.stop()
  await relay.stop()
})

const read = async (rest: string) => (await room.owner.call('GET', `${room.path}${rest}`)).json()
const inState = async (state: string): Promise<string[]> =>
  (await read(`/publications/${id}/deliveries?state=${state}`)).rows
    .map(({ email }: { email: string }) => email)
    .toSorted()
const csv = async () => (await room.owner.call('GET', `${room.path}/publications/${id}/deliveries.csv`)).body

test('a copy that was caught is nowhere one that a relay accepted', async () => {
  expect(await room.counts(id)).toEqual({ intended: 2, caught: 2 })
  expect(await read(`/publications/${id}/result`)).toMatchObject({ status: 'sent', counts: { accepted: 0, caught: 2 } })
  expect((await read('/dashboard')).publications[0]).toMatchObject({ counts: { accepted: 0, caught: 2 } })
  // Its sending is over, and the list of what was sent does not have it.
  const titles = async (query: string) =>
    (await read(`/publications?${query}`)).rows.map((row: { id: string }) => row.id)
  expect(await titles('status=sent&caught=false')).toEqual([])
  expect(await titles('caught=true')).toEqual([id])
  expect(await read('/publications')).toMatchObject({ caught: 1, totals: { sent: 1 }, rows: [{ id, caught: true }] })
  expect(await inState('caught')).toEqual(['ada@example.org', 'bea@example.org'])
  expect(await inState('accepted')).toEqual([])
  // By these words the migration knows deliveries that were caught before they had a state of their own.
  const { answer } = await room.context.db.selectFrom('delivery').select('answer').executeTakeFirstOrThrow()
  expect(answer).toMatch(/^(250[ -])?2\.0\.0 caught as [0-9a-f-]{36}$/)
  expect(await csv()).toContain('caught')
  expect(await csv()).not.toContain('accepted')

  const shown = `/subscribers/${room.context.shownIds.show(ada)}`
  expect((await read(shown)).deliveries).toMatchObject([{ state: 'caught' }])
  const kinds = (await read(`${shown}/timeline`)).rows.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual(['caught'])
  expect(await read(`/publications/${id}/feedback`)).toMatchObject({ recent: { accepted: 0 } })
  const received = { filter: { all: [{ on: 'received', op: 'did', days: 30 }] } }
  const counted = await room.owner.call('POST', `${room.path}/segments/count`, received)
  expect(counted.json()).toMatchObject({ subscribers: 0 })
})

test('nobody deletes a publication that was caught, as none that was sent', async () => {
  const answer = await room.owner.call('DELETE', `${room.path}/publications/${id}`)
  expect([answer.statusCode, answer.json().error.code]).toEqual([409, 'wrong_status'])
})

test('a publication of which a part was caught and a part accepted says both', async () => {
  const port = Number(new URL(relay.url).port)
  const way = { kind: 'smtp', host: '127.0.0.1', port, security: 'none', username: null }
  const made = await room.owner.call('POST', `${room.path}/relays`, { name: 'Ours', way })
  expect(made.statusCode, made.body).toBe(200)
  await room.addSubscribers(['cleo@example.org'])
  await beginSending(room.context.db, { newsletterId: room.newsletterId, publicationId: id }, { kind: 'everyone' })
  await room.work()
  expect(await room.counts(id)).toEqual({ intended: 3, accepted: 1, caught: 2 })
  expect([await inState('accepted'), await inState('caught')]).toEqual([
    ['cleo@example.org'],
    ['ada@example.org', 'bea@example.org'],
  ])
  const lines = (await csv()).trim().split('\n').slice(1)
  expect(lines.map((line) => line.split(',')[2]).toSorted()).toEqual(['accepted', 'caught', 'caught'])
})
