import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockWaiters } from '../testing/lock-waiters.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { suppress } from './change.ts'
import { type LiftedSuppressions, liftSuppressions } from './lift.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

const RELAY = '550 relay not permitted'
let ids: string[]
let publicationId: string
let round = 0
beforeEach(async () => {
  round += 1
  await sql`delete from suppression`.execute(server.context.db)
  ids = await server.addSubscribers(['a', 'b', 'c'].map((name) => `${name}${round}@example.org`))
  publicationId = (await server.draft()).id
})

const lost = (reason: 'bounced' | 'complained', subscriberIds = ids, words = RELAY) =>
  suppress(
    server.context.db,
    reason,
    subscriberIds.map((subscriberId) => ({ newsletterId: server.newsletterId, subscriberId, publicationId, words })),
  )
const lift = (which: LiftedSuppressions, db = server.context.db) =>
  liftSuppressions(db, server.newsletterId, { which, by: { actor: 'system', reason: 'abnormal_sending' } })
const statuses = async () => {
  const { db } = server.context
  const rows = await db.selectFrom('subscriber').select('status').where('id', 'in', ids).orderBy('email').execute()
  return rows.map(({ status }) => status)
}
const suppressions = () => server.context.db.selectFrom('suppression').select(['reason', 'answer']).execute()
const none = { unsubscribed: 0, complained: 0, erased: 0 }

test('what a publication did since a time is taken back once, with an event for each and one line in the audit', async () => {
  const { db } = server.context
  const [first = ''] = ids
  await lost('bounced', [first])
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  await lost('bounced')
  const which = { publicationId, since: rows[0]?.now as Date }
  expect(await db.transaction().execute((tx) => lift(which, tx))).toEqual({ restored: 2, kept: none })
  expect(await statuses()).toEqual(['bounced', 'active', 'active'])
  expect(await lift(which)).toEqual({ restored: 0, kept: none })
  const events = await db.selectFrom('event').select('kind').where('subscriber_id', 'in', ids).execute()
  expect(events.filter(({ kind }) => kind === 'restored')).toHaveLength(2)
  const lines = await db.selectFrom('audit').select(['actor', 'reason', 'detail']).execute()
  expect(lines).toMatchObject([
    { actor: 'system', reason: 'abnormal_sending', detail: { by: 'publication', publicationId, restored: 2 } },
  ])
  const history = await db.selectFrom('lifted_suppression').select(['detail', 'publication_id']).execute()
  expect(history).toEqual([1, 2].map(() => ({ detail: RELAY, publication_id: publicationId })))
  expect(await lift({ publicationId })).toEqual({ restored: 1, kept: none })
})

test('who had left stays unsubscribed, who complained stays away, and nobody erased comes back', async () => {
  const [left = '', complained = '', erased = ''] = ids
  await server.owner.call('POST', `${server.subscriberPath(left)}/unsubscribe`)
  await lost('bounced')
  await lost('complained', [complained])
  await server.owner.call('DELETE', server.subscriberPath(erased))
  expect(await lift({ publicationId })).toEqual({ restored: 0, kept: { unsubscribed: 1, complained: 1, erased: 0 } })
  expect(await statuses()).toEqual(['unsubscribed', 'complained'])
  expect((await suppressions()).map(({ reason }) => reason).toSorted()).toEqual(['complained'])
  expect(await lift({ subscriberId: complained })).toEqual({ restored: 0, kept: { ...none, complained: 1 } })
})

test('a complaint that comes while a suppression is lifted wins, whichever is first', async () => {
  const { db } = server.context
  for (const complaintFirst of [true, false]) {
    await sql`delete from suppression`.execute(db)
    await sql`update subscriber set status = 'active' where id = any(${ids})`.execute(db)
    await lost('bounced')
    const complain = (tx: typeof db) =>
      suppress(
        tx,
        'complained',
        ids.map((subscriberId) => ({ newsletterId: server.newsletterId, subscriberId, publicationId, words: 'abuse' })),
      )
    const acts = [complain, (tx: typeof db) => lift({ publicationId }, tx)]
    const [one, other] = complaintFirst ? acts : acts.toReversed()
    // The second begins while the first has locked the rows and not committed.
    let second: Promise<unknown> | undefined
    await db.transaction().execute(async (tx) => {
      await one?.(tx)
      second = other?.(db)
      await waitForLock()
    })
    await second
    expect(await statuses()).toEqual(['complained', 'complained', 'complained'])
    expect((await suppressions()).map(({ reason }) => reason)).toEqual(['complained', 'complained', 'complained'])
  }
})

async function waitForLock(): Promise<void> {
  while ((await lockWaiters(server.context.db)) === 0);
}

test.each([
  [RELAY, RELAY],
  ['550 5.7.1 <ada@example.org>: Relay access denied', '550 5.7.1 …: Relay access denied'],
  [
    '550-5.1.1 The account does not exist. 550-5.1.1 q12-20si991 - gsmtp',
    '550-5.1.1 The account does not exist. … - gsmtp',
  ],
  ['smtp; 421 4.7.0 [10.0.0.1] try later', 'smtp; 421 4.7.0 … try later'],
  [
    '550 Domain news.example has exceeded the max emails per hour (521/500 (104%)) allowed. Message discarded.',
    '550 Domain news.example has exceeded the max emails per hour … allowed. Message discarded.',
  ],
  ['smtp;550 5.1.1 <ada@example.org> unknown', 'smtp;550 5.1.1 … unknown'],
  ['', ''],
  ['  552   5.2.2\tmailbox   full ', '552 5.2.2 mailbox full'],
])('the answer %j is counted as %j', async (words, answer) => {
  await lost('bounced', ids.slice(0, 1), words)
  expect(await suppressions()).toEqual([{ reason: 'bounced', answer }])
})
