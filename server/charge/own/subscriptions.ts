import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import { type SubscriptionRow, storeSubscription } from '../change.ts'
import { applyAnswer } from '../payment-events/ask.ts'
import { findCharging } from '../payment-events/newsletter.ts'
import { type Plan, PlanWords } from '../plans/contract.ts'
import { cancelAtStripe, resumeAtStripe } from '../stripe/actions.ts'

/** Why somebody cancels, as Stripe names it. */
export const cancelReasons = ['too_expensive', 'unused', 'low_quality', 'other'] as const
type CancelReason = (typeof cancelReasons)[number]

/** A subscription as its subscriber sees it. */
export interface OwnSubscription
  extends Pick<
    SubscriptionRow,
    'id' | 'way' | 'status' | 'test' | 'currency' | 'amount' | 'period' | 'paid_until' | 'renews' | 'past_due_since'
  > {
  words: Plan['words']
}

/** What a subscriber has bought or was given, without what has ended; the newest first. */
export async function listOwn(db: Db, { newsletterId, subscriberId }: SubscriberKey): Promise<OwnSubscription[]> {
  const rows = await db
    .selectFrom('subscription as s')
    .innerJoin('plan as p', (join) =>
      join.onRef('p.newsletter_id', '=', 's.newsletter_id').onRef('p.id', '=', 's.plan_id'),
    )
    .select(['s.id', 's.way', 's.status', 's.test', 's.currency', 's.amount', 's.period', 's.paid_until', 's.renews'])
    .select(['s.past_due_since', 'p.words'])
    .where('s.newsletter_id', '=', newsletterId)
    .where('s.subscriber_id', '=', subscriberId)
    .where('s.status', 'not in', ['ended', 'incomplete'])
    .orderBy('s.started_at', 'desc')
    .orderBy('s.id')
    .execute()
  return rows.map((row) => ({ ...row, words: PlanWords.parse(row.words) }))
}

interface OwnChange {
  /** As it came with the form. */
  subscriptionId: string
  to: 'cancel' | 'resume'
  reason: CancelReason | null
}

/**
 * Cancels a subscription at the end of what is paid for, or takes that back, at Stripe and here. Of somebody else nothing is changed.
 *
 * @throws AppError subscription_not_found, and what `cancelAtStripe` throws: then nothing is changed anywhere
 */
export async function changeOwn(
  context: Pick<Context, 'db' | 'sealer' | 'config' | 'now'>,
  { newsletterId, subscriberId }: SubscriberKey,
  { subscriptionId, to, reason }: OwnChange,
): Promise<void> {
  const { db, now } = context
  await requireOwn(db, { newsletterId, subscriberId }, subscriptionId)
  const newsletter = await findCharging(db, newsletterId)
  if (!newsletter) throw new AppError('subscription_not_found')
  const key = { newsletterId, subscriptionId }
  const answer =
    to === 'cancel'
      ? await cancelAtStripe(context, key, { when: 'period_end', feedback: reason })
      : await resumeAtStripe(context, key)
  await applyAnswer({ db, now, newsletter }, answer)
  await db.transaction().execute(async (tx) => {
    const row = await requireOwn(tx, { newsletterId, subscriberId }, subscriptionId)
    await storeSubscription(tx, newsletter, { ...row, cancel_reason: to === 'cancel' ? reason : null, at: now() })
  })
}

/** The subscription with this id when it is this subscriber's. @throws AppError subscription_not_found */
export async function requireOwn(
  db: Db,
  { newsletterId, subscriberId }: SubscriberKey,
  id: string,
): Promise<SubscriptionRow> {
  const row = isUuid(id)
    ? await db
        .selectFrom('subscription')
        .selectAll()
        .where('newsletter_id', '=', newsletterId)
        .where('subscriber_id', '=', subscriberId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (!row) throw new AppError('subscription_not_found')
  return row
}
