import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { lockSubscriber } from '../subscribers/queries.ts'
import { type SubscriptionRow, storeSubscription } from './change.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    end_subscriptions_over: Record<string, unknown>
  }
}

const BATCH = 500

/**
 * Subscriptions whose time is over by more than the days of grace and which nobody renews: those that Stripe does not end, since it sold
 * them once or not at all. Reading ended on their day. The days are for a payment that an owner enters late.
 */
const isOver = (
  now: Date,
) => sql<boolean>`s.status <> 'ended' and not s.renews and (s.way <> 'card' or s.period = 'once')
  and s.paid_until < ${now}::timestamptz - n.grace_days * interval '24 hours'`

/** Ends what is over, so that it is no recurring revenue and takes no place any more. */
export const endSubscriptionsOverJob =
  ({ db, now }: Pick<Context, 'db' | 'now'>): Job<'end_subscriptions_over'> =>
  async () => {
    let found: Pick<SubscriptionRow, 'newsletter_id' | 'id' | 'subscriber_id'>[]
    do {
      found = (
        await sql<(typeof found)[number]>`
          select s.newsletter_id, s.id, s.subscriber_id from subscription s join newsletter n on n.id = s.newsletter_id
          where ${isOver(now())} order by s.paid_until limit ${BATCH}`.execute(db)
      ).rows
      for (const one of found) await endWhenOver({ db, now }, one)
    } while (found.length === BATCH)
  }

/** A payment that is entered meanwhile keeps it: its row is read again under the lock of its subscriber. */
const endWhenOver = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  {
    newsletter_id: newsletterId,
    id,
    subscriber_id: subscriberId,
  }: Pick<SubscriptionRow, 'newsletter_id' | 'id' | 'subscriber_id'>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (subscriberId) await lockSubscriber(tx, { newsletterId, subscriberId })
    const at = now()
    const { rows } = await sql<SubscriptionRow & { grace_days: number }>`
      select s.*, n.grace_days from subscription s join newsletter n on n.id = s.newsletter_id
      where s.newsletter_id = ${newsletterId} and s.id = ${id} and ${isOver(at)} for no key update of s`.execute(tx)
    const [row] = rows
    if (!row) return
    const { grace_days, ...subscription } = row
    const ended = { ...subscription, status: 'ended' as const, ended_at: subscription.paid_until, at }
    await storeSubscription(tx, { id: newsletterId, grace_days }, ended)
  })
