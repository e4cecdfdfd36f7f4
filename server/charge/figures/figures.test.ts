import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../database/ids.ts'
import { eraseSubscriber } from '../../personal-data/erase.ts'
import { addPaidPlan } from '../../testing/charge.ts'
import { type KnownHistory, tellKnownHistory } from '../../testing/known-sales.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { completePayment, storePayment } from '../payments.ts'
import type { Figures } from './figures.ts'

// Every figure below was worked out by hand from the history in server/testing/known-sales.ts, not copied from an answer.

let server: TestNewsletter
let history: KnownHistory
beforeAll(async () => {
  server = await startTestNewsletter()
  history = await tellKnownHistory(server)
})
afterAll(() => server?.stop())

async function figures(query: string): Promise<Figures> {
  const answer = await server.owner.call('GET', `${server.path}/charge/figures?${query}`)
  expect([answer.statusCode, answer.body.slice(0, 300)]).toEqual([200, expect.any(String)])
  return answer.json()
}

const secondHalf = 'from=2026-07-01&to=2026-12-31'
const still = { new: 0, expansion: 0, reactivation: 0, contraction: 0, churn: 0 }

test('recurring revenue by month, in euros, with the half year before', async () => {
  const { range, before, currency, currencies, recurring, recurringBefore } = await figures(secondHalf)
  expect([range, before]).toEqual([
    { from: '2026-07-01', to: '2026-12-31' },
    { from: '2026-01-01', to: '2026-06-30' },
  ])
  expect([currency, currencies]).toEqual(['eur', ['eur', 'usd']])
  expect(recurringBefore).toEqual({
    begin: 0,
    end: 46800,
    points: [
      { ...still, since: '2026-01-01', new: 7200, end: 7200 },
      { ...still, since: '2026-02-01', new: 12600, end: 19800 },
      { ...still, since: '2026-03-01', new: 14400, end: 34200 },
      { ...still, since: '2026-04-01', expansion: 7200, churn: -7200, end: 34200 },
      { ...still, since: '2026-05-01', new: 7200, end: 41400 },
      { ...still, since: '2026-06-01', new: 5400, end: 46800 },
    ],
    total: { ...still, new: 46800, expansion: 7200, churn: -7200 },
    payingBegin: 0,
    payingEnd: 6,
    // Of 0 + 7,200 + 19,800 + 34,200 + 34,200 + 41,400 that were there when the months began.
    lost: 7200 / 136800,
  })
  expect(recurring).toEqual({
    begin: 46800,
    end: 52200,
    points: [
      { ...still, since: '2026-07-01', churn: -7200, end: 39600 },
      { ...still, since: '2026-08-01', end: 39600 },
      { ...still, since: '2026-09-01', new: 7200, reactivation: 5400, end: 52200 },
      { ...still, since: '2026-10-01', new: 7200, contraction: -7200, end: 52200 },
      { ...still, since: '2026-11-01', end: 52200 },
      { ...still, since: '2026-12-01', end: 52200 },
    ],
    total: { ...still, new: 14400, reactivation: 5400, contraction: -7200, churn: -7200 },
    payingBegin: 6,
    payingEnd: 7,
    lost: 7200 / 282600,
  })
})

test('dollars are kept apart', async () => {
  const { recurring, recurringBefore } = await figures(`${secondHalf}&currency=usd`)
  expect([recurringBefore.end, recurringBefore.total]).toEqual([8400, { ...still, new: 8400 }])
  expect([recurring.end, recurring.total]).toEqual([14400, { ...still, contraction: -2400, expansion: 8400 }])
  expect([recurring.payingBegin, recurring.payingEnd]).toEqual([1, 2])
})

test('days are those of the newsletter, also where its clocks change', async () => {
  const { before, recurring } = await figures('from=2026-03-27&to=2026-04-02&by=day')
  expect(before).toEqual({ from: '2026-03-20', to: '2026-03-26' })
  expect(recurring.points.map(({ since, end, churn, new: come }) => [since, come, churn, end])).toEqual([
    ['2026-03-27', 0, 0, 27000],
    ['2026-03-28', 0, 0, 27000],
    ['2026-03-29', 7200, 0, 34200],
    ['2026-03-30', 0, 0, 34200],
    ['2026-03-31', 0, 0, 34200],
    ['2026-04-01', 0, -7200, 27000],
    ['2026-04-02', 0, 0, 27000],
  ])
  // 7,200 of what was there when these seven days began, for as many days as a month has.
  expect(recurring.lost).toBeCloseTo((7200 / 210600) * (365 / 12), 12)
  const { recurring: october } = await figures('from=2026-10-25&to=2026-10-25&by=day')
  expect(october.total).toEqual({ ...still, contraction: -7200 })
})

test('a range that begins and ends within months is counted to the day', async () => {
  const { recurring, money } = await figures('from=2026-02-24&to=2026-07-05')
  expect(recurring.points.map(({ since, end }) => [since, end])).toEqual([
    ['2026-02-01', 19800],
    ['2026-03-01', 34200],
    ['2026-04-01', 34200],
    ['2026-05-01', 41400],
    ['2026-06-01', 46800],
    ['2026-07-01', 39600],
  ])
  expect([recurring.begin, recurring.total.new]).toEqual([12600, 34200])
  // Those of 24 February, 15 and 28 March, 5 April, 5 May, and 5 and 10 June.
  expect(money.find(({ currency }) => currency === 'eur')).toMatchObject({ payments: 7, paid: 9600, refunds: 0 })
})

test('subscriptions by plan and period, as they stood when the range ended', async () => {
  const { plans } = await figures(secondHalf)
  const none = { paid: 0, late: 0, leaving: 0, outside: 0, trial: 0, paused: 0, complimentary: 0, gift: 0 }
  const supporter = { ...none, planId: history.supporter, names: { en: 'Supporter', fr: 'Supporter' } }
  const shown = plans.map((plan) => [plan.planId, plan.period])
  expect(shown.slice(0, 3)).toEqual([
    [history.supporter, 'month'],
    [history.supporter, 'year'],
    [history.patron, 'month'],
  ])
  expect(plans).toHaveLength(5)
  expect(plans).toEqual(
    expect.arrayContaining([
      { ...supporter, period: 'month', paid: 2, late: 1, leaving: 1, trial: 1, change: 0 },
      { ...supporter, period: 'year', paid: 3, outside: 1, change: 2 },
      { ...supporter, period: '', complimentary: 1, change: 0 },
      { ...supporter, period: 'once', gift: 1, change: 0 },
      { ...none, planId: history.patron, names: { en: 'Patron', fr: 'Patron' }, period: 'month', paid: 1, change: 0 },
    ]),
  )
})

test('trials by the day on which they began', async () => {
  const { trials, trialsBefore } = await figures(secondHalf)
  expect(trials).toEqual({ begun: 1, finished: 0, paying: 0, rate: null })
  expect(trialsBefore).toEqual({ begun: 2, finished: 2, paying: 1, rate: 0.5 })
  expect((await figures('from=2026-01-01&to=2026-12-31')).trials).toEqual({
    begun: 3,
    finished: 2,
    paying: 1,
    rate: 0.5,
  })
})

test('money by currency: paid, given back, tax, fees, and what is left', async () => {
  const { money, moneyBefore } = await figures(secondHalf)
  const nothingBack = { refunds: 0, refunded: 0, disputes: 0, disputed: 0 }
  expect(money).toEqual([
    {
      ...{ currency: 'eur', payments: 4, paid: 12000, refunds: 1, refunded: -600, disputes: 1, disputed: -600 },
      ...{ tax: 1800, fee: 1880, feesToCome: 0, net: 8920 },
    },
    { currency: 'usd', payments: 2, paid: 6700, ...nothingBack, tax: 0, fee: 250, feesToCome: 0, net: 6450 },
  ])
  expect(moneyBefore).toEqual([
    { currency: 'eur', payments: 9, paid: 15600, ...nothingBack, tax: 1700, fee: 450, feesToCome: 0, net: 15150 },
    { currency: 'usd', payments: 1, paid: 700, ...nothingBack, tax: 0, fee: 50, feesToCome: 0, net: 650 },
  ])
})

test('a fee that Stripe has not told yet is said, and in no sum', async () => {
  const { db } = server.context
  const at = new Date('2033-03-03T10:00:00Z')
  const paid = { subscription_id: null, kind: 'payment' as const, at, currency: 'eur', amount: 600, means: 'card' }
  const ids = { id: uuidv7(), stripe_id: 'in_fee', stripe_payment_intent: 'pi_fee' }
  await storePayment(db, server.newsletterId, { ...paid, ...ids })
  await storePayment(db, server.newsletterId, { ...paid, id: uuidv7(), means: 'transfer' })
  await storePayment(db, server.newsletterId, { ...paid, id: uuidv7(), stripe_id: 'in_test_fee', test: true })
  const month = 'from=2033-03-01&to=2033-03-31'
  expect((await figures(month)).money).toMatchObject([{ payments: 2, fee: 0, feesToCome: 1, net: 1200 }])
  await completePayment(db, server.newsletterId, { paymentIntent: 'pi_fee', fee: 34 })
  expect((await figures(month)).money).toMatchObject([{ payments: 2, fee: 34, feesToCome: 0, net: 1166 }])
})

test('first payments by publication and by source, less what was given back of them', async () => {
  const { publications, sources } = await figures(secondHalf)
  expect(publications).toEqual([
    { origin: null, title: null, number: null, sales: 2, amount: 6000 },
    { origin: history.publications[1], title: 'Low tide', number: null, sales: 2, amount: 5400 },
  ])
  expect(sources).toEqual([
    { origin: 'page', sales: 3, amount: 6000 },
    { origin: null, sales: 1, amount: 5400 },
  ])
})

test('the newest refunds, with names for those who may read subscribers', async () => {
  const { givenBack } = await figures(secondHalf)
  expect(givenBack).toEqual([
    { kind: 'dispute', at: '2026-09-20T10:00:00.000Z', amount: -600, name: 'late@example.org' },
    { kind: 'refund', at: '2026-07-06T10:00:00.000Z', amount: -600, name: 'back@example.org' },
  ])
})

test('without a range, everything from the first month on', async () => {
  const { range } = await figures('to=2027-01-31')
  expect(range).toEqual({ from: '2026-01-01', to: '2027-01-31' })
})

test('another timezone counts everything anew', async () => {
  const move = (timezone: string) => server.owner.call('PATCH', server.path, { timezone })
  const before = await figures(secondHalf)
  expect((await move('America/New_York')).statusCode).toBe(200)
  const { recurringBefore } = await figures(secondHalf)
  // Half past midnight on the first of a month in Paris is the last evening of the month before in New York.
  expect(recurringBefore.points.map(({ end }) => end)).toEqual([12600, 19800, 27000, 34200, 41400, 46800])
  expect((await move('Europe/Paris')).statusCode).toBe(200)
  expect(await figures(secondHalf)).toEqual(before)
})

test('what is asked for badly is refused, and what is empty has no figures', async () => {
  const status = async (query: string) =>
    (await server.owner.call('GET', `${server.path}/charge/figures?${query}`)).statusCode
  const bad = ['from=2026-02-30', 'from=2026-03-01&to=2026-02-01', 'from=1000-01-01', 'by=week', 'currency=EUR%27']
  for (const query of [...bad, 'from=2024-01-01&to=2026-01-01&by=day', 'from=2000-01-01&to=2099-12-31'])
    expect([query, await status(query)]).toEqual([query, 422])
  const { recurring, money } = await figures('currency=jpy')
  expect([recurring.end, recurring.lost, money]).toEqual([0, null, expect.any(Array)])
  const other = await server.createNewsletter(server.owner)
  const empty = await server.owner.call('GET', `/api/newsletters/${other}/charge/figures`)
  expect(empty.json()).toMatchObject({
    currency: null,
    currencies: [],
    plans: [],
    money: [],
    givenBack: [],
    sources: [],
  })
})

test('who is erased leaves what they paid in the figures, without their name', async () => {
  const { db } = server.context
  const before = await figures(secondHalf)
  await addPaidPlan(db, server.newsletterId, 'Nobody has it')
  await eraseSubscriber(server.context, { newsletterId: server.newsletterId, subscriberId: history.back })
  const after = await figures(secondHalf)
  expect(after).toEqual({
    ...before,
    plans: expect.any(Array),
    recurring: expect.any(Object),
    recurringEnds: [{ currency: 'eur', yearly: after.recurring.end }, before.recurringEnds[1]],
    givenBack: [before.givenBack[0], { ...before.givenBack[1], name: null }],
  })
})

test('before anything is sold, figures are in the currency of the prices, and not in that of the newsletter', async () => {
  const other = await server.createNewsletter(server.owner)
  const path = `/api/newsletters/${other}/charge`
  const words = { en: { name: 'Friend', promise: '' } }
  const plan = (await server.owner.call('POST', `${path}/plans`, { words })).json()
  const prices = [{ currency: 'gbp', period: 'month', amount: 500 }]
  expect((await server.owner.call('PUT', `${path}/plans/${plan.id}/prices`, { prices })).statusCode).toBe(200)
  const { currency, recurringEnds } = (await server.owner.call('GET', `${path}/figures`)).json()
  expect([currency, recurringEnds]).toEqual(['gbp', []])
})

test('each currency has its own recurring revenue, without conversion', async () => {
  const { recurringEnds } = await figures(secondHalf)
  expect(recurringEnds.map(({ currency }) => currency)).toEqual(['eur', 'usd'])
  for (const { currency, yearly } of recurringEnds)
    expect([currency, yearly]).toEqual([currency, (await figures(`${secondHalf}&currency=${currency}`)).recurring.end])
})
