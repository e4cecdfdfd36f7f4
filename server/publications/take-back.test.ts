import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enqueue } from '../jobs/queue.ts'
import { lockWaiters } from '../testing/lock-waiters.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

let room: TestNewsletter
let relay: RecordingRelay
beforeAll(async () => {
  relay = await startRecordingRelay()
  room = await startTestNewsletter({ SMTP_URL: relay.url })
  await room.addSubscribers(['reader@example.org'])
})
beforeEach(async () => {
  await set(10)
  relay.received.length = 0
})
afterAll(async () => {
  await room?.stop()
  await relay?.stop()
})

async function set(takeBackSeconds: number) {
  const changed = await room.owner.call('PATCH', room.path, { takeBackSeconds })
  expect(changed.statusCode, changed.body).toBe(200)
}
const takeBack = (id: string) => room.owner.call('POST', `${room.path}/publications/${id}/unschedule`, {})
/** As when the seconds are over: the job stands in the database, and any process may take it. */
const wait = (id: string) =>
  sql`update graphile_worker._private_jobs set run_at = now() where key = ${`start:${id}`}`.execute(room.context.db)
const onTheWeb = async (id: string) =>
  (await room.owner.call('GET', `${room.path}/publications/${id}`)).json<{ url: string | null }>().url !== null

test('what is sent now waits ten seconds, by default of a newsletter, and nothing of it is anywhere before', async () => {
  const { rows } = await sql<{ seconds: string }>`select column_default as seconds from information_schema.columns
    where table_name = 'newsletter' and column_name = 'take_back_seconds'`.execute(room.context.db)
  expect(rows).toEqual([{ seconds: '10' }])
  const { id } = await room.draft()
  const sent = (await room.send(id)).json<{ status: string; takeBackSeconds: number; scheduledAt: string }>()
  expect(sent.status).toBe('scheduled')
  expect(sent.takeBackSeconds).toBeGreaterThan(0)
  expect(sent.takeBackSeconds).toBeLessThanOrEqual(10)
  await room.work()
  expect(relay.received).toHaveLength(0)
  expect(await onTheWeb(id)).toBe(false)
  // Asking again does not begin the seconds anew.
  expect((await room.send(id)).json()).toMatchObject({ status: 'scheduled', scheduledAt: sent.scheduledAt })
  await wait(id)
  await room.work()
  expect(relay.received).toHaveLength(1)
  expect(await onTheWeb(id)).toBe(true)
  const after = await room.owner.call('GET', `${room.path}/publications/${id}`)
  expect(after.json()).toMatchObject({ status: 'sent', takeBackSeconds: null, scheduledAt: null })
})

test('taken back it is a draft again, nothing left, and it can be sent once more', async () => {
  const { id } = await room.draft()
  await room.send(id)
  const back = await takeBack(id)
  expect(back.json()).toMatchObject({ status: 'draft', takeBackSeconds: null, scheduledAt: null, number: null })
  await wait(id)
  await room.work()
  expect(relay.received).toHaveLength(0)
  expect(await room.counts(id)).toEqual({})
  expect((await takeBack(id)).statusCode).toBe(200)
  await room.send(id)
  await wait(id)
  await room.work()
  expect(relay.received).toHaveLength(1)
})

test('after it has left it is too late', async () => {
  const { id } = await room.draft()
  await room.send(id)
  await wait(id)
  await room.work()
  const late = await takeBack(id)
  expect(late.statusCode).toBe(409)
  expect(late.json()).toMatchObject({ error: { code: 'too_late_to_take_back' } })
  expect(relay.received).toHaveLength(1)
})

test('of a taking back and a beginning at the same moment one wins, and the other changes nothing', async () => {
  for (let round = 0; round < 6; round++) {
    relay.received.length = 0
    const { id } = await room.draft()
    await room.send(id)
    await wait(id)
    const [back] = await Promise.all([takeBack(id), room.work()])
    await room.work()
    const { status } = await room.state(id)
    if (back.statusCode === 200) expect([status, relay.received.length]).toEqual(['draft', 0])
    else expect([back.statusCode, status, relay.received.length]).toEqual([409, 'sent', 1])
  }
})

test('a beginning that has read the publication, and comes after it was taken back, begins nothing', async () => {
  const { id } = await room.draft()
  const { scheduledAt } = (await room.send(id)).json<{ scheduledAt: string }>()
  // Its row is held, so that the beginning has read it as scheduled and waits to change it when it is taken back.
  const blocker = await room.context.pool.connect()
  await blocker.query('begin')
  await blocker.query('select from publication where id = $1 for update', [id])
  await wait(id)
  const working = room.work()
  await waiting(1)
  await blocker.query(
    `update publication set leaving = false, scheduled_at = null where id = $1 and scheduled_at = $2`,
    [id, scheduledAt],
  )
  await blocker.query(`delete from sending where publication_id = $1`, [id])
  await blocker.query('commit')
  blocker.release()
  await working
  expect(await room.state(id)).toMatchObject({ status: 'draft' })
  expect(relay.received).toHaveLength(0)
})

test('of a taking back and a new time at the same moment neither fails', async () => {
  const { id } = await room.draft()
  await room.send(id)
  // Its row is held, so that both are under way.
  const blocker = await room.context.pool.connect()
  await blocker.query('begin')
  await blocker.query('select from publication where id = $1 for update', [id])
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const later = room.send(id, { at })
  await waiting(1)
  const back = takeBack(id)
  await waiting(2)
  await blocker.query('commit')
  blocker.release()
  expect((await later).json()).toMatchObject({ status: 'scheduled', scheduledAt: at })
  expect((await back).json()).toMatchObject({ status: 'draft', scheduledAt: null })
  const { rows } = await sql`select from graphile_worker._private_jobs where key = ${`start:${id}`}`.execute(
    room.context.db,
  )
  expect(rows).toHaveLength(0)
})

test('what comes due while its newsletter is deleted is a draft when that is back, and mails nobody', async () => {
  const { id } = await room.draft()
  await room.send(id)
  await wait(id)
  expect((await room.owner.call('DELETE', room.path)).statusCode).toBe(200)
  await room.work()
  const back = await room.owner.call('POST', '/api/me/newsletters/restore', { newsletterId: room.newsletterId })
  expect(back.statusCode, back.body).toBe(200)
  await room.work()
  expect(await room.state(id)).toEqual({ status: 'draft', stopped_by: 'newsletter_deleted' })
  expect(relay.received).toHaveLength(0)
})

test('a beginning whose process was killed begins again within minutes, and one that is under way is left alone', async () => {
  const { id } = await room.draft()
  await room.send(id)
  await wait(id)
  const taken = (seconds: number) =>
    sql`update graphile_worker._private_jobs set locked_by = 'a worker', locked_at = now() - ${seconds} * interval '1 second'
      where key = ${`start:${id}`}`.execute(room.context.db)
  for (const [seconds, status] of [
    [50, 'scheduled'],
    [70, 'sent'],
  ] as const) {
    await taken(seconds)
    await enqueue(room.context.db, 'resume_starts', {})
    await room.work()
    await room.work()
    expect([seconds, (await room.state(id)).status]).toEqual([seconds, status])
  }
  expect(relay.received).toHaveLength(1)
})

test('a beginning that fails leaves alone what got another time meanwhile', async () => {
  const { id } = await room.draft()
  await room.send(id)
  await sql`update publication set title = '' where id = ${id}`.execute(room.context.db)
  // Its row is held, so that the beginning has failed and waits to say so when the time changes.
  const blocker = await room.context.pool.connect()
  await blocker.query('begin')
  await blocker.query('select from publication where id = $1 for update', [id])
  await wait(id)
  const working = room.work()
  await waiting(1)
  await blocker.query(
    `update publication set leaving = false, scheduled_at = now() + interval '1 hour' where id = $1`,
    [id],
  )
  await blocker.query('commit')
  blocker.release()
  await working
  expect(await room.state(id)).toEqual({ status: 'scheduled', stopped_by: null })
})

/** Until so many statements wait for a lock. */
async function waiting(count: number): Promise<void> {
  while ((await lockWaiters(room.context.db)) < count);
}

test('two who send at once send once, and the seconds are those of the first', async () => {
  const { id } = await room.draft()
  // Its row is held, so that both have read it as a draft.
  const blocker = await room.context.pool.connect()
  await blocker.query('begin')
  await blocker.query('select from publication where id = $1 for update', [id])
  const first = room.send(id)
  await waiting(1)
  const second = room.send(id)
  await waiting(2)
  await blocker.query('commit')
  blocker.release()
  const [one, other] = await Promise.all([first, second])
  expect(one.json<{ scheduledAt: string }>().scheduledAt).toBe(other.json<{ scheduledAt: string }>().scheduledAt)
  await wait(id)
  await room.work()
  expect(relay.received).toHaveLength(1)
})

test('the web only can be taken back as well, and does not become a mail by asking again', async () => {
  const { id } = await room.draft()
  expect((await room.send(id, { channel: 'web' })).json()).toMatchObject({ status: 'scheduled' })
  expect((await room.send(id)).statusCode).toBe(409)
  expect(await onTheWeb(id)).toBe(false)
  expect((await takeBack(id)).json()).toMatchObject({ status: 'draft' })
})

test('a time that was chosen is not one to be counted down; sent now it waits its seconds', async () => {
  const { id } = await room.draft()
  const at = new Date(Date.now() + 3_600_000).toISOString()
  expect((await room.send(id, { at })).json()).toMatchObject({ scheduledAt: at, takeBackSeconds: null })
  const now = (await room.send(id)).json<{ scheduledAt: string; takeBackSeconds: number }>()
  expect(Date.parse(now.scheduledAt)).toBeLessThan(Date.parse(at))
  expect(now.takeBackSeconds).toBeGreaterThan(0)
  expect((await room.send(id, { at })).json()).toMatchObject({ scheduledAt: at, takeBackSeconds: null })
})

test('with no seconds it leaves at once', async () => {
  await set(0)
  const { id } = await room.draft()
  expect((await room.send(id)).json()).toMatchObject({ status: 'sending', takeBackSeconds: null })
  await room.work()
  expect(relay.received).toHaveLength(1)
  for (const takeBackSeconds of [-1, 61, 2.5])
    expect((await room.owner.call('PATCH', room.path, { takeBackSeconds })).statusCode).toBe(422)
})

test('both are in the audit', async () => {
  const { id } = await room.draft({ title: 'Taken back' })
  await room.send(id)
  await takeBack(id)
  const { rows } = (await room.owner.call('GET', `${room.path}/audit`)).json<{ rows: { act: string }[] }>()
  expect(rows.slice(0, 2).map(({ act }) => act)).toEqual(['publication_taken_back', 'publication_sent'])
})

test('taken back it keeps whom it was to go to, and goes to nobody else', async () => {
  await room.addSubscribers(['lecteur@example.org'])
  const filter = { on: 'email', op: 'contains', value: 'lecteur' }
  const segment = (await room.owner.call('POST', `${room.path}/segments`, { name: 'Readers', filter })).json()
  const { id } = await room.draft()
  const audience = { kind: 'segment', segmentId: segment.id }
  const sent = await room.send(id, { audience })
  expect(sent.statusCode, sent.body).toBe(200)
  const named = { ...audience, name: 'Readers' }
  expect((await takeBack(id)).json()).toMatchObject({ status: 'draft', audience: named })
  expect((await takeBack(id)).json()).toMatchObject({ status: 'draft', audience: named })
  expect((await room.send(id)).json()).toMatchObject({ status: 'scheduled', audience: named })
  await wait(id)
  await room.work()
  expect(relay.received.map(({ to }) => to)).toEqual(['lecteur@example.org'])
})
