import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { projectRoot } from '../../root.ts'
import { readCheckout, readDispute, readFailure, readInvoice, readRefund, share } from './read-payment.ts'
import { readNames, readSubscription } from './read-subscription.ts'

/** One purchase by the month, as the stand-in says it. */
const said = JSON.parse(readFileSync(join(projectRoot, 'bench', 'samples', 'stripe-purchase.json'), 'utf8')) as {
  type: string
  data: { object: object }
}[]
const objectOf = <T>(type: string): T => said.find((event) => event.type === type)?.data.object as T
const subscription = objectOf<Stripe.Subscription>('customer.subscription.updated')
const invoice = objectOf<Stripe.Invoice>('invoice.paid')
const session = objectOf<Stripe.Checkout.Session>('checkout.session.completed')
const [item] = subscription.items.data
const line = invoice.lines.data[0] as Stripe.InvoiceLineItem
const end = item?.current_period_end ?? 0
const at = (seconds: number) => new Date(seconds * 1000)

const items = (...data: object[]) => ({ items: { ...subscription.items, data } })
const priced = (price: object, more: object = {}) => ({ ...item, ...more, price: { ...item?.price, ...price } })
const recurring = (interval: string, interval_count: number) => priced({ recurring: { interval, interval_count } })
const paused = { behavior: 'void', resumes_at: end + 100 }

test.each<[string, object, object]>([
  ['as it was bought', {}, { status: 'active', amount: 600, period: 'month', renews: true, paidUntil: at(end) }],
  ['cancelled at its end', { cancel_at_period_end: true }, { renews: false, paidUntil: at(end), endedAt: null }],
  ['cancelled before its end', { cancel_at: end - 50 }, { renews: false, paidUntil: at(end - 50) }],
  ['cancelled after its end', { cancel_at: end + 50 }, { renews: true, paidUntil: at(end) }],
  ['paused', { pause_collection: paused }, { status: 'paused', resumesAt: at(end + 100), paidUntil: at(end) }],
  ['a trial', { status: 'trialing', trial_end: end }, { status: 'trialing', trialUntil: at(end), renews: true }],
  ['a trial that ended without a card', { status: 'paused', trial_end: end - 9 }, { paidUntil: at(end - 9) }],
  ['unpaid', { status: 'unpaid' }, { status: 'past_due', renews: true }],
  ['a status of tomorrow', { status: 'dormant' }, { status: 'past_due' }],
  ['never paid', { status: 'incomplete_expired', canceled_at: 7 }, { status: 'ended', endedAt: at(7), renews: false }],
  [
    'ended because nobody paid',
    { status: 'canceled', ended_at: 9, cancellation_details: { reason: 'payment_failed' } },
    { status: 'ended', endedAt: at(9), endedUnpaid: true },
  ],
  ['ended as asked', { status: 'canceled', ended_at: 9 }, { endedUnpaid: false }],
  ['twelve months are a year', items(recurring('month', 12)), { period: 'year' }],
  ['a year', items(recurring('year', 1)), { period: 'year' }],
  ['three months are none of our periods', items(recurring('month', 3)), { period: null }],
  ['a week is none of our periods', items(recurring('week', 1)), { period: null }],
  ['two of one', items(priced({}, { quantity: 2 })), { amount: 1200 }],
  ['without a fixed sum', items(priced({ unit_amount: null })), { amount: null }],
  [
    'two things: the later end, the sum of both',
    items(priced({}), priced({ unit_amount: 50 }, { current_period_end: end + 5 })),
    { amount: 650, paidUntil: at(end + 5) },
  ],
  ['a customer as a whole object', { customer: { id: 'cus_whole' } }, { customer: 'cus_whole' }],
  ['bought live', { livemode: true }, { test: false }],
])('a subscription, %s', (_what, changes, expected) => {
  expect(readSubscription({ ...subscription, ...changes } as Stripe.Subscription)).toMatchObject(expected)
})

test('names are ids or nothing, whatever somebody wrote there', () => {
  const names = { tirage_plan: '12', tirage_price: '-3', tirage_newsletter: 'low', tirage_source: 'x'.repeat(900) }
  expect(readNames(names)).toMatchObject({ plan: 12, price: null, newsletter: 'low', source: 'x'.repeat(200) })
  for (const odd of ['0', '1e3', '12; drop', '99999999999', ' 1', ''])
    expect(readNames({ tirage_plan: odd }).plan).toBeNull()
  expect(readNames(null)).toMatchObject({ newsletter: null, subscriber: null, plan: null })
})

const { subscription_details: details } = invoice.parent ?? {}
test.each<[string, object, object | null]>([
  ['paid', {}, { amount: 600, tax: 100, currency: 'eur' }],
  ['of nothing, such as a trial', { amount_paid: 0 }, null],
  ['that is open', { status: 'open' }, null],
  ['without a subscription', { parent: null }, null],
  [
    'with its subscription as a whole',
    { parent: { subscription_details: { ...details, subscription: { id: 'sub_whole' } } } },
    { subscription: 'sub_whole' },
  ],
  ['of which a part was paid from a balance', { total: 1200 }, { amount: 600, tax: 50 }],
  ['without taxes', { total_taxes: null }, { tax: 0 }],
  ['to a country', { customer_address: { country: 'fr' } }, { country: 'FR' }],
  ['to no country', { customer_address: { country: 'Atlantis' } }, { country: null }],
])('an invoice %s', (_what, changes, expected) => {
  const read = readInvoice({ ...invoice, ...changes } as Stripe.Invoice)
  if (expected) expect(read).toMatchObject(expected)
  else expect(read).toBeNull()
})

test('what puts an earlier payment right says nothing of the period of an invoice', () => {
  const proration = {
    ...line,
    period: { start: 1, end: 2 },
    parent: { subscription_item_details: { proration: true } },
  }
  const lines = (...data: object[]) => ({ ...invoice, lines: { ...invoice.lines, data } }) as unknown as Stripe.Invoice
  const period = { periodFrom: at(line.period.start), periodUntil: at(line.period.end) }
  expect(readInvoice(lines(proration, line))).toMatchObject(period)
  expect(readInvoice(lines(proration))).toMatchObject({ periodFrom: at(1), periodUntil: at(2) })
})

const once = {
  ...session,
  mode: 'payment',
  status: 'complete',
  payment_status: 'paid',
  currency: 'jpy',
  amount_total: 900,
}
test.each<[string, object, object | null]>([
  ['paid', {}, { amount: 900, currency: 'jpy', subscription: null }],
  ['for nothing', { payment_status: 'no_payment_required' }, { amount: 900 }],
  ['that waits for the bank', { payment_status: 'unpaid' }, null],
  ['that was left', { status: 'expired' }, null],
  ['of a subscription, whose invoices say it', { mode: 'subscription' }, null],
])('a checkout %s', (_what, changes, expected) => {
  const read = readCheckout({ ...once, ...changes } as Stripe.Checkout.Session)
  if (expected) expect(read).toMatchObject(expected)
  else expect(read).toBeNull()
})

test.each<[Stripe.Refund['status'], number[]]>([
  ['succeeded', [-250]],
  ['pending', []],
  ['requires_action', []],
  ['failed', [-250, 250]],
  ['canceled', [-250, 250]],
])('a refund that is %s has rows of %j', (status, amounts) => {
  const refund = {
    id: 're_1',
    amount: 250,
    currency: 'eur',
    created: 5,
    status,
    payment_intent: 'pi_1',
  } as Stripe.Refund
  const read = readRefund(refund)
  expect(read.rows.map(({ amount }) => amount)).toEqual(amounts)
  expect(new Set(read.rows.map(({ stripeId }) => stripeId)).size).toBe(amounts.length)
})

test('a dispute takes the sum and its fee, and one that is won brings both back', () => {
  const moved = (amount: number, fee: number) => ({ amount, fee, currency: 'eur', created: 5 })
  const dispute = (...balance_transactions: object[]) =>
    ({
      id: 'dp_1',
      amount: 600,
      currency: 'eur',
      payment_intent: 'pi_1',
      balance_transactions,
    }) as unknown as Stripe.Dispute
  expect(readDispute(dispute()).rows).toEqual([])
  const won = readDispute(dispute(moved(-600, 1500), moved(600, -1500))).rows
  expect(won.map(({ amount, fee, stripeId }) => [amount, fee, stripeId])).toEqual([
    [-600, 1500, 'dp_1:taken'],
    [600, -1500, 'dp_1:returned'],
  ])
})

test('a renewal that failed is told, a first payment is not: its buyer sees it', () => {
  const open = { ...invoice, status: 'open', billing_reason: 'subscription_cycle', attempt_count: 2 } as Stripe.Invoice
  expect(readFailure({ ...open, next_payment_attempt: 77 }, at(1))).toMatchObject({ attempts: 2, nextAttempt: at(77) })
  expect(readFailure({ ...open, next_payment_attempt: null }, at(1))?.nextAttempt).toBeNull()
  expect(readFailure({ ...open, billing_reason: 'subscription_create' }, at(1))).toBeNull()
  expect(readFailure(invoice, at(1))).toBeNull()
})

test('a tax is shared to the smallest unit', () => {
  expect([share(100, 300, 600), share(1, 1, 3), share(5, 0, 0), share(-33, 100, 200)]).toEqual([50, 0, 0, -16])
})
