import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidSubscription } from '../../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { translator } from '../../translator.ts'
import { readablePlans } from '../change.ts'
import { findCoupon, isUsable, reducedBy } from './coupons.ts'
import { takePlace } from './places.ts'

const t = translator('en')
let server: TestNewsletter
let path: string
let round = 0
beforeAll(async () => {
  server = await startTestNewsletter()
  path = `${server.path}/charge`
})
afterAll(() => server?.stop())

const words = (name: string) => ({ en: { name, promise: 'Every letter to its last line.' } })
const call = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', rest: string, body?: unknown) => {
  const answer = await server.owner.call(method, path + rest, body)
  return { status: answer.statusCode, ...answer.json() }
}
const monthly = { currency: 'eur', period: 'month', amount: 600 }
const yearly = { currency: 'eur', period: 'year', amount: 5400 }

async function paidPlan(prices = [monthly, yearly], values = {}) {
  round += 1
  const plan = await call('POST', '/plans', { words: words(`Plan ${round}`), ...values })
  return call('PUT', `/plans/${plan.id}/prices`, { prices })
}
async function subscriber() {
  round += 1
  const [subscriberId = ''] = await server.addSubscribers([`reader${round}@example.org`])
  return { newsletterId: server.newsletterId, subscriberId }
}

test('a newsletter has one free plan, which has no price, and it comes first', async () => {
  await call('POST', '/plans', { words: words('Supporter') })
  const free = await call('POST', '/plans', { kind: 'free', words: words('Reading') })
  expect(free).toMatchObject({ status: 200, kind: 'free', prices: [] })
  expect(await call('POST', '/plans', { kind: 'free', words: words('Again') })).toMatchObject({ status: 409 })
  const priced = await call('PUT', `/plans/${free.id}/prices`, { prices: [monthly] })
  expect(priced).toMatchObject({ status: 422, error: { code: 'free_has_no_price' } })
  const { plans, settings } = await call('GET', '/plans')
  expect(plans[0].id).toBe(free.id)
  expect(settings).toEqual({
    ...{ graceDays: 14, taxInside: true, remindDays: [30, 7], outsideWords: {}, winBackCouponId: null },
    remindWays: ['outside'],
  })
})

test('a plan is made with its prices, or not at all', async () => {
  const names = async () =>
    (await call('GET', '/plans')).plans.map(({ words: { en } }: { words: { en: { name: string } } }) => en.name)
  const made = await call('POST', '/plans', { words: words('Whole'), prices: [monthly, yearly] })
  expect(made).toMatchObject({ status: 200, prices: [monthly, yearly] })
  const before = await names()
  const tooDear = { ...monthly, amount: 100_000_000 }
  const refused = await call('POST', '/plans', { words: words('Half'), prices: [yearly, tooDear] })
  expect(refused).toMatchObject({ status: 422, error: { fields: { 'prices.1.amount': expect.any(String) } } })
  const free = { kind: 'free', words: words('Half'), prices: [monthly] }
  expect(await call('POST', '/plans', free)).toMatchObject({ status: 422, error: { code: 'free_has_no_price' } })
  expect(await names()).toEqual(before)
})

test('another price takes the place of the old one, and who bought at that stays on it', async () => {
  const { db } = server.context
  const plan = await paidPlan()
  const [month] = plan.prices
  const key = await subscriber()
  const id = await addPaidSubscription(db, key, { planId: plan.id, price_id: month.id, amount: 600, period: 'month' })
  const changed = await call('PUT', `/plans/${plan.id}/prices`, { prices: [{ ...monthly, amount: 700 }, yearly] })
  expect(changed.prices.map(({ amount }: { amount: number }) => amount)).toEqual([700, 5400])
  expect(changed.prices[1].id).toBe(plan.prices[1].id)
  expect(changed.prices[0].id).not.toBe(month.id)
  expect(changed.holders).toEqual([
    {
      ...{ priceId: month.id, currency: 'eur', period: 'month', amount: 600 },
      ...{ way: 'outside', status: 'active', leaving: false, agreed: false, discount: 0, subscribers: 1 },
    },
  ])
  // A sum that was agreed is no price that somebody raises.
  const own = { planId: plan.id, price_id: month.id, amount: 500, period: 'month' as const }
  const agreed = await addPaidSubscription(db, await subscriber(), own)
  const stored = () => db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(await stored()).toMatchObject({ price_id: month.id, next_price_id: null, amount: 600 })
  const dearer = [{ ...monthly, amount: 800 }, yearly]
  const moved = await call('PUT', `/plans/${plan.id}/prices`, { prices: dearer, moveOutside: true })
  expect(await stored()).toMatchObject({ price_id: month.id, next_price_id: moved.prices[0].id, amount: 600 })
  expect(moved.holders.map((one: { amount: number; agreed: boolean }) => [one.amount, one.agreed])).toEqual(
    expect.arrayContaining([
      [600, false],
      [500, true],
    ]),
  )
  const kept = await db.selectFrom('subscription').selectAll().where('id', '=', agreed).executeTakeFirstOrThrow()
  expect(kept).toMatchObject({ next_price_id: null, amount: 500 })
  expect(await call('PUT', `/plans/${plan.id}/prices`, { prices: dearer })).toMatchObject({ prices: moved.prices })
  await call('PUT', `/plans/${plan.id}/prices`, { prices: [] })
  expect(await stored()).toMatchObject({ status: 'active' })
})

test('prices set by ten owners at once are those of one of them', async () => {
  const plan = await paidPlan()
  const amounts = Array.from({ length: 10 }, (_, at) => 700 + at)
  const set = (amount: number) => call('PUT', `/plans/${plan.id}/prices`, { prices: [{ ...monthly, amount }] })
  const answers = await Promise.all(amounts.map(set))
  expect(answers.map(({ status }) => status)).toEqual(amounts.map(() => 200))
  const { plans } = await call('GET', '/plans')
  const found = plans.find(({ id }: { id: number }) => id === plan.id)
  expect(found.prices).toHaveLength(1)
  expect(amounts).toContain(found.prices[0].amount)
})

test.each<[string, unknown[]]>([
  ['the same currency and period twice', [monthly, { ...monthly, amount: 700 }]],
  ['a fraction of a cent', [{ ...monthly, amount: 6.5 }]],
  ['nothing', [{ ...monthly, amount: 0 }]],
  ['more than Stripe takes', [{ ...monthly, amount: 100_000_000 }]],
  ['an unknown currency', [{ ...monthly, currency: 'xyz' }]],
  ['months of what renews', [{ ...monthly, months: 3 }]],
  ['less suggested than the least', [{ ...monthly, suggested: 500 }]],
  ['a text for a sum', [{ ...monthly, amount: '600' }]],
])('a price is refused that is %s', async (_what, prices) => {
  const plan = await paidPlan()
  const answer = await call('PUT', `/plans/${plan.id}/prices`, { prices })
  expect(answer).toMatchObject({ status: 422, error: { code: 'invalid' } })
})

test('a plan is closed, opened again, renamed and put elsewhere', async () => {
  const plan = await paidPlan()
  expect((await call('PATCH', `/plans/${plan.id}`, { closed: true })).closedAt).toEqual(expect.any(String))
  const change = { closed: false, words: words('Patron'), trialDays: 14, devices: 2, places: 9, payMore: true }
  const changed = await call('PATCH', `/plans/${plan.id}`, { ...change, shown: false })
  expect(changed).toMatchObject({ words: change.words, trialDays: 14, places: 9, closedAt: null, shown: false })
  const { plans } = await call('GET', '/plans')
  const ids: number[] = plans.map(({ id }: { id: number }) => id)
  expect(await call('PUT', '/plan-order', { planIds: ids.slice(1) })).toMatchObject({ status: 404 })
  expect(await call('PUT', '/plan-order', { planIds: ids.toReversed() })).toMatchObject({ done: true })
  const [free, ...paid] = (await call('GET', '/plans')).plans.map(({ id }: { id: number }) => id)
  expect([...paid, free]).toEqual(ids.toReversed())
  for (const body of [{ words: {} }, { words: { de: {} } }, { trialDays: -1 }, { devices: 0 }, { places: 1.5 }])
    expect([body, await call('PATCH', `/plans/${plan.id}`, body)]).toMatchObject([body, { status: 422 }])
})

test('of ten who buy the last two places at once, two get one', async () => {
  const { db, now } = server.context
  const plan = await paidPlan([monthly], { places: 2 })
  const buyers = await Promise.all(Array.from({ length: 10 }, subscriber))
  const buy = (key: Awaited<ReturnType<typeof subscriber>>) =>
    db.transaction().execute(async (tx) => {
      await takePlace(tx, { newsletterId: key.newsletterId, planId: plan.id }, now())
      return addPaidSubscription(tx, key, { planId: plan.id, status: 'incomplete' })
    })
  const bought = await Promise.allSettled(buyers.map(buy))
  expect(bought.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const refusal = bought.find(({ status }) => status === 'rejected')
  expect(refusal).toMatchObject({ reason: { code: 'plan_full' } })
  await call('PATCH', `/plans/${plan.id}`, { closed: true, places: null })
  await expect(buy(await subscriber())).rejects.toMatchObject({ code: 'plan_closed' })
})

test('a coupon is for its plan and currency, until its end or its last use', async () => {
  const { db, now } = server.context
  const { newsletterId } = server
  const plan = await paidPlan()
  const made = { code: 'spring-26', amount: 300, currency: 'eur', most: 3, planId: plan.id }
  const { id } = await call('POST', '/coupons', { ...made, until: new Date(Date.now() + 86_400_000).toISOString() })
  const over = { code: 'autumn-25', percent: 20, until: new Date(Date.now() - 86_400_000).toISOString() }
  const refused = await call('POST', '/coupons', over)
  expect(refused.error.fields).toEqual({ until: t('errors.fields.day_past') })
  const coupon = await findCoupon(db, newsletterId, ' Spring-26')
  if (!coupon) throw new Error('not found')
  const bought = { planId: plan.id, currency: 'eur', now: now() }
  expect(isUsable(coupon, bought)).toBe(true)
  expect([reducedBy(coupon, 900), reducedBy(coupon, 200)]).toEqual([600, 0])
  expect(isUsable(coupon, { ...bought, planId: plan.id + 1 })).toBe(false)
  expect(isUsable(coupon, { ...bought, currency: 'usd' })).toBe(false)
  expect(isUsable(coupon, { ...bought, now: new Date(Date.now() + 2 * 86_400_000) })).toBe(false)
  expect(isUsable({ ...coupon, used: 3 }, bought)).toBe(false)
  expect(await call('PATCH', '/settings', { winBackCouponId: id })).toMatchObject({ winBackCouponId: id })
  expect(await call('DELETE', `/coupons/${id}`)).toMatchObject({ used: 0, closedAt: expect.any(String) })
  for (const winBackCouponId of [id, id + 1000])
    expect(await call('PATCH', '/settings', { winBackCouponId })).toMatchObject({ error: { code: 'coupon_not_found' } })
  expect(await findCoupon(db, newsletterId, 'none')).toBeNull()
  expect(await call('POST', '/coupons', { code: 'Spring-26', percent: 5 })).toMatchObject({
    error: { code: 'name_taken' },
  })
  for (const body of [{}, { percent: 5, amount: 5, currency: 'eur' }, { amount: 500 }, { percent: 101 }])
    expect([body, await call('POST', '/coupons', { code: 'OTHER', ...body })]).toMatchObject([body, { status: 422 }])
})

test('other days of grace open what they open for everybody, in the background', async () => {
  const { db } = server.context
  const keys = await Promise.all(Array.from({ length: 3 }, subscriber))
  const plan = await paidPlan()
  const paidUntil = new Date(Date.now() - 5 * 86_400_000)
  for (const key of keys) await addPaidSubscription(db, key, { planId: plan.id, renews: true, paid_until: paidUntil })
  const open = () => Promise.all(keys.map(async (key) => (await readablePlans(db, key, new Date())).size))
  expect(await open()).toEqual([1, 1, 1])
  expect(await call('PATCH', '/settings', { graceDays: 3, taxInside: false })).toMatchObject({
    ...{ graceDays: 3, taxInside: false },
  })
  await server.work()
  expect(await open()).toEqual([0, 0, 0])
  for (const body of [{ graceDays: 61 }, { taxInside: 'yes' }])
    expect([body, await call('PATCH', '/settings', body)]).toMatchObject([body, { status: 422 }])
})

test('an API key does all of it, and the audit says who changed prices', async () => {
  const { secret } = (
    await server.owner.call('POST', `${server.path}/api-keys`, { name: 'shop', role: 'owner' })
  ).json()
  const shop = server.withKey(secret)
  const made = (await shop('POST', `${path}/plans`, { words: words('By key') })).json()
  expect((await shop('PUT', `${path}/plans/${made.id}/prices`, { prices: [yearly] })).statusCode).toBe(200)
  const { rows } = (await server.owner.call('GET', `${server.path}/audit?kind=charge`)).json()
  expect(rows[0]).toMatchObject({ act: 'prices_changed', actor: 'api_key', detail: { name: 'By key' } })
})
