import type Stripe from 'stripe'
import {
  readCheckout,
  readDispute,
  readFailure,
  readInvoice,
  readRefund,
  type StatedFailure,
  type StatedPayment,
  type StatedPurchase,
  type StatedReturn,
} from './read-payment.ts'
import {
  idOrNull,
  readNames,
  readSubscription,
  type StatedNames,
  type StatedSubscription,
  statusOf,
} from './read-subscription.ts'

/** What an event is about, as it is kept beside its body. */
export interface EventFacts {
  id: string
  type: string
  objectId: string
  customer: string | null
  statedAt: Date
  /** Of a subscription. */
  status: string | null
}

/** What an event says, in our words. */
export type Happening =
  | { kind: 'subscription'; stated: StatedSubscription }
  | { kind: 'purchase'; purchase: StatedPurchase }
  | { kind: 'payment'; payment: StatedPayment; names: StatedNames }
  | { kind: 'link'; invoice: string; paymentIntent: string }
  | { kind: 'failure'; failure: StatedFailure; names: StatedNames }
  | { kind: 'next attempt'; failure: StatedFailure; names: StatedNames }
  | { kind: 'return'; returned: StatedReturn }
  | { kind: 'nothing' }

const nothing = { kind: 'nothing' } as const

export function factsOf(event: Stripe.Event): EventFacts {
  const object = event.data.object as { id?: unknown; customer?: string | { id: string } | null }
  return {
    id: event.id,
    type: event.type,
    objectId: typeof object.id === 'string' ? object.id : '',
    customer: idOrNull(object.customer) ?? (event.type.startsWith('customer.') ? customerIn(object.id) : null),
    statedAt: statedAt(event),
    status: event.type.startsWith('customer.subscription.') ? statusOf(event.data.object as Stripe.Subscription) : null,
  }
}

const customerIn = (id: unknown) => (typeof id === 'string' && id.startsWith('cus_') ? id : null)

/**
 * When something was so. Stripe counts in seconds, and within one of them says that something was made before it says how it changed: the
 * milliseconds keep that order.
 */
function statedAt({ created, type }: Pick<Stripe.Event, 'created' | 'type'>): Date {
  return new Date(created * 1000 + (type === 'customer.subscription.created' ? 0 : 500))
}

/** @throws Error when it has not the shape that Stripe's events have */
export function readEvent(event: Stripe.Event): Happening {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.pending_update_applied':
    case 'customer.subscription.pending_update_expired':
    case 'customer.subscription.trial_will_end':
      return { kind: 'subscription', stated: readSubscription(event.data.object) }
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const purchase = readCheckout(event.data.object)
      return purchase ? { kind: 'purchase', purchase } : nothing
    }
    case 'invoice.paid': {
      const payment = readInvoice(event.data.object)
      return payment ? { kind: 'payment', payment, names: namesOf(event.data.object) } : nothing
    }
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required': {
      const failure = readFailure(event.data.object, statedAt(event))
      return failure ? { kind: 'failure', failure, names: namesOf(event.data.object) } : nothing
    }
    case 'invoice.updated': {
      // What was not tried yet has no next attempt.
      const failure = event.data.object.attempt_count > 0 ? readFailure(event.data.object, statedAt(event)) : null
      return failure ? { kind: 'next attempt', failure, names: namesOf(event.data.object) } : nothing
    }
    case 'invoice_payment.paid': {
      const { invoice, payment } = event.data.object
      const paymentIntent = idOrNull(payment.payment_intent)
      return paymentIntent ? { kind: 'link', invoice: idOrNull(invoice) ?? '', paymentIntent } : nothing
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return { kind: 'return', returned: readRefund(event.data.object) }
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return { kind: 'return', returned: readDispute(event.data.object) }
    default:
      return nothing
  }
}

/** An invoice has what its subscription was called when it was made. */
const namesOf = ({ parent }: Stripe.Invoice): StatedNames => readNames(parent?.subscription_details?.metadata ?? null)
