import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { countByStatus, foldSubscriberCountsJob } from './subscriber-count.ts'

let server: TestApp
let owner: Session
let newsletter: string

beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp()
  newsletter = await add('one')
})
afterAll(() => server.stop())

async function add(id: string): Promise<string> {
  const { db } = server.context
  const settings = { name: 'Low Water', sender_name: 'Low Water', timezone: 'Europe/Paris', currency: 'eur' } as const
  await db
    .insertInto('newsletter')
    .values({ id, language: 'fr', ...settings })
    .execute()
  await db.insertInto('member').values({ newsletter_id: id, user_id: owner.userId, role: 'owner' }).execute()
  return id
}

const people = (prefix: string, from: number, to: number) =>
  sql`insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, confirmed_at)
    select ${newsletter}, uuidv7(), initcap(${prefix}) || i || '@Ménez.example', ${prefix} || i || '@xn--mnez-bpa.example',
      'Zoé Le Bris-' || i, 'fr', 'active', now()
    from generate_series(${from}::integer, ${to}::integer) i`.execute(server.context.db)

interface Found {
  rows: { email: string }[]
  total: number
  more: boolean
  next: string | null
}

async function find(query: string): Promise<Found> {
  const answer = await owner.call('GET', `/api/newsletters/${newsletter}/subscribers?${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<Found>()
}

test('a part of an address as it was typed, as it is compared, or of a name finds its subscriber, in any case', async () => {
  await people('ada', 1, 3)
  for (const part of ['ADA2@', 'ménez.EXAMPLE', 'xn--mnez', 'zoé le bris-2', 'ZOE LE', 'BRIS-2', '2'])
    expect(
      (await find(`search=${encodeURIComponent(part)}`)).rows.map(({ email }) => email),
      part,
    ).toContain('Ada2@Ménez.example')
  expect(await find('search=%40')).toMatchObject({ total: 3 })
  expect(await find('search=--')).toMatchObject({ total: 3 })
  const { db } = server.context
  await db.updateTable('subscriber').set({ name: 'İpek' }).where('email_normalised', 'like', 'ada1@%').execute()
  for (const part of ['ipek', 'İPEK', 'IPEK'])
    expect(await find(`search=${encodeURIComponent(part)}`), part).toMatchObject({ rows: [{ name: 'İpek' }], total: 1 })
  for (const part of ['%', '_da', 'a\\', '#', 'ada2@Ménez.example\nzoé', 'zoo', 'z.e', '[z]oe'])
    expect(await find(`search=${encodeURIComponent(part)}`)).toMatchObject({ rows: [], total: 0, more: false })
})

test.each([
  ['z', 2],
  ['É', 3],
  ['e', 3],
  ['le', 3],
  ['-1', 1],
  ['2', 1],
  ['x', 3],
  ['xn', 3],
  ['@m', 3],
  ['.e', 3],
  ['ri', 0],
  ['l.', 0],
  ['(', 0],
  ['b)', 0],
  ['a+', 0],
  ['é.*', 0],
])('one or two letters are looked for where words begin: %s', async (search, total) => {
  await sql`update subscriber set name = 'Édith Le Bris-1' where newsletter_id = ${newsletter} and email_normalised like 'ada1@%'`.execute(
    server.context.db,
  )
  expect(await find(`search=${encodeURIComponent(search)}`)).toMatchObject({ total, more: false })
})

test('the pages of a search have each match once, in every order, and as many as are counted', async () => {
  const everybody = async (query: string) => {
    const emails: string[] = []
    let cursor = ''
    for (;;) {
      const page = await find(`${query}&limit=2${cursor}`)
      emails.push(...page.rows.map(({ email }) => email))
      expect(page.total).toBe(3)
      if (page.next === null) return emails
      cursor = `&cursor=${encodeURIComponent(page.next)}`
    }
  }
  for (const sort of ['newest', 'address', 'name', 'joined', 'changed']) {
    const up = await everybody(`search=bris&sort=${sort}&direction=asc`)
    expect(up.toSorted()).toEqual([1, 2, 3].map((i) => `Ada${i}@Ménez.example`))
    expect(await everybody(`search=bris&sort=${sort}&direction=desc`)).toEqual(up.toReversed())
  }
  expect(await find('search=bris&status=active&language=fr')).toMatchObject({ total: 3 })
  expect(await find('search=bris&status=pending')).toMatchObject({ rows: [], total: 0 })
})

test('the matches of a search are counted up to ten thousand', async () => {
  await people('bea', 1, 10_001)
  expect(await find('search=bea1234@')).toMatchObject({ total: 1, more: false })
  expect(await find('search=bea')).toMatchObject({ total: 10_000, more: true })
  expect((await find('')).total).toBe(10_004)
})

test('of more matches than are counted, the pages have each once, also when those before them do not match', async () => {
  await people('aab', 1, 410)
  const expected = Array.from({ length: 10_001 }, (_, i) => `bea${i + 1}@xn--mnez-bpa.example`).toSorted()
  for (const [query, emails] of [
    ['', expected],
    ['&direction=desc', expected.toReversed()],
    ['&status=active&language=fr', expected],
  ] as const) {
    let cursor = ''
    for (const first of [0, 2, 4]) {
      const page = await find(`search=bea&sort=address&limit=2${query}${cursor}`)
      expect(page).toMatchObject({ total: 10_000, more: true })
      expect(page.rows.map(({ email }) => email.toLowerCase().replace('ménez', 'xn--mnez-bpa'))).toEqual(
        emails.slice(first, first + 2),
      )
      cursor = `&cursor=${encodeURIComponent(page.next ?? '')}`
    }
  }
  expect(await find('search=bea&status=pending&limit=2')).toMatchObject({ rows: [], total: 0, more: false, next: null })
})

test('subscribers are counted by status without being read, through every change, and while the counts are added up', async () => {
  const { db } = server.context
  newsletter = await add('two')
  const exact = async () => {
    const counts = await db
      .selectFrom('subscriber')
      .select(['status', ({ fn }) => fn.countAll<number>().as('n')])
      .where('newsletter_id', '=', newsletter)
      .groupBy('status')
      .execute()
    return Object.fromEntries(counts.map(({ status, n }) => [status, n]))
  }
  const kept = async () => {
    const statuses = ['pending', 'active', 'unsubscribed', 'bounced', 'complained'] as const
    const counts = await Promise.all(
      statuses.map(async (status) => [status, await countByStatus(db, newsletter, status)] as const),
    )
    expect(counts.reduce((sum, [, n]) => sum + n, 0)).toBe(await countByStatus(db, newsletter, undefined))
    return Object.fromEntries(counts.filter(([, n]) => n > 0))
  }
  const fold = foldSubscriberCountsJob(server.context)
  const ofMany = (from: number) => sql`newsletter_id = ${newsletter} and email_normalised like ${`cem${from}%`}`
  await people('cem', 10, 99)
  // Side by side, on the same and on other rows, while two workers add up.
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      ...Array.from({ length: 60 }, (_, i) => people('dov', round * 1000 + i, round * 1000 + i)),
      sql`update subscriber set status = 'unsubscribed', left_at = now() where ${ofMany(round + 1)}`.execute(db),
      sql`update subscriber set status = 'active', left_at = null where ${ofMany(round)}`.execute(db),
      sql`delete from subscriber where ${ofMany(9 - round)} and status <> 'active'`.execute(db),
      fold({}, undefined as never),
      fold({}, undefined as never),
    ])
    expect(await kept()).toEqual(await exact())
  }
  await fold({}, undefined as never)
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from subscriber_count where newsletter_id = ${newsletter}`.execute(db)
  expect(rows[0]?.n).toBeLessThan(210)
  expect(await kept()).toEqual(await exact())
})
