import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Subscription } from '../database/types.ts'
import { enqueue } from '../jobs/queue.ts'
import { lockSubscriber } from '../subscribers/queries.ts'
import { entitlementsOf } from './entitlement.ts'
import { movementsOf, type Payer } from './revenue.ts'

/**
 * The only writer of subscriptions, of what they entitle to and of how they move the recurring revenue. Whatever says that a subscription
 * is otherwise than before — Stripe, a member, a file, the clock — goes through here, in one transaction.
 */

export type SubscriptionRow = Selectable<Subscription>

/** The newsletter with what its owner decided about renewals that fail. */
export interface ChargingNewsletter {
  id: string
  grace_days: number
}

/**
 * Stores a subscription as it is from `at` on, and what follows of it: the entitlements of its subscriber, and how it moved the recurring
 * revenue. Storing the same again changes nothing. `tx` is a transaction: changes of one subscriber wait for each other in it.
 *
 * @returns the row as it was before, or null when it is new
 */
export async function storeSubscription(
  tx: Db,
  newsletter: ChargingNewsletter,
  { at, ...subscription }: Omit<Insertable<Subscription>, 'newsletter_id' | 'changed_at'> & { at: Date },
): Promise<SubscriptionRow | null> {
  const { id, subscriber_id: subscriberId } = subscription
  if (subscriberId) await lockSubscriber(tx, { newsletterId: newsletter.id, subscriberId })
  const before = await findSubscription(tx, newsletter.id, id)
  const values = { ...subscription, newsletter_id: newsletter.id, changed_at: at }
  const after = await tx
    .insertInto('subscription')
    .values(values)
    .onConflict((conflict) => conflict.columns(['newsletter_id', 'id']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
  await noteMovements(tx, { before, after, at })
  if (after.subscriber_id) await keepEntitlements(tx, newsletter, [after.subscriber_id])
  return before
}

/** With its lock, so that nobody else changes it until the transaction ends. */
const findSubscription = async (tx: Db, newsletterId: string, id: string): Promise<SubscriptionRow | null> =>
  (await tx
    .selectFrom('subscription')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()) ?? null

interface Change {
  before: SubscriptionRow | null
  after: SubscriptionRow
  at: Date
}

async function noteMovements(tx: Db, { before, after, at }: Change): Promise<void> {
  const { newsletter_id, id, plan_id, test } = after
  const movements = movementsOf(before, after, await payerOf(tx, after))
  if (movements.length === 0) return
  await tx
    .insertInto('revenue_change')
    .values(movements.map((movement) => ({ ...movement, newsletter_id, subscription_id: id, plan_id, test, at })))
    .execute()
}

/** Whether the subscriber of a subscription is recurring revenue with another one, or has ever been. */
async function payerOf(tx: Db, { newsletter_id, id, subscriber_id, test }: SubscriptionRow): Promise<Payer> {
  const { rows } = await sql<{ beside: boolean }>`
    select s.id <> ${id} and s.test = ${test} and sum(r.yearly) > 0 as beside
    from revenue_change r join subscription s on s.newsletter_id = r.newsletter_id and s.id = r.subscription_id
    where r.newsletter_id = ${newsletter_id} and (s.id = ${id} or s.subscriber_id = ${subscriber_id})
    group by s.id, s.test, r.currency`.execute(tx)
  if (rows.some(({ beside }) => beside)) return 'beside'
  return rows.length > 0 ? 'before' : 'never'
}

/**
 * Ends every subscription of people who are erased, and forgets what members wrote beside them. The rows stay in the books without
 * their person.
 */
export async function endSubscriptionsOf(
  tx: Db,
  { newsletterId, subscriberIds }: { newsletterId: string; subscriberIds: readonly string[] },
): Promise<void> {
  const theirs = await tx
    .selectFrom('subscription')
    .innerJoin('newsletter', 'newsletter.id', 'subscription.newsletter_id')
    .selectAll('subscription')
    .select('newsletter.grace_days')
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', 'in', subscriberIds)
    .execute()
  await cancelTheirCards(tx, newsletterId, theirs)
  const now = new Date()
  for (const { grace_days, ...subscription } of theirs) {
    const ending = subscription.status === 'ended' ? {} : { status: 'ended' as const, ended_at: now }
    const change = { ...subscription, ...ending, note: '', cancel_reason: null, at: now }
    await storeSubscription(tx, { id: newsletterId, grace_days }, change)
  }
  await forgetNotes(tx, { newsletterId, subscriberIds })
}

/** What was noted beside a payment or a gift may name its person, and is not what the books are kept for. */
async function forgetNotes(
  tx: Db,
  { newsletterId, subscriberIds }: { newsletterId: string; subscriberIds: readonly string[] },
) {
  await tx
    .updateTable('payment')
    .set({ note: '' })
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', 'in', subscriberIds)
    .where('note', '<>', '')
    .execute()
  await tx
    .updateTable('gift')
    .set({ note: '' })
    .where('newsletter_id', '=', newsletterId)
    .where('subscription_id', 'in', (from) =>
      from
        .selectFrom('subscription')
        .select('id')
        .where('newsletter_id', '=', newsletterId)
        .where('subscriber_id', 'in', subscriberIds),
    )
    .execute()
}

/** So that the card of nobody who is erased is charged again. Stripe may be away, so a job sees to it. */
async function cancelTheirCards(tx: Db, newsletterId: string, theirs: SubscriptionRow[]): Promise<void> {
  const live = theirs.filter(({ status, stripe_id }) => status !== 'ended' && stripe_id?.startsWith('sub_'))
  for (const [test, rows] of Map.groupBy(live, (row) => row.test)) {
    const stripeIds = rows.flatMap(({ stripe_id }) => stripe_id ?? [])
    await enqueue(tx, 'cancel_at_stripe', { newsletterId, test, stripeIds })
  }
}

/** Works out anew what subscribers may read. To be called when a subscription of theirs or the days of grace have changed. */
export async function keepEntitlements(
  tx: Db,
  newsletter: ChargingNewsletter,
  subscriberIds: readonly string[],
): Promise<void> {
  const rows = await tx
    .selectFrom('subscription')
    .select(['subscriber_id', 'plan_id', 'status', 'paid_until', 'renews', 'past_due_since', 'ended_at'])
    .where('newsletter_id', '=', newsletter.id)
    .where('subscriber_id', 'in', subscriberIds)
    .execute()
  const subscriptions = Map.groupBy(rows, (row) => row.subscriber_id)
  const entitlements = [...subscriptions].flatMap(([subscriberId, theirs]) => {
    const facts = theirs.map((row) => ({
      planId: row.plan_id,
      status: row.status,
      paidUntil: row.paid_until,
      renews: row.renews,
      pastDueSince: row.past_due_since,
      endedAt: row.ended_at,
    }))
    const plans = [...entitlementsOf(facts, newsletter.grace_days)]
    return plans.map(([planId, until]) => ({
      subscriberId,
      planId,
      until: until === 'for good' ? 'infinity' : until.toISOString(),
    }))
  })
  await sql`
    with kept as (
      select * from unnest(${entitlements.map(({ subscriberId }) => subscriberId)}::uuid[],
        ${entitlements.map(({ planId }) => planId)}::integer[], ${entitlements.map(({ until }) => until)}::timestamptz[]
      ) as k (subscriber_id, plan_id, until)
    ),
    gone as (
      delete from entitlement e where e.newsletter_id = ${newsletter.id} and e.subscriber_id = any(${subscriberIds}::uuid[])
        and not exists (select from kept k where k.subscriber_id = e.subscriber_id and k.plan_id = e.plan_id)
    )
    insert into entitlement as e (newsletter_id, subscriber_id, plan_id, until)
    select ${newsletter.id}, subscriber_id, plan_id, until from kept
    on conflict (newsletter_id, subscriber_id, plan_id) do update set until = excluded.until
    where e.until <> excluded.until`.execute(tx)
}

/** The plans that a subscriber may read at a moment. */
export async function readablePlans(
  db: Db,
  { newsletterId, subscriberId }: { newsletterId: string; subscriberId: string },
  at: Date,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('entitlement')
    .select('plan_id')
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', '=', subscriberId)
    .where('until', '>', at)
    .execute()
  return new Set(rows.map(({ plan_id }) => plan_id))
}
