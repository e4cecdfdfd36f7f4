import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { SubscriptionRow } from '../change.ts'
import type { StatedFailure } from './read-payment.ts'

/** Of two statements the one about the later attempt, else the later one; of one second, the one that names a time. So their order does not matter. */
const isNewer = sql`(excluded.attempts, excluded.stated_at, coalesce(excluded.next_attempt_at, '-infinity'))
  > (f.attempts, f.stated_at, coalesce(f.next_attempt_at, '-infinity'))`

/**
 * Notes that a payment failed. Told twice, after a later failure, or after what settled it, it tells nobody.
 *
 * @returns whether the subscriber is to be told of it
 */
export async function applyFailure(tx: Db, subscription: SubscriptionRow, failure: StatedFailure): Promise<boolean> {
  const { newsletter_id: newsletterId, id, ended_at: endedAt } = subscription
  const { invoice, attempts, at, nextAttempt } = failure
  await sql`
    insert into payment_failure as f (newsletter_id, invoice_id, subscription_id, attempts, failed_at, stated_at, next_attempt_at, settled_at)
    values (${newsletterId}, ${invoice}, ${id}, ${attempts}, ${at}, ${at}, ${nextAttempt}, least(${endedAt}::timestamptz, (
      select p.at from payment p where p.newsletter_id = ${newsletterId} and p.stripe_id = ${invoice}
    )))
    on conflict (newsletter_id, invoice_id) do update
    set attempts = greatest(f.attempts, excluded.attempts), failed_at = least(f.failed_at, excluded.failed_at),
      next_attempt_at = case when ${isNewer} then excluded.next_attempt_at else f.next_attempt_at end,
      stated_at = case when ${isNewer} then excluded.stated_at else f.stated_at end`.execute(tx)
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

/**
 * Notes when Stripe tries again, which it may say only after it has said that a payment failed.
 *
 * @returns false when of this attempt no failure is known yet, so that it may still succeed
 */
export async function applyNextAttempt(
  tx: Db,
  newsletterId: string,
  { invoice, attempts, at, nextAttempt }: StatedFailure,
): Promise<boolean> {
  const { rows } = await sql`
    select from payment_failure where newsletter_id = ${newsletterId} and invoice_id = ${invoice} and attempts >= ${attempts}`.execute(
    tx,
  )
  if (rows.length === 0) return false
  await sql`
    update payment_failure f set next_attempt_at = excluded.next_attempt_at, stated_at = excluded.stated_at
    from (values (${attempts}::smallint, ${at}::timestamptz, ${nextAttempt}::timestamptz)) as excluded (attempts, stated_at, next_attempt_at)
    where f.newsletter_id = ${newsletterId} and f.invoice_id = ${invoice} and ${isNewer}`.execute(tx)
  return true
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
