import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { invalid, missing } from './api-error.ts'

/** Every kind of object that the stand-in keeps, with its type in the SDK. */
export interface Kinds {
  account: Stripe.Account
  balance_transaction: Stripe.BalanceTransaction
  'billing_portal.configuration': Stripe.BillingPortal.Configuration
  'billing_portal.session': Stripe.BillingPortal.Session
  charge: Stripe.Charge
  'checkout.session': Stripe.Checkout.Session
  coupon: Stripe.Coupon
  customer: Stripe.Customer
  discount: Stripe.Discount
  dispute: Stripe.Dispute
  event: Stripe.Event
  invoice: Stripe.Invoice
  invoice_payment: Stripe.InvoicePayment
  payment_intent: Stripe.PaymentIntent
  payment_method: Stripe.PaymentMethod
  price: Stripe.Price
  product: Stripe.Product
  promotion_code: Stripe.PromotionCode
  refund: Stripe.Refund
  subscription: Stripe.Subscription
  webhook_endpoint: Stripe.WebhookEndpoint
}
export type Kind = keyof Kinds
export type ApiObject = Kinds[Kind]

const prefixes: Record<Kind, string> = {
  account: 'acct',
  balance_transaction: 'txn',
  'billing_portal.configuration': 'bpc',
  'billing_portal.session': 'bps',
  charge: 'ch',
  'checkout.session': 'cs',
  coupon: 'coupon',
  customer: 'cus',
  discount: 'di',
  dispute: 'du',
  event: 'evt',
  invoice: 'in',
  invoice_payment: 'inpay',
  payment_intent: 'pi',
  payment_method: 'pm',
  price: 'price',
  product: 'prod',
  promotion_code: 'promo',
  refund: 're',
  subscription: 'sub',
  webhook_endpoint: 'we',
}

interface WorldOptions {
  name: string
  livemode: boolean
  /** In seconds. */
  now: () => number
  /** Where the stand-in is reached: `http://127.0.0.1:1234`. */
  origin: () => string
}

/** What one account has in one of its two modes. Nothing is seen from another. */
export class World {
  readonly account: Stripe.Account
  readonly livemode: boolean
  readonly now: () => number
  readonly origin: () => string
  /** Customers whose card is declined from now on. */
  readonly declining = new Set<string>()
  /** Added by automatic tax, in percent. */
  taxPercent = 20
  /** Events that no endpoint has taken yet, each with its endpoint. */
  readonly undelivered: { event: Stripe.Event; endpoint: Stripe.WebhookEndpoint }[] = []

  readonly #objects = new Map<string, ApiObject>()
  #made = 0

  constructor({ name, livemode, now, origin }: WorldOptions) {
    this.livemode = livemode
    this.now = now
    this.origin = origin
    this.account = this.add('account', {
      id: this.newId('acct'),
      object: 'account',
      business_profile: {
        mcc: null,
        minority_owned_business_designation: null,
        name,
        specified_commercial_transactions_act_url: null,
        support_address: null,
        support_email: null,
        support_phone: null,
        support_url: null,
        url: null,
      },
      charges_enabled: true,
      country: 'FR',
      created: now(),
      default_currency: 'eur',
      details_submitted: true,
      email: null,
      payouts_enabled: true,
      settings: null,
      type: 'standard',
    })
  }

  newId(prefix: string): string {
    this.#made += 1
    const test = prefix === 'cs' ? (this.livemode ? 'live_' : 'test_') : ''
    return `${prefix}_${test}1${String(this.#made).padStart(6, '0')}${randomBytes(6).toString('hex')}`
  }

  idOf(kind: Kind): string {
    return this.newId(prefixes[kind])
  }

  add<K extends Kind>(_kind: K, object: Kinds[K]): Kinds[K] {
    this.#objects.set(object.id, object)
    return object
  }

  remove(id: string): void {
    this.#objects.delete(id)
  }

  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const object = this.#objects.get(id)
    return object && isKind(object, kind) ? object : undefined
  }

  /** Throws the API's answer when there is none. */
  get<K extends Kind>(kind: K, id: string): Kinds[K] {
    const object = this.find(kind, id)
    if (!object) throw missing(kind, id)
    return object
  }

  /** An object that a parameter names. */
  named<K extends Kind>(kind: K, id: string, param: string): Kinds[K] {
    const object = this.find(kind, id)
    if (!object) throw invalid(`No such ${kind}: '${id}'`, param, 'resource_missing')
    return object
  }

  /** Newest first, as the API lists. */
  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...this.#objects.values()].filter((object): object is Kinds[K] => isKind(object, kind)).reverse()
  }

  /** Of any kind, to expand an id. */
  any(id: string): ApiObject | undefined {
    return this.#objects.get(id)
  }

  /** Says that something happened, and to whom it has to be said. */
  emit<T extends Stripe.Event['type']>(
    type: T,
    object: Extract<Stripe.Event, { type: T }>['data']['object'],
    previous?: Extract<Stripe.Event, { type: T }>['data']['previous_attributes'],
  ): Stripe.Event {
    const endpoints = this.all('webhook_endpoint').filter(
      ({ status, enabled_events: events }) => status === 'enabled' && (events.includes('*') || events.includes(type)),
    )
    const event = this.add('event', {
      id: this.idOf('event'),
      object: 'event',
      account: this.account.id,
      api_version: endpoints[0]?.api_version ?? null,
      created: this.now(),
      // As it is now: what happens later must not change what was said.
      data: copyOf({ object, ...(previous && { previous_attributes: previous }) }),
      livemode: this.livemode,
      pending_webhooks: endpoints.length,
      request: { id: null, idempotency_key: null },
      type,
      // The union of the SDK pairs each type with its object. The parameters above have paired them.
    } as unknown as Stripe.Event)
    for (const endpoint of endpoints) this.undelivered.push({ event, endpoint })
    return event
  }
}

const isKind = <K extends Kind>(object: ApiObject, kind: K): object is Kinds[K] => object.object === kind

/** As it is written on the wire, where decimals are text. */
export const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/** The id of what may be expanded. */
export const idOf = (value: string | { id: string }): string => (typeof value === 'string' ? value : value.id)

export const listOf = <T>(data: T[], url: string, more = false): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: more,
  url,
})
