import { z } from 'zod'
import { Done, endpoint, Newsletter, ShownId } from '../../http/endpoint.ts'
import { Currency } from '../currency.ts'

/** Why an event was not applied, or is for an owner's eye. */
export const EventProblem = z.enum([
  /** Of something else that the account sells. */
  'not_ours',
  'plan_unknown',
  'price_unknown',
  /** A gift that was bought without an order of ours. */
  'order_unknown',
  /** A sponsor's payment without a booking of ours, or of another sum than was booked. */
  'booking_unknown',
  'sum_differs',
  /** It is stored, and lets nobody read. */
  'subscriber_unknown',
  /** Not of the shape that Stripe's events have. */
  'unreadable',
  'failed',
  'stripe_away',
  /** What it is about never came, or Stripe knows nothing of it. */
  'gone',
])
export type EventProblem = z.infer<typeof EventProblem>

/** Why a difference stays: Stripe does not know it, it has ended here for good, or what it names is not here. */
const DifferenceProblem = z.enum(['gone', 'ended_here', 'unknown'])
export type DifferenceProblem = z.infer<typeof DifferenceProblem>

const Event = z.object({
  id: z.string(),
  type: z.string(),
  objectId: z.string(),
  statedAt: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
  problem: EventProblem,
  attempts: z.int(),
  applied: z.boolean(),
  /** When it is tried by itself; null: not any more. */
  dueAt: z.iso.datetime().nullable(),
  /** Whether its words are still there, so that a member can have it tried again. */
  mayRetry: z.boolean(),
})
export type Event = z.infer<typeof Event>

/** What a member has to look at, and why a number stands beside it. */
export const stripeTasks = endpoint('GET /api/newsletters/:newsletterId/charge/stripe/tasks', {
  permission: 'charge.read',
  cost: 'search',
  summary: 'How much of what Stripe said waits for a member: events, a comparison that stopped, renewals that failed',
  params: Newsletter,
  reply: z.object({
    /** Given up, and can be tried again. */
    events: z.int(),
    /** Subscriptions that are paid at Stripe and are nobody's here. */
    nameless: z.int(),
    /** The newest comparison, when it stopped because too much differs: how much. */
    stopped: z.int().nullable(),
    /** Renewals that failed and are not paid yet. */
    failures: z.int(),
    /** How many of these failures are of test mode. */
    testFailures: z.int(),
  }),
})

export const listEvents = endpoint('GET /api/newsletters/:newsletterId/charge/stripe/events', {
  permission: 'charge.read',
  cost: 'search',
  summary: 'What Stripe said and could not be applied, newest first, at most 100; and how much waits',
  params: Newsletter,
  reply: z.object({
    /** Received and not applied yet. They are applied by themselves. */
    waiting: z.int(),
    problems: z.array(Event),
  }),
})

export const retryEvent = endpoint('POST /api/newsletters/:newsletterId/charge/stripe/events/:eventId/retry', {
  permission: 'charge.write',
  summary: 'Try again to apply an event that was given up, such as after the plan that it names was made',
  params: Newsletter.extend({ eventId: z.string().max(100) }),
  reply: Done,
  errors: ['not_found'],
})

/** The values of a subscription that are compared with Stripe’s. */
export const comparedValues = [
  'subscriber_id',
  'plan_id',
  'price_id',
  'way',
  'test',
  'status',
  'currency',
  'amount',
  'discount',
  'stripe_discounts',
  'period',
  'started_at',
  'trial_until',
  'paid_until',
  'renews',
  'resumes_at',
  'ended_at',
  'cancelled_at',
  'publication_id',
  'source',
  'stripe_id',
] as const
export type ComparedValue = (typeof comparedValues)[number]

const Difference = z.object({
  objectId: z.string(),
  /** By the name of the value: as it was here, and as Stripe says. */
  changes: z.record(z.string(), z.array(z.unknown()).length(2)),
  repairedAt: z.iso.datetime().nullable(),
  problem: DifferenceProblem.nullable(),
})

const Comparison = z.object({
  id: z.uuid(),
  /** `stopped`: more differs than an error of ours explains, so that a member decides. */
  state: z.enum(['listing', 'repairing', 'done', 'stopped']),
  begunAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** How many objects were looked at. */
  compared: z.int(),
  problem: z.enum(['stripe_away']).nullable(),
  differences: z.int(),
  repaired: z.int(),
  /** At most 100 of them. */
  shown: z.array(Difference),
})
export type Comparison = z.infer<typeof Comparison>

export const listComparisons = endpoint('GET /api/newsletters/:newsletterId/charge/stripe/comparisons', {
  permission: 'charge.read',
  cost: 'search',
  summary: 'The last ten comparisons with the lists of Stripe, newest first, and what each found',
  params: Newsletter,
  reply: z.object({ comparisons: z.array(Comparison) }),
})

export const startComparison = endpoint('POST /api/newsletters/:newsletterId/charge/stripe/comparisons', {
  permission: 'charge.write',
  cost: 'dns',
  summary: 'Compare with the lists of Stripe now. It is done every night by itself',
  params: Newsletter,
  reply: z.object({ id: z.uuid() }),
  errors: ['not_found'],
})

export const repairComparison = endpoint(
  'POST /api/newsletters/:newsletterId/charge/stripe/comparisons/:comparisonId/repair',
  {
    permission: 'charge.manage',
    summary: 'Store what Stripe says, though more differs than is repaired by itself',
    params: Newsletter.extend({ comparisonId: z.uuid() }),
    reply: Done,
    errors: ['not_found'],
    audit: { act: 'stripe_differences_repaired' },
  },
)

const Failure = z.object({
  subscriptionId: z.uuid(),
  subscriberId: ShownId.nullable(),
  /** Null once they were erased. */
  email: z.string().nullable(),
  name: z.string().nullable(),
  planId: z.int(),
  test: z.boolean(),
  /** What one period costs. */
  amount: z.int().nullable(),
  currency: Currency.nullable(),
  failedAt: z.iso.datetime(),
  attempts: z.int(),
  /** When Stripe tries again; null: it has not said so. */
  nextAttemptAt: z.iso.datetime().nullable(),
  /** Of which attempt they were told by mail; 0: of none yet. */
  toldAttempt: z.int(),
  /** False when no mail may go to them: they bounced, complained or were erased. */
  mayBeTold: z.boolean(),
  /** The end of the days of grace. */
  readsUntil: z.iso.datetime(),
})
export type Failure = z.infer<typeof Failure>

export const listFailures = endpoint('GET /api/newsletters/:newsletterId/charge/payment-failures', {
  permission: 'charge.read',
  cost: 'search',
  summary: 'Renewals that have failed and are not paid yet, newest first, at most 100',
  params: Newsletter,
  reply: z.object({
    rows: z.array(Failure),
  }),
})
