import type Stripe from 'stripe'
import { ApiError, invalid } from './api-error.ts'
import { metadataOf } from './catalogue.ts'
import { discountsAfter, redeem } from './discounts.ts'
import { createInvoice, payInvoice } from './invoices.ts'
import { idOf, listOf, type World } from './world.ts'

interface Begun {
  customer: Stripe.Customer
  price: Stripe.Price
  quantity: number
  trialDays: number
  metadata: Stripe.Metadata
  automaticTax: boolean
}

/** A subscription with its first invoice, which is paid or, when the card is declined, leaves it incomplete. */
export function createSubscription(
  world: World,
  begun: Begun,
  coupon: Stripe.Coupon | null = null,
): Stripe.Subscription {
  const { customer, price, quantity, trialDays, metadata, automaticTax } = begun
  const id = world.idOf('subscription')
  const now = world.now()
  const trialEnd = trialDays > 0 ? now + trialDays * 86_400 : null
  const end = trialEnd ?? afterPeriod(now, price)
  const subscription = world.add('subscription', {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: {
      disabled_reason: null,
      enabled: automaticTax,
      liability: automaticTax ? { type: 'self' } : null,
    },
    billing_cycle_anchor: trialEnd ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer: customer.id,
    customer_account: null,
    days_until_due: null,
    default_payment_method: customer.invoice_settings.default_payment_method,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf(
      [itemOf(world, { id, price, quantity, start: now, end })],
      `/v1/subscription_items?subscription=${id}`,
    ),
    latest_invoice: null,
    livemode: world.livemode,
    managed_payments: null,
    metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd ? 'trialing' : 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: null,
    trial_start: trialEnd ? now : null,
  })
  if (coupon) subscription.discounts = [redeem(world, { coupon, customer: customer.id, subscription: id }).id]
  world.emit('customer.subscription.created', subscription)
  const amount = trialEnd ? 0 : (price.unit_amount ?? 0) * quantity
  const item = itemId(subscription)
  const line = { price, quantity, period: { start: now, end }, amount, item }
  const invoice = createInvoice(world, { customer, subscription, reason: 'subscription_create', line, automaticTax })
  if (payInvoice(world, invoice) && !trialEnd) changeSubscription(world, subscription, { status: 'active' })
  return subscription
}

const itemId = (subscription: Stripe.Subscription): string => subscription.items.data[0]?.id ?? ''

interface ItemOf {
  id: string
  price: Stripe.Price
  quantity: number
  start: number
  end: number
}

function itemOf(world: World, { id, price, quantity, start, end }: ItemOf): Stripe.SubscriptionItem {
  return {
    id: world.newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: world.now(),
    current_period_end: end,
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: {
      id: price.id,
      object: 'plan',
      active: true,
      amount: price.unit_amount,
      amount_decimal: price.unit_amount_decimal,
      billing_scheme: 'per_unit',
      created: price.created,
      currency: price.currency,
      interval: price.recurring?.interval ?? 'month',
      interval_count: 1,
      livemode: world.livemode,
      metadata: {},
      meter: null,
      nickname: null,
      product: idOf(price.product),
      tiers_mode: null,
      transform_usage: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    price,
    quantity,
    subscription: id,
    tax_rates: [],
  }
}

/** Changes a subscription and says what it was before. Nothing is said when nothing changed. */
export function changeSubscription(
  world: World,
  subscription: Stripe.Subscription,
  values: Partial<Stripe.Subscription>,
): void {
  const keys = Object.keys(values) as (keyof Stripe.Subscription)[]
  const changed = keys.filter((key) => JSON.stringify(subscription[key]) !== JSON.stringify(values[key]))
  if (changed.length === 0) return
  const previous = Object.fromEntries(changed.map((key) => [key, subscription[key]])) as Partial<Stripe.Subscription>
  Object.assign(subscription, values)
  world.emit('customer.subscription.updated', subscription, previous)
}

export function updateSubscription(
  world: World,
  subscription: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams,
): Stripe.Subscription {
  if (subscription.status === 'canceled')
    throw invalid('A canceled subscription can only update its cancellation_details.', 'status', 'resource_missing')
  const values: Partial<Stripe.Subscription> = {}
  const { cancel_at_period_end: atEnd, pause_collection: pause, metadata, items, trial_end: trialEnd } = params
  if (params.discounts !== undefined) values.discounts = discountsAfter(world, subscription, params.discounts)
  const end = subscription.items.data[0]?.current_period_end ?? 0
  if (atEnd !== undefined) {
    values.cancel_at_period_end = atEnd
    values.cancel_at = atEnd ? end : null
    values.canceled_at = atEnd ? world.now() : null
  }
  if (params.cancellation_details || atEnd !== undefined)
    values.cancellation_details = {
      comment: params.cancellation_details?.comment || null,
      feedback: params.cancellation_details?.feedback || null,
      feedback_option: null,
      reason: (atEnd ?? subscription.cancel_at_period_end) ? 'cancellation_requested' : null,
    }
  if (pause !== undefined)
    values.pause_collection = pause ? { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null } : null
  if (metadata) values.metadata = metadataOf({ ...subscription.metadata, ...metadata })
  if (trialEnd === 'now') values.trial_end = world.now()
  const [item] = items ?? []
  const [mine] = subscription.items.data
  if (item?.price && mine) {
    const price = world.named('price', item.price, 'items[0][price]')
    if (price.currency !== subscription.currency)
      throw invalid('The price must be in the currency of the subscription.', 'items[0][price]')
    if (item.id !== mine.id) throw invalid('A second price for the same subscription.', 'items[0][id]')
    // Prorations, and a period that begins anew, are what nothing here may ask for (docs.stripe.com/billing/subscriptions/prorations).
    if (params.proration_behavior !== 'none')
      throw new Error('a new price without `proration_behavior: none` is prorated')
    if (price.recurring?.interval !== mine.price.recurring?.interval)
      throw new Error('a new price with another interval is charged at once')
    const period = { start: mine.current_period_start, end: mine.current_period_end }
    const moved = { ...itemOf(world, { id: subscription.id, price, quantity: 1, ...period }), id: mine.id }
    values.items = listOf([moved], subscription.items.url)
  }
  changeSubscription(world, subscription, values)
  if (params.billing_cycle_anchor?.type === 'now') beginPeriod(world, subscription)
  return subscription
}

/** A period that begins now, and is paid now (docs.stripe.com/billing/subscriptions/billing-cycle). */
function beginPeriod(world: World, subscription: Stripe.Subscription): void {
  const [item] = subscription.items.data
  if (!item) return
  const start = world.now()
  const period = { start, end: afterPeriod(start, item.price) }
  const renewed = { ...item, current_period_start: start, current_period_end: period.end }
  changeSubscription(world, subscription, {
    billing_cycle_anchor: start,
    items: listOf([renewed], subscription.items.url),
  })
  const quantity = item.quantity ?? 1
  const invoice = createInvoice(world, {
    customer: world.get('customer', idOf(subscription.customer)),
    subscription,
    reason: 'subscription_update',
    line: { price: item.price, quantity, period, amount: (item.price.unit_amount ?? 0) * quantity, item: item.id },
    automaticTax: subscription.automatic_tax.enabled,
  })
  if (!payInvoice(world, invoice)) changeSubscription(world, subscription, { status: 'past_due' })
}

export function cancelSubscription(
  world: World,
  subscription: Stripe.Subscription,
  { cancellation_details: details }: Stripe.SubscriptionCancelParams = {},
): Stripe.Subscription {
  if (subscription.status === 'canceled')
    throw new ApiError(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such subscription: '${subscription.id}'`,
      param: 'id',
    })
  Object.assign(subscription, {
    status: 'canceled',
    ended_at: world.now(),
    canceled_at: subscription.canceled_at ?? world.now(),
    cancellation_details: {
      comment: details?.comment || null,
      feedback: details?.feedback || null,
      feedback_option: null,
      reason: 'cancellation_requested',
    },
  } satisfies Partial<Stripe.Subscription>)
  world.emit('customer.subscription.deleted', subscription)
  return subscription
}

/** One period of a price later, on the day of its anchor, or on the last of a month without that day (docs.stripe.com/billing/subscriptions/billing-cycle). */
export function afterPeriod(from: number, { recurring }: Stripe.Price, anchor = from): number {
  const at = new Date(from * 1000)
  const months = recurring?.interval === 'year' ? 12 : 1
  const day = new Date(anchor * 1000).getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(day, last))
  return at.getTime() / 1000
}
