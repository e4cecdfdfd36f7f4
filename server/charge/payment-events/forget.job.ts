import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { Job } from '../../jobs/queue.ts'
import type { ErasedSubscribers } from '../../personal-data/holding.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    forget_payment_events: Record<string, unknown>
  }
}

/** The words of an event that was applied, for somebody who asks what Stripe said. */
const BODY_DAYS = 14
/** Stripe sends an event again for 30 days at most; its row keeps it from being applied again. */
const EVENT_DAYS = 90
const BATCH = 5_000

/** Forgets the words of events soon after they were applied, and events and comparisons altogether when nothing comes of them any more. */
export const forgetPaymentEventsJob =
  ({ db, now }: Context): Job<'forget_payment_events'> =>
  async () => {
    const daysAgo = (days: number) => new Date(now().getTime() - days * 86_400_000)
    let forgotten: bigint | undefined
    do {
      const { numAffectedRows } = await sql`
        update payment_event set body = null, customer = null where (newsletter_id, id) in (
          select newsletter_id, id from payment_event
          where body is not null and received_at < ${daysAgo(BODY_DAYS)} and (applied_at is not null or due_at = 'infinity')
          limit ${BATCH}
        )`.execute(db)
      forgotten = numAffectedRows
    } while (forgotten === BigInt(BATCH))
    await sql`delete from payment_event where received_at < ${daysAgo(EVENT_DAYS)}`.execute(db)
    await sql`update stripe_difference d set body = null, customer = null from stripe_comparison c
      where c.newsletter_id = d.newsletter_id and c.id = d.comparison_id and d.body is not null
        and c.begun_at < ${daysAgo(BODY_DAYS)}`.execute(db)
    await sql`delete from stripe_comparison where begun_at < ${daysAgo(EVENT_DAYS)}`.execute(db)
  }

/** Forgets what Stripe said of people who are erased. To be called while it is known what they bought. */
export async function forgetEventsOf(
  tx: Db,
  { newsletterId, subscriberIds }: Pick<ErasedSubscribers, 'newsletterId' | 'subscriberIds'>,
): Promise<void> {
  for (const table of ['payment_event', 'stripe_difference'] as const)
    await sql`update ${sql.table(table)} t set body = null, customer = null
      where t.newsletter_id = ${newsletterId} and t.object_id in (${objectsOf(subscriberIds, newsletterId, table)})`.execute(
      tx,
    )
}

/**
 * SQL for the ids of all objects in a table that are about subscribers: what they bought, and whatever else is told of the same customers. Who
 * buys at Stripe without having shown that their address is theirs is a customer that only what they bought leads to.
 */
export function objectsOf(
  subscriberIds: readonly string[],
  newsletterId: string,
  table: 'payment_event' | 'stripe_difference',
) {
  const theirs = (of: 'subscription' | 'payment' | 'stripe_customer') => sql`
    select split_part(o.stripe_id, ':', 1) from ${sql.table(of)} o where o.newsletter_id = ${newsletterId}
      and o.subscriber_id = any(${subscriberIds}::uuid[]) and o.stripe_id is not null`
  const bought = sql`${theirs('subscription')} union all ${theirs('payment')}`
  return sql`
    ${bought} union all
    select e.object_id from ${sql.table(table)} e where e.newsletter_id = ${newsletterId} and e.customer in (
      ${theirs('stripe_customer')} union all
      select known.customer from payment_event known
      where known.newsletter_id = ${newsletterId} and known.object_id in (${bought}) and known.customer is not null
    )`
}
