import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../database/client.ts'
import { recordFeedback } from '../feedback/feedback.ts'
import { changeByConsent } from '../subscribers/change.ts'
import { receiptOf } from '../subscribers/consent.ts'
import { startTestApp } from '../testing/app.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { doc, link } from '../testing/newsletter-history.ts'
import { upgradedDatabase } from '../testing/older-database.ts'
import { countWaitingClicks } from '../testing/waiting-clicks.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let server: TestNewsletter
let ids: string[]
let publicationId: string

beforeAll(async () => {
  server = await startTestNewsletter()
  ids = await server.addSubscribers(Array.from({ length: 6 }, (_, i) => `reader${i}@example.org`))
  publicationId = (await server.draft({ content: doc(link('https://example.org/'), link('https://example.net/')) })).id
  await server.send(publicationId)
  await server.work()
  // Whoever leaves by a copy that was caught is no unsubscribe of the publication.
  await server.context.db.updateTable('delivery').set({ state: 'accepted' }).execute()
})
afterAll(() => server?.stop())

/** The figures of a publication as a slow count of every row has them. */
async function counted(db: Db, id: string) {
  const { rows } = await sql`
    select json_build_object('raw', count(*), 'human', count(*) filter (where excluded_by is null),
        'people', count(distinct subscriber_id) filter (where excluded_by is null)) as clicks,
      (select count(*) from event where publication_id = ${id} and kind = 'unsubscribed') as unsubscribes,
      (select count(distinct subscriber_id) from feedback where publication_id = ${id} and kind <> 'complaint') as bounces,
      (select count(distinct subscriber_id) from feedback where publication_id = ${id} and kind = 'complaint') as complaints
    from click where publication_id = ${id}`.execute(db)
  return rows[0]
}

const result = async () =>
  (await server.owner.call('GET', `${server.path}/publications/${publicationId}/result`)).json()

async function follow(subscriberId: string, agent: string) {
  const { context } = server
  const links = await context.db.selectFrom('short_link').select('id').where('canary', '=', false).execute()
  const to = links.map(({ id }) => ({ url: `/r/${id}?s=${subscriberId}`, headers: { 'user-agent': agent } }))
  await Promise.all([...to, ...to].map((request) => server.inject(request)))
}

test('clicks, readers, unsubscribes and reports that come at once are counted as the rows say', async () => {
  const { context, newsletterId } = server
  const { db } = context
  await Promise.all(ids.slice(0, 4).flatMap((id) => [follow(id, BROWSER), follow(id, 'Googlebot/2.1')]))
  await follow('0'.repeat(8), BROWSER)
  const receipt = receiptOf('leave', {
    newsletter: { name: 'Low Water' },
    language: 'en',
    means: 'page',
    network: null,
  })
  const leaving = ids.slice(4).map((subscriberId) => ({ newsletterId, subscriberId, at: new Date(), receipt }))
  await changeByConsent(db, 'unsubscribed', [...leaving.map((one) => ({ ...one, publicationId }))])
  const report = (subscriberId: string | undefined, source: 'dsn' | 'ses', kind: 'soft' | 'complaint') =>
    recordFeedback(
      db,
      { newsletterId, publicationId, subscriberId: subscriberId ?? '' },
      { source, kind, status: null, words: 'full' },
    )
  await Promise.all([
    report(ids[0], 'dsn', 'soft'),
    report(ids[0], 'ses', 'soft'),
    report(ids[1], 'dsn', 'soft'),
    report(ids[1], 'dsn', 'soft'),
    report(ids[1], 'ses', 'complaint'),
  ])
  const expected = {
    clicks: { raw: 36, human: 20, people: 4 },
    unsubscribes: 2,
    bounces: 2,
    complaints: 1,
  }
  await countWaitingClicks(db)
  expect(await counted(db, publicationId)).toEqual(expected)
  expect(await result()).toMatchObject(expected)
})

test('an erased reader is no clicker, and what they clicked stays counted', async () => {
  const { id = '' } = { id: ids[0] }
  const answer = await server.owner.call('DELETE', server.subscriberPath(id))
  expect(answer.statusCode).toBe(200)
  const expected = { clicks: { raw: 36, human: 20, people: 3 }, unsubscribes: 2, bounces: 2, complaints: 1 }
  expect(await counted(server.context.db, publicationId)).toEqual(expected)
  expect(await result()).toMatchObject(expected)
})

test('a leave that is taken back is no unsubscribe of the publication by which it was', async () => {
  const { newsletterId, context } = server
  const [subscriberId = ''] = ids.slice(4)
  const change = (act: 'leave' | 'return') => ({
    ...{ newsletterId, subscriberId, at: new Date() },
    receipt: receiptOf(act, { newsletter: { name: 'Low Water' }, language: 'en', means: 'page', network: null }),
  })
  expect(await changeByConsent(context.db, 'returned', [change('return')])).toEqual([subscriberId])
  expect((await result()).unsubscribes).toBe(1)
  // Whoever leaves by no publication, and takes that back, leaves the figures as they were.
  await changeByConsent(context.db, 'unsubscribed', [change('leave')])
  await changeByConsent(context.db, 'returned', [change('return')])
  expect((await result()).unsubscribes).toBe(1)
})

test('what came before an upgrade is counted by it', async () => {
  const database = await upgradedDatabase(
    '0044',
    `insert into newsletter (id, name, sender_name, language, timezone, currency)
      values ('n1', 'Low Water', 'Low Water', 'en', 'Europe/Paris', 'eur');
    insert into publication (newsletter_id, id, title, language, content)
      select 'n1', 'p' || i, 'Low tide', 'en', '{}' from generate_series(1, 2) i;
    insert into click (newsletter_id, short_link_id, publication_id, subscriber_id, at, excluded_by, device)
      select 'n1', 'l', case i % 3 when 0 then null else 'p' || i % 3 end,
        case when i % 2 = 0 then uuid_in(md5((i % 5)::text)::cstring) end, now(), case when i % 4 = 0 then 'bot' end, 'desktop'
      from generate_series(1, 100) i;
    insert into click (newsletter_id, short_link_id, publication_id, at, device)
      values ('gone', 'l', 'p9', now(), 'desktop');
    insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
      select 'n1', gen_random_uuid(), now(), case when i % 2 = 0 then 'unsubscribed' else 'opened' end, null, 'p' || i % 2 + 1
      from generate_series(1, 7) i;
    insert into feedback (newsletter_id, id, at, publication_id, subscriber_id, kind, source)
      select 'n1', gen_random_uuid(), now(), 'p1', uuid_in(md5((i % 3)::text)::cstring), kind, source
      from generate_series(1, 4) i, unnest(array['hard', 'complaint']) kind, unnest(array['dsn', 'ses']) source
      on conflict do nothing;`,
  )
  const app = await startTestApp({ database })
  try {
    const { db } = app.context
    for (const id of ['p1', 'p2']) {
      const { rows } = await sql`
        select json_build_object('raw', sum(raw), 'human', sum(human), 'people', sum(people)) as clicks,
          sum(unsubscribes)::integer as unsubscribes, sum(bounces)::integer as bounces, sum(complaints)::integer as complaints
        from publication_result where publication_id = ${id}`.execute(db)
      expect(rows).toEqual([await counted(db, id)])
    }
  } finally {
    await app.stop()
  }
})
