import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseSubscriber } from '../personal-data/erase.ts'
import { addPaidPlan, addPaidSubscription } from '../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { keepEntitlements, readablePlans, storeSubscription } from './change.ts'
import { endSubscriptionsOverJob } from './end-over.job.ts'

let server: TestNewsletter
let planId: number
let round = 0
beforeAll(async () => {
  server = await startTestNewsletter()
  planId = await addPaidPlan(server.context.db, server.newsletterId)
})
afterAll(() => server?.stop())

async function subscriber() {
  round += 1
  const [subscriberId = ''] = await server.addSubscribers([`reader${round}@example.org`])
  return { newsletterId: server.newsletterId, subscriberId }
}

const newsletter = () => ({ id: server.newsletterId, grace_days: 14 })
const stored = async (id: string) =>
  server.context.db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const movements = async (id: string) => {
  const rows = await server.context.db
    .selectFrom('revenue_change')
    .select(['kind', 'yearly'])
    .where('subscription_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ kind, yearly }) => `${kind} ${yearly}`)
}

async function change(id: string, values: Partial<Awaited<ReturnType<typeof stored>>>) {
  const { newsletter_id: _, changed_at: __, ...row } = await stored(id)
  await server.context.db
    .transaction()
    .execute((tx) => storeSubscription(tx, newsletter(), { ...row, ...values, at: new Date() }))
}

test('a subscription opens its plan and no other, until its end', async () => {
  const { db } = server.context
  const key = await subscriber()
  const other = await addPaidPlan(db, server.newsletterId, 'Patron')
  const id = await addPaidSubscription(db, key, { planId, paid_until: new Date('2027-03-01T00:00:00Z') })
  expect(await readablePlans(db, key, new Date('2027-02-28T23:59:59Z'))).toEqual(new Set([planId]))
  expect(await readablePlans(db, key, new Date('2027-03-01T00:00:00Z'))).toEqual(new Set())
  await change(id, { plan_id: other })
  expect(await readablePlans(db, key, new Date())).toEqual(new Set([other]))
})

test('a second subscription keeps a plan open when the first ends', async () => {
  const { db } = server.context
  const key = await subscriber()
  const first = await addPaidSubscription(db, key, { planId })
  await addPaidSubscription(db, key, { planId, way: 'complimentary', paid_until: null })
  await change(first, { status: 'ended', ended_at: new Date() })
  expect(await readablePlans(db, key, new Date('2090-01-01'))).toEqual(new Set([planId]))
})

test('what moves the recurring revenue is noted once, however often it is said', async () => {
  const key = await subscriber()
  const id = await addPaidSubscription(server.context.db, key, { planId })
  await change(id, {})
  await change(id, { period: 'month', amount: 600 })
  await change(id, { status: 'ended', ended_at: new Date() })
  await change(id, { status: 'ended', ended_at: new Date() })
  expect(await movements(id)).toEqual(['new 5400', 'expansion 1800', 'churn -7200'])
  const again = await addPaidSubscription(server.context.db, key, { planId })
  expect(await movements(again)).toEqual(['reactivation 5400'])
})

test('twenty changes of one subscription at once leave it, its entitlement and its revenue in step', async () => {
  const { db } = server.context
  const key = await subscriber()
  const id = await addPaidSubscription(db, key, { planId })
  await Promise.all(Array.from({ length: 20 }, (_, index) => change(id, { amount: 1000 * (index + 1) })))
  const { amount } = await stored(id)
  const { rows } = await sql<{ yearly: number }>`
    select sum(yearly)::integer as yearly from revenue_change where subscription_id = ${id}`.execute(db)
  expect(rows).toEqual([{ yearly: amount }])
})

test('other days of grace change what is open when entitlements are worked out anew', async () => {
  const { db } = server.context
  const key = await subscriber()
  const at = new Date('2026-06-01T00:00:00Z')
  await addPaidSubscription(db, key, { planId, at, renews: true, paid_until: new Date('2026-07-01T00:00:00Z') })
  const later = new Date('2026-07-10T00:00:00Z')
  expect(await readablePlans(db, key, later)).toEqual(new Set([planId]))
  await keepEntitlements(db, { id: server.newsletterId, grace_days: 3 }, [key.subscriberId])
  expect(await readablePlans(db, key, later)).toEqual(new Set())
})

test('what is paid outside ends by itself once the days of grace for a late payment are over, and no renewal is ended', async () => {
  const { db } = server.context
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000)
  const add = async (values: Parameters<typeof addPaidSubscription>[2]) =>
    addPaidSubscription(db, await subscriber(), { planId, at: day(400), ...values })
  const over = await add({ paid_until: day(15) })
  const gift = await add({ way: 'gift', paid_until: day(15) })
  const once = await add({ way: 'card', period: 'once', paid_until: day(15) })
  const kept = [
    await add({ paid_until: day(13) }),
    await add({ paid_until: null }),
    await add({ way: 'card', period: 'month', paid_until: day(15) }),
    await add({ way: 'card', period: 'month', renews: true, paid_until: day(15) }),
  ]
  const job = endSubscriptionsOverJob({ db, now: () => new Date() })
  await Promise.all([job({}, undefined as never), job({}, undefined as never)])
  for (const id of [over, gift, once]) {
    const { status, paid_until, ended_at } = await stored(id)
    expect([status, ended_at]).toEqual(['ended', paid_until])
  }
  for (const id of kept) expect((await stored(id)).status).toBe('active')
  expect(await movements(over)).toEqual(['new 5400', 'churn -5400'])
})

test('an erased person leaves their payments and an ended subscription without their name', async () => {
  const { db } = server.context
  const key = await subscriber()
  const id = await addPaidSubscription(db, key, { planId, note: 'Ada Lovelace, by cheque' })
  expect(await eraseSubscriber(server.context, key)).toBe(true)
  expect(await stored(id)).toMatchObject({ status: 'ended', subscriber_id: null, note: '' })
  expect(await movements(id)).toEqual(['new 5400', 'churn -5400'])
  const payments = await db.selectFrom('payment').selectAll().where('subscription_id', '=', id).execute()
  expect(payments).toMatchObject([{ amount: 5400, subscriber_id: null }])
})
