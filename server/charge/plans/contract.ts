import { z } from 'zod'
import { Done, endpoint, line, lines, Newsletter } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'
import { Currency } from '../currency.ts'
import { currencies } from '../money.ts'

const Id = z.coerce.number().int().min(1).max(2_147_483_647)
const OnePlan = Newsletter.extend({ planId: Id })

/** What Stripe takes at once, in the smallest unit of a currency. */
export const mostAmount = 99_999_999
/** In the smallest unit of a currency: 1250 is €12.50, and 1250 yen. */
export const Amount = z.int().min(1).max(mostAmount)
export const Period = z.enum(['month', 'year', 'once'])
const Months = z.int().min(1).max(120)
export const planLimits = { plans: 30, coupons: 200 } as const

/** What a plan is called and what it promises, in each language that it has words in. */
export const PlanWords = z
  .partialRecord(z.enum(languages), z.object({ name: line(60), promise: line(280).or(z.literal('')) }))
  .refine((words) => Object.keys(words).length > 0, { message: 'required' })

const PriceShape = z.object({
  currency: Currency,
  period: Period,
  /** Where a buyer may give more, the least. */
  amount: Amount,
  /** What is proposed where a buyer may give more. */
  suggested: Amount.nullable(),
  /** Of what is bought once: for how many months it opens; null: for good. */
  months: Months.nullable(),
})
export type PriceShape = z.infer<typeof PriceShape>

/** Those who have a plan now, by what they pay and how. Subscriptions in test mode are not among them. */
const Holders = z.object({
  priceId: z.int().nullable(),
  currency: Currency.nullable(),
  period: Period.nullable(),
  amount: z.int().nullable(),
  /** Whether this is another sum than their price: it was agreed with them, or they chose to pay more. */
  agreed: z.boolean(),
  /** What a coupon takes off each period. */
  discount: z.int(),
  way: z.enum(['card', 'outside', 'complimentary', 'gift']),
  status: z.enum(['incomplete', 'trialing', 'active', 'past_due', 'paused']),
  /** Whether no further payment is expected from them. */
  leaving: z.boolean(),
  subscribers: z.int(),
})

export const Plan = z.object({
  id: z.int(),
  kind: z.enum(['free', 'paid']),
  words: PlanWords,
  /** Those that are offered. Who bought at another one stays on it. */
  prices: z.array(PriceShape.extend({ id: z.int() })),
  trialDays: z.int(),
  devices: z.int(),
  places: z.int().nullable(),
  placesTaken: z.int(),
  payMore: z.boolean(),
  /** Whether it can be bought by card for somebody else. */
  giftable: z.boolean(),
  shown: z.boolean(),
  closedAt: z.iso.datetime().nullable(),
  holders: z.array(Holders),
})
export type Plan = z.infer<typeof Plan>

/** How to pay without a card, by language: on the page of plans, and in reminders. */
export const OutsideWords = z.partialRecord(z.enum(languages), lines(600))

/** The subscriptions of whose end people can be reminded: those that nothing renews. */
export const remindedWays = ['outside', 'gift', 'complimentary'] as const

export const ChargeSettings = z.object({
  graceDays: z.int().min(0).max(60),
  taxInside: z.boolean(),
  /** How many days before an end its subscriber is reminded: twice, once or never. */
  remindDays: z
    .array(z.int().min(1).max(90))
    .max(2)
    .refine((days) => new Set(days).size === days.length, { message: 'twice' }),
  /** The end of what: paid outside, a gift, complimentary. */
  remindWays: z.array(z.enum(remindedWays)).refine((ways) => new Set(ways).size === ways.length, { message: 'twice' }),
  outsideWords: OutsideWords,
  /** The coupon that is offered to who has cancelled; null: none. */
  winBackCouponId: z.int().nullable(),
})

export const listPlans = endpoint('GET /api/newsletters/:newsletterId/charge/plans', {
  permission: 'charge.read',
  cost: 'search',
  summary: 'All plans in their order, each with its prices and who has it',
  params: Newsletter,
  reply: z.object({ plans: z.array(Plan), settings: ChargeSettings }),
})

const isOnce = (prices: Pick<PriceShape, 'currency' | 'period'>[]) =>
  new Set(prices.map(({ currency, period }) => `${currency} ${period}`)).size === prices.length

const OfferedPrices = z
  .array(
    PriceShape.partial({ suggested: true, months: true })
      .refine(({ period, months }) => period === 'once' || months == null, { path: ['months'], message: 'wrong' })
      .refine(({ amount, suggested }) => suggested == null || suggested >= amount, {
        path: ['suggested'],
        message: 'wrong',
      }),
  )
  .max(currencies.length * Period.options.length)
  .refine(isOnce, { message: 'twice' })

const PlanValues = z.object({
  words: PlanWords,
  trialDays: z.int().min(0).max(365),
  devices: z.int().min(1).max(100),
  places: z.int().min(1).max(1_000_000).nullable(),
  payMore: z.boolean(),
  giftable: z.boolean(),
  shown: z.boolean(),
})

export const createPlan = endpoint('POST /api/newsletters/:newsletterId/charge/plans', {
  permission: 'charge.write',
  summary:
    'Make a plan, with the prices that it is offered at. A newsletter has one free plan at most, which has words and no price',
  params: Newsletter,
  body: PlanValues.partial({
    trialDays: true,
    devices: true,
    places: true,
    payMore: true,
    giftable: true,
    shown: true,
  }).extend({
    kind: Plan.shape.kind.default('paid'),
    prices: OfferedPrices.default([]),
  }),
  audit: { act: 'plan_made', keeps: ['kind'] },
  reply: Plan,
  errors: ['too_many_plans', 'name_taken', 'free_has_no_price'],
})

export const updatePlan = endpoint('PATCH /api/newsletters/:newsletterId/charge/plans/:planId', {
  permission: 'charge.write',
  summary: 'Change a plan. Nobody new can take one that is closed, and who has it keeps it',
  params: OnePlan,
  body: PlanValues.partial().extend({ closed: z.boolean().optional() }),
  audit: { act: 'plan_changed', keeps: ['closed', 'trialDays', 'places', 'shown'] },
  reply: Plan,
  errors: ['plan_not_found'],
})

export const planOpens = endpoint('GET /api/newsletters/:newsletterId/charge/plans/:planId/opens', {
  permission: 'charge.read',
  cost: 'history',
  summary: 'Which publications a plan opens more of: those that name it, and those that any paid plan opens',
  params: OnePlan,
  reply: z.object({
    /** Of all: those with a paywall or a block that names it, and the others that it opens as any paid plan does. */
    named: z.int(),
    any: z.int(),
    /** How many of the newest were looked at, where there are more. */
    onlyNewest: z.int().nullable(),
    /** The first of them; those that name it come first, then the newest. */
    publications: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        number: z.int().nullable(),
        /** It was not sent yet. */
        draft: z.boolean(),
        paywall: z.boolean(),
        /** Blocks for some readers only that it opens. */
        blocks: z.int(),
        byName: z.boolean(),
      }),
    ),
  }),
  errors: ['plan_not_found'],
})

export const setPrices = endpoint('PUT /api/newsletters/:newsletterId/charge/plans/:planId/prices', {
  permission: 'charge.write',
  summary:
    'The prices that a plan is offered at from now on. Who bought at another one stays on it; with `moveOutside`, those who pay outside are asked for the new one when their time ends',
  params: OnePlan,
  body: z.object({
    prices: OfferedPrices,
    moveOutside: z.boolean().default(false),
  }),
  audit: { act: 'prices_changed', keeps: ['moveOutside'] },
  reply: Plan,
  errors: ['plan_not_found', 'free_has_no_price'],
})

export const orderPlans = endpoint('PUT /api/newsletters/:newsletterId/charge/plan-order', {
  permission: 'charge.write',
  summary: 'The order in which plans are shown. It names every plan',
  params: Newsletter,
  body: z.object({ planIds: z.array(z.int()).max(planLimits.plans) }),
  audit: { act: 'plans_ordered' },
  reply: Done,
  errors: ['plan_not_found'],
})

export const updateChargeSettings = endpoint('PATCH /api/newsletters/:newsletterId/charge/settings', {
  permission: 'charge.write',
  summary:
    'Change the days of grace after a renewal that failed, whether tax is inside prices, when and of which ends people are reminded, how to pay without a card, and which coupon is offered to who cancels',
  params: Newsletter,
  body: ChargeSettings.partial(),
  audit: {
    act: 'charge_settings_changed',
    keeps: ['graceDays', 'taxInside', 'remindDays', 'remindWays', 'winBackCouponId'],
  },
  reply: ChargeSettings,
  errors: ['coupon_not_found'],
})

/** A code is said aloud and typed: letters, digits and hyphens, and capitals mean nothing. */
const Code = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9-]{1,38}[A-Z0-9]$/)

export const Coupon = z.object({
  id: z.int(),
  code: z.string(),
  percent: z.int().nullable(),
  amount: z.int().nullable(),
  currency: Currency.nullable(),
  months: z.int().nullable(),
  planId: z.int().nullable(),
  most: z.int().nullable(),
  used: z.int(),
  until: z.iso.datetime().nullable(),
  closedAt: z.iso.datetime().nullable(),
})

export const listCoupons = endpoint('GET /api/newsletters/:newsletterId/charge/coupons', {
  permission: 'charge.read',
  summary: 'Coupons, the newest first',
  params: Newsletter,
  reply: z.object({ coupons: z.array(Coupon) }),
})

export const createCoupon = endpoint('POST /api/newsletters/:newsletterId/charge/coupons', {
  permission: 'charge.write',
  summary: 'Make a coupon: a percentage, or a sum in one currency, off each period',
  params: Newsletter,
  body: z
    .object({
      code: Code,
      percent: z.int().min(1).max(100).nullable().default(null),
      amount: Amount.nullable().default(null),
      currency: Currency.nullable().default(null),
      months: Months.nullable().default(null),
      planId: z.int().min(1).max(2_147_483_647).nullable().default(null),
      most: z.int().min(1).max(1_000_000).nullable().default(null),
      until: z.iso.datetime().nullable().default(null),
    })
    .refine(({ percent, amount }) => (percent === null) !== (amount === null), {
      path: ['percent'],
      message: 'required',
    })
    .refine(({ amount, currency }) => (amount === null) === (currency === null), {
      path: ['currency'],
      message: 'required',
    }),
  audit: { act: 'coupon_made', keeps: ['code'] },
  reply: Coupon,
  errors: ['name_taken', 'too_many_coupons', 'plan_not_found'],
})

export const closeCoupon = endpoint('DELETE /api/newsletters/:newsletterId/charge/coupons/:couponId', {
  permission: 'charge.write',
  summary: 'Close a coupon. Who used it keeps what it takes off',
  params: Newsletter.extend({ couponId: Id }),
  audit: { act: 'coupon_closed' },
  reply: Coupon,
  errors: ['coupon_not_found'],
})
