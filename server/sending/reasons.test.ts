import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { corpus } from '../mail/answers/corpus/corpus.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { addPublication } from '../testing/publication.ts'
import { listDeliveryRows } from './delivery-list.ts'
import { reasonOf } from './reasons.ts'

let server: TestNewsletter

beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server.stop())

test('a reason is the same here as in the database, for every answer of the corpus', async () => {
  const answers = corpus.flatMap((group) => group.answers.map(([, text]) => text))
  answers.push(
    '',
    ' 550  550 5.1.1:\t421 a@b.c; 550 x',
    'smtp;550 5.1.1 <é@exämple.org> Größe ４２',
    `550 ${'😀 '.repeat(200)}`,
  )
  const { rows } = await sql<{ answer: string; reason: string }>`
    select answer, answer_pattern(answer) as reason from unnest(${answers}::text[]) answer`.execute(server.context.db)
  expect(rows.map(({ answer }) => [answer, reasonOf(answer)])).toEqual(
    rows.map(({ answer, reason }) => [answer, reason]),
  )
})

/** A sent publication whose deliveries all failed, each with an answer of its own. */
async function refused(subscribers: number): Promise<string> {
  const { db } = server.context
  const { newsletterId } = server
  const id = await addPublication(db, { newsletterId })
  await sql`
    insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, answer)
    select ${newsletterId}, ${id}, ${id}, gen_random_uuid(), 'r' || n || '@example.org', 'failed',
      '550 5.1.1 <r' || n || '@example.org>: Recipient address rejected: User unknown in local recipient table, at host mx' || n
        || '.example.org [10.2.' || n % 256 || '.7], id ' || md5(n::text)
    from generate_series(1, ${subscribers}::integer) n`.execute(db)
  return `${server.path}/publications/${id}/deliveries`
}

/** In milliseconds. What else the machine does is not in it. */
async function shortestOfFive(act: () => Promise<unknown>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let n = 0; n < 5; n += 1) {
    const began = performance.now()
    await act()
    shortest = Math.min(shortest, performance.now() - began)
  }
  return shortest
}

test('ten thousand answers are grouped in less time than the database takes', async () => {
  const path = await refused(10_000)
  const { db } = server.context
  const ask = () => server.owner.call('GET', `${path}/reasons?state=failed`)
  const { rows } = (await ask()).json()
  const byDatabase = () => sql`select count(answer_pattern(answer)) from delivery`.execute(db)
  // About a sixth.
  expect(await shortestOfFive(ask)).toBeLessThan(await shortestOfFive(byDatabase))
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ count: 10_000 })
  const again = await server.owner.call('POST', `${path}/again`, { state: 'failed', reason: rows[0].reason })
  // Nobody of them is a subscriber.
  expect(again.json()).toEqual({ queued: 0 })
  await sql`delete from delivery`.execute(db)
})

test.each(['waiting', 'queued', 'accepted'] as const)('nobody is searched when nobody is %s', async (state) => {
  await refused(1_000)
  const { db } = server.context
  const { newsletterId } = server
  const { publication_id: publicationId } = await db
    .selectFrom('delivery')
    .select('publication_id')
    .executeTakeFirstOrThrow()
  const searched = await db.transaction().execute(async (tx) => {
    // With what the connection did before and has not reported yet.
    const read = async () => {
      const { rows } = await sql<{ read: number }>`
        select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'delivery'`.execute(
        tx,
      )
      return rows[0]?.read ?? 0
    }
    const before = await read()
    await listDeliveryRows({ ...server.context, db: tx }, { newsletterId, publicationId }, { state, limit: 50 })
    return (await read()) - before
  })
  expect(searched).toBe(0)
  await sql`delete from delivery`.execute(db)
})

test('reasons that nobody has, with a control character, and asked for too often', async () => {
  const path = await refused(1)
  const again = (body: object) => server.owner.call('POST', `${path}/again`, { state: 'failed', ...body })
  expect((await again({ reason: 'another\u0000' })).json()).toEqual({ queued: 0 })
  expect((await again({ reason: '' })).json()).toEqual({ queued: 0 })
  expect((await again({ reason: 'x'.repeat(501) })).statusCode).toBe(422)
  const codes = new Set<number>()
  for (let n = 0; n < 61; n += 1) codes.add((await again({ reason: 'another' })).statusCode)
  expect(codes).toEqual(new Set([200, 429]))
})
