import Stripe from 'stripe'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/queue.ts'
import { findConnected } from '../stripe/account.ts'
import { beginComparison, continueComparison, findUnderWay } from './comparison.ts'
import { findCharging } from './newsletter.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    compare_all_with_stripe: Record<string, unknown>
  }
}

/** Goes on with the comparison of a newsletter. When Stripe is away the queue tries again, and it goes on from there. */
export function compareWithStripeJob(context: Context): Job<'compare_with_stripe'> {
  const { db, now, log } = context
  return async ({ newsletterId }, { abortSignal }) => {
    const [newsletter, comparison] = [await findCharging(db, newsletterId), await findUnderWay(db, newsletterId)]
    const connected = await findConnected(context, newsletterId)
    if (!newsletter || !comparison || !connected) return
    const { stripe, account } = connected
    try {
      await continueComparison({ db, now, log, newsletter, stripe, test: account.test, comparison }, abortSignal)
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) await noteAway(context, newsletterId, comparison.id)
      throw error
    }
  }
}

const noteAway = ({ db }: Context, newsletterId: string, id: string) =>
  db
    .updateTable('stripe_comparison')
    .set((eb) => ({ failures: eb('failures', '+', 1), problem: 'stripe_away' }))
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .execute()

/** Begins a comparison for each newsletter that has an account, or lets the one that did not end go on. */
export const compareAllWithStripeJob =
  ({ db, now }: Context): Job<'compare_all_with_stripe'> =>
  async () => {
    const accounts = await db.selectFrom('stripe_account').select('newsletter_id').execute()
    for (const { newsletter_id } of accounts) await beginComparison(db, newsletter_id, now())
  }
