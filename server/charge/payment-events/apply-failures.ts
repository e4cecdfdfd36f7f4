import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { SubscriptionRow } from '../change.ts'
import type { StatedFailure } from './read-payment.ts'

/**
 * Notes that a payment failed. Told twice, after a later failure, or after what settled it, it tells nobody.
 *
 * @returns whether the subscriber is to be told of it
 */
export async function applyFailure(tx: Db, subscription: SubscriptionRow, failure: StatedFailure): Promise<boolean> {
  const { newsletter_id: newsletterId, id, ended_at: endedAt } = subscription
  const { invoice, attempts, at, nextAttempt } = failure
  await sql`
    insert into payment_failure as f (newsletter_id, invoice_id, subscription_id, attempts, failed_at, next_attempt_at, settled_at)
    values (${newsletterId}, ${invoice}, ${id}, ${attempts}, ${at}, ${nextAttempt}, least(${endedAt}::timestamptz, (
      select p.at from payment p where p.newsletter_id = ${newsletterId} and p.stripe_id = ${invoice}
    )))
    on conflict (newsletter_id, invoice_id) do update
    set attempts = greatest(f.attempts, excluded.attempts), failed_at = least(f.failed_at, excluded.failed_at),
      next_attempt_at = case when excluded.attempts > f.attempts then excluded.next_attempt_at else f.next_attempt_at end`.execute(
    tx,
  )
  const { numUpdatedRows } = await tx
    .updateTable('payment_failure')
    .set((eb) => ({ told_attempt: eb.ref('attempts') }))
    .where('newsletter_id', '=', newsletterId)
    .where('invoice_id', '=', invoice)
    .where('settled_at', 'is', null)
    .whereRef('told_attempt', '<', 'attempts')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What failed is paid, or is not asked for any more, since this moment. */
export async function settleFailures(
  tx: Db,
  newsletterId: string,
  { at, ...which }: { at: Date } & ({ invoiceId: string } | { subscriptionId: string }),
): Promise<void> {
  const query = tx
    .updateTable('payment_failure')
    .set({ settled_at: sql<Date>`least(settled_at, ${at}::timestamptz)` })
    .where('newsletter_id', '=', newsletterId)
  await ('invoiceId' in which
    ? query.where('invoice_id', '=', which.invoiceId)
    : query.where('subscription_id', '=', which.subscriptionId)
  ).execute()
}
