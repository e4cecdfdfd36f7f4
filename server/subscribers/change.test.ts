import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { changeByConsent, suppress } from './change.ts'
import { receiptOf } from './consent.ts'

const folder = join(import.meta.dirname, '..')

/** The seed writes years of history at once, about which no webhook and no mail may go out. */
const exceptions = ['seed/', 'testing/']

const writes = [
  /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(subscriber|consent|suppression)\b/i,
  /\b(insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(subscriber|consent|suppression)\b/,
  /\b(insert\s+into|merge\s+into)\s+event\b|\b(insertInto|mergeInto)\(\s*'event\b/i,
]

test('subscribers, consent receipts, suppressions and events are written in a few files', () => {
  const writers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => writes.some((write) => write.test(readFileSync(join(folder, path), 'utf8'))))
    .toSorted()
  expect(writers.filter((path) => !exceptions.some((start) => path.startsWith(start)))).toEqual([
    'subscribers/campaign-consent.ts',
    'subscribers/change.ts',
    'subscribers/erased-addresses.ts',
    'subscribers/import/merge.ts',
    'subscribers/import/take-back.ts',
    'subscribers/lift.ts',
    'subscribers/own-page/move.ts',
    'subscribers/preferences.ts',
    'subscribers/put-back.ts',
    'subscribers/request.ts',
  ])
})

let server: TestNewsletter
let ids: string[]
let round = 0
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  round += 1
  ids = await server.addSubscribers([`a${round}@example.org`, `b${round}@example.org`])
})

const receipt = receiptOf('leave', {
  newsletter: { name: 'Low Water' },
  language: 'en',
  means: 'by-hand',
  network: null,
})
const leavings = () =>
  ids.map((subscriberId) => ({ newsletterId: server.newsletterId, subscriberId, at: new Date(), receipt }))

const written = async () => {
  const { db } = server.context
  const statuses = await db.selectFrom('subscriber').select('status').where('id', 'in', ids).execute()
  const receipts = await db.selectFrom('consent').select('act').where('subscriber_id', 'in', ids).execute()
  const events = await db.selectFrom('event').select('kind').where('subscriber_id', 'in', ids).execute()
  return {
    statuses: statuses.map(({ status }) => status),
    receipts: receipts.map(({ act }) => act),
    events: events.map(({ kind }) => kind),
  }
}

test('a change of many writes a receipt and an event for each; those it does not fit stay as they are', async () => {
  const { db } = server.context
  const [first = '', second = ''] = ids
  const [one, two] = leavings()
  if (!one || !two) throw new Error('there are two')
  expect(await changeByConsent(db, 'unsubscribed', [one])).toEqual([first])
  expect(await changeByConsent(db, 'unsubscribed', [one, two])).toEqual([second])
  expect(await written()).toEqual({
    statuses: ['unsubscribed', 'unsubscribed'],
    receipts: ['withdrawn', 'withdrawn'],
    events: ['unsubscribed', 'unsubscribed'],
  })
  expect(await changeByConsent(db, 'unsubscribed', [])).toEqual([])
})

test('who left during a pause and subscribes anew gets everything', async () => {
  const { db } = server.context
  const [first = ''] = ids
  await db.updateTable('subscriber').set({ paused_until: '2099-01-01' }).where('id', '=', first).execute()
  await changeByConsent(db, 'unsubscribed', leavings().slice(0, 1))
  await changeByConsent(db, 'confirmed', leavings().slice(0, 1))
  const now = await db.selectFrom('subscriber').select(['status', 'paused_until']).where('id', '=', first).execute()
  expect(now).toEqual([{ status: 'active', paused_until: null }])
})

test('a change that is rolled back leaves no receipt and no event', async () => {
  const rolledBack = server.context.db.transaction().execute(async (tx) => {
    await changeByConsent(tx, 'unsubscribed', leavings())
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(await written()).toEqual({ statuses: ['active', 'active'], receipts: [], events: [] })
})

test('the address of somebody who left is suppressed too, and they stay unsubscribed', async () => {
  const { db } = server.context
  await changeByConsent(db, 'unsubscribed', leavings().slice(0, 1))
  const { id: publicationId } = await server.draft()
  const unknown = '0192c0de-0000-7000-8000-000000000000'
  await suppress(
    db,
    'bounced',
    [...ids, unknown].map((subscriberId) => ({
      newsletterId: server.newsletterId,
      subscriberId,
      publicationId,
      words: '550',
    })),
  )
  expect((await written()).statuses.toSorted()).toEqual(['bounced', 'unsubscribed'])
  expect((await written()).events.toSorted()).toEqual(['bounced', 'bounced', 'unsubscribed'])
  const kept = await db.selectFrom('suppression').select(['email_normalised', 'reason']).execute()
  expect(kept.toSorted((x, y) => x.email_normalised.localeCompare(y.email_normalised))).toEqual([
    { email_normalised: `a${round}@example.org`, reason: 'bounced' },
    { email_normalised: `b${round}@example.org`, reason: 'bounced' },
  ])
})
