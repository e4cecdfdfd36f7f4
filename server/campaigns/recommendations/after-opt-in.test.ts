import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { confirmToken } from '../../subscribers/confirm.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign } from '../../testing/opt-in.ts'
import { OptInCodes } from '../opt-in/address.ts'
import { typedLinks } from '../opt-in/typed-links.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

let server: TestNewsletter
let campaignId: string
/** The newsletter that is recommended, and the recommendation. */
let other: string
let recommendation: string
let people = 0
beforeAll(async () => {
  server = await startTestNewsletter({ SUBSCRIBE_LIMIT: '100000', SUBSCRIBE_PRESSURE: '100000' })
})
afterAll(() => server?.stop())
beforeEach(async () => {
  const { db } = server.context
  for (const { id } of await listed()) await server.owner.call('DELETE', `${server.path}/recommendations/${id}`)
  campaignId = await addOptInCampaign(server)
  other = await addNewsletter(db, server.owner.userId, 'Rope & Tar')
  recommendation = await recommend(other)
})

const listed = async () =>
  (await server.owner.call('GET', `${server.path}/recommendations`)).json().rows as { id: string; counts: object }[]
const recommend = async (newsletter: string): Promise<string> => {
  const reasons = { en: 'Knots.' }
  return (await server.owner.call('POST', `${server.path}/recommendations`, { newsletter, reasons })).json().id
}
const newPerson = () => `person${++people}@example.org`

type Answer = Awaited<ReturnType<TestNewsletter['app']['inject']>>
const cookieOf = ({ headers }: Answer) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ')
const press = (url: string, act = 'yes', cookie = '') =>
  server.app.inject({
    method: 'POST',
    url,
    headers: { ...form, cookie },
    payload: new URLSearchParams({ act, version: '1', words: 'en' }).toString(),
  })
const open = (url: string, cookie: string) => server.app.inject({ method: 'GET', url, headers: { cookie } })

/** The way of a mail of this newsletter to one of its subscribers. */
async function oneTap(email = newPerson()) {
  const [id = ''] = await server.addSubscribers([email])
  return { email, url: `/optin/${campaignId}?k=${new OptInCodes(server.context).code(id)}` }
}
/** The way of a mail to an address that was typed. */
function typed(email = newPerson()) {
  const { newsletterId } = server
  const link = { newsletterId, campaignId, email, language: 'en' as const, shortLinkId: 'none' }
  const token = typedLinks(server.context.sealer).make(link, new Date())
  return { email, url: `/optin/${campaignId}/confirm/${token}` }
}
async function saidYes(url: string) {
  const cookie = cookieOf(await press(url))
  const page = await open(url, cookie)
  return { url, cookie, page, code: /name="code" value="([^"]+)"/.exec(page.body)?.[1] ?? '' }
}
async function choose({ cookie, code }: { cookie: string; code: string }, ids = [recommendation]) {
  const choice = Object.fromEntries(ids.map((id) => [`choice-${id}`, 'yes']))
  const answer = await server.app.inject({
    method: 'POST',
    url: '/recommended?lang=en',
    headers: { ...form, cookie },
    payload: new URLSearchParams({ code, ...choice }).toString(),
  })
  return { answer, outcome: await open(String(answer.headers.location), cookieOf(answer)) }
}
const findThere = (email: string) =>
  server.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', other)
    .where('email_normalised', '=', email)
    .executeTakeFirst()
const mailsThere = async () => {
  const query = server.context.db.selectFrom('confirmation_mail').selectAll().where('newsletter_id', '=', other)
  return (await query.execute()).length
}

test('after one tap up to five are offered, none ticked, in this browser alone; each that is chosen asks by mail first', async () => {
  const { email, url } = await oneTap()
  const reader = await saidYes(url)
  for (const text of ['You said yes', 'Low Water also recommends', 'Knots.', 'asks you by mail first'])
    expect(reader.page.body).toContain(text)
  expect(reader.page.body).not.toContain('checked')
  expect((await open(url, '')).body).not.toContain('Knots.')
  expect(await listed()).toMatchObject([{ counts: { shown: 1, chosen: 0 } }])

  const { answer, outcome } = await choose(reader)
  expect([answer.statusCode, outcome.statusCode]).toEqual([303, 200])
  expect(outcome.body).toContain('Rope &amp; Tar asks you by mail')
  const asked = await findThere(email)
  if (!asked) throw new Error('nobody was asked')
  expect([asked.status, await mailsThere()]).toEqual(['pending', 1])
  expect(await listed()).toMatchObject([{ counts: { shown: 1, chosen: 1, confirmed: 0 } }])
  for (let again = 0; again < 2; again += 1) await press(`/confirm/${confirmToken(server.context.signer, asked)}`)
  expect((await findThere(email))?.status).toBe('active')
  expect(await listed()).toMatchObject([{ counts: { shown: 1, chosen: 1, confirmed: 1 } }])
  const receipts = await server.context.db
    .selectFrom('consent')
    .select(['act', 'means', 'proof'])
    .where('newsletter_id', '=', other)
    .orderBy('act')
    .execute()
  expect(receipts).toMatchObject([
    { act: 'asked', means: 'recommendation', proof: expect.stringContaining('yes by a link of a mail there') },
    { act: 'given', means: 'confirmation' },
  ])
  const kept = await server.context.db.selectFrom('recommendation_asked').selectAll().execute()
  expect(kept).toEqual([])
})

test('a form that is posted twenty times at once asks once and counts once, and asks no more when it is posted again later', async () => {
  const { email, url } = await oneTap()
  const reader = await saidYes(url)
  const answers = await Promise.all(Array.from({ length: 20 }, () => choose(reader)))
  expect(new Set(answers.map(({ answer }) => answer.statusCode))).toEqual(new Set([303]))
  expect([(await findThere(email))?.status, await mailsThere()]).toEqual(['pending', 1])
  // The mail has left, and the page of the newsletter would send another by now.
  const { db } = server.context
  await db.deleteFrom('confirmation_mail').where('newsletter_id', '=', other).execute()
  await db
    .updateTable('subscriber')
    .set({ asked_at: new Date(Date.now() - 10 * 60_000) })
    .where('newsletter_id', '=', other)
    .execute()
  expect((await choose(reader)).answer.statusCode).toBe(303)
  expect(await mailsThere()).toBe(0)
  expect(await listed()).toMatchObject([{ counts: { shown: 1, chosen: 1, confirmed: 0 } }])
})

test('whoever has the mail of somebody else learns nothing of them, and brings nobody back', async () => {
  const outcomes = new Set<string>()
  for (const status of ['active', 'unsubscribed', 'complained', 'suppressed', 'nobody'] as const) {
    const { email, url } = await oneTap()
    const { db } = server.context
    const there = { newsletter_id: other, email_normalised: email }
    if (status === 'suppressed')
      await db
        .insertInto('suppression')
        .values({ ...there, reason: 'by_hand', detail: '' })
        .execute()
    else if (status !== 'nobody')
      await db
        .insertInto('subscriber')
        .values({ ...there, id: crypto.randomUUID(), email, language: 'en', status, confirmed_at: new Date(0) })
        .execute()
    const before = await mailsThere()
    const { outcome } = await choose(await saidYes(url))
    outcomes.add(outcome.body)
    expect([status, (await mailsThere()) - before]).toEqual([status, status === 'nobody' ? 1 : 0])
    const known = { suppressed: undefined, nobody: 'pending' }
    expect((await findThere(email))?.status).toBe(status in known ? known[status as 'nobody'] : status)
  }
  expect(outcomes.size).toBe(1)
})

test('after an address was confirmed each choice is a subscriber at once, also for whom the newsletter only keeps the yes', async () => {
  const { email, url } = typed()
  const reader = await saidYes(url)
  expect(reader.page.body).toContain('Low Water also recommends')
  expect(reader.page.body).not.toContain('asks you by mail first')
  const { outcome } = await choose(reader)
  expect(outcome.body).toContain('You are subscribed to Rope &amp; Tar.')
  expect([(await findThere(email))?.status, await mailsThere()]).toEqual(['active', 0])
  expect(await listed()).toMatchObject([{ counts: { shown: 1, chosen: 1, confirmed: 1 } }])
})

test('it is offered once: not after undoing and saying yes again, not to an old link, not to whoever left', async () => {
  for (const { url } of [await oneTap(), typed()]) {
    await press(url)
    await press(url, 'undo')
    for (let again = 0; again < 2; again += 1) expect(cookieOf(await press(url))).toBe('')
  }
  expect(await listed()).toMatchObject([{ counts: { shown: 2 } }])
  const { email, url } = await oneTap()
  const reader = await saidYes(url)
  await server.context.db
    .updateTable('subscriber')
    .set({ status: 'unsubscribed', left_at: new Date() })
    .where('newsletter_id', '=', server.newsletterId)
    .where('email_normalised', '=', email)
    .execute()
  expect((await open(url, reader.cookie)).body).not.toContain('Knots.')
  expect((await choose(reader)).answer.statusCode).toBe(410)
})

test('five at most, and nothing where nothing is recommended', async () => {
  for (let n = 0; n < 6; n++) await recommend(await addNewsletter(server.context.db, server.owner.userId, `More ${n}`))
  const reader = await saidYes((await oneTap()).url)
  expect(reader.page.body.match(/type="checkbox"/g)).toHaveLength(5)
  for (const { id } of await listed()) await server.owner.call('DELETE', `${server.path}/recommendations/${id}`)
  const none = await saidYes((await oneTap()).url)
  expect([none.cookie, none.page.body.includes('also recommends')]).toEqual(['', false])
})
