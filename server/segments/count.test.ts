import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { estimateOf } from './estimate.ts'

const ALL = 70_000

let server: TestNewsletter

beforeAll(async () => {
  server = await startTestNewsletter()
  // One in four is French, one in a thousand has a name, one in ten has not confirmed, one in twenty has paused.
  await sql`insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, confirmed_at, paused_until)
    select ${server.newsletterId}, gen_random_uuid(), n || '@example.org', n || '@example.org',
      case when n % 1000 = 0 then 'Ada' end, case when n % 4 = 0 then 'fr' else 'en' end,
      case when n % 10 = 1 then 'pending' else 'active' end, case when n % 10 <> 1 then now() end,
      case when n % 20 = 2 then now() + interval '1 day' end
    from generate_series(1, ${ALL}::integer) n`.execute(server.context.db)
}, 60_000)
afterAll(() => server.stop())

const count = async (filter: unknown, more: Record<string, unknown> = {}) =>
  (await server.owner.call('POST', `${server.path}/segments/count`, { filter, ...more })).json()

const english = { on: 'language', op: 'is', value: 'en' }
const truth = {
  subscribers: 52_500,
  receive: 42_000,
  suppressed: 0,
  byHand: 0,
  onDigest: 0,
  paused: 3_500,
  pending: 7_000,
}

test('a large segment is estimated, says how far it may be off, and is counted to the last one when that is asked for', async () => {
  const estimate = await count(english)
  // 2,500 of 70,000 were drawn: 1.7 of a hundred more or less.
  expect(estimate.margin).toBeGreaterThan(1_000)
  expect(estimate.margin).toBeLessThan(1_400)
  // Five times as far off is one case in a sextillion.
  for (const [name, true_] of Object.entries(truth)) {
    const off = Math.abs(estimate[name] - true_)
    expect([name, off < estimate.margin * 5]).toEqual([name, true])
  }
  expect(await count(english)).toEqual(estimate)
  expect(await count(english, { exactly: true })).toEqual({ ...truth, margin: null })
})

test('a segment that few fit is counted to the last one', async () => {
  const named = { on: 'name', op: 'is', value: 'ada' }
  expect(await count(named)).toMatchObject({ subscribers: 70, margin: null })
})

test('a sending to an estimated segment goes to exactly those who fit', async () => {
  const segment = await server.owner.call('POST', `${server.path}/segments`, { name: 'English', filter: english })
  const { id } = await server.draft()
  const check = await server.owner.call('GET', `${server.path}/publications/${id}/check?segmentId=${segment.json().id}`)
  const { subscribers: _, ...audience } = truth
  expect(check.json().audience).toEqual({ ...audience, already: 0 })
})

test('an estimate is the share of those who were drawn, in two digits', () => {
  const found = { subscribers: 1_000, receive: 800, suppressed: 1, byHand: 1, onDigest: 100, paused: 0, pending: 100 }
  expect(estimateOf(found, { drawn: 4_000, total: 1_000_000 })).toEqual({
    subscribers: 250_000,
    receive: 200_000,
    suppressed: 250,
    byHand: 250,
    onDigest: 25_000,
    paused: 0,
    pending: 25_000,
    margin: 13_000,
  })
})
