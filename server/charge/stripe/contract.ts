import { z } from 'zod'
import { Done, endpoint, Newsletter } from '../../http/endpoint.ts'

/** What a key must be allowed, in the order of Stripe's form. */
export const stripeRights = [
  'checkout_sessions',
  'customers',
  'products_prices',
  'coupons',
  'subscriptions',
  'customer_portal',
  'charges_refunds',
  'invoices',
  'balance_transactions',
  'webhook_endpoints',
] as const
export const StripeRight = z.enum(stripeRights)
export type StripeRight = z.infer<typeof StripeRight>

/** What is only read. Of everything else Tirage writes. */
export const readRights: readonly StripeRight[] = ['invoices', 'balance_transactions']

const Account = z.object({ id: z.string(), name: z.string().nullable() })

const Connection = z.object({
  /** With a test key no money moves. */
  test: z.boolean(),
  /** Its first letters and its last four. */
  key: z.string(),
  /** Null when the key may not read whose it is. */
  account: Account.nullable(),
  /** What the key lacked when it was last checked. */
  missing: z.array(StripeRight),
  automaticTax: z.boolean(),
  taxIdCollection: z.boolean(),
  connectedAt: z.iso.datetime(),
  checkedAt: z.iso.datetime(),
  /** Null until the first event came. */
  lastEventAt: z.iso.datetime().nullable(),
})
export type Connection = z.infer<typeof Connection>

export const readConnection = endpoint('GET /api/newsletters/:newsletterId/charge/stripe', {
  permission: 'charge.read',
  summary: 'The account at Stripe that cards are charged for',
  params: Newsletter,
  reply: z.object({
    connection: Connection.nullable(),
    /** Subscriptions that were bought with a test key and go on. */
    testSubscriptions: z.int(),
    /** Where Stripe says what happened. */
    webhookUrl: z.string(),
    /** Whether Stripe can reach that address: it must be public. With a live key it must be https. */
    reachable: z.boolean(),
  }),
})

export const connectStripe = endpoint('PUT /api/newsletters/:newsletterId/charge/stripe', {
  permission: 'charge.manage',
  cost: 'dns',
  summary: 'Connect an account at Stripe with a restricted key, or put another key in its place',
  params: Newsletter,
  body: z.object({ key: z.string().trim().min(1).max(300) }),
  reply: z.object({
    /** False when a right is missing: nothing was stored. */
    connected: z.boolean(),
    test: z.boolean(),
    account: Account.nullable(),
    missing: z.array(StripeRight),
  }),
  errors: [
    'invalid',
    'stripe_key_refused',
    'stripe_refused',
    'stripe_right_missing',
    'stripe_away',
    'too_many_requests',
  ],
  audit: { act: 'stripe_connected' },
})

export const checkStripe = endpoint('POST /api/newsletters/:newsletterId/charge/stripe/check', {
  permission: 'charge.manage',
  cost: 'dns',
  summary: 'Try the rights of the key again, and mend the webhook',
  params: Newsletter,
  reply: Connection,
  errors: [
    'stripe_not_connected',
    'stripe_key_refused',
    'stripe_refused',
    'stripe_right_missing',
    'stripe_away',
    'too_many_requests',
  ],
})

export const changeStripe = endpoint('PATCH /api/newsletters/:newsletterId/charge/stripe', {
  permission: 'charge.manage',
  summary: 'Whether Stripe works out taxes, and asks for the tax number of companies',
  params: Newsletter,
  body: z.object({ automaticTax: z.boolean(), taxIdCollection: z.boolean() }).partial(),
  reply: Connection,
  errors: ['stripe_not_connected'],
  audit: { act: 'stripe_taxes_changed', keeps: ['automaticTax', 'taxIdCollection'] },
})

export const disconnectStripe = endpoint('DELETE /api/newsletters/:newsletterId/charge/stripe', {
  permission: 'charge.manage',
  cost: 'dns',
  summary: 'Forget the key and take the webhook away. Subscriptions go on at Stripe',
  params: Newsletter,
  reply: Done,
  errors: ['stripe_not_connected', 'too_many_requests'],
  audit: { act: 'stripe_disconnected' },
})
