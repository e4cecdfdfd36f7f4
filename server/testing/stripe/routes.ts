import type Stripe from 'stripe'
import { ApiError } from './api-error.ts'
import {
  createCoupon,
  createPrice,
  createProduct,
  createPromotionCode,
  metadataOf,
  updateProduct,
} from './catalogue.ts'
import { createSession, expireSession } from './checkout.ts'
import {
  createCustomer,
  createPortalConfiguration,
  createPortalSession,
  deleteCustomer,
  updateCustomer,
} from './customers.ts'
import { payInvoice } from './invoices.ts'
import { createRefund } from './payments.ts'
import { fits, type Route, reads, route, same } from './route.ts'
import { cancelSubscription, updateSubscription } from './subscriptions.ts'
import { createEndpoint, updateEndpoint } from './webhooks.ts'

const catalogue: Route[] = [
  ...reads<'product', Stripe.ProductListParams>(
    '/v1/products',
    { kind: 'product', right: 'product', file: 'Products', name: 'Product' },
    ({ id, active }, params) =>
      (params.active === undefined || params.active === active) && (!params.ids || params.ids.includes(id)),
  ),
  route<Stripe.ProductCreateParams>('POST /v1/products', {
    right: 'product',
    parameters: ['Products', 'ProductCreateParams'],
    act: createProduct,
  }),
  route<Stripe.ProductUpdateParams>('POST /v1/products/:id', {
    right: 'product',
    parameters: ['Products', 'ProductUpdateParams'],
    act: (world, params, id) => updateProduct(world, world.get('product', id), params),
  }),
  ...reads<'price', Stripe.PriceListParams>(
    '/v1/prices',
    { kind: 'price', right: 'price', file: 'Prices', name: 'Price' },
    ({ active, lookup_key: key, product }, params) =>
      (params.active === undefined || params.active === active) &&
      (!params.lookup_keys || (key !== null && params.lookup_keys.includes(key))) &&
      same(product, params.product),
  ),
  route<Stripe.PriceCreateParams>('POST /v1/prices', {
    right: 'price',
    parameters: ['Prices', 'PriceCreateParams'],
    act: createPrice,
  }),
  route<Stripe.PriceUpdateParams>('POST /v1/prices/:id', {
    right: 'price',
    parameters: ['Prices', 'PriceUpdateParams'],
    act: (world, params, id) => Object.assign(world.get('price', id), { active: params.active ?? true }),
  }),
  ...reads('/v1/coupons', { kind: 'coupon', right: 'coupon', file: 'Coupons', name: 'Coupon' }),
  route<Stripe.CouponCreateParams>('POST /v1/coupons', {
    right: 'coupon',
    parameters: ['Coupons', 'CouponCreateParams'],
    act: createCoupon,
  }),
  route<Stripe.CouponUpdateParams>('POST /v1/coupons/:id', {
    right: 'coupon',
    parameters: ['Coupons', 'CouponUpdateParams'],
    act: (world, { metadata }, id) => Object.assign(world.get('coupon', id), { metadata: metadataOf(metadata) }),
  }),
  ...reads<'promotion_code', Stripe.PromotionCodeListParams>(
    '/v1/promotion_codes',
    { kind: 'promotion_code', right: 'promotion_code', file: 'PromotionCodes', name: 'PromotionCode' },
    ({ code }, params) => same(code, params.code),
  ),
  route<Stripe.PromotionCodeCreateParams>('POST /v1/promotion_codes', {
    right: 'promotion_code',
    parameters: ['PromotionCodes', 'PromotionCodeCreateParams'],
    act: createPromotionCode,
  }),
]

const people: Route[] = [
  ...reads<'customer', Stripe.CustomerListParams>(
    '/v1/customers',
    { kind: 'customer', right: 'customer', file: 'Customers', name: 'Customer' },
    ({ email, created }, params) => same(email, params.email) && fits(created, params.created),
  ),
  route<Stripe.CustomerCreateParams>('POST /v1/customers', {
    right: 'customer',
    parameters: ['Customers', 'CustomerCreateParams'],
    act: createCustomer,
  }),
  route<Stripe.CustomerUpdateParams>('POST /v1/customers/:id', {
    right: 'customer',
    parameters: ['Customers', 'CustomerUpdateParams'],
    act: (world, params, id) => updateCustomer(world, world.get('customer', id), params),
  }),
  route<Stripe.CustomerDeleteParams>('DELETE /v1/customers/:id', {
    right: 'customer',
    parameters: ['Customers', 'CustomerDeleteParams'],
    act: (world, _params, id) =>
      deleteCustomer(world, world.get('customer', id), (subscription) => cancelSubscription(world, subscription)),
  }),
  route<Stripe.BillingPortal.SessionCreateParams>('POST /v1/billing_portal/sessions', {
    right: 'customer_portal',
    parameters: ['BillingPortal/Sessions', 'BillingPortal.SessionCreateParams'],
    act: createPortalSession,
  }),
  ...reads('/v1/billing_portal/configurations', {
    kind: 'billing_portal.configuration',
    right: 'customer_portal',
    file: 'BillingPortal/Configurations',
    name: 'BillingPortal.Configuration',
  }),
  route<Stripe.BillingPortal.ConfigurationCreateParams>('POST /v1/billing_portal/configurations', {
    right: 'customer_portal',
    parameters: ['BillingPortal/Configurations', 'BillingPortal.ConfigurationCreateParams'],
    act: createPortalConfiguration,
  }),
  route<Stripe.BillingPortal.ConfigurationUpdateParams>('POST /v1/billing_portal/configurations/:id', {
    right: 'customer_portal',
    parameters: ['BillingPortal/Configurations', 'BillingPortal.ConfigurationUpdateParams'],
    act: (world, { active }, id) =>
      Object.assign(world.get('billing_portal.configuration', id), active === undefined ? {} : { active }),
  }),
]

const selling: Route[] = [
  ...reads<'checkout.session', Stripe.Checkout.SessionListParams>(
    '/v1/checkout/sessions',
    { kind: 'checkout.session', right: 'checkout_session', file: 'Checkout/Sessions', name: 'Checkout.Session' },
    ({ subscription, customer, status }, params) =>
      same(subscription, params.subscription) && same(customer, params.customer) && same(status, params.status),
  ),
  route<Stripe.Checkout.SessionCreateParams>('POST /v1/checkout/sessions', {
    right: 'checkout_session',
    parameters: ['Checkout/Sessions', 'Checkout.SessionCreateParams'],
    act: createSession,
  }),
  route<Stripe.Checkout.SessionExpireParams>('POST /v1/checkout/sessions/:id/expire', {
    right: 'checkout_session',
    parameters: ['Checkout/Sessions', 'Checkout.SessionExpireParams'],
    act: (world, _params, id) => expireSession(world, world.get('checkout.session', id)),
  }),
  ...reads<'subscription', Stripe.SubscriptionListParams>(
    '/v1/subscriptions',
    { kind: 'subscription', right: 'subscription', file: 'Subscriptions', name: 'Subscription' },
    ({ status, customer, created }, params) =>
      (params.status === 'all' || (params.status ? same(status, params.status) : status !== 'canceled')) &&
      same(customer, params.customer) &&
      fits(created, params.created),
  ),
  route<Stripe.SubscriptionUpdateParams>('POST /v1/subscriptions/:id', {
    right: 'subscription',
    parameters: ['Subscriptions', 'SubscriptionUpdateParams'],
    act: (world, params, id) => updateSubscription(world, world.get('subscription', id), params),
  }),
  route<Stripe.SubscriptionCancelParams>('DELETE /v1/subscriptions/:id', {
    right: 'subscription',
    parameters: ['Subscriptions', 'SubscriptionCancelParams'],
    act: (world, params, id) => cancelSubscription(world, world.get('subscription', id), params),
  }),
]

const money: Route[] = [
  ...reads<'invoice', Stripe.InvoiceListParams>(
    '/v1/invoices',
    { kind: 'invoice', right: 'invoice', file: 'Invoices', name: 'Invoice' },
    ({ parent, customer, status, created }, params) =>
      same(parent?.subscription_details?.subscription, params.subscription) &&
      same(customer, params.customer) &&
      same(status, params.status) &&
      fits(created, params.created),
  ),
  route<Stripe.InvoicePayParams>('POST /v1/invoices/:id/pay', {
    right: 'invoice',
    parameters: ['Invoices', 'InvoicePayParams'],
    act(world, _params, id) {
      const invoice = world.get('invoice', id)
      if (payInvoice(world, invoice)) return invoice
      throw new ApiError(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' })
    },
  }),
  ...reads<'invoice_payment', Stripe.InvoicePaymentListParams>(
    '/v1/invoice_payments',
    { kind: 'invoice_payment', right: 'invoice', file: 'InvoicePayments', name: 'InvoicePayment' },
    ({ invoice, payment, status }, params) =>
      same(invoice, params.invoice) &&
      same(status, params.status) &&
      same(payment.payment_intent, params.payment?.payment_intent),
  ),
  ...reads<'payment_intent', Stripe.PaymentIntentListParams>(
    '/v1/payment_intents',
    { kind: 'payment_intent', right: 'payment_intent', file: 'PaymentIntents', name: 'PaymentIntent' },
    ({ customer, created }, params) => same(customer, params.customer) && fits(created, params.created),
  ),
  ...reads<'charge', Stripe.ChargeListParams>(
    '/v1/charges',
    { kind: 'charge', right: 'charge', file: 'Charges', name: 'Charge' },
    ({ customer, payment_intent: intent, created }, params) =>
      same(customer, params.customer) && same(intent, params.payment_intent) && fits(created, params.created),
  ),
  ...reads<'refund', Stripe.RefundListParams>(
    '/v1/refunds',
    { kind: 'refund', right: 'charge', file: 'Refunds', name: 'Refund' },
    ({ charge, payment_intent: intent, created }, params) =>
      same(charge, params.charge) && same(intent, params.payment_intent) && fits(created, params.created),
  ),
  route<Stripe.RefundCreateParams>('POST /v1/refunds', {
    right: 'charge',
    parameters: ['Refunds', 'RefundCreateParams'],
    act: createRefund,
  }),
  route<Stripe.RefundUpdateParams>('POST /v1/refunds/:id', {
    right: 'charge',
    parameters: ['Refunds', 'RefundUpdateParams'],
    act: (world, { metadata }, id) => Object.assign(world.get('refund', id), { metadata: metadataOf(metadata) }),
  }),
  ...reads<'balance_transaction', Stripe.BalanceTransactionListParams>(
    '/v1/balance_transactions',
    {
      kind: 'balance_transaction',
      right: 'balance_transaction',
      file: 'BalanceTransactions',
      name: 'BalanceTransaction',
    },
    ({ source, type, created }, params) =>
      same(source, params.source) && same(type, params.type) && fits(created, params.created),
  ),
]

const account: Route[] = [
  route<Stripe.AccountRetrieveCurrentParams>('GET /v1/account', {
    right: 'account',
    parameters: ['Accounts', 'AccountRetrieveCurrentParams'],
    act: (world) => world.account,
  }),
  ...reads<'event', Stripe.EventListParams>(
    '/v1/events',
    { kind: 'event', right: 'event', file: 'Events', name: 'Event' },
    ({ type, created }, params) =>
      same(type, params.type) && (!params.types || params.types.includes(type)) && fits(created, params.created),
  ),
  ...reads('/v1/webhook_endpoints', {
    kind: 'webhook_endpoint',
    right: 'webhook',
    file: 'WebhookEndpoints',
    name: 'WebhookEndpoint',
  }),
  route<Stripe.WebhookEndpointCreateParams>('POST /v1/webhook_endpoints', {
    right: 'webhook',
    parameters: ['WebhookEndpoints', 'WebhookEndpointCreateParams'],
    act: createEndpoint,
  }),
  route<Stripe.WebhookEndpointUpdateParams>('POST /v1/webhook_endpoints/:id', {
    right: 'webhook',
    parameters: ['WebhookEndpoints', 'WebhookEndpointUpdateParams'],
    act: (world, params, id) => updateEndpoint(world.get('webhook_endpoint', id), params),
  }),
  route<Stripe.WebhookEndpointDeleteParams>('DELETE /v1/webhook_endpoints/:id', {
    right: 'webhook',
    parameters: ['WebhookEndpoints', 'WebhookEndpointDeleteParams'],
    act(world, _params, id) {
      world.remove(world.get('webhook_endpoint', id).id)
      return { id, object: 'webhook_endpoint', deleted: true } satisfies Stripe.DeletedWebhookEndpoint
    },
  }),
]

export const routes: readonly Route[] = [...catalogue, ...people, ...selling, ...money, ...account]
