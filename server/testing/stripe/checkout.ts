import type Stripe from 'stripe'
import { ApiError, invalid } from './api-error.ts'
import { createPrice, createProduct, metadataOf } from './catalogue.ts'
import { addCard, createCustomer } from './customers.ts'
import { redeem, refuseUsedUp, takenOff } from './discounts.ts'
import { charge } from './payments.ts'
import { createSubscription } from './subscriptions.ts'
import { idOf, listOf, type World } from './world.ts'

type Params = Stripe.Checkout.SessionCreateParams

/** What a session was asked for and does not show, by session. */
interface Asked {
  trialDays: number
  metadata: Stripe.Metadata
  price: Stripe.Price
  quantity: number
  coupon: Stripe.Coupon | null
}
const asked = new WeakMap<Stripe.Checkout.Session, Asked>()

export function createSession(world: World, params: Params): Stripe.Checkout.Session {
  refuseWhatStripeRefuses(world, params)
  const id = world.idOf('checkout.session')
  const { price, quantity } = lineOf(world, params)
  const full = (price.unit_amount ?? price.custom_unit_amount?.preset ?? 0) * quantity
  const coupon = couponOf(world, params, price)
  const amount = full - (coupon ? takenOff(coupon, full) : 0)
  const trialDays = params.subscription_data?.trial_period_days ?? 0
  const session = world.add('checkout.session', {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: trialDays ? 0 : full,
    amount_total: trialDays ? 0 : amount,
    automatic_tax: {
      enabled: params.automatic_tax?.enabled ?? false,
      liability: null,
      provider: null,
      status: params.automatic_tax?.enabled ? 'requires_location_inputs' : null,
    },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: world.now(),
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: params.customer ?? null,
    customer_account: null,
    customer_creation: params.mode === 'payment' ? (params.customer_creation ?? 'if_required') : null,
    customer_details: null,
    customer_email: params.customer_email ?? null,
    discounts: coupon ? [{ coupon: coupon.id, promotion_code: null }] : [],
    expires_at: params.expires_at ?? world.now() + 86_400,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    line_items: listOf([], `/v1/checkout/sessions/${id}/line_items`),
    livemode: world.livemode,
    locale: params.locale ?? null,
    managed_payments: null,
    metadata: metadataOf(params.metadata),
    mode: params.mode ?? 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: params.payment_method_collection ?? null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: params.submit_type ?? null,
    subscription: null,
    success_url: params.success_url ?? null,
    tax_id_collection: { enabled: params.tax_id_collection?.enabled ?? false, required: 'never' },
    total_details: null,
    ui_mode: 'hosted_page',
    url: `${world.origin()}/c/pay/${id}`,
    wallet_options: null,
  })
  const metadata = metadataOf(params.subscription_data?.metadata ?? params.payment_intent_data?.metadata)
  asked.set(session, { trialDays, metadata, price, quantity, coupon })
  return session
}

/** Rules that the types cannot say (docs.stripe.com/api/checkout/sessions/create). */
function refuseWhatStripeRefuses(world: World, params: Params): void {
  if (params.customer && params.customer_email)
    throw invalid('You may only specify one of these parameters: customer, customer_email.', 'customer')
  if (params.customer) world.named('customer', params.customer, 'customer')
  if (params.subscription_data && params.mode !== 'subscription')
    throw invalid('You can not pass `subscription_data` in this mode.', 'subscription_data')
  if (params.payment_intent_data && params.mode !== 'payment')
    throw invalid('You can not pass `payment_intent_data` in this mode.', 'payment_intent_data')
  if (params.customer_creation && params.mode === 'subscription')
    throw invalid('`customer_creation` can only be used in `payment` mode.', 'customer_creation')
  if (params.customer_update && !params.customer)
    throw invalid('`customer_update` can only be used with `customer`.', 'customer_update')
  if (params.allow_promotion_codes && params.discounts)
    throw invalid('You may only specify one of these parameters: allow_promotion_codes, discounts.', 'discounts')
  if (params.tax_id_collection?.enabled && params.customer && params.customer_update?.name !== 'auto')
    throw invalid('Tax ID collection requires updating business name on the customer.', 'customer_update[name]')
  if (params.automatic_tax?.enabled && params.customer && params.customer_update?.address !== 'auto')
    throw invalid('Automatic tax calculation requires a valid address on the Customer.', 'customer_update[address]')
  const life = params.expires_at === undefined ? 86_400 : params.expires_at - world.now()
  if (life < 1790 || life > 86_410)
    throw invalid('`expires_at` must be between 30 minutes and 24 hours from creation.', 'expires_at')
  if (!params.success_url) throw invalid('Missing required param: success_url.', 'success_url', 'parameter_missing')
}

/** One coupon at most (docs.stripe.com/payments/checkout/discounts). */
function couponOf(world: World, { discounts }: Params, { currency }: Stripe.Price): Stripe.Coupon | null {
  const [first, second] = discounts ?? []
  if (second) throw invalid('You can only apply one discount to a Checkout Session.', 'discounts')
  if (!first?.coupon) return null
  const coupon = world.named('coupon', first.coupon, 'discounts[0][coupon]')
  refuseUsedUp(world, coupon, currency)
  return coupon
}

function lineOf(world: World, params: Params): { price: Stripe.Price; quantity: number } {
  const [line] = params.line_items ?? []
  if (!line) throw invalid('Missing required param: line_items.', 'line_items', 'parameter_missing')
  const { price: id, price_data: data, quantity = 1 } = line
  if (!id && !data) throw invalid('Give `price` or `price_data`.', 'line_items[0]', 'parameter_missing')
  if (data?.product && data.product_data)
    throw invalid('Give `product` or `product_data`, not both.', 'line_items[0][price_data]')
  const named = data?.product_data && createProduct(world, { name: data.product_data.name })
  const product = data?.product ?? named?.id
  const price = id
    ? world.named('price', id, 'line_items[0][price]')
    : createPrice(world, {
        currency: data?.currency ?? '',
        active: false,
        ...(product && { product }),
        ...(data?.recurring && { recurring: data.recurring }),
        ...(data?.tax_behavior && { tax_behavior: data.tax_behavior }),
        ...(data?.unit_amount !== undefined && { unit_amount: data.unit_amount }),
      })
  if (params.mode === 'subscription' && !price.recurring)
    throw invalid('You must provide at least one recurring price in `subscription` mode.', 'line_items')
  if (params.mode === 'payment' && price.recurring)
    throw invalid('You specified `payment` mode but passed a recurring price.', 'line_items')
  return { price, quantity }
}

export interface Paying {
  email?: string
  /** Of the card. */
  country?: string
  promotionCode?: string
  /** Of a price that the buyer chooses, in the smallest unit. */
  amount?: number
}

/** What the hosted page does when its button is pressed. Throws the refusal of a card that is declined. */
export function paySession(
  world: World,
  session: Stripe.Checkout.Session,
  paying: Paying = {},
): Stripe.Checkout.Session {
  const { trialDays, metadata, price, quantity, coupon } = asked.get(session) ?? {}
  if (session.status !== 'open' || !price || !quantity)
    throw invalid(`This session is ${session.status ?? 'gone'}.`, 'session', 'checkout_session_closed')
  if (coupon) refuseUsedUp(world, coupon, price.currency)
  const customer = session.customer
    ? world.get('customer', idOf(session.customer))
    : createCustomer(world, { email: paying.email ?? session.customer_email ?? 'buyer@example.org' })
  addCard(world, customer, paying.country ?? 'FR')
  session.customer = customer.id
  const automaticTax = session.automatic_tax.enabled
  if (session.mode === 'subscription') {
    const begun = { customer, price, quantity, trialDays: trialDays ?? 0, metadata: metadata ?? {}, automaticTax }
    const subscription = createSubscription(world, begun, coupon ?? takeCode(world, session, paying.promotionCode))
    const invoice = world.get('invoice', idOf(subscription.latest_invoice ?? ''))
    session.subscription = subscription.id
    session.invoice = invoice.id
    session.amount_total = invoice.total
    if (subscription.status === 'incomplete') throw declined()
    session.payment_status = invoice.total === 0 ? 'no_payment_required' : 'paid'
  } else {
    const full = (paying.amount ?? price.unit_amount ?? price.custom_unit_amount?.preset ?? 0) * quantity
    const amount = full - (coupon ? takenOff(coupon, full) : 0)
    if (coupon) redeem(world, { coupon, customer: customer.id, session: session.id })
    session.amount_total = amount
    session.payment_status = 'no_payment_required'
    if (amount > 0)
      payOnce(world, session, { customer, amount, currency: price.currency, ...(metadata && { metadata }) })
  }
  session.status = 'complete'
  session.url = null
  session.customer_details = {
    address: { city: null, country: paying.country ?? 'FR', line1: null, line2: null, postal_code: null, state: null },
    business_name: null,
    email: customer.email,
    individual_name: null,
    name: customer.name ?? null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
  world.emit('checkout.session.completed', session)
  return session
}

function payOnce(world: World, session: Stripe.Checkout.Session, wanted: Parameters<typeof charge>[1]): void {
  const paid = charge(world, wanted)
  session.payment_intent = paid.intent.id
  if (paid.declined) throw declined()
  session.payment_status = 'paid'
}

const declined = () =>
  new ApiError(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' })

function takeCode(world: World, session: Stripe.Checkout.Session, written?: string): Stripe.Coupon | null {
  if (!written || !session.allow_promotion_codes) return null
  const code = world.all('promotion_code').find(({ code, active }) => active && code === written)
  if (!code) throw invalid('This code is invalid.', 'promotion_code', 'resource_missing')
  code.times_redeemed += 1
  return world.get('coupon', idOf(code.promotion.coupon ?? ''))
}

export function expireSession(world: World, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session.status !== 'open')
    throw invalid('Only Checkout Sessions with a status in ["open"] can be expired.', 'session')
  session.status = 'expired'
  session.url = null
  world.emit('checkout.session.expired', session)
  return session
}
