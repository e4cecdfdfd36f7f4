import { z } from 'zod'
import { Csv, endpoint, Newsletter, Sheet } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'

/** A day of the newsletter's calendar. */
const Day = z.iso.date().refine((day) => day >= '2000-01-01' && day < '2100-01-01')

const Asked = z.object({
  /** Absent: the first day with anything. */
  from: Day.optional(),
  /** Absent: today. */
  to: Day.optional(),
  by: z.enum(['day', 'month']).default('month'),
  /** Absent: the newsletter's own, else the one with the most recurring revenue. */
  currency: z
    .string()
    .regex(/^[a-z]{3}$/)
    .optional(),
})

const Range = z.object({ from: z.iso.date(), to: z.iso.date() })

/** Sums of a year in the smallest unit of the currency, so that they have no fraction. The monthly figure is a twelfth. */
const Movements = z.object({
  new: z.int(),
  expansion: z.int(),
  reactivation: z.int(),
  contraction: z.int(),
  churn: z.int(),
})

/** A month or day, by its first day. `end` is the recurring revenue of a year when it ends. */
const Point = Movements.extend({ since: z.iso.date(), end: z.int() })

const Recurring = z.object({
  points: z.array(Point),
  /** Of a year, when the range begins and ends. */
  begin: z.int(),
  end: z.int(),
  total: Movements,
  /** Subscriptions that are recurring revenue, when the range begins and ends. */
  payingBegin: z.int(),
  payingEnd: z.int(),
  /** What share of the recurring revenue at the beginning of a month left within it, on average; null without any. */
  lost: z.number().nullable(),
})

const Plan = z.object({
  planId: z.int(),
  /** By language. */
  names: z.record(z.string(), z.string()),
  period: z.enum(['month', 'year', 'once', '']),
  paid: z.int(),
  late: z.int(),
  leaving: z.int(),
  outside: z.int(),
  trial: z.int(),
  paused: z.int(),
  complimentary: z.int(),
  gift: z.int(),
  /** How many more paid ones than when the range began. */
  change: z.int(),
})

const Trials = z.object({
  begun: z.int(),
  finished: z.int(),
  paying: z.int(),
  /** Of those that are finished, how many pay; null when none is. */
  rate: z.number().nullable(),
})

/** In the smallest unit. Refunds and disputes are negative. `net` is what is left when refunds, disputes, and fees are taken off. */
const Money = z.object({
  currency: z.string(),
  payments: z.int(),
  paid: z.int(),
  refunds: z.int(),
  refunded: z.int(),
  disputes: z.int(),
  disputed: z.int(),
  tax: z.int(),
  fee: z.int(),
  /** Payments by card whose fee Stripe has not told yet; it is in no sum. */
  feesToCome: z.int(),
  net: z.int(),
})

const GivenBack = z.object({
  kind: z.enum(['refund', 'dispute']),
  at: z.iso.datetime(),
  amount: z.int(),
  /** Null when the person was erased or the caller may not read subscribers. */
  name: z.string().nullable(),
})

/** First payments less what was given back of them. `origin` is null when it is not known. */
const Sales = z.object({ origin: z.string().nullable(), sales: z.int(), amount: z.int() })
const PublicationSales = Sales.extend({ title: z.string().nullable(), number: z.int().nullable() })

export const getChargeFigures = endpoint('GET /api/newsletters/:newsletterId/charge/figures', {
  permission: 'charge.read',
  cost: 'search',
  summary:
    'What is sold: recurring revenue and its movements, plans, trials, money. docs/charge-figures.md says what counts',
  params: Newsletter,
  query: Asked,
  reply: z.object({
    range: Range,
    before: Range,
    by: z.enum(['day', 'month']),
    /** Null when nothing was ever sold or has a price. */
    currency: z.string().nullable(),
    currencies: z.array(z.string()),
    /** The recurring revenue at the end of the range, of each currency that has any. */
    recurringEnds: z.array(z.object({ currency: z.string(), yearly: z.int() })),
    recurring: Recurring,
    recurringBefore: Recurring,
    plans: z.array(Plan),
    trials: Trials,
    trialsBefore: Trials,
    /** Each currency in its own, without conversion. */
    money: z.array(Money),
    moneyBefore: z.array(Money),
    /** The newest, in the currency of the figures. */
    givenBack: z.array(GivenBack),
    publications: z.array(PublicationSales),
    sources: z.array(Sales),
  }),
})

const charts = ['movements', 'plans', 'trials', 'refunds', 'publications', 'sources', 'currencies'] as const
export type Chart = (typeof charts)[number]

export const exportChargeFigures = endpoint('GET /api/newsletters/:newsletterId/charge/figures.csv', {
  permission: 'charge.read',
  cost: 'export',
  summary: 'One of the charts as CSV',
  params: Newsletter,
  query: Asked.extend({ chart: z.enum(charts), ...Sheet.shape }),
  reply: Csv,
})

export const exportBooks = endpoint('GET /api/newsletters/:newsletterId/charge/books.csv', {
  permission: 'charge.read',
  cost: 'export',
  summary:
    'The books for an accountant as CSV, streamed: each payment, refund and dispute, or their sums by month and country',
  params: Newsletter,
  query: Sheet.extend({
    from: Day.optional(),
    to: Day.optional(),
    rows: z.enum(['each', 'months']).default('each'),
    /** Of the line of names. Absent: the newsletter's own. */
    namesIn: z.enum(languages).optional(),
  }),
  reply: Csv,
  audit: { act: 'books_exported', keeps: ['from', 'to', 'rows'] },
})
