import { z } from 'zod'
import { endpoint, Newsletter } from '../../http/endpoint.ts'
import { Payment, Subscription } from '../outside/contract.ts'
import { Amount } from '../plans/contract.ts'

/** For how many months a subscription that is paid by card can be paused. */
export const pauseMonths = [1, 2, 3] as const

const OneSubscription = Newsletter.extend({ subscriptionId: z.string().max(40) })
const stripeErrors = [
  'stripe_not_connected',
  'stripe_key_refused',
  'stripe_refused',
  'stripe_right_missing',
  'stripe_away',
] as const

export const pauseSubscription = endpoint(
  'POST /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId/pause',
  {
    permission: 'charge.write',
    summary:
      'Pause a subscription that is paid by card each month: it is read until the end of what was paid, and the next payments are left out',
    params: OneSubscription,
    body: z.object({ months: z.union(pauseMonths.map((months) => z.literal(months))) }),
    audit: { act: 'subscription_paused', keeps: ['months'] },
    reply: Subscription,
    errors: ['subscription_not_found', 'not_pausable', ...stripeErrors],
  },
)

export const resumeSubscription = endpoint(
  'POST /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId/resume',
  {
    permission: 'charge.write',
    summary:
      'Take back the pause or the cancellation of a subscription that is paid by card. Once that what was paid is over, a period begins and is charged now',
    params: OneSubscription,
    audit: { act: 'subscription_resumed' },
    reply: Subscription,
    errors: ['subscription_not_found', ...stripeErrors],
  },
)

export const cancelSubscription = endpoint(
  'POST /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId/cancel',
  {
    permission: 'charge.write',
    cost: 'write',
    summary:
      'Cancel a subscription that is paid by card: it is read until the end of what was paid, or ends now. Nothing is given back, and its subscriber is told by mail',
    params: OneSubscription,
    body: z.object({ when: z.enum(['period_end', 'now']) }),
    audit: { act: 'subscription_cancelled', keeps: ['when'] },
    reply: Subscription,
    errors: ['subscription_not_found', 'not_cancellable', ...stripeErrors],
  },
)

export const giveBackPayment = endpoint('POST /api/newsletters/:newsletterId/charge/payments/:paymentId/give-back', {
  permission: 'charge.manage',
  freshProof: true,
  summary: 'Give a payment by card back at Stripe, whole or in part. Money moves by it',
  params: Newsletter.extend({ paymentId: z.string().max(40) }),
  body: z.object({
    amount: Amount,
    /** How much of it had been given back before, as it was shown. It stops what somebody else does at the same moment. */
    seen: z.int().min(0).max(99_999_999),
    access: z.enum(['goes_on', 'period_end', 'now']),
  }),
  audit: { act: 'payment_given_back', keeps: ['amount', 'access'] },
  reply: Payment,
  errors: ['payment_not_found', 'given_back_meanwhile', 'nothing_to_refund', ...stripeErrors],
})
