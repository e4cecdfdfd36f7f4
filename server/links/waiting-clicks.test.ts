import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../database/client.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { countWaitingClicks } from '../testing/waiting-clicks.ts'
import { addLink } from './link.ts'
import { moveWaitingClicks } from './store-clicks.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let server: TestNewsletter

beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server.stop())

const addedLink = async () =>
  (
    await addLink(
      server.context,
      { newsletterId: server.newsletterId, actor: 'member' },
      { target: 'https://example.org/', expiresAt: null },
    )
  ).id

async function kept(linkId: string, db: Db = server.context.db) {
  const { rows } = await sql<{ waiting: number; stored: number; raw: number | null; people: number | null }>`
    select (select count(*)::integer from click_waiting, unnest(short_link_id) c where c = ${linkId}) as waiting,
      (select count(*)::integer from click where short_link_id = ${linkId}) as stored,
      (select sum(raw)::integer from link_clicks_by_source where short_link_id = ${linkId}) as raw,
      (select people::integer from link_people where short_link_id = ${linkId}) as people`.execute(db)
  return rows[0] ?? { waiting: 0, stored: 0, raw: 0, people: 0 }
}

interface Waiting {
  newsletterId: string
  id: string
  clicks: number
  subscriberId?: string
}

/** In batches of fifty at most. */
const wait = ({ newsletterId, id, clicks, subscriberId }: Waiting, db: Db = server.context.db) =>
  sql`insert into click_waiting (newsletter_id, short_link_id, subscriber_id, at, device, rules)
    select array_agg(${newsletterId}::text), array_agg(${id}::text), array_agg(${subscriberId ?? null}::uuid), array_agg((extract(epoch from now()) * 1000)::bigint), array_agg('desktop'::text),
      array_agg(2::smallint) from generate_series(1, ${clicks}::integer) n group by n / 50`.execute(db)

test('many clicks at once are on disk by the time they are answered, and each is counted once', async () => {
  const id = await addedLink()
  let answered = 0
  const one = async () => {
    await server.inject({ url: `/r/${id}`, headers: { 'user-agent': BROWSER } })
    const seen = ++answered
    const { waiting, stored } = await kept(id)
    expect(waiting + stored).toBeGreaterThanOrEqual(seen)
  }
  await Promise.all(Array.from({ length: 200 }, one))
  await countWaitingClicks(server.context.db)
  expect(await kept(id)).toMatchObject({ waiting: 0, stored: 200, raw: 200 })
})

test('clicks that are put down together keep each what is theirs, alike and unlike', async () => {
  const { db } = server.context
  const subscribers = await server.addSubscribers(['one@example.org', 'two@example.org'])
  const links = await Promise.all([addedLink(), addedLink()])
  const asked = (
    each: (n: number) => { link: string; referrer: string | null; agent: string; subscriber: string | null },
  ) => Array.from({ length: 64 }, (_, n) => each(n))
  const unlike = asked((n) => ({
    link: links[n % 2] ?? '',
    // An address may have a quotation mark.
    referrer: n % 3 === 0 ? null : `host-${n}${n % 7 ? '' : '"'}.example`,
    agent: `${BROWSER} ${n % 5}`,
    subscriber: subscribers[n % 4] ?? null,
  }))
  const alike = asked(() => ({
    link: links[0] ?? '',
    referrer: 'one.example',
    agent: BROWSER,
    subscriber: subscribers[0] ?? null,
  }))
  for (const clicks of [unlike, alike]) {
    await db.deleteFrom('click').execute()
    await Promise.all(
      clicks.map(({ link, referrer, agent, subscriber }) =>
        server.inject({
          url: `/r/${link}${subscriber ? `?s=${subscriber}` : ''}`,
          headers: { 'user-agent': agent, ...(referrer && { referer: `https://${referrer}/` }) },
        }),
      ),
    )
    await countWaitingClicks(db)
    const { rows } = await sql<(typeof clicks)[number]>`
      select c.short_link_id as link, c.referrer, u.agent, c.subscriber_id as subscriber from click c join user_agent u on u.id = c.agent_id`.execute(
      db,
    )
    const sorted = (list: typeof clicks) => list.map((click) => JSON.stringify(Object.entries(click).sort())).sort()
    expect(sorted(rows)).toEqual(sorted(clicks))
  }
})

test('a click that comes while others are being counted is put down and does not wait for them', async () => {
  const { db } = server.context
  const id = await addedLink()
  const follow = () => server.inject({ url: `/r/${id}`, headers: { 'user-agent': BROWSER } })
  await follow()
  // Before its first click was counted, a link has no row that could be locked.
  await expect.poll(() => kept(id)).toMatchObject({ waiting: 0, raw: 1 })
  await db.transaction().execute(async (tx) => {
    await sql`select from link_current_count where short_link_id = ${id} for update`.execute(tx)
    await Promise.all(Array.from({ length: 200 }, follow))
    const blocked = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%with waiting as%' and datname = current_database()`
    await expect.poll(async () => (await blocked.execute(db)).rows.length, { timeout: 5_000 }).toBe(1)
    expect((await follow()).statusCode).toBe(302)
    expect(await kept(id)).toMatchObject({ stored: 1, raw: 1 })
    expect((await sql`select from click_waiting where cardinality(short_link_id) = 1`.execute(db)).rows).toHaveLength(1)
  })
  await countWaitingClicks(db)
  await expect.poll(() => kept(id)).toMatchObject({ waiting: 0, stored: 202, raw: 202 })
})

test('processes that move clicks at the same time count each once', async () => {
  const { db } = server.context
  const { newsletterId } = server
  const id = await addedLink()
  await wait({ newsletterId, id, clicks: 2_000 })
  const moves = await Promise.all(Array.from({ length: 12 }, () => moveWaitingClicks(db, 3)))
  expect(moves.some(({ more }) => more)).toBe(true)
  await countWaitingClicks(server.context.db)
  expect(await kept(id)).toMatchObject({ waiting: 0, stored: 2_000, raw: 2_000 })
})

test('more clicks than one statement takes are counted by several', async () => {
  const { newsletterId } = server
  const id = await addedLink()
  // In one transaction, because the server counts what it sees waiting every minute.
  await server.context.db.transaction().execute(async (tx) => {
    await wait({ newsletterId, id, clicks: 60_000 }, tx)
    expect(await moveWaitingClicks(tx, 2_000)).toMatchObject({ more: true })
    expect(await kept(id, tx)).toMatchObject({ waiting: 10_000, stored: 50_000, raw: 50_000 })
    expect(await moveWaitingClicks(tx, 2_000)).toMatchObject({ more: false })
    expect(await kept(id, tx)).toMatchObject({ waiting: 0, stored: 60_000, raw: 60_000 })
  })
})

test('nobody is named whom the newsletter does not keep any more, or who is gone', async () => {
  const { db } = server.context
  const { newsletterId } = server
  const id = await addedLink()
  const [ada = '', bea = ''] = await server.addSubscribers(['ada@example.org', 'bea@example.org'])
  await wait({ newsletterId, id, clicks: 2, subscriberId: ada })
  await wait({ newsletterId, id, clicks: 1, subscriberId: bea })
  await db.deleteFrom('subscriber').where('id', '=', bea).execute()
  await countWaitingClicks(server.context.db)
  expect(await kept(id)).toMatchObject({ stored: 3, raw: 3, people: 1 })

  await wait({ newsletterId, id, clicks: 1, subscriberId: ada })
  await db.updateTable('newsletter').set({ click_privacy: 'counted' }).where('id', '=', newsletterId).execute()
  const before = await db.selectFrom('click').select('id').where('short_link_id', '=', id).execute()
  await countWaitingClicks(server.context.db)
  const come = await db
    .selectFrom('click')
    .select('subscriber_id')
    .where('short_link_id', '=', id)
    .where(
      'id',
      'not in',
      before.map(({ id: each }) => each),
    )
    .execute()
  expect(come).toEqual([{ subscriber_id: null }])
})

test('clicks of a newsletter that is gone hold up no others', async () => {
  const { newsletterId } = server
  const id = await addedLink()
  await wait({ newsletterId: 'gone', id: 'nowhere', clicks: 3 })
  await wait({ newsletterId, id, clicks: 3 })
  await countWaitingClicks(server.context.db)
  expect([await kept('nowhere'), await kept(id)]).toMatchObject([
    { waiting: 0, stored: 0 },
    { waiting: 0, stored: 3, raw: 3 },
  ])
})
