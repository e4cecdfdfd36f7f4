import type Stripe from 'stripe'

/** What Stripe is asked to say: what changes a subscription, what is paid for one, and what is given back. */
export const webhookEvents = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'customer.subscription.updated',
  'invoice.paid',
  'invoice.payment_action_required',
  'invoice.payment_failed',
  // With Smart Retries only this one may say when it is tried again.
  'invoice.updated',
  'invoice_payment.paid',
  'refund.created',
  'refund.failed',
  'refund.updated',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[]
