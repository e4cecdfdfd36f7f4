import type Stripe from 'stripe'
import { ApiError, invalid } from './api-error.ts'
import { metadataOf } from './catalogue.ts'
import { idOf, type World } from './world.ts'

/** Payment intents with their charges, what they leave on the balance, refunds and disputes. */

interface Wanted {
  customer: Stripe.Customer
  amount: number
  currency: string
  metadata?: Stripe.Metadata
}

/** Takes money from the card of a customer. A card that is declined leaves an intent that waits for another, and a charge that failed. */
export function charge(world: World, { customer, amount, currency, metadata = {} }: Wanted) {
  const declined = world.declining.has(customer.id)
  const method = customer.invoice_settings.default_payment_method
  const card = method ? world.get('payment_method', idOf(method)) : null
  const charged = world.add('charge', {
    id: world.idOf('charge'),
    object: 'charge',
    amount,
    amount_captured: declined ? 0 : amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: {
      address: customer.address ?? null,
      email: customer.email,
      name: customer.name ?? null,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: null,
    captured: !declined,
    created: world.now(),
    currency,
    customer: customer.id,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: declined ? 'card_declined' : null,
    failure_message: declined ? 'Your card was declined.' : null,
    fraud_details: {},
    livemode: world.livemode,
    metadata,
    on_behalf_of: null,
    outcome: null,
    paid: !declined,
    payment_intent: world.idOf('payment_intent'),
    payment_method: card?.id ?? null,
    payment_method_details: card?.card
      ? {
          card: {
            amount_authorized: amount,
            authorization_code: null,
            brand: card.card.brand,
            electronic_commerce_indicator: null,
            transaction_link_id: null,
            checks: null,
            country: card.card.country,
            exp_month: card.card.exp_month,
            exp_year: card.card.exp_year,
            funding: card.card.funding,
            installments: null,
            last4: card.card.last4,
            mandate: null,
            network: 'visa',
            network_transaction_id: null,
            regulated_status: null,
            three_d_secure: null,
            wallet: null,
          },
          type: 'card',
        }
      : null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: declined ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  })
  if (!declined) {
    const fee = Math.round(amount * 0.015) + 25
    charged.balance_transaction = moveBalance(world, { type: 'charge', source: charged.id, amount, currency, fee }).id
  }
  const intent = addIntent(world, charged)
  if (declined) {
    world.emit('payment_intent.payment_failed', intent)
    world.emit('charge.failed', charged)
  } else {
    world.emit('payment_intent.succeeded', intent)
    world.emit('charge.succeeded', charged)
  }
  return { intent, charge: charged, declined }
}

function addIntent(world: World, charged: Stripe.Charge): Stripe.PaymentIntent {
  return world.add('payment_intent', {
    id: idOf(charged.payment_intent ?? ''),
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: charged.amount,
    amount_capturable: 0,
    amount_received: charged.amount_captured,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: null,
    confirmation_method: 'automatic',
    created: charged.created,
    currency: charged.currency,
    customer: charged.customer,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: charged.id,
    livemode: world.livemode,
    managed_payments: null,
    metadata: charged.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: charged.payment_method,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charged.paid ? 'succeeded' : 'requires_payment_method',
    transfer_group: null,
  })
}

interface Movement {
  type: 'charge' | 'refund' | 'adjustment'
  source: string
  amount: number
  currency: string
  fee: number
}

function moveBalance(world: World, { type, source, amount, currency, fee }: Movement): Stripe.BalanceTransaction {
  return world.add('balance_transaction', {
    id: world.idOf('balance_transaction'),
    object: 'balance_transaction',
    amount,
    available_on: world.now() + 2 * 86_400,
    balance_type: 'payments',
    created: world.now(),
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fee
      ? [{ amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }]
      : [],
    net: amount - fee,
    reporting_category: type,
    source,
    status: 'pending',
    type,
  })
}

export function createRefund(world: World, params: Stripe.RefundCreateParams): Stripe.Refund {
  const charged = chargeOf(world, params)
  if (charged.refunded)
    throw new ApiError(400, {
      type: 'invalid_request_error',
      code: 'charge_already_refunded',
      message: `Charge ${charged.id} has already been refunded.`,
    })
  const left = charged.amount - charged.amount_refunded
  const amount = params.amount ?? left
  if (amount < 1 || amount > left)
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount')
  charged.amount_refunded += amount
  charged.refunded = charged.amount_refunded === charged.amount
  const refund = world.add('refund', {
    id: world.idOf('refund'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charged.id,
    created: world.now(),
    currency: charged.currency,
    customer: charged.customer,
    customer_account: null,
    metadata: metadataOf(params.metadata),
    payment_intent: charged.payment_intent,
    payment_method: charged.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  })
  const movement = { source: refund.id, amount: -amount, currency: refund.currency, fee: 0 }
  refund.balance_transaction = moveBalance(world, { type: 'refund', ...movement }).id
  world.emit('charge.refunded', charged)
  world.emit('refund.created', refund)
  return refund
}

function chargeOf(world: World, { charge: id, payment_intent: intentId }: Stripe.RefundCreateParams): Stripe.Charge {
  if (id) return world.named('charge', id, 'charge')
  if (!intentId) throw invalid('One of charge or payment_intent is required.', 'charge', 'parameter_missing')
  const { latest_charge: latest } = world.named('payment_intent', intentId, 'payment_intent')
  return world.named('charge', latest ? idOf(latest) : '', 'payment_intent')
}

/** What a bank says for its customer: the money is taken back at once, with a fee. */
export function dispute(world: World, charged: Stripe.Charge, reason = 'fraudulent'): Stripe.Dispute {
  charged.disputed = true
  const id = world.idOf('dispute')
  const taken = { source: id, amount: -charged.amount, currency: charged.currency, fee: 1500 }
  const disputed = world.add('dispute', {
    id,
    object: 'dispute',
    amount: charged.amount,
    balance_transactions: [moveBalance(world, { type: 'adjustment', ...taken })],
    charge: charged.id,
    created: world.now(),
    currency: charged.currency,
    enhanced_eligibility_types: [],
    // Nothing of it is read by us.
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: null,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    } as Stripe.Dispute['evidence_details'],
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: world.livemode,
    metadata: {},
    payment_intent: charged.payment_intent,
    reason,
    status: 'needs_response',
  })
  world.emit('charge.dispute.created', disputed)
  world.emit('charge.dispute.funds_withdrawn', disputed)
  return disputed
}
