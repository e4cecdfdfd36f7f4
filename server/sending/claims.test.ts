import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { answerDeliveries, claimDeliveries, expireClaims, heldBy, renewClaims } from './claims.ts'
import { findRunning, plan } from './deliveries.ts'
import type { AudienceSending, Result } from './sending.ts'
import { addPastSending, beginSending } from './state.ts'

let server: TestNewsletter
let publication: string

beforeEach(async () => {
  server = await startTestNewsletter()
})
afterEach(() => server.stop())

const addresses = (n: number, from = 0) => Array.from({ length: n }, (_, place) => `reader${from + place}@example.org`)

/** A sending to so many subscribers, planned and not yet begun. */
async function planned(subscribers: number): Promise<AudienceSending> {
  await server.addSubscribers(addresses(subscribers))
  publication = (await server.draft()).id
  return planAnother()
}

async function planAnother(): Promise<AudienceSending> {
  const { db } = server.context
  await beginSending(db, { newsletterId: server.newsletterId, publicationId: publication }, { kind: 'everyone' })
  const [sending] = (await findRunning(db)).filter(({ waiting, due }) => waiting && due)
  if (!sending) throw new Error('nothing is being sent')
  await plan(db, sending)
  return sending
}

const claim = (sending: AudienceSending, worker: string, limit = 10) =>
  claimDeliveries(server.context.db, sending, { worker, limit, leaseSeconds: 60 })

const result = (subscriberId: string, state: Result['state'], delaySeconds = 0): Result => ({
  subscriberId,
  state,
  answer: `250 for ${state}`,
  delaySeconds,
  tried: state !== 'queued',
  gone: false,
})

const answer = (sending: AudienceSending, worker: string, results: Result[]) =>
  answerDeliveries(server.context.db, sending, { worker, results })

const act = async (name: string) =>
  (await server.owner.call('POST', `${server.path}/publications/${publication}/${name}`, {})).statusCode

test('workers that claim at the same time share the deliveries, and each is claimed once', async () => {
  const sending = await planned(95)
  const claims = await Promise.all(Array.from({ length: 12 }, (_, n) => claim(sending, `worker ${n}`)))
  const ids = claims.flatMap(({ claimed }) => claimed.map(({ subscriberId }) => subscriberId))
  expect(ids).toHaveLength(95)
  expect(new Set(ids).size).toBe(95)
  expect(await server.counts(publication)).toEqual({ intended: 95, claimed: 95 })
})

test('a claim changes no delivery, and an answer touches no index', async () => {
  const sending = await planned(300)
  const { db } = server.context
  const versions = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ updates: number; within: number; elsewhere: number }>`
      select n_tup_upd::integer as updates, n_tup_hot_upd::integer as within, n_tup_newpage_upd::integer as elsewhere
      from pg_stat_user_tables where relname = 'delivery'`.execute(db)
    return rows[0]
  }
  const { claimed } = await claim(sending, 'one', 300)
  expect(await versions()).toMatchObject({ updates: 0 })
  const results = claimed.map(({ subscriberId }) => result(subscriberId, 'accepted'))
  await answer(sending, 'one', results)
  await answer(sending, 'one', results)
  expect(await server.counts(publication)).toEqual({ intended: 300, accepted: 300 })
  await expect.poll(async () => (await versions())?.updates).toBe(300)
  // A page holds some rows more than the fill factor says, when their addresses are short.
  expect((await versions())?.within).toBeGreaterThan(250)
})

test('an answered delivery leaves the claim, and the others stay in it', async () => {
  const sending = await planned(4)
  const { claimed } = await claim(sending, 'one')
  const [first = '', second = '', third = '', fourth = ''] = claimed.map(({ subscriberId }) => subscriberId)
  await answer(sending, 'one', [result(first, 'accepted'), result(second, 'deferred', 60)])
  expect(await server.counts(publication)).toEqual({ intended: 4, accepted: 1, deferred: 1, claimed: 2 })
  expect((await heldBy(server.context.db, sending, 'one')).sort()).toEqual([third, fourth].sort())
  await answer(sending, 'one', [result(third, 'queued'), result(fourth, 'failed')])
  expect(await server.counts(publication)).toEqual({ intended: 4, accepted: 1, deferred: 1, queued: 1, failed: 1 })
  expect((await claim(sending, 'two')).claimed.map(({ subscriberId }) => subscriberId)).toEqual([third])
})

test('a worker answers only what it has claimed', async () => {
  const sending = await planned(2)
  const { claimed } = await claim(sending, 'one', 1)
  await claim(sending, 'two', 1)
  const { rows } = await sql<{ id: string }>`select subscriber_id as id from delivery`.execute(server.context.db)
  await answer(
    sending,
    'one',
    rows.map(({ id }) => result(id, 'accepted')),
  )
  expect(await server.counts(publication)).toEqual({ intended: 2, accepted: 1, claimed: 1 })
  const { rows: accepted } = await sql<{ id: string }>`
    select subscriber_id as id from delivery where state = 'accepted'`.execute(server.context.db)
  expect(accepted).toEqual([{ id: claimed[0]?.subscriberId }])
})

test('what is cancelled while it is claimed gets its answer, and what comes back is suppressed', async () => {
  const sending = await planned(6)
  const { claimed } = await claim(sending, 'one', 4)
  expect(await act('cancel')).toBe(200)
  expect(await server.counts(publication)).toEqual({ intended: 6, suppressed: 2, claimed: 4 })
  expect(await claim(sending, 'late')).toEqual({ examined: 0, claimed: [] })
  const states = ['accepted', 'queued', 'deferred', 'failed'] as const
  await answer(
    sending,
    'one',
    states.map((state, n) => result(claimed[n]?.subscriberId ?? '', state, 60)),
  )
  expect(await server.counts(publication)).toEqual({ intended: 6, suppressed: 4, accepted: 1, failed: 1 })
})

test('an answer that comes after its claim was given up still counts, and that of another worker does not', async () => {
  const sending = await planned(2)
  const { claimed } = await claim(sending, 'slow')
  expect(await expireClaims(server.context.db, sending, 0)).toBe(0)
  expect(await expireClaims(server.context.db, sending, -61)).toBe(2)
  expect(await server.counts(publication)).toEqual({ intended: 2, uncertain: 2 })
  expect(await heldBy(server.context.db, sending, 'slow')).toHaveLength(2)
  const [first = '', second = ''] = claimed.map(({ subscriberId }) => subscriberId)
  await answer(sending, 'other', [result(second, 'accepted')])
  await answer(sending, 'slow', [result(first, 'accepted')])
  expect(await server.counts(publication)).toEqual({ intended: 2, accepted: 1, uncertain: 1 })
})

test('an answer that waits while its claim is given up still counts', async () => {
  const sending = await planned(2)
  const { claimed } = await claim(sending, 'slow')
  const { db, pool } = server.context
  let answered: Promise<void> | undefined
  await db.transaction().execute(async (tx) => {
    await expireClaims(tx, sending, -61)
    answered = answer(
      sending,
      'slow',
      claimed.map(({ subscriberId }) => result(subscriberId, 'accepted')),
    )
    await expect
      .poll(async () => (await pool.query('select from pg_locks where not granted')).rowCount)
      .toBeGreaterThan(0)
  })
  await answered
  expect(await server.counts(publication)).toEqual({ intended: 2, accepted: 2 })
})

test('a worker learns when it renews that its claim was given up', async () => {
  const sending = await planned(4)
  await claim(sending, 'lost', 2)
  const { db } = server.context
  await expireClaims(db, sending, -61)
  await claim(sending, 'other', 2)
  expect(await renewClaims(db, sending, { workers: ['lost', 'other'], leaseSeconds: 60 })).toEqual(new Set(['other']))
})

test('what the demo’s past sendings did not deliver can be sent again', async () => {
  const [subscriberId] = await server.addSubscribers(addresses(1))
  publication = (await server.draft()).id
  const { db } = server.context
  const past = sql`select ${subscriberId}::uuid as subscriber_id, 'reader0@example.org' as email, 'failed' as state,
    '552 5.2.2 Mailbox full' as answer, now() as changed_at, null::timestamptz as opened_at`
  const key = { newsletterId: server.newsletterId, publicationId: publication }
  await addPastSending(db, key, { startedAt: new Date(), finishedAt: new Date(), deliveries: past })
  const again = await server.owner.call('POST', `${server.path}/publications/${publication}/deliveries/again`, {
    state: 'failed',
  })
  expect(again.json()).toEqual({ queued: 1 })
  await server.work()
  expect(await server.counts(publication)).toEqual({ intended: 1, caught: 1 })
})

test('who is erased while a worker sends to them gets no name in the ledger, and the answer counts', async () => {
  const sending = await planned(3)
  const { claimed } = await claim(sending, 'one', 2)
  const [first = ''] = claimed.map(({ subscriberId }) => subscriberId)
  const { rows } = await sql<{ id: string }>`select id from subscriber order by id`.execute(server.context.db)
  for (const { id } of rows) {
    expect((await server.owner.call('DELETE', server.subscriberPath(id))).statusCode).toBe(200)
  }
  expect(await server.counts(publication)).toEqual({ intended: 3, claimed: 2, suppressed: 1 })
  await answer(sending, 'one', [result(first, 'accepted')])
  expect(await server.counts(publication)).toEqual({ intended: 3, accepted: 1, claimed: 1, suppressed: 1 })
  const emails = await server.context.db.selectFrom('delivery').select('email').distinct().execute()
  expect(emails).toEqual([{ email: '' }])
})

test('what waits is claimed when it is due, once, and counts as claimed then', async () => {
  const sending = await planned(20)
  const { claimed } = await claim(sending, 'one', 20)
  await answer(
    sending,
    'one',
    claimed.map(({ subscriberId }, n) => result(subscriberId, 'deferred', n % 2 === 0 ? 0 : 600)),
  )
  expect(await server.counts(publication)).toEqual({ intended: 20, deferred: 20 })
  const claims = await Promise.all(['two', 'three', 'four'].map((worker) => claim(sending, worker, 4)))
  const ids = claims.flatMap((each) => each.claimed.map(({ subscriberId }) => subscriberId))
  expect(new Set(ids).size).toBe(10)
  expect(ids).toHaveLength(10)
  expect(await server.counts(publication)).toEqual({ intended: 20, deferred: 10, claimed: 10 })
})

test('a later sending of a publication claims its own deliveries only', async () => {
  const first = await planned(30)
  const { claimed } = await claim(first, 'one', 30)
  await answer(
    first,
    'one',
    claimed.map(({ subscriberId }) => result(subscriberId, 'accepted')),
  )
  await server.work()
  await server.addSubscribers(addresses(5, 100))
  const second = await planAnother()
  const later = [await claim(second, 'two', 3), await claim(second, 'three')]
  expect(later.map((each) => each.claimed.length)).toEqual([3, 2])
  expect(later.flatMap((each) => each.claimed.map(({ email }) => email)).sort()).toEqual(addresses(5, 100))
})

test('who is to be tried again does not wait until everybody was tried', async () => {
  const sending = await planned(40)
  const { claimed } = await claim(sending, 'one', 10)
  const refused = claimed.map(({ subscriberId }) => subscriberId)
  await answer(
    sending,
    'one',
    refused.map((id) => result(id, 'deferred')),
  )
  const shares: number[] = []
  for (const worker of ['two', 'three', 'four', 'five']) {
    const next = await claim(sending, worker)
    shares.push(next.claimed.filter(({ subscriberId }) => refused.includes(subscriberId)).length)
  }
  expect(shares).toEqual([1, 1, 1, 7])
  expect(await server.counts(publication)).toEqual({ intended: 40, claimed: 40 })
})
