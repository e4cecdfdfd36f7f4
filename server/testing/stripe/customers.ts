import type Stripe from 'stripe'
import { metadataOf } from './catalogue.ts'
import type { World } from './world.ts'

export function createCustomer(world: World, params: Stripe.CustomerCreateParams): Stripe.Customer {
  const customer = world.add('customer', {
    id: world.idOf('customer'),
    object: 'customer',
    address: params.address ? addressOf(params.address) : null,
    balance: 0,
    created: world.now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: params.description ?? null,
    discount: null,
    email: params.email ?? null,
    invoice_prefix: null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: world.livemode,
    metadata: metadataOf(params.metadata),
    name: params.name ?? null,
    phone: params.phone ?? null,
    preferred_locales: params.preferred_locales ?? [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  })
  world.emit('customer.created', customer)
  return customer
}

export function updateCustomer(world: World, customer: Stripe.Customer, params: Stripe.CustomerUpdateParams) {
  const { email, name, address, metadata, preferred_locales: locales } = params
  if (email !== undefined) customer.email = email || null
  if (name !== undefined) customer.name = name || null
  if (address) customer.address = addressOf(address)
  if (locales) customer.preferred_locales = locales
  if (metadata) Object.assign(customer.metadata, metadataOf(metadata))
  world.emit('customer.updated', customer)
  return customer
}

/** Their subscriptions end at once, as they do at Stripe (docs.stripe.com/api/customers/delete). */
export function deleteCustomer(
  world: World,
  customer: Stripe.Customer,
  end: (subscription: Stripe.Subscription) => void,
): Stripe.DeletedCustomer {
  for (const subscription of world.all('subscription'))
    if (subscription.customer === customer.id && subscription.status !== 'canceled') end(subscription)
  world.remove(customer.id)
  world.emit('customer.deleted', customer)
  return { id: customer.id, object: 'customer', deleted: true }
}

const addressOf = (address: Stripe.AddressParam): Stripe.Address => ({
  city: address.city ?? null,
  country: address.country ?? null,
  line1: address.line1 ?? null,
  line2: address.line2 ?? null,
  postal_code: address.postal_code ?? null,
  state: address.state ?? null,
})

/** A card of a customer, from this country. */
export function addCard(world: World, customer: Stripe.Customer, country: string): Stripe.PaymentMethod {
  const method = world.add('payment_method', {
    id: world.idOf('payment_method'),
    object: 'payment_method',
    billing_details: { address: null, email: customer.email, name: customer.name ?? null, phone: null, tax_id: null },
    card: {
      brand: 'visa',
      checks: null,
      country,
      display_brand: 'visa',
      exp_month: 12,
      exp_year: 2034,
      funding: 'credit',
      generated_from: null,
      last4: '4242',
      networks: null,
      regulated_status: null,
      three_d_secure_usage: null,
      wallet: null,
    },
    created: world.now(),
    customer: customer.id,
    customer_account: null,
    livemode: world.livemode,
    metadata: {},
    type: 'card',
  })
  customer.invoice_settings.default_payment_method = method.id
  world.emit('payment_method.attached', method)
  return method
}

export function createPortalSession(
  world: World,
  params: Stripe.BillingPortal.SessionCreateParams,
): Stripe.BillingPortal.Session {
  const customer = world.named('customer', params.customer ?? '', 'customer')
  const id = world.idOf('billing_portal.session')
  const configuration = params.configuration
    ? world.named('billing_portal.configuration', params.configuration, 'configuration')
    : createPortalConfiguration(world, { features: {} })
  return world.add('billing_portal.session', {
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: world.now(),
    customer: customer.id,
    customer_account: null,
    flow: null,
    livemode: world.livemode,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url: params.return_url ?? configuration.default_return_url,
    url: `${world.origin()}/p/session/${id}`,
  })
}

export function createPortalConfiguration(
  world: World,
  params: Stripe.BillingPortal.ConfigurationCreateParams,
): Stripe.BillingPortal.Configuration {
  const { features, business_profile: profile } = params
  return world.add('billing_portal.configuration', {
    id: world.idOf('billing_portal.configuration'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: {
      headline: profile?.headline || null,
      privacy_policy_url: profile?.privacy_policy_url || null,
      terms_of_service_url: profile?.terms_of_service_url || null,
    },
    created: world.now(),
    default_return_url: params.default_return_url || null,
    features: {
      customer_update: {
        allowed_updates: features.customer_update?.allowed_updates || [],
        enabled: features.customer_update?.enabled ?? false,
      },
      invoice_history: { enabled: features.invoice_history?.enabled ?? false },
      payment_method_update: {
        enabled: features.payment_method_update?.enabled ?? false,
        payment_method_configuration: null,
      },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: features.subscription_cancel?.enabled ?? false,
        mode: features.subscription_cancel?.mode ?? 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: false,
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: false,
    livemode: world.livemode,
    login_page: { enabled: false, url: null },
    metadata: metadataOf(params.metadata),
    name: null,
    updated: world.now(),
  })
}
