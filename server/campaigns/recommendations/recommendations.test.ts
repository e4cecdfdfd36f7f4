import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { confirmToken } from '../../subscribers/confirm.ts'
import { rememberErased } from '../../subscribers/erased-addresses.ts'
import { type Session, startTestApp, type TestApp } from '../../testing/app.ts'
import { addNewsletter as addTestNewsletter } from '../../testing/newsletter.ts'

let now = new Date('2026-11-02T10:00:00Z')
const DAY_MS = 86_400_000
let server: TestApp
let owner: Session
let from: string
let other: string
let round = 0
beforeAll(async () => {
  server = await startTestApp({ env: { SUBSCRIBE_LIMIT: '100000' }, now: () => now })
  owner = await server.signUp()
  await server.confirm(owner)
})
afterAll(() => server?.stop())
beforeEach(async () => {
  from = await addNewsletter(owner, { name: 'Low Water' })
  other = await addNewsletter(owner, { name: 'Rope & Tar' })
})

/** Without the limit of how many a person makes in an hour. */
const addNewsletter = (session: Session, { name = 'Low Water' } = {}) =>
  addTestNewsletter(server.context.db, session.userId, name)
const path = (id: string) => `/api/newsletters/${id}`
const recommend = (id = from, newsletter = other, reasons: Record<string, string> = { en: 'Knots.' }) =>
  owner.call('POST', `${path(id)}/recommendations`, { newsletter, reasons })
const listed = async (id = from, by = owner) =>
  (await by.call('GET', `${path(id)}/recommendations`)).json().rows as { id: string; state: string; counts: object }[]
const recommenders = async (id = other, by = owner) => (await by.call('GET', `${path(id)}/recommenders`)).json()

const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ')

/** A reader who presses the button of the confirmation mail, and the page that follows. */
async function confirmed(newsletterId = from, email = `reader${++round}@example.org`) {
  const form = new URLSearchParams({ email, consent: 'yes', language: 'en' }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await server.inject({ method: 'POST', url: `/subscribe/${newsletterId}`, payload: form, headers })
  const subscriber = await findAt(newsletterId, email)
  if (!subscriber) throw new Error('not asked')
  const url = `/confirm/${confirmToken(server.context.signer, subscriber)}`
  const pressed = await server.inject({ method: 'POST', url, headers })
  const cookie = cookieOf(pressed)
  const page = await server.inject({ method: 'GET', url, headers: { cookie } })
  return { email, url, cookie, page, code: /name="code" value="([^"]+)"/.exec(page.body)?.[1] ?? '' }
}
const choose = (reader: { cookie: string; code: string }, ids: string[], language = 'en') =>
  server.inject({
    method: 'POST',
    url: `/recommended?lang=${language}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: reader.cookie },
    payload: new URLSearchParams({
      code: reader.code,
      ...Object.fromEntries(ids.map((id) => [`choice-${id}`, 'yes'])),
    }).toString(),
  })
const outcomeOf = async (answer: Awaited<ReturnType<typeof choose>>) =>
  server.inject({ method: 'GET', url: String(answer.headers.location), headers: { cookie: cookieOf(answer) } })

const findAt = (newsletterId: string, email: string) =>
  server.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('email_normalised', '=', email)
    .executeTakeFirst()
const receiptsAt = async (newsletterId: string, email: string) =>
  server.context.db
    .selectFrom('consent')
    .innerJoin('subscriber as s', 's.id', 'consent.subscriber_id')
    .selectAll('consent')
    .where('consent.newsletter_id', '=', newsletterId)
    .where('s.email_normalised', '=', email)
    .orderBy('act')
    .execute()
const added = async (...args: Parameters<typeof recommend>) => (await recommend(...args)).json().id as string

test('whoever has just confirmed is shown what is recommended, with nothing ticked, and each choice is a subscriber with a receipt', async () => {
  const id = await added(from, other, { en: 'Knots & splices.', fr: 'Des nœuds.' })
  const reader = await confirmed()
  expect(reader.page.body).toContain('Knots &amp; splices.')
  expect(reader.page.body).not.toContain('checked')
  expect(reader.page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  const answer = await choose(reader, [id])
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/recommended?lang=en'])
  expect((await outcomeOf(answer)).body).toContain('You are subscribed to Rope &amp; Tar.')
  expect(await findAt(other, reader.email)).toMatchObject({
    status: 'active',
    source: 'recommendation',
    confirmed_at: now,
  })
  const receipts = await receiptsAt(other, reader.email)
  expect(receipts.map(({ act, means }) => [act, means])).toEqual([
    ['asked', 'recommendation'],
    ['given', 'recommendation'],
  ])
  expect(receipts[1]).toMatchObject({ language: 'en', beneficiary_name: 'Rope & Tar' })
  expect(receipts[1]?.wording).toBe(
    'Low Water also recommends\nYes, send me Rope & Tar by email. I can leave with one click.\nKnots & splices.',
  )
  expect(receipts[1]?.proof).toContain(`recommendation ${id}, version 1, of newsletter ${from}`)
  await server.work()
  expect((await server.context.relays.outbox.list()).filter(({ newsletterId }) => newsletterId === other)).toEqual([])
})

test('the words of a receipt are those that were shown, in the language of the page, also when they were changed meanwhile', async () => {
  const id = await added(from, other, { en: 'Knots.', fr: 'Des nœuds.' })
  const reader = await confirmed()
  await owner.call('PATCH', `${path(from)}/recommendations/${id}`, { reasons: { en: 'Splices.' } })
  await choose(reader, [id], 'fr')
  const [, given] = await receiptsAt(other, reader.email)
  expect([given?.language, given?.wording.split('\n').at(-1)]).toEqual(['fr', 'Des nœuds.'])
})

test('five of those that can be shown are shown, in their order, and a deleted one never', async () => {
  const others = []
  for (const name of ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']) others.push(await addNewsletter(owner, { name }))
  const ids: string[] = []
  for (const [at, one] of others.entries()) ids.push(await added(from, one, { en: `Reason ${at}` }))
  await owner.call('PUT', `${path(from)}/recommendation-order`, { ids: [...ids].reverse() })
  await owner.call('DELETE', path(others[6] ?? ''))
  const { page } = await confirmed()
  expect(page.body.match(/Reason \d/g)).toEqual(['Reason 5', 'Reason 4', 'Reason 3', 'Reason 2', 'Reason 1'])
  expect((await listed()).map(({ state }) => state)).toEqual(['gone', ...Array(6).fill('shown')])
})

test('the page shows nothing to choose in another browser, after an hour, for an old link, or after the choice', async () => {
  const id = await added()
  const reader = await confirmed()
  const shows = async (cookie: string) =>
    (await server.inject({ method: 'GET', url: reader.url, headers: { cookie } })).body.includes('Knots.')
  expect([await shows(reader.cookie), await shows('')]).toEqual([true, false])
  const pressedAgain = await server.inject({
    method: 'POST',
    url: reader.url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect([pressedAgain.statusCode, cookieOf(pressedAgain)]).toEqual([303, ''])
  expect((await choose({ ...reader, cookie: '' }, [id])).statusCode).toBe(410)
  expect((await choose({ ...reader, code: 'x' }, [id])).statusCode).toBe(410)
  expect((await choose({ ...reader, cookie: reader.cookie.replace(/.$/, '!') }, [id])).statusCode).toBe(410)
  const earlier = now
  now = new Date(now.getTime() + 61 * 60_000)
  expect((await choose(reader, [id])).statusCode).toBe(410)
  now = earlier
  expect(await findAt(other, reader.email)).toBeUndefined()
  const answer = await choose(reader, [id])
  expect(await shows(cookieOf(answer))).toBe(false)
})

test('a choice that is sent again, or twice at once, makes one subscriber and one receipt, and brings back nobody who left', async () => {
  const id = await added()
  const reader = await confirmed()
  const answers = await Promise.all([choose(reader, [id]), choose(reader, [id])])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303])
  expect(await receiptsAt(other, reader.email)).toHaveLength(2)
  await sql`update subscriber set status = 'unsubscribed', left_at = ${now} where newsletter_id = ${other}`.execute(
    server.context.db,
  )
  const again = await choose(reader, [id])
  expect((await findAt(other, reader.email))?.status).toBe('unsubscribed')
  expect((await outcomeOf(again)).body).toContain('Rope &amp; Tar was not added from here.')
  expect((await listed())[0]?.counts).toMatchObject({ confirmed: 1 })
})

test('a form that is posted twenty times at once, and again later, counts once for each newsletter that was ticked', async () => {
  const ids = [await added(), await added(from, await addNewsletter(owner, { name: 'Night Ferry' }))]
  const [reader, second] = [await confirmed(), await confirmed()]
  const answers = await Promise.all(Array.from({ length: 20 }, () => choose(reader, ids)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([303]))
  const earlier = now
  now = new Date(now.getTime() + 30 * 60_000)
  expect((await choose(reader, ids)).statusCode).toBe(303)
  // Of the same page with another box, only what is new counts.
  await choose(second, ids.slice(0, 1))
  await choose(second, ids)
  const chosen = async () => (await listed()).map(({ counts }) => counts)
  expect(await chosen()).toMatchObject([
    { shown: 2, chosen: 2, confirmed: 2 },
    { shown: 2, chosen: 2, confirmed: 2 },
  ])
  // Who chose is forgotten after fourteen days.
  now = new Date(earlier.getTime() + 15 * DAY_MS)
  await sql`select graphile_worker.add_job('count_stayed')`.execute(server.context.db)
  await server.work()
  const { db } = server.context
  expect(await db.selectFrom('recommendation_choice').selectAll().where('newsletter_id', '=', from).execute()).toEqual(
    [],
  )
  now = earlier
})

test.each(['unsubscribed', 'bounced', 'complained', 'suppressed', 'erased'] as const)(
  'a no stays a no: whoever was %s is not brought back, and gets no mail that asks',
  async (was) => {
    const id = await added()
    const email = `no-${was}@example.org`
    const { db, signer } = server.context
    if (was === 'suppressed')
      await db
        .insertInto('suppression')
        .values({ newsletter_id: other, email_normalised: email, reason: 'by_hand', detail: '' })
        .execute()
    else if (was === 'erased') await rememberErased(db, signer, { newsletterId: other, normalised: [email] })
    else
      await db
        .insertInto('subscriber')
        .values({
          ...{ newsletter_id: other, id: crypto.randomUUID(), email, email_normalised: email, language: 'en' },
          ...{ status: was, left_at: now, asked_at: new Date(now.getTime() - 90 * DAY_MS) },
        })
        .execute()
    const reader = await confirmed(from, email)
    const answer = await choose(reader, [id])
    expect((await outcomeOf(answer)).body).toContain(`/subscribe/${other}?lang=en`)
    expect((await findAt(other, email))?.status).toBe(was === 'suppressed' || was === 'erased' ? undefined : was)
    await server.work()
    expect((await server.context.relays.outbox.list()).filter(({ newsletterId }) => newsletterId === other)).toEqual([])
  },
)

test('whoever reads it already is told so in their own browser, and nothing changes', async () => {
  const id = await added()
  const email = `known${++round}@example.org`
  await confirmed(other, email)
  now = new Date(now.getTime() + 60_000)
  const reader = await confirmed(from, email)
  expect(reader.page.body).not.toContain('already')
  const answer = await choose(reader, [id])
  expect((await outcomeOf(answer)).body).toContain('You read Rope &amp; Tar already')
  expect(await receiptsAt(other, email)).toHaveLength(2)
  expect((await listed())[0]?.counts).toMatchObject({ chosen: 1, confirmed: 0 })
})

test('without a box nothing is changed, and the page says so', async () => {
  await added()
  const reader = await confirmed()
  const answer = await choose(reader, [])
  expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining('Nothing was ticked')])
  // Its link to another language shows the choice again.
  const french = await server.inject({ method: 'GET', url: '/recommended?lang=fr', headers: { cookie: reader.cookie } })
  expect([french.statusCode, french.body]).toEqual([200, expect.stringContaining('Low Water recommande aussi')])
})

test('a newsletter of somebody else is shown once it has accepted, and decides who may recommend it', async () => {
  const stranger = await server.signUp()
  await server.confirm(stranger)
  const theirs = await addNewsletter(stranger, { name: 'Night Ferry' })
  const id = await added(from, theirs)
  const state = async () => (await listed())[0]?.state
  const isShown = async () => (await confirmed()).page.body.includes('Knots.')
  expect([await state(), await isShown()]).toEqual(['waiting', false])
  expect(await recommenders(theirs, stranger)).toMatchObject({
    recommendedBy: 'accepted',
    rows: [{ id, state: 'waiting', newsletter: { id: from }, reasons: { en: 'Knots.' } }],
  })
  // Not the one who recommends.
  expect((await owner.call('PUT', `${path(theirs)}/recommenders/${id}`, { accepted: true })).statusCode).toBe(404)
  expect((await owner.call('PUT', `${path(from)}/recommenders/${id}`, { accepted: true })).statusCode).toBe(404)
  await stranger.call('PUT', `${path(theirs)}/recommenders/${id}`, { accepted: true })
  expect([await state(), await isShown()]).toEqual(['shown', true])
  const reader = await confirmed()
  await stranger.call('PUT', `${path(theirs)}/recommended-by`, { recommendedBy: 'nobody' })
  expect([await state(), await isShown()]).toEqual(['declined', false])
  // What was shown before the no is no way round it.
  await choose(reader, [id])
  expect(await findAt(theirs, reader.email)).toBeUndefined()
  await stranger.call('PUT', `${path(theirs)}/recommended-by`, { recommendedBy: 'everybody' })
  await stranger.call('PUT', `${path(theirs)}/recommenders/${id}`, { accepted: false })
  expect(await state()).toBe('declined')
  // Removing and adding it again does not undo their no.
  await owner.call('DELETE', `${path(from)}/recommendations/${id}`)
  expect(await added(from, theirs)).toBe(id)
  expect(await state()).toBe('declined')
})

test('itself, a deleted one, one twice, one that is not here, and more than twenty are refused', async () => {
  const code = async (...args: Parameters<typeof recommend>) => (await recommend(...args)).json().error?.code
  expect(await code(from, from)).toBe('recommends_itself')
  const gone = await addNewsletter(owner)
  await owner.call('DELETE', path(gone))
  expect([
    await code(from, gone),
    await code(from, 'nowhere at all'),
    await code(from, 'https://x.example/n/a'),
  ]).toEqual(Array(3).fill('recommended_not_found'))
  expect(await code(from, `http://tirage.test/n/${other}?lang=fr`)).toBeUndefined()
  expect(await code()).toBe('recommended_already')
  for (const reasons of [{}, { en: '' }, { de: 'Ja' }, { en: 'x'.repeat(201) }, 'x'])
    expect((await owner.call('POST', `${path(from)}/recommendations`, { newsletter: other, reasons })).statusCode).toBe(
      422,
    )
  const more = await Promise.all(Array.from({ length: 22 }, async () => recommend(from, await addNewsletter(owner))))
  expect(more.filter(({ statusCode }) => statusCode === 200)).toHaveLength(19)
  expect(more.find(({ statusCode }) => statusCode !== 200)?.json().error.code).toBe('too_many_recommendations')
})

test('both sides see how often it was shown, chosen and confirmed, and who was still there after fourteen days', async () => {
  const id = await added()
  const [stays, leaves, looks] = [await confirmed(), await confirmed(), await confirmed()]
  for (const reader of [stays, leaves]) await choose(reader, [id])
  expect(looks.page.body).toContain('Knots.')
  await sql`update subscriber set status = 'unsubscribed', left_at = ${now} where email_normalised = ${leaves.email}`.execute(
    server.context.db,
  )
  const before = { shown: 3, chosen: 2, confirmed: 2, stayed: { still: 0, of: 0 } }
  const counts = async () => [(await listed())[0]?.counts, (await recommenders()).rows[0].counts]
  const count = () => sql`select graphile_worker.add_job('count_stayed')`.execute(server.context.db)
  await count()
  await server.work()
  expect(await counts()).toEqual([before, before])
  const day = now.toISOString().slice(0, 10)
  const since = now
  now = new Date(now.getTime() + 14 * DAY_MS)
  await sql`update subscriber set status = 'unsubscribed', left_at = ${new Date(now.getTime() + 1)}
    where email_normalised = ${stays.email}`.execute(server.context.db)
  await count()
  await count()
  await server.work()
  const after = { ...before, stayed: { still: 1, of: 2 } }
  expect(await counts()).toEqual([after, after])
  expect(
    await server.context.db.selectFrom('recommendation_yes').selectAll().where('newsletter_id', '=', other).execute(),
  ).toEqual([])
  const csv = async (newsletterId: string, query = '') =>
    (await owner.call('GET', `${path(newsletterId)}/recommendations.csv${query}`)).body.trim().split('\n')
  expect((await csv(from)).slice(1)).toEqual([`${day},given,Rope & Tar,3,2,2,2,1`])
  expect((await csv(other)).slice(1)).toEqual([`${day},received,Low Water,3,2,2,2,1`])
  expect(await csv(other, '?to=2020-01-01')).toHaveLength(1)
  now = since
})
