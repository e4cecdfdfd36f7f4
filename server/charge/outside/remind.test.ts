import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { remindOfEndsJob } from './remind.job.ts'

const DAY_MS = 86_400_000
const start = new Date('2027-01-01T12:00:00Z')
const inDays = (days: number) => new Date(start.getTime() + days * DAY_MS)

let server: TestNewsletter
let planId: number
let round = 0
beforeAll(async () => {
  server = await startTestNewsletter()
  planId = await addPaidPlan(server.context.db, server.newsletterId)
})
afterAll(() => server?.stop())

const call = async (method: 'GET' | 'POST' | 'PATCH', rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, `${server.path}/charge${rest}`, body)
  return { status: answer.statusCode, ...answer.json() }
}
const remindAt = (days: number) =>
  remindOfEndsJob({ ...server.context, now: () => inDays(days) })({}, undefined as never)

/** Somebody who paid outside, before all days of this file, until an end. */
async function paying(until: Date, values: Parameters<typeof addPaidSubscription>[2] = {}) {
  round += 1
  const email = `paying${round}@example.org`
  const [subscriberId = ''] = await server.addSubscribers([email])
  const key = { newsletterId: server.newsletterId, subscriberId }
  const id = await addPaidSubscription(server.context.db, key, {
    planId,
    at: inDays(-300),
    paid_until: until,
    ...values,
  })
  return { ...key, email, id }
}
const subjects = async (email: string) => (await server.queuedMail(email)).map(({ subject }) => subject)

test('twice before the end, as the owner chose, in the language of the subscriber and with the words of the owner', async () => {
  const outsideWords = { en: 'IBAN FR76 1234\nKerouredan Press', fr: 'Par virement : FR76 1234' }
  const settings = await call('PATCH', '/settings', { remindDays: [7, 30], outsideWords })
  expect(settings).toMatchObject({ remindDays: [30, 7], outsideWords })
  const { email, id, subscriberId } = await paying(inDays(40))
  const listed = async () =>
    (await call('GET', '/subscriptions')).rows.find((row: { id: string }) => row.id === id).remindedDays
  await remindAt(9)
  expect([await subjects(email), await listed()]).toEqual([[], null])
  await remindAt(11)
  await remindAt(12)
  expect(await subjects(email)).toEqual(['“Supporter” of Low Water ends on 10\u00a0February 2027'])
  expect(await listed()).toBe(30)
  await server.context.db.updateTable('subscriber').set({ language: 'fr' }).where('id', '=', subscriberId).execute()
  await remindAt(34)
  await remindAt(39)
  expect(await listed()).toBe(7)
  const [french, english] = await server.queuedMail(email)
  expect(french?.subject).toBe('Votre abonnement « Supporter » à Low Water s’achève le 10\u00a0février 2027')
  expect(french?.text).toContain('Par virement : FR76 1234')
  expect(english?.text).toMatch(/IBAN FR76 1234\s+Kerouredan Press/)
  expect(english?.text).toContain(`/plans/${server.newsletterId}?lang=en`)
  const { body } = await server.inject({ url: `/plans/${server.newsletterId}`, headers: { 'accept-language': 'fr' } })
  expect(body).toContain('Par virement : FR76 1234')
})

test('an end that moves is another end, and what is entered late is told once', async () => {
  const { email, id } = await paying(inDays(5))
  await remindAt(0)
  await remindAt(1)
  expect(await subjects(email)).toHaveLength(1)
  expect(await call('PATCH', `/subscriptions/${id}`, { until: inDays(60).toISOString() })).toMatchObject({
    remindedDays: null,
  })
  await remindAt(1)
  expect(await subjects(email)).toHaveLength(1)
  await remindAt(31)
  await remindAt(54)
  expect(await subjects(email)).toEqual([
    '“Supporter” of Low Water ends on 2\u00a0March 2027',
    '“Supporter” of Low Water ends on 2\u00a0March 2027',
    '“Supporter” of Low Water ends on 6\u00a0January 2027',
  ])
})

test('two processes at once send one mail each, and one that is stopped in between sends it afterwards', async () => {
  const { db } = server.context
  const people = await Promise.all(Array.from({ length: 12 }, () => paying(inDays(20))))
  await sql`
    create function stopped() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$;
    create trigger stopped before update on subscription for each row execute function stopped()`.execute(db)
  await expect(remindAt(0)).rejects.toThrow('stopped')
  expect((await Promise.all(people.map(({ email }) => subjects(email)))).flat()).toEqual([])
  await sql`drop trigger stopped on subscription; drop function stopped`.execute(db)
  await Promise.all([remindAt(0), remindAt(0), remindAt(0)])
  for (const { email } of people) expect([email, (await subjects(email)).length]).toEqual([email, 1])
})

test('nobody is reminded of what goes on, of what is not paid outside, nor where no mail may go', async () => {
  const { db } = server.context
  const none = [
    await paying(inDays(20), { way: 'gift' }),
    await paying(inDays(20), { way: 'complimentary' }),
    await paying(inDays(20), { renews: true }),
    await paying(inDays(20), { status: 'ended', ended_at: start }),
    await paying(inDays(20), { test: true }),
    await paying(inDays(-1)),
  ]
  const longer = await paying(inDays(20))
  await addPaidSubscription(db, longer, { planId, at: start, paid_until: inDays(385) })
  const suppressed = await paying(inDays(20))
  await db
    .insertInto('suppression')
    .values({ newsletter_id: server.newsletterId, email_normalised: suppressed.email, reason: 'complained' })
    .execute()
  const pending = await paying(inDays(20))
  await db.updateTable('subscriber').set({ status: 'pending' }).where('id', '=', pending.subscriberId).execute()
  const left = await paying(inDays(20))
  await db
    .updateTable('subscriber')
    .set({ status: 'unsubscribed', left_at: start })
    .where('id', '=', left.subscriberId)
    .execute()
  await remindAt(0)
  for (const { email } of [...none, longer, suppressed, pending])
    expect([email, await subjects(email)]).toEqual([email, []])
  expect(await subjects(left.email)).toHaveLength(1)
})

test('who pays by the month is not asked again in the first half of it', async () => {
  const { email, subscriberId } = await paying(inDays(-200))
  const payment = { amount: 600, currency: 'eur', means: 'cash', at: new Date().toISOString() }
  const [startsAt, until] = [start.toISOString(), inDays(31).toISOString()]
  const shown = server.context.shownIds.show(subscriberId)
  const body = { subscriberId: shown, planId, way: 'outside', startsAt, until, payment }
  expect(await call('POST', '/subscriptions', body)).toMatchObject({ status: 'active' })
  await remindAt(2)
  await remindAt(20)
  expect(await subjects(email)).toEqual([])
  await remindAt(25)
  expect(await subjects(email)).toHaveLength(1)
})

test('gifts and complimentary subscriptions are reminded of once their owner says so, each in its own words', async () => {
  const given = { at: inDays(-100), paid_until: inDays(6) }
  const gift = await paying(inDays(6), { ...given, way: 'gift' })
  const complimentary = await paying(inDays(6), { ...given, way: 'complimentary' })
  const short = await paying(inDays(6), { way: 'gift', at: inDays(-2), started_at: inDays(-2) })
  const outside = await paying(inDays(6))
  // What was paid for is told to whoever left, and what was given is not.
  const left = await paying(inDays(6), { ...given, way: 'gift' })
  await server.context.db
    .updateTable('subscriber')
    .set({ status: 'unsubscribed', left_at: start })
    .where('id', '=', left.subscriberId)
    .execute()
  const counts = async () =>
    Promise.all([gift, complimentary, short, left, outside].map(async ({ email }) => (await subjects(email)).length))
  expect(await call('PATCH', '/settings', { remindDays: [7], remindWays: ['gift'] })).toMatchObject({
    remindWays: ['gift'],
  })
  await Promise.all([remindAt(0), remindAt(0)])
  await remindAt(1)
  expect(await counts()).toEqual([1, 0, 0, 0, 0])
  expect((await server.queuedMail(gift.email))[0]?.text).toContain('was given to you until 7\u00a0January 2027')
  await call('PATCH', '/settings', { remindWays: ['complimentary', 'outside'] })
  await remindAt(1)
  expect(await counts()).toEqual([1, 1, 0, 0, 1])
  expect((await server.queuedMail(complimentary.email))[0]?.text).toContain('is yours for nothing until')
  for (const remindWays of [['card'], ['gift', 'gift'], 'gift', [null]])
    expect(await call('PATCH', '/settings', { remindWays })).toMatchObject({ status: 422 })
})

test('an owner may choose never; three times, the same day twice, and no day are refused', async () => {
  expect(await call('PATCH', '/settings', { remindDays: [] })).toMatchObject({ remindDays: [] })
  const { email } = await paying(inDays(3))
  await remindAt(0)
  expect(await subjects(email)).toEqual([])
  for (const body of [
    { remindDays: [60, 30, 7] },
    { remindDays: [7, 7] },
    { remindDays: [0] },
    { remindDays: [91] },
    { remindDays: 7 },
    { outsideWords: { en: 'x'.repeat(601) } },
    { outsideWords: { en: 'a\u202eb' } },
    { outsideWords: { de: 'Konto' } },
  ])
    expect([body, await call('PATCH', '/settings', body)]).toMatchObject([body, { status: 422 }])
})
