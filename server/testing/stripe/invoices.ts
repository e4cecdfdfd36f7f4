import Stripe from 'stripe'
import { ApiError } from './api-error.ts'
import { discountOf } from './discounts.ts'
import { charge } from './payments.ts'
import { idOf, listOf, type World } from './world.ts'

interface Line {
  price: Stripe.Price
  quantity: number
  period: { start: number; end: number }
  /** Of a trial nothing is asked. */
  amount: number
  /** The item of the subscription that it is for. */
  item?: string
}

interface Billed {
  customer: Stripe.Customer
  subscription: Stripe.Subscription | null
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual'
  line: Line
  automaticTax: boolean
  metadata?: Stripe.Metadata
}

/** An invoice that is open: `payInvoice` takes the money. */
export function createInvoice(
  world: World,
  { customer, subscription, reason, line, automaticTax, metadata = {} }: Billed,
) {
  const id = world.idOf('invoice')
  const { price, amount } = line
  const discount = subscription ? discountOf(world, subscription, amount) : 0
  const asked = amount - discount
  const inside = price.tax_behavior === 'inclusive'
  const percent = automaticTax ? world.taxPercent : 0
  const tax = inside ? asked - Math.round(asked / (1 + percent / 100)) : Math.round((asked * percent) / 100)
  const total = inside ? asked : asked + tax
  const untaxed = inside ? asked - tax : asked
  const invoice = world.add('invoice', {
    id,
    object: 'invoice',
    account_country: 'FR',
    account_name: world.account.business_profile?.name ?? null,
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: automaticTax,
      liability: automaticTax ? { type: 'self' } : null,
      provider: automaticTax ? 'stripe' : null,
      status: automaticTax ? 'complete' : null,
    },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: world.now(),
    currency: price.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: world.now(),
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: `${world.origin()}/i/${id}`,
    invoice_pdf: `${world.origin()}/i/${id}.pdf`,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf([lineOf(world, { id, line, subscription })], `/v1/invoices/${id}/lines`),
    livemode: world.livemode,
    metadata,
    next_payment_attempt: null,
    number: id.slice(-12).toUpperCase(),
    on_behalf_of: null,
    parent: subscription
      ? {
          quote_details: null,
          subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
          type: 'subscription_details',
        }
      : null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    // Of a renewal, the period of an invoice is the one before: that of its line is what is bought.
    period_end: world.now(),
    period_start: world.now(),
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'open',
    status_transitions: { finalized_at: world.now(), marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: amount,
    subtotal_excluding_tax: inside ? amount - tax : amount,
    test_clock: null,
    total,
    total_discount_amounts: discount ? [{ amount: discount, discount: `di_${id}` }] : [],
    total_excluding_tax: untaxed,
    total_pretax_credit_amounts: [],
    total_taxes: percent
      ? [
          {
            amount: tax,
            tax_behavior: inside ? 'inclusive' : 'exclusive',
            tax_rate_details: null,
            taxability_reason: 'standard_rated',
            taxable_amount: untaxed,
            type: 'tax_rate_details',
          },
        ]
      : [],
    webhooks_delivered_at: null,
  })
  if (subscription) subscription.latest_invoice = invoice.id
  world.emit('invoice.created', invoice)
  world.emit('invoice.finalized', invoice)
  return invoice
}

function lineOf(
  world: World,
  { id, line, subscription }: { id: string; line: Line; subscription: Stripe.Subscription | null },
): Stripe.InvoiceLineItem {
  const { price, quantity, period, amount, item } = line
  return {
    id: world.newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: null,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: id,
    livemode: world.livemode,
    metadata: subscription?.metadata ?? {},
    parent:
      subscription && item
        ? {
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: false,
              proration_details: null,
              subscription: subscription.id,
              subscription_item: item,
            },
            type: 'subscription_item_details',
          }
        : null,
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: Stripe.Decimal.from(quantity),
    subscription: subscription?.id ?? null,
    subtotal: amount,
    taxes: [],
  }
}

/** Takes the money of an invoice. Answers whether the card took it. */
export function payInvoice(world: World, invoice: Stripe.Invoice): boolean {
  if (invoice.status !== 'open')
    throw new ApiError(400, {
      type: 'invalid_request_error',
      code: invoice.status === 'paid' ? 'invoice_already_paid' : 'invoice_not_open',
      message: `Invoice is ${invoice.status ?? 'a draft'}`,
    })
  invoice.attempted = true
  invoice.attempt_count += 1
  if (invoice.amount_due > 0) {
    const { amount_due: amount, currency } = invoice
    const customer = world.get('customer', idOf(invoice.customer ?? ''))
    const paid = charge(world, { customer, amount, currency })
    noteInvoicePayment(world, invoice, paid)
    if (paid.declined) {
      // As with Smart Retries: when it is tried again is said by `invoice.updated`, which comes after it.
      invoice.next_payment_attempt = null
      world.emit('invoice.payment_failed', invoice)
      return false
    }
  }
  invoice.status = 'paid'
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.status_transitions.paid_at = world.now()
  world.emit('invoice.paid', invoice)
  world.emit('invoice.payment_succeeded', invoice)
  return true
}

/** Which payment paid an invoice is said by an object of its own, and by none of theirs. */
function noteInvoicePayment(world: World, invoice: Stripe.Invoice, paid: ReturnType<typeof charge>): void {
  const before = world.all('invoice_payment').find((each) => each.invoice === invoice.id)
  const payment =
    before ??
    world.add('invoice_payment', {
      id: world.idOf('invoice_payment'),
      object: 'invoice_payment',
      amount_paid: null,
      amount_requested: invoice.amount_due,
      created: world.now(),
      currency: invoice.currency,
      invoice: invoice.id,
      is_default: true,
      livemode: world.livemode,
      payment: { type: 'payment_intent' },
      status: 'open',
      status_transitions: { canceled_at: null, paid_at: null },
    })
  payment.payment.payment_intent = paid.intent.id
  if (paid.declined) return
  payment.status = 'paid'
  payment.amount_paid = invoice.amount_due
  payment.status_transitions.paid_at = world.now()
  world.emit('invoice_payment.paid', payment)
}

/** An invoice that nobody pays any more. */
export function voidInvoice(world: World, invoice: Stripe.Invoice): void {
  invoice.status = 'void'
  invoice.status_transitions.voided_at = world.now()
  world.emit('invoice.voided', invoice)
}
