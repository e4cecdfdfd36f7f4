import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '../../database/ids.ts'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { type PublicSite, startPublicSite } from '../../testing/public-site.ts'
import { readablePlans } from '../change.ts'
import { overviewOf } from '../outside/list.ts'
import { readCode } from './code.ts'
import { makeGifts } from './gifts.ts'

const DAY_MS = 86_400_000
let server: PublicSite
let newsletterId: string
let planId: number
let round = 0
beforeAll(async () => {
  server = await startPublicSite({ SUBSCRIBE_LIMIT: '10000' })
})
afterAll(() => server?.stop())
beforeEach(async () => {
  newsletterId = await server.addNewsletter()
  planId = await addPaidPlan(server.context.db, newsletterId)
})

const address = () => `gifted${++round}@example.org`
const give = async (values: Partial<Parameters<typeof makeGifts>[2]> = {}) => {
  const asked = { planId, months: 6, count: 1, until: null, note: '', ...values }
  const [gift] = await makeGifts({ ...server.context, now: () => server.clock.now }, newsletterId, asked)
  return gift ?? expect.fail('no gift')
}
const ask = (code: string, email: string, more = {}) =>
  server.submit(`/plans/${newsletterId}/gift`, { code, email, ...more })

/** The link of the newest mail of this newsletter to an address. */
async function mailed(email: string): Promise<string | null> {
  await server.work()
  const mails = await server.context.relays.outbox.list()
  const newest = mails.find((mail) => mail.newsletterId === newsletterId && mail.to === email)
  const source = newest && (await server.context.relays.outbox.read(newest.id))?.source.toString()
  return /(\/gift\/[\w~-]+)/.exec(source?.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=') ?? '')?.[1] ?? null
}
async function linkFor(code: string, email: string): Promise<string> {
  expect((await ask(code, email)).statusCode).toBe(303)
  return (await mailed(email)) ?? expect.fail('no mail')
}
const found = (email: string) =>
  server.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('email_normalised', '=', email)
    .executeTakeFirst()
async function reader(email: string, status: 'active' | 'unsubscribed' = 'active') {
  const id = uuidv7()
  const values = { newsletter_id: newsletterId, id, email, email_normalised: email, language: 'en' } as const
  const at = server.clock.now
  await server.context.db
    .insertInto('subscriber')
    .values({ ...values, status, confirmed_at: at, ...(status === 'unsubscribed' && { left_at: at }) })
    .execute()
  return { newsletterId, subscriberId: id }
}
const given = () =>
  server.context.db
    .selectFrom('subscription')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('way', '=', 'gift')
    .execute()

test('a stranger takes a gift with the link that is mailed to them, reads at once, and has it for its months', async () => {
  const { code } = await give()
  const email = address()
  const link = await linkFor(code.toLowerCase().replaceAll('-', ' '), email)
  const page = await server.get(link)
  expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('6\u00A0months for you')])
  expect(page.body).not.toContain(email)
  expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
  expect([await found(email), await given()]).toEqual([undefined, []])
  expect((await server.submit(link, {})).statusCode).toBe(422)
  const taken = await server.submit(link, { consent: 'yes' })
  expect([taken.statusCode, taken.headers.location]).toEqual([303, link])
  const subscriber = await found(email)
  expect(subscriber).toMatchObject({ status: 'active', source: 'gift' })
  const later = (days: number) => new Date(server.clock.now.getTime() + days * DAY_MS)
  const key = { newsletterId, subscriberId: subscriber?.id ?? '' }
  expect((await readablePlans(server.context.db, key, later(180))).has(planId)).toBe(true)
  expect((await readablePlans(server.context.db, key, later(185))).has(planId)).toBe(false)
  expect((await server.get(link)).body).toContain('It is yours')
  // Nobody has paid yet, so the first step towards it stays.
  const { begun } = await overviewOf(server.context, newsletterId, server.clock.now)
  expect(begun.entered).toBe(false)
  const cookie = String(taken.headers['set-cookie']).split(';')[0] ?? ''
  expect((await server.get(`/signin/${newsletterId}`, { cookie })).body).toContain('You are signed in to read')
  const consents = await server.context.db
    .selectFrom('consent')
    .select(['wording', 'means'])
    .where('newsletter_id', '=', newsletterId)
    .execute()
  expect(consents).toContainEqual({
    wording: expect.stringContaining('by mail, and can leave at any time'),
    means: 'confirmation',
  })
})

test('of many who take one code at the same moment one has it, and the others hear that it is gone', async () => {
  const { code } = await give()
  const emails = Array.from({ length: 8 }, address)
  const links = []
  for (const email of emails) links.push(await linkFor(code, email))
  const once = links.flatMap((link) => [link, link])
  await Promise.all(once.map((link) => server.submit(link, { consent: 'yes' })))
  expect(await given()).toHaveLength(1)
  const pages = await Promise.all(links.map((link) => server.get(link)))
  expect(pages.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(7).fill(410)])
  // Each has asked and said yes by one press. Both lists are read in the order of their ids.
  const { rows } = await sql<{ events: string[]; receipts: string[] }>`
    select (select array_agg(kind order by id) from event e where e.subscriber_id = s.id) as events,
      (select array_agg(act order by id) from consent c where c.subscriber_id = s.id) as receipts
    from subscriber s where s.newsletter_id = ${newsletterId} and s.email_normalised = any(${emails})`.execute(
    server.context.db,
  )
  expect(rows).toEqual(emails.map(() => ({ events: ['asked', 'confirmed'], receipts: ['asked', 'given'] })))
})

test('what is wrong with a code is said before any mail, and the same for known and unknown addresses', async () => {
  const known = address()
  await reader(known)
  const withdrawn = await give()
  await server.context.db.updateTable('gift').set({ withdrawn_at: new Date() }).where('id', '=', withdrawn.id).execute()
  const over = await give({ until: new Date(server.clock.now.getTime() + 1000).toISOString() })
  server.clock.pass(2000)
  const { code } = await give()
  for (const email of [known, address()]) {
    for (const wrong of ['', 'x', 'AAAA-AAAA-AAAA', '%00', 'A'.repeat(5000), withdrawn.code, over.code]) {
      const answer = await ask(wrong, email)
      expect([wrong, answer.statusCode]).toEqual([wrong, 422])
      expect(answer.body).toContain('code-problem')
    }
    const right = await ask(code, email)
    expect([right.statusCode, right.headers.location]).toEqual([303, `/plans/${newsletterId}/gift?lang=en&said=sent`])
    expect(await mailed(email)).toMatch(/^\/gift\//)
  }
  expect((await ask(code, 'nobody')).statusCode).toBe(422)
  // What is empty is marked as such, both at once, and is no wrong code.
  const empty = await ask(' ', '')
  expect(empty.statusCode).toBe(422)
  expect(empty.body.match(/role="alert">This is needed\.</g)).toHaveLength(2)
  expect((await ask('', known)).body).not.toContain('is not known here')
  const robot = address()
  expect((await ask(code, robot, { website: 'x' })).statusCode).toBe(303)
  expect(await mailed(robot)).toBeNull()
})

test('no mail goes to an address that complained, and none is sent without end', async () => {
  const { code } = await give()
  const email = address()
  const row = { newsletter_id: newsletterId, email_normalised: email, reason: 'complained' as const }
  await server.context.db.insertInto('suppression').values(row).execute()
  expect((await ask(code, email)).statusCode).toBe(303)
  expect(await mailed(email)).toBeNull()
  const often = address()
  const answers = []
  for (let count = 0; count < 7; count += 1) answers.push((await ask(code, often)).statusCode)
  expect(answers).toEqual([303, 303, 303, 303, 303, 429, 429])
})

test('nobody tries many codes from one network', async () => {
  const form = { code: 'AAAA-AAAA-AAAA', email: address() }
  const tried = []
  for (let count = 0; count < 61; count += 1)
    tried.push((await server.submit(`/plans/${newsletterId}/gift`, form, { remoteAddress: '203.0.113.9' })).statusCode)
  expect([tried.filter((status) => status === 422).length, tried.at(-1)]).toEqual([60, 429])
})

test('a gift begins when what somebody has of the plan ends; who renews it keeps the code', async () => {
  const { db } = server.context
  const first = address()
  const key = await reader(first)
  const until = new Date(server.clock.now.getTime() + 100 * DAY_MS)
  await addPaidSubscription(db, key, { planId, at: server.clock.now, paid_until: until })
  await server.submit(await linkFor((await give({ months: 1 })).code, first), {})
  const [subscription] = await given()
  expect(Number(subscription?.paid_until) - Number(until)).toBeGreaterThanOrEqual(28 * DAY_MS)
  const renewing = address()
  await addPaidSubscription(db, await reader(renewing), { planId, way: 'card', renews: true })
  const { code } = await give()
  const link = await linkFor(code, renewing)
  const refused = await server.submit(link, {})
  expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('You have this already')])
  expect(await given()).toHaveLength(1)
  expect((await server.submit(await linkFor(code, address()), { consent: 'yes' })).statusCode).toBe(303)
  expect(await given()).toHaveLength(2)
})

test('a link ends after a day, a changed one and one for another newsletter open nothing', async () => {
  const link = await linkFor((await give()).code, address())
  const token = link.slice('/gift/'.length)
  for (const other of ['x', `${token.slice(0, -2)}AA`, token.slice(0, 20), 'A'.repeat(3000), '%00'])
    expect([other, (await server.get(`/gift/${other}`)).statusCode]).toEqual([other, 404])
  server.clock.pass(DAY_MS + 1000)
  expect((await server.submit(link, { consent: 'yes' })).statusCode).toBe(404)
  expect(await given()).toEqual([])
  expect((await server.get('/plans/nothing/gift')).statusCode).toBe(404)
  const other = await server.addNewsletter()
  const answer = await server.submit(`/plans/${other}/gift`, { code: (await give()).code, email: address() })
  expect(answer.statusCode).toBe(422)
})

test('whoever left takes a gift without getting mail again before they confirm it', async () => {
  const email = address()
  await reader(email, 'unsubscribed')
  const link = await linkFor((await give()).code, email)
  const taken = await server.submit(link, { consent: 'yes' })
  expect([taken.statusCode, taken.headers.location]).toEqual([303, `${link}?said=asked`])
  expect(await given()).toHaveLength(1)
  expect((await found(email))?.status).not.toBe('active')
  const asked = 'confirm that by the mail that asks you'
  const shown = async (address: string) => (await server.app.inject({ url: address })).body
  expect([(await shown(`${link}?said=asked`)).includes(asked), (await shown(link)).includes(asked)]).toEqual([
    true,
    false,
  ])
})

test.each([
  ['abcd-efgh-jkmn', 'ABCD-EFGH-JKMN'],
  [' ABCDEFGHJKMN ', 'ABCD-EFGH-JKMN'],
  ['ABCD–EFGH—JKMN', 'ABCD-EFGH-JKMN'],
  ['ABCD-EFGH-JKM', null],
  ['ABCD-EFGH-JKM0', null],
  ['', null],
])('%s is read as %s', (typed, code) => expect(readCode(typed)).toBe(code))
