import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockWaiters } from '../testing/lock-waiters.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

/** What migrations promise without foreign keys. */
let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server.stop())

test('a subscriber belongs to a newsletter that is there, a tag to its own newsletter; they stay in them and go with them', async () => {
  const { newsletterId } = server
  const { db } = server.context
  const [id = ''] = await server.addSubscribers(['reader@example.org'])
  const tagId = async (name: string) => {
    const values = { newsletter_id: newsletterId, name }
    return (await db.insertInto('tag').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const [sailor, keeper] = [await tagId('sailor'), await tagId('keeper')]
  const give = (newsletter: string, tag: number) =>
    sql`insert into subscriber_tag (newsletter_id, tag_id, subscriber_id) values (${newsletter}, ${tag}, ${id})`.execute(
      db,
    )
  await give(newsletterId, sailor)
  await give(newsletterId, keeper)
  await expect(give(newsletterId, keeper + 1)).rejects.toThrow('has no tag')
  await expect(sql`update subscriber_tag set tag_id = tag_id + 10`.execute(db)).rejects.toThrow(
    'keeps its newsletter and tag',
  )
  const add = sql`insert into subscriber (newsletter_id, id, email, email_normalised, language, status)
    values ('nothing', gen_random_uuid(), 'a@example.org', 'a@example.org', 'en', 'pending')`
  await expect(add.execute(db)).rejects.toThrow('there is no newsletter nothing')
  await expect(sql`update subscriber set newsletter_id = 'nothing'`.execute(db)).rejects.toThrow('keeps its newsletter')
  const link = sql`insert into receipt_chain (newsletter_id, position, receipt_id, leaf, hash) values ('nothing', 1, ${id}, '', '')`
  await expect(link.execute(db)).rejects.toThrow('there is no newsletter nothing')

  await sql`delete from tag where id = ${sailor}`.execute(db)
  const given = async () =>
    (await db.selectFrom('subscriber_tag').select('tag_id').execute()).map(({ tag_id }) => tag_id)
  expect(await given()).toEqual([keeper])
})

test('a newsletter cannot be deleted under people who are being added, nor get people once it is', async () => {
  const { db } = server.context
  await sql`insert into newsletter (id, name, sender_name, language, timezone, currency)
    select 'other', name, sender_name, language, timezone, currency from newsletter where id = ${server.newsletterId}`.execute(
    db,
  )
  const add = (
    email: string,
  ) => sql`insert into subscriber (newsletter_id, id, email, email_normalised, language, status)
    values ('other', gen_random_uuid(), ${email}, ${email}, 'en', 'pending')`
  const adding = await db.startTransaction().execute()
  await add('first@example.org').execute(adding)
  const deleting = sql`delete from newsletter where id = 'other'`.execute(db)
  await waiting(1)
  await adding.commit().execute()
  await deleting
  const left = await sql`select from subscriber where newsletter_id = 'other'`.execute(db)
  expect(left.rows).toEqual([])
  await expect(add('second@example.org').execute(db)).rejects.toThrow('there is no newsletter other')
})

test('two lists whose people joined and left on the same days are counted one after the other', async () => {
  const { db } = server.context
  const { newsletterId } = server
  const day = (n: number) => `2026-03-${n}T12:00:00Z`
  const people = (name: string, joined: number[], left: [number, number]): RawBuilder<unknown> => sql`
    insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at, left_at)
    select ${newsletterId}, gen_random_uuid(), ${name} || n, ${name} || n, 'en', case when l is null then 'active' else 'unsubscribed' end, j, l
    from unnest(${[...joined, left[0]].map(day)}::timestamptz[], ${[...joined.map(() => null), day(left[1])]}::timestamptz[])
      with ordinality as p (j, l, n)`
  await people('earlier', [10, 15, 20], [10, 20]).execute(db)
  const holding = await db.startTransaction().execute()
  await sql`select from daily_count where newsletter_id = ${newsletterId} and day = '2026-03-20' for update`.execute(
    holding,
  )
  const first = people('first', [10, 20], [10, 15]).execute(db)
  await waiting(1)
  const second = people('second', [15], [15, 10]).execute(db)
  await waiting(2)
  await holding.commit().execute()
  await Promise.all([first, second])
  const { rows } = await sql<{ joined: number; departed: number }>`
    select sum(joined)::integer as joined, sum(departed)::integer as departed from daily_count
    where newsletter_id = ${newsletterId} and day between '2026-03-01' and '2026-03-31'`.execute(db)
  expect(rows).toEqual([{ joined: 9, departed: 3 }])
})

/** Resolves when so many statements wait for a lock. */
const waiting = (count: number) =>
  expect.poll(() => lockWaiters(server.context.db), { interval: 5, timeout: 10_000 }).toBe(count)
