import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/queue.ts'
import { findConnected } from './account.ts'
import { isGone } from './client.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    cancel_at_stripe: { newsletterId: string; test: boolean; stripeIds: string[]; when?: 'period_end' | 'now' }
  }
}

/**
 * Cancels at Stripe what was bought by people who are erased, so that their card is not charged any more, and what was given back. While Stripe is away it fails, and
 * is tried again.
 */
export const cancelAtStripeJob =
  (context: Context): Job<'cancel_at_stripe'> =>
  async ({ newsletterId, test, stripeIds, when = 'now' }) => {
    const connected = await findConnected(context, newsletterId)
    if (connected?.account.test !== test) {
      // Without a key of that mode nothing can be asked of Stripe.
      context.log.error({ newsletterId, stripeIds }, 'subscriptions could not be cancelled at Stripe: its key is gone')
      return
    }
    for (const id of stripeIds) {
      const cancelled =
        when === 'now'
          ? connected.stripe.subscriptions.cancel(id, {}, { idempotencyKey: `erased ${id}` })
          : connected.stripe.subscriptions.update(id, { cancel_at_period_end: true }, { idempotencyKey: randomUUID() })
      await cancelled.catch((error: unknown) => {
        if (!isGone(error)) throw error
      })
    }
  }
