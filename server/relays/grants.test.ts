import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { publicId } from '../database/ids.ts'
import type { Outcome } from '../mail/relay.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import type { Grant } from './grant.ts'
import { Relays } from './relays.ts'

const MINUTE = 60_000
let room: TestNewsletter
let relay: RecordingRelay
let newsletterId: string
/** The time of all workers. Only the tests change it. */
let nowMs: number
const workers: Relays[] = []

beforeAll(async () => {
  room = await startTestNewsletter({ PRIVATE_RELAYS: 'true' })
  relay = await startRecordingRelay()
})
afterAll(async () => {
  for (const worker of workers) await worker.stop()
  await relay.stop()
  await room.stop()
})
beforeEach(async () => {
  nowMs = Date.now()
  newsletterId = await addNewsletter(room.context.db, room.owner.userId)
})

/** Relays as another process would have them. */
function worker(): Relays {
  const made = new Relays({ ...room.context, now: () => new Date(nowMs) })
  workers.push(made)
  return made
}

async function addRelay(values: Record<string, unknown> = {}, port = Number(new URL(relay.url).port)): Promise<string> {
  const id = publicId()
  const settings = JSON.stringify({ host: '127.0.0.1', port, security: 'none', username: null })
  const usual = {
    id,
    newsletter_id: newsletterId,
    name: id,
    kind: 'smtp' as const,
    settings,
    weight: 1,
    connections: 2,
    enabled: true,
  }
  await room.context.db
    .insertInto('relay')
    .values({ ...usual, ...values })
    .execute()
  return id
}

async function grantOf(relays: Relays, wanted: number): Promise<Grant> {
  const choice = await relays.choose(newsletterId, wanted)
  if (choice.kind !== 'grant') throw new Error(`no grant: ${JSON.stringify(choice)}`)
  return choice.grant
}

const ok: Outcome = { kind: 'answered', code: 250, text: '250 ok', command: 'DATA' }
const away: Outcome = { kind: 'unreachable', text: 'connect ECONNREFUSED' }
const message = { from: 'a@x.test', to: 'b@x.test', raw: Buffer.from('Subject: x\r\n\r\nx\r\n') }

test('without limits a grant has all wanted permits, and needs no query while the relays are cached', async () => {
  await addRelay()
  const relays = worker()
  await grantOf(relays, 200)
  let queries = 0
  const { pool } = room.context
  const query = pool.query
  pool.query = ((...given: Parameters<typeof query>) => {
    queries += 1
    return query.apply(pool, given)
  }) as typeof query
  const connect = pool.connect
  pool.connect = ((...given: Parameters<typeof connect>) => {
    queries += 1
    return connect.apply(pool, given)
  }) as typeof connect
  for (let count = 0; count < 5; count += 1) {
    const given = await grantOf(relays, 200)
    expect(given.permits).toBe(200)
    await relays.release(given, 20)
  }
  Object.assign(pool, { query, connect })
  expect(queries).toBe(0)
})

test('all workers together keep one rate', async () => {
  await addRelay({ per_second: 10 })
  const many = [worker(), worker(), worker()]
  let permits = 0
  for (let tick = 0; tick <= 50; tick += 1) {
    const choices = await Promise.all(many.map((relays) => relays.choose(newsletterId, 50)))
    for (const choice of choices) {
      if (choice.kind === 'grant') expect(choice.grant.everyMs).toBe(100)
      permits += choice.kind === 'grant' ? choice.grant.permits : 0
    }
    nowMs += 100
  }
  expect(permits).toBeLessThanOrEqual(60)
  expect(permits).toBeGreaterThanOrEqual(50)
})

test('workers that ask at the same moment never exceed an hourly limit; others get what they return', async () => {
  await addRelay({ per_hour: 100 })
  const many = Array.from({ length: 6 }, worker)
  const choices = await Promise.all(many.map((relays) => relays.choose(newsletterId, 30)))
  const grants = choices.flatMap((choice) => (choice.kind === 'grant' ? [choice.grant] : []))
  expect(grants.map(({ permits }) => permits).reduce((a, b) => a + b)).toBe(90)
  const [first] = many as [Relays]
  expect(await first.choose(newsletterId, 1)).toMatchObject({ kind: 'wait', reason: 'limit', refused: false })
  const index = choices.findIndex(({ kind }) => kind === 'grant')
  await many[index]?.release(grants[0] as Grant, 7)
  const again = await Promise.all(many.map((relays) => relays.choose(newsletterId, 5)))
  expect(again.reduce((sum, choice) => sum + (choice.kind === 'grant' ? choice.grant.permits : 0), 0)).toBe(7)
  nowMs += 66 * MINUTE
  expect((await grantOf(first, 500)).permits).toBe(90)
})

test('a warm-up grants what its day allows, and says when to ask again', async () => {
  await addRelay({ warm_up_started_at: new Date(nowMs) })
  const relays = worker()
  expect((await grantOf(relays, 500)).permits).toBe(45)
  const wait = await relays.choose(newsletterId, 1)
  expect(wait).toMatchObject({ kind: 'wait', reason: 'limit' })
  nowMs += 25 * 60 * MINUTE
  relays.forget()
  expect((await grantOf(relays, 500)).permits).toBe(90)
})

test('bulk mail leaves a tenth of an hour to people who wait, and confirmations a twentieth to sign-in links', async () => {
  await addRelay({ per_hour: 20 })
  const relays = worker()
  expect((await grantOf(relays, 500)).permits).toBe(18)
  expect(await relays.choose(newsletterId, 1)).toMatchObject({ kind: 'wait', reason: 'limit' })
  const forPeople = await relays.chooseForPeople(newsletterId, 500)
  expect(forPeople).toMatchObject({ kind: 'grant', grant: { permits: 1 } })
  expect(await relays.chooseForPeople(newsletterId, 1)).toMatchObject({ kind: 'wait', reason: 'limit' })
  expect(await relays.send(newsletterId, message)).toMatchObject({ kind: 'answered', code: 250 })
  expect(await relays.send(newsletterId, message)).toMatchObject({ kind: 'answered', code: 451 })
})

test('messages follow the weights', async () => {
  const ids = [await addRelay({ weight: 3 }), await addRelay({ weight: 1 }), await addRelay({ weight: 0 })]
  const relays = worker()
  const got = new Map<string | null, number>()
  for (let count = 0; count < 80; count += 1) {
    const { relayId, permits } = await grantOf(relays, 50)
    got.set(relayId, (got.get(relayId) ?? 0) + permits)
  }
  expect(ids.map((id) => got.get(id) ?? 0)).toEqual([3_000, 1_000, 0])
})

test('an unreachable relay rests for all workers, longer each time, is tried with one message, and recovers', async () => {
  await addRelay()
  const [one, other] = [worker(), worker()]
  await grantOf(other, 10)
  for (const seconds of [1, 2, 4, 8]) {
    const given = await grantOf(one, 10)
    one.recordOutcome(given, away)
    one.recordOutcome(given, away)
    await one.report()
    other.forget()
    const wait = { kind: 'wait', reason: 'resting', refused: false, answer: away.text, untilMs: nowMs + seconds * 1000 }
    expect(await one.choose(newsletterId, 10)).toEqual(wait)
    expect(await other.choose(newsletterId, 10)).toEqual(wait)
    nowMs += seconds * 1000
  }
  const probe = await grantOf(other, 10)
  expect(probe.permits).toBe(1)
  other.recordOutcome(probe, ok)
  expect((await grantOf(other, 10)).permits).toBe(10)
  await other.report()
  one.forget()
  expect((await grantOf(one, 10)).permits).toBe(10)
})

test('while one relay rests the other takes all mail; a refusal by all of them is reported', async () => {
  await addRelay()
  await addRelay()
  const relays = worker()
  const first = await grantOf(relays, 10)
  relays.recordOutcome(first, { kind: 'refused', text: '535 wrong password' })
  const second = await grantOf(relays, 10)
  expect(second.relayId).not.toBe(first.relayId)
  relays.recordOutcome(second, ok)
  expect((await grantOf(relays, 10)).relayId).toBe(second.relayId)
  relays.recordOutcome(second, { kind: 'refused', text: '535 wrong password' })
  expect(await relays.choose(newsletterId, 10)).toMatchObject({ kind: 'wait', reason: 'resting', refused: true })
})

test('a relay rests as long as it asks; answers to earlier messages do not end the rest', async () => {
  await addRelay()
  const relays = worker()
  const given = await grantOf(relays, 10)
  relays.recordOutcome(given, { kind: 'answered', code: 421, text: '429', command: 'DATA', retryAfterMs: 30_000 })
  relays.recordOutcome(given, ok)
  expect(await relays.choose(newsletterId, 10)).toMatchObject({ reason: 'resting', untilMs: nowMs + 30_000 })
})

test('relays that the caller cannot use now are skipped', async () => {
  await addRelay()
  await addRelay()
  const relays = worker()
  const first = await grantOf(relays, 10)
  const choice = await relays.choose(newsletterId, 10, new Set([first.relay]))
  if (choice.kind !== 'grant') throw new Error('no grant')
  expect(choice.grant.relayId).not.toBe(first.relayId)
  const both = new Set([first.relay, choice.grant.relay])
  expect(await relays.choose(newsletterId, 10, both)).toMatchObject({ kind: 'wait', reason: 'limit' })
})

test('a domain’s limit holds for all relays and workers together; other domains have none', async () => {
  await addRelay()
  await addRelay()
  const { db } = room.context
  await db
    .insertInto('domain_limit')
    .values({ id: publicId(), newsletter_id: newsletterId, domain: 'gmail.com', per_hour: 30 })
    .execute()
  const [one, other] = [worker(), worker()]
  const wanted = new Map([
    ['gmail.com', 20],
    ['example.org', 80],
  ])
  const [mine, theirs] = await Promise.all([
    one.domainPermits(await grantOf(one, 100), wanted),
    other.domainPermits(await grantOf(other, 100), wanted),
  ])
  expect([...mine.keys(), ...theirs.keys()]).toEqual(['gmail.com', 'gmail.com'])
  const permits = [mine, theirs].map((map) => map.get('gmail.com')?.permits ?? 0)
  expect(permits.toSorted()).toEqual([10, 20])
  const none = (await one.domainPermits(await grantOf(one, 1), wanted)).get('gmail.com')
  expect(none?.permits).toBe(0)
  expect(none?.nextMs).toBeGreaterThan(nowMs + 59 * MINUTE)
})

test('a single mail takes another relay when nothing of it was sent, and waits its place behind a sending', async () => {
  const dead = await addRelay({}, 1)
  await addRelay({ per_second: 50 })
  const relays = worker()
  const before = relay.received.length
  for (let count = 0; count < 4; count += 1)
    expect(await relays.send(newsletterId, message)).toMatchObject({ code: 250 })
  expect(relay.received).toHaveLength(before + 4)
  await relays.report()
  const row = await room.context.db.selectFrom('relay').selectAll().where('id', '=', dead).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ failures: 1, refused: false })
})

test('a single mail uses a resting relay when there is no other; beyond a limit it is deferred', async () => {
  await addRelay({ per_hour: 1 })
  const relays = worker()
  const given = await grantOf(relays, 1)
  relays.recordOutcome(given, away)
  expect(await relays.send(newsletterId, message)).toMatchObject({ kind: 'answered', code: 250 })
  expect(await relays.send(newsletterId, message)).toMatchObject({ kind: 'answered', code: 451 })
})

test('usage and the last answer are stored after a moment, and at the end', async () => {
  const id = await addRelay()
  const relays = new Relays({ ...room.context, now: () => new Date(nowMs) })
  const given = await grantOf(relays, 10)
  for (let count = 0; count < 8; count += 1) relays.recordOutcome(given, ok)
  await relays.stop()
  const { db } = room.context
  const { used } = await db.selectFrom('relay_usage').selectAll().where('relay_id', '=', id).executeTakeFirstOrThrow()
  expect((used as number[][]).map(([, count]) => count)).toEqual([8])
  const row = await db.selectFrom('relay').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row.last_answer).toBe('250 ok')
})

test('the instance’s relays send the mail of newsletters without relays', async () => {
  const id = await addRelay({ newsletter_id: null })
  const relays = worker()
  expect((await grantOf(relays, 1)).relayId).toBe(id)
  expect(await relays.caught(null)).toBe(false)
  expect(await relays.places(newsletterId)).toEqual([{ host: '127.0.0.1' }])
  const own = await addRelay()
  relays.forget()
  expect((await grantOf(relays, 1)).relayId).toBe(own)
  await room.context.db.deleteFrom('relay').where('id', '=', id).execute()
})
