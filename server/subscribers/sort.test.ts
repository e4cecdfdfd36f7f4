import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
  const people: [string, string | null, string, string][] = [
    ['zoe@example.org', 'Zoé', '2026-01-05', '2026-03-01'],
    ['b@example.org', 'élise', '2026-01-04', '2026-03-02'],
    ['a@example.org', 'Émile', '2026-01-03', '2026-03-03'],
    ['marc@example.org', null, '2026-01-02', '2026-03-03'],
    ['c@example.org', '', '2026-01-01', '2026-03-03'],
  ]
  const firstAdded = Date.now()
  for (const [index, [email, name, created, changed]] of people.entries()) {
    await sql`insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, created_at, confirmed_at, changed_at)
      values (${server.newsletterId}, ${uuidv7(firstAdded + index)}, ${email}, ${email}, ${name}, ${email < 'c' ? 'fr' : 'en'}, 'active', ${created}, ${created},
        ${changed})`.execute(server.context.db)
  }
})
afterAll(() => server?.stop())

const list = async (query: string) => (await server.owner.call('GET', `${server.path}/subscribers?${query}`)).json()
const initials = ({ rows }: { rows: { email: string }[] }) => rows.map(({ email }) => email[0]).join('')

test.each([
  ['sort=newest', 'cmabz'],
  ['sort=newest&direction=asc', 'zbamc'],
  ['sort=address', 'abcmz'],
  ['sort=address&direction=desc', 'zmcba'],
  // Names without accents; who has none stands with their address: c@…, élise, Émile, marc@…, Zoé.
  ['sort=name', 'cbamz'],
  ['sort=joined', 'zbamc'],
  ['sort=joined&direction=asc', 'cmabz'],
])('%s lists %s, whole and page by page', async (query, expected) => {
  expect(initials(await list(query))).toBe(expected)
  let paged = ''
  let cursor = ''
  do {
    const page = await list(`${query}&limit=2${cursor && `&cursor=${cursor}`}`)
    paged += initials(page)
    cursor = page.next ?? ''
  } while (cursor !== '')
  expect(paged).toBe(expected)
})

test('changes of the same moment are listed once each, and a page goes on though its last row changed or went', async () => {
  const first = await list('sort=changed&limit=2')
  expect(first.rows[0].changedAt).toBe('2026-03-03T00:00:00.000Z')
  const [, last] = first.rows
  await server.owner.call('POST', `${server.path}/subscribers/${last.id}/unsubscribe`, {})
  const second = await list(`sort=changed&limit=9&cursor=${first.next}`)
  expect(new Set(initials(first) + initials(second)).size).toBe(5)
  expect((await list('sort=changed')).rows[0].id).toBe(last.id)
  await server.owner.call('DELETE', `${server.path}/subscribers/${last.id}`)
  expect(initials(await list(`sort=changed&limit=9&cursor=${first.next}`))).toBe(initials(second))
})

test('filters by language and origin narrow the list and its count, and origins are listed', async () => {
  expect(await list('language=fr')).toMatchObject({ total: 2, more: false })
  expect(await list('source=import')).toMatchObject({ total: 0, rows: [] })
  const { sources } = (await server.owner.call('GET', `${server.path}/subscribers/sources`)).json()
  expect(sources).toEqual(['page'])
})

test('a cursor of another order, or none at all, is refused', async () => {
  const { next } = await list('sort=name&limit=1')
  const forged = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  for (const query of [
    `sort=joined&cursor=${next}`,
    `sort=name&direction=desc&cursor=${next}`,
    `sort=newest&cursor=${next}`,
    'sort=name&cursor=x',
    `sort=joined&cursor=${forged('joined', 'desc', 'never', '0'.repeat(32))}`,
    `sort=joined&cursor=${forged('joined', 'desc', '2026-02-30 00:00:00+00', '0'.repeat(32))}`,
    `sort=name&cursor=${forged('name', 'asc', 'a\0', '0'.repeat(32))}`,
    `sort=name&cursor=${forged('name', 'asc', 'a', 'no id')}`,
    'sort=email',
    'direction=up',
  ]) {
    const answer = await server.owner.call('GET', `${server.path}/subscribers?${query}`)
    expect([query, answer.statusCode]).toEqual([query, 422])
  }
})
