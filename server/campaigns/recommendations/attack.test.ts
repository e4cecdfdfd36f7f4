import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { confirmToken } from '../../subscribers/confirm.ts'
import { type Session, startTestApp, type TestApp } from '../../testing/app.ts'
import { addNewsletter } from '../../testing/newsletter.ts'

// Recommendations of one server against whoever is quicker, comes late, or belongs somewhere else.

let server: TestApp
let owner: Session
let stranger: Session
let from: string
let theirs: string
let round = 0
beforeAll(async () => {
  server = await startTestApp({ env: { SUBSCRIBE_LIMIT: '100000' } })
  ;[owner, stranger] = [await server.signUp(), await server.signUp()]
  for (const session of [owner, stranger]) await server.confirm(session)
})
afterAll(() => server?.stop())
beforeEach(async () => {
  from = await addNewsletter(server.context.db, owner.userId, 'Low Water')
  theirs = await addNewsletter(server.context.db, stranger.userId, 'Night Ferry')
})

const path = (id: string) => `/api/newsletters/${id}`
const recommend = (newsletter = theirs) =>
  owner.call('POST', `${path(from)}/recommendations`, { newsletter, reasons: { en: 'Knots.' } })
const added = async (newsletter = theirs) => (await recommend(newsletter)).json().id as string
const remove = (id: string) => owner.call('DELETE', `${path(from)}/recommendations/${id}`)
const answer = (id: string, accepted: boolean, { by = stranger, newsletter = theirs } = {}) =>
  by.call('PUT', `${path(newsletter)}/recommenders/${id}`, { accepted })
const listed = async () => (await owner.call('GET', `${path(from)}/recommendations`)).json().rows
const times = <One>(count: number, one: (n: number) => Promise<One>) =>
  Promise.all(Array.from({ length: count }, (_, n) => one(n)))
const tally = (answers: { statusCode: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ statusCode }) => statusCode)].map(([status, those]) => [status, those.length]),
  )
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const cookieOf = (reply: { headers: Record<string, unknown> }) =>
  [reply.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ')
const subscriberOf = (newsletterId: string, email: string) =>
  server.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('email_normalised', '=', email)
    .execute()

/** A reader with the page that shows what is recommended. */
async function reader() {
  const email = `reader${++round}@example.org`
  const payload = new URLSearchParams({ email, consent: 'yes', language: 'en' }).toString()
  await server.inject({ method: 'POST', url: `/subscribe/${from}`, payload, headers: form })
  const [subscriber] = await subscriberOf(from, email)
  if (!subscriber) throw new Error('not asked')
  const url = `/confirm/${confirmToken(server.context.signer, subscriber)}`
  const cookie = cookieOf(await server.inject({ method: 'POST', url, headers: form }))
  const { body } = await server.inject({ method: 'GET', url, headers: { cookie } })
  return { email, cookie, body, code: /name="code" value="([^"]+)"/.exec(body)?.[1] ?? '' }
}
type Reader = Awaited<ReturnType<typeof reader>>
const choose = ({ cookie, code }: Pick<Reader, 'cookie' | 'code'>, ...ids: string[]) =>
  server.inject({
    method: 'POST',
    url: '/recommended?lang=en',
    headers: { ...form, cookie },
    remoteAddress: `198.51.100.${++round % 250}`,
    payload: new URLSearchParams({ code, ...Object.fromEntries(ids.map((id) => [`choice-${id}`, 'yes'])) }).toString(),
  })

test('of fifty who recommend the same newsletter at the same moment one does', async () => {
  const answers = await times(50, () => recommend())
  const { 200: done, 409: already = 0, 429: slowed = 0 } = tally(answers)
  expect([done, already + slowed]).toEqual([1, 49])
  expect(await listed()).toHaveLength(1)
})

test('fifty yeses at the same moment are one, and a no among them leaves a no or a yes, and nothing between', async () => {
  const id = await added()
  expect(tally(await times(50, () => answer(id, true)))).toEqual({ 200: 50 })
  expect(await listed()).toMatchObject([{ state: 'shown' }])
  await times(50, (n) => answer(id, n % 2 === 0))
  const stored = await server.context.db
    .selectFrom('recommendation')
    .select(['accepted_at', 'declined_at'])
    .where('newsletter_id', '=', from)
    .where('id', '=', id)
    .execute()
  expect(
    stored.filter(({ accepted_at, declined_at }) => (accepted_at === null) !== (declined_at === null)),
  ).toHaveLength(1)
  await answer(id, false)
  expect(await listed()).toMatchObject([{ state: 'declined' }])
})

test('fifty presses of one reader at the same moment make one subscriber with one receipt', async () => {
  const id = await added()
  await answer(id, true)
  const who = await reader()
  expect(who.body).toContain('Knots.')
  await times(50, () => choose(who, id))
  const joined = await subscriberOf(theirs, who.email)
  expect(joined.map(({ status }) => status)).toEqual(['active'])
  const receipts = await server.context.db
    .selectFrom('consent')
    .select('act')
    .where('newsletter_id', '=', theirs)
    .where('subscriber_id', '=', joined[0]?.id ?? '')
    .execute()
  expect(receipts.map(({ act }) => act).toSorted()).toEqual(['asked', 'given'])
  expect((await listed())[0].counts).toMatchObject({ shown: 1, confirmed: 1 })
})

test.each<[string, (id: string) => Promise<unknown>]>([
  ['was withdrawn', remove],
  ['was declined', (id) => answer(id, false)],
  [
    'is of a newsletter that wants none any more',
    () => stranger.call('PUT', `${path(theirs)}/recommended-by`, { recommendedBy: 'nobody' }),
  ],
  ['is of a newsletter that was deleted', () => stranger.call('DELETE', path(theirs))],
])('what %s meanwhile subscribes nobody, also beside another choice', async (_what, end) => {
  const id = await added()
  await answer(id, true)
  const own = await added(await addNewsletter(server.context.db, owner.userId, 'Rope & Tar'))
  const [alone, beside] = [await reader(), await reader()]
  for (const { body } of [alone, beside]) expect(body.match(/type="checkbox"/g)).toHaveLength(2)
  await end(id)
  expect((await choose(alone, id)).statusCode).toBe(422)
  expect((await choose(beside, id, own)).statusCode).toBe(303)
  for (const { email } of [alone, beside]) expect(await subscriberOf(theirs, email)).toEqual([])
  const counted = (await listed()).find((row: { id: string }) => row.id === own)
  expect(counted.counts).toMatchObject({ chosen: 1, confirmed: 1 })
})

test('a withdrawal and presses at the same moment: whoever came first counts, and nobody comes after it', async () => {
  const id = await added()
  await answer(id, true)
  const readers: Reader[] = []
  for (let n = 0; n < 8; n += 1) readers.push(await reader())
  await Promise.all([...readers.slice(0, 4).map((who) => choose(who, id)), remove(id)])
  for (const who of readers.slice(4)) expect((await choose(who, id)).statusCode).toBe(410)
  for (const { email } of readers.slice(4)) expect(await subscriberOf(theirs, email)).toEqual([])
})

test('nobody reads, answers, changes or removes what is between two other newsletters', async () => {
  const id = await added()
  const foreign = await server.signUp()
  await server.confirm(foreign)
  const foreignId = await addNewsletter(server.context.db, foreign.userId, 'Of somebody else')
  const tried = [
    await answer(id, true, { by: foreign, newsletter: foreignId }),
    await answer(id, true, { by: foreign }),
    await answer(id, true, { by: owner, newsletter: from }),
    await foreign.call('PATCH', `${path(foreignId)}/recommendations/${id}`, { reasons: { en: 'Buy.' } }),
    await foreign.call('DELETE', `${path(foreignId)}/recommendations/${id}`),
    await foreign.call('DELETE', `${path(from)}/recommendations/${id}`),
    // The recommended side has a word on whether, and none on what is said.
    await stranger.call('PATCH', `${path(theirs)}/recommendations/${id}`, { reasons: { en: 'Buy.' } }),
  ]
  expect(tried.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404, 404, 404])
  await foreign.call('PUT', `${path(foreignId)}/recommendation-order`, { ids: [id] })
  expect(await listed()).toMatchObject([{ id, state: 'waiting', reasons: { en: 'Knots.' } }])
  const theirRead = (await foreign.call('GET', `${path(foreignId)}/recommenders`)).json()
  expect([theirRead.rows, (await foreign.call('GET', `${path(theirs)}/recommenders`)).statusCode]).toEqual([[], 404])
})

test('the choice of a page of one newsletter opens no recommendation of another', async () => {
  const id = await added()
  await answer(id, true)
  const who = await reader()
  // Of a newsletter that this page never showed, and that its owner recommends elsewhere.
  const elsewhere = await addNewsletter(server.context.db, owner.userId, 'Elsewhere')
  const other = await owner.call('POST', `${path(elsewhere)}/recommendations`, {
    newsletter: from,
    reasons: { en: 'Here.' },
  })
  const late = await added(elsewhere)
  for (const forged of [other.json().id, late, `${id}x`, ''])
    expect([forged, (await choose(who, forged)).statusCode]).toEqual([forged, 422])
  expect(await subscriberOf(elsewhere, who.email)).toEqual([])
  expect((await choose(who, id)).statusCode).toBe(303)
})
