import { z } from 'zod'
import { endpoint, line, Newsletter, Paging, pageOf, ShownId } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'
import { Currency } from '../currency.ts'
import { Amount, Period } from '../plans/contract.ts'

const PlanId = z.coerce.number().int().min(1).max(2_147_483_647)
const When = z.iso.datetime()
/** What a member writes beside it, such as the number of an invoice. */
const Note = line(200).or(z.literal(''))

/** How somebody paid whom Stripe did not charge. */
export const outsideMeans = ['transfer', 'cash', 'cheque', 'invoice', 'other'] as const
const OutsideMeans = z.enum(outsideMeans)
/** The means of Stripe that have a name here. */
export const stripeMeans = [
  'card',
  'amazon_pay',
  'bacs_debit',
  'bancontact',
  'cashapp',
  'customer_balance',
  'eps',
  'ideal',
  'klarna',
  'link',
  'p24',
  'paypal',
  'revolut_pay',
  'sepa_debit',
  'twint',
  'us_bank_account',
] as const
/** The largest file of subscriptions that are paid outside, and how many of its lines are entered by one call. */
export const outsideFileLimits = { rows: 5_000, characters: 750_000, atOnce: 250 } as const

const ways = ['card', 'outside', 'complimentary', 'gift'] as const
const Person = z.object({ id: z.string(), email: z.string(), name: z.string().nullable() })

export const Subscription = z.object({
  id: z.string(),
  /** Null once they were erased. */
  subscriber: Person.nullable(),
  planId: z.int(),
  way: z.enum(ways),
  /** Bought with test keys: it opens what a bought one opens, and is in no figure. */
  test: z.boolean(),
  status: z.enum(['incomplete', 'trialing', 'active', 'past_due', 'paused', 'ended']),
  currency: Currency.nullable(),
  /** What one period costs. */
  amount: z.int().nullable(),
  /** What a coupon takes off each period. */
  discount: z.int(),
  period: Period.nullable(),
  /** What it costs from the next period on, when that is otherwise. */
  nextAmount: z.int().nullable(),
  startedAt: When,
  /** Until when it is paid for; null: for good. */
  paidUntil: When.nullable(),
  renews: z.boolean(),
  /** How many days before the end that it has now its subscriber was last reminded; null: not yet. */
  remindedDays: z.int().nullable(),
  endedAt: When.nullable(),
  note: z.string(),
  /** How its last payment was paid. */
  means: z.string().nullable(),
})
export type Subscription = z.infer<typeof Subscription>

export const listSubscriptions = endpoint('GET /api/newsletters/:newsletterId/charge/subscriptions', {
  permission: 'charge.read',
  cost: 'search',
  summary:
    'Subscriptions, the newest first; with `due`, those that end within 30 days and nothing renews, or whose payment failed, the most pressing first',
  params: Newsletter,
  query: Paging.extend({
    way: z.enum(ways).optional(),
    subscriberId: ShownId.optional(),
    planId: PlanId.optional(),
    due: z.enum(['ending', 'failed']).optional(),
  }),
  reply: pageOf(Subscription),
})

export const chargeOverview = endpoint('GET /api/newsletters/:newsletterId/charge/overview', {
  permission: 'charge.read',
  cost: 'search',
  summary:
    'What is due: subscriptions that end within 30 days, and those whose payment failed, the first five of each; and what of a beginning is done',
  params: Newsletter,
  reply: z.object({
    ending: z.object({ total: z.int(), rows: z.array(Subscription) }),
    failed: z.object({ total: z.int(), rows: z.array(Subscription) }),
    /** What of a beginning is done. */
    begun: z.object({
      /** A plan that can be taken at a price. */
      priced: z.boolean(),
      /** Somebody pays for a plan without Stripe. */
      entered: z.boolean(),
      /** Cards are taken, by Stripe. */
      card: z.boolean(),
      /** One of the newest hundred publications has a paywall. */
      paywall: z.boolean(),
    }),
  }),
})

const PaymentOutside = z.object({
  amount: Amount,
  currency: Currency,
  means: OutsideMeans,
  /** When the money came. */
  at: When,
})

const ifHeld = ['refuse', 'behind', 'beside'] as const
/** What a refused entry finds: the subscription to the plan that lasts longest. */
export const HeldPlan = z.object({
  until: When.nullable(),
  way: z.enum(ways),
  /** Whether another time can be added behind it: not by card, and not without an end. */
  canGoOn: z.boolean(),
})
export type HeldPlan = z.infer<typeof HeldPlan>

export const enterSubscription = endpoint('POST /api/newsletters/:newsletterId/charge/subscriptions', {
  permission: 'charge.write',
  cost: 'write',
  summary:
    'Enter a subscription that is paid outside (with its payment, or the price that is awaited), complimentary or given. A new address is asked whether it wants the mail, and may read meanwhile',
  params: Newsletter,
  body: z
    .object({
      subscriberId: ShownId.optional(),
      /** Of somebody who is a subscriber already, or a new one. */
      email: z.string().trim().min(3).max(254).optional(),
      name: z.string().trim().max(120).nullable().default(null),
      language: z.enum(languages).optional(),
      planId: PlanId,
      way: z.enum(['outside', 'complimentary', 'gift']),
      /** That of the plan at which it is paid. Without one, the sum was agreed. */
      priceId: z.int().min(1).max(2_147_483_647).nullable().default(null),
      period: Period.nullable().default(null),
      payment: PaymentOutside.nullable().default(null),
      startsAt: When.nullable().default(null),
      /** Null: for good. */
      until: When.nullable(),
      note: Note.default(''),
      /**
       * Of a subscriber who has the plan already: refuse it (`plan_held`, with the end of what they have as its `detail`), go on behind what
       * they have, or enter another one beside it.
       */
      ifHeld: z.enum(ifHeld).default('refuse'),
      /** Whoever is subscribed already is mailed that it is open to them. Who is not is asked by mail in any case. */
      tell: z.boolean().default(false),
    })
    .refine(({ subscriberId, email }) => (subscriberId === undefined) !== (email === undefined), {
      path: ['email'],
      message: 'required',
    })
    .refine(({ way, payment }) => way === 'outside' || payment === null, { path: ['payment'], message: 'wrong' })
    .refine(({ way, payment, priceId }) => way !== 'outside' || payment !== null || priceId !== null, {
      path: ['payment'],
      message: 'required',
    })
    .refine(({ way, until }) => way !== 'gift' || until !== null, { path: ['until'], message: 'required' }),
  audit: { act: 'subscription_entered', keeps: ['way', 'planId', 'until'] },
  reply: Subscription.extend({
    /** Whether no mail goes to their address: a member stopped it, it bounced, or they marked a mail as spam. Then they were told nothing, and get no link to sign in. */
    mailStopped: z.boolean(),
  }),
  errors: [
    'subscriber_not_found',
    'plan_not_found',
    'plan_closed',
    'plan_full',
    'plan_held',
    'price_not_found',
    'subscriber_complained',
    'too_many_requests',
    'owner_unconfirmed',
  ],
})

const OneSubscription = Newsletter.extend({ subscriptionId: z.string().max(40) })

export const updateSubscription = endpoint(
  'PATCH /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId',
  {
    permission: 'charge.write',
    summary: 'Correct a subscription that Stripe does not charge: its end, its plan, its note; or end it now',
    params: OneSubscription,
    body: z.object({
      until: When.nullable().optional(),
      planId: PlanId.optional(),
      note: Note.optional(),
      ended: z.literal(true).optional(),
    }),
    audit: { act: 'subscription_changed', keeps: ['until', 'planId', 'ended'] },
    reply: Subscription,
    errors: ['subscription_not_found', 'plan_not_found', 'plan_closed', 'plan_full', 'charged_by_stripe'],
  },
)

export const enterPayment = endpoint(
  'POST /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId/payments',
  {
    permission: 'charge.write',
    summary: 'Enter a further payment of a subscription that is paid outside, and until when it pays for it',
    params: OneSubscription,
    body: PaymentOutside.extend({ until: When.nullable(), note: Note.default('') }),
    audit: { act: 'payment_entered', keeps: ['amount', 'currency', 'until'] },
    reply: Subscription,
    errors: ['subscription_not_found', 'charged_by_stripe'],
  },
)

const lineFaults = [
  'no_address',
  'no_plan',
  'unknown_plan',
  'bad_end',
  'day_order',
  'past_end',
  'bad_amount',
  'no_currency',
  'broken_quotes',
  'line_too_long',
  'refused',
  'ask_later',
  'plan_full',
  'twice',
] as const

/** What becomes of a line of the file. `there`: the subscriber has the plan until then already, so that a file can be sent again. */
const FileLine = z.object({
  line: z.int(),
  email: z.string(),
  planId: z.int().nullable(),
  until: When.nullable(),
  amount: z.int().nullable(),
  currency: Currency.nullable(),
  /** The price of the plan that the sum equals. A sum that was agreed has none, and is no recurring revenue. */
  priceId: z.int().nullable(),
  result: z.enum(['subscriber', 'new_address', 'there', ...lineFaults]),
})
export type FileLine = z.infer<typeof FileLine>

export const enterFile = endpoint('POST /api/newsletters/:newsletterId/charge/outside-file', {
  permission: 'charge.write',
  cost: 'bulk',
  summary:
    'Enter subscriptions that are paid outside from CSV: columns email, plan, until, and where there is one amount, currency, name, note. A line without an amount is complimentary; one without a currency is in that of its plan, and a sum that equals a price of the plan is paid at that price. With `dryRun`, only what each line would do. A call enters 250 lines; `next` is the line to go on `from` with the same file, null at its end. A file that was entered can be entered again: what is there already is not entered twice',
  params: Newsletter,
  body: z.object({
    csv: z.string().min(1).max(outsideFileLimits.characters),
    dryRun: z.boolean(),
    /** The line of the file with which to begin. */
    from: z.int().min(1).default(1),
  }),
  audit: { act: 'outside_file_entered', keeps: ['dryRun'] },
  /** `unknownColumns`: what the first line names that is not read. */
  reply: z.object({
    lines: z.array(FileLine),
    entered: z.int(),
    next: z.int().nullable(),
    unknownColumns: z.array(z.string()),
  }),
  errors: ['owner_unconfirmed', 'file_refused'],
})

export const Payment = z.object({
  id: z.string(),
  subscriptionId: z.string().nullable(),
  subscriber: Person.nullable(),
  planId: z.int().nullable(),
  kind: z.enum(['payment', 'refund', 'dispute']),
  test: z.boolean(),
  at: When,
  currency: Currency,
  /** Refunds and disputes are negative. */
  amount: z.int(),
  /** What Stripe keeps of it; 0 also while Stripe has not told it yet. */
  fee: z.int(),
  /** What of it is tax. */
  tax: z.int(),
  means: z.string(),
  until: When.nullable(),
  note: z.string(),
  /** How much of it was given back. */
  refunded: z.int(),
  byStripe: z.boolean(),
  /** Whether it bought a gift for somebody else. */
  gift: z.boolean(),
  /** The booking that a sponsor paid with it. */
  booking: z.object({ id: z.string(), sponsor: z.string() }).nullable(),
})

export const listPayments = endpoint('GET /api/newsletters/:newsletterId/charge/payments', {
  permission: 'charge.read',
  cost: 'search',
  summary: 'Payments, refunds and disputes, the newest first',
  params: Newsletter,
  query: Paging.extend({ subscriberId: ShownId.optional() }),
  reply: pageOf(Payment),
})

export const noteRefund = endpoint('POST /api/newsletters/:newsletterId/charge/payments/:paymentId/refund', {
  permission: 'charge.write',
  summary: 'Note that a payment that came from outside was given back, whole or in part. No money moves by it',
  params: Newsletter.extend({ paymentId: z.string().max(40) }),
  body: z.object({ amount: Amount, at: When, note: Note.default('') }),
  audit: { act: 'refund_noted', keeps: ['amount'] },
  reply: Payment,
  errors: ['payment_not_found', 'charged_by_stripe', 'refund_too_large'],
})
export type Payment = z.infer<typeof Payment>
