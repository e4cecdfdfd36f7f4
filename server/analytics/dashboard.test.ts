import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { sent } from '../testing/newsletter-history.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
  // In Paris the last one joins on 10 May, after midnight.
  await joined('2026-04-20T10:00:00Z', '2026-04-28T10:00:00Z', '2026-05-05T10:00:00Z', '2026-05-09T22:30:00Z')
  await left('2026-05-06T10:00:00Z')
  await wentOut(await sent(server, 'a.example', ['ada', 'ben', 'cat', 'dan']), '2026-04-30T08:00:00Z')
  await wentOut(await sent(server, 'b.example', ['eve', 'fay']), '2026-05-10T21:59:00Z')
})
afterAll(() => server?.stop())

const insert = (row: { confirmed_at: Date; left_at?: Date; status: 'active' | 'unsubscribed' }) => {
  const id = uuidv7()
  const email = `${id}@example.org`
  return server.context.db
    .insertInto('subscriber')
    .values({ newsletter_id: server.newsletterId, id, email, email_normalised: email, language: 'en', ...row })
    .execute()
}

async function joined(...moments: string[]) {
  for (const at of moments) await insert({ confirmed_at: new Date(at), status: 'active' })
}

const left = (at: string) =>
  insert({ confirmed_at: new Date('2026-01-05T10:00:00Z'), left_at: new Date(at), status: 'unsubscribed' })

/** It began to go out then, and one open was counted. */
async function wentOut({ id }: { id: string }, at: string) {
  const { newsletterId, context } = server
  await sql`update sending set started_at = ${at} where newsletter_id = ${newsletterId} and publication_id = ${id}`.execute(
    context.db,
  )
  await context.db
    .insertInto('open_count')
    .values({ newsletter_id: newsletterId, publication_id: id, opened: 1 })
    .execute()
}

const get = (query: string) => server.owner.call('GET', `${server.path}/dashboard${query}`)

test('a range is shown beside the one before, by days of the newsletter’s calendar', async () => {
  const board = (await get('?from=2026-05-04&to=2026-05-10')).json()
  expect([board.range, board.before]).toEqual([
    { from: '2026-05-04', to: '2026-05-10' },
    { from: '2026-04-27', to: '2026-05-03' },
  ])
  expect(board.figures).toMatchObject({ joined: 2, departed: 1, publications: 1, accepted: 10, opens: 1 })
  expect(board.figures).toMatchObject({ subscribers: 4, clicks: { human: 1, people: 1 }, unsubscribes: 0, failed: 0 })
  expect(board.figuresBefore).toMatchObject({ joined: 1, departed: 0, publications: 1, accepted: 8, opens: 1 })
  expect(board.growth.map(({ subscribers }: { subscribers: number }) => subscribers)).toEqual([3, 4, 3, 3, 3, 3, 4])
  expect(board.growth.at(-1)).toEqual({ day: '2026-05-10', subscribers: 4, joined: 1, departed: 0, sent: ['Low tide'] })
  expect(board.engagement).toMatchObject([{ day: '2026-05-10', publications: 1, accepted: 10, opens: 1 }])
})

test('whole months are compared with as many months', async () => {
  expect((await get('?from=2026-05-01&to=2026-05-31')).json().before).toEqual({ from: '2026-04-01', to: '2026-04-30' })
})

test('from the first day on, there is nothing before to compare with', async () => {
  const { range, before, figuresBefore, figures } = (await get('?from=first&to=2026-05-10')).json()
  expect([range, before, figuresBefore]).toEqual([{ from: '2026-01-05', to: '2026-05-10' }, null, null])
  expect(figures).toMatchObject({ joined: 5, departed: 1, publications: 2, accepted: 18 })
})

test.each([
  ['from=2026-05-10&to=2026-05-04', 'to'],
  ['from=2001-01-01&to=2026-05-04', 'from'],
  ['from=tomorrow', 'from'],
  ['to=2026-02-30', 'to'],
])('“%s” is refused at its field', async (query, field) => {
  const answer = await get(`?${query}`)
  expect(answer.statusCode).toBe(422)
  expect(answer.json().error.fields).toHaveProperty([field])
})
