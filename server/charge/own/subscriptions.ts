import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import type { SubscriberRow } from '../../subscribers/queries.ts'
import { actOnCard, type CardAct, canPause } from '../card/act.ts'
import { pauseMonths } from '../card/contract.ts'
import { BY_OWNER, findWinBack } from '../card/win-back.ts'
import type { SubscriptionRow } from '../change.ts'
import { type Plan, PlanWords } from '../plans/contract.ts'
import type { CouponRow } from '../stripe/coupons.ts'

/** Why somebody cancels, as Stripe names it. */
export const cancelReasons = ['too_expensive', 'unused', 'low_quality', 'other'] as const

/** A subscription as its subscriber sees it. */
export interface OwnSubscription
  extends Pick<
    SubscriptionRow,
    | 'id'
    | 'way'
    | 'status'
    | 'test'
    | 'currency'
    | 'amount'
    | 'discount'
    | 'period'
    | 'paid_until'
    | 'renews'
    | 'past_due_since'
    | 'resumes_at'
  > {
  words: Plan['words']
  /** Whether what was paid is over. */
  isOver: boolean
  /** For how many months it can be paused. */
  pauses: readonly number[]
  /** What one period costs from the next payment on, when that is otherwise. */
  nextAmount: number | null
  /** Whether they may take back a cancellation or a pause: what the owner has cancelled stays so. */
  mayGoOn: boolean
  /** What is offered to who stays after all. */
  offer: Pick<CouponRow, 'percent' | 'amount' | 'currency' | 'months'> | null
}

/** What a subscriber has bought or was given, without what has ended; the newest first. */
export async function listOwn(
  db: Db,
  { newsletterId, subscriberId }: SubscriberKey,
  now: Date,
): Promise<OwnSubscription[]> {
  const rows = await db
    .selectFrom('subscription as s')
    .innerJoin('plan as p', (join) =>
      join.onRef('p.newsletter_id', '=', 's.newsletter_id').onRef('p.id', '=', 's.plan_id'),
    )
    .leftJoin('price as n', (join) =>
      join.onRef('n.newsletter_id', '=', 's.newsletter_id').onRef('n.id', '=', 's.next_price_id'),
    )
    .selectAll('s')
    .select(['p.words', 'n.amount as nextAmount'])
    .where('s.newsletter_id', '=', newsletterId)
    .where('s.subscriber_id', '=', subscriberId)
    .where('s.status', 'not in', ['ended', 'incomplete'])
    .orderBy('s.started_at', 'desc')
    .orderBy('s.id')
    .execute()
  const shown = rows.map(async (row) => ({
    ...row,
    words: PlanWords.parse(row.words),
    isOver: row.paid_until !== null && row.paid_until <= now,
    nextAmount: row.nextAmount && Number(row.nextAmount),
    pauses: canPause(row) ? pauseMonths : [],
    mayGoOn: row.cancel_reason !== BY_OWNER,
    offer: await findWinBack(db, row, now),
  }))
  return Promise.all(shown)
}

/** Whether a payment of theirs is in the books, for themselves or for a gift. */
export async function hasPaid(db: Db, { newsletter_id, id, email, email_normalised }: SubscriberRow): Promise<boolean> {
  const { rows } = await sql`
    select from payment p where p.newsletter_id = ${newsletter_id} and (p.subscriber_id = ${id} or p.gift_id in (
      select g.gift_id from gift_order g where g.newsletter_id = ${newsletter_id}
        and lower(g.buyer_email) in (${email.toLowerCase()}, ${email_normalised})))
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Cancels, pauses or goes on with a subscription, at Stripe and here. Of somebody else nothing is changed.
 *
 * @param subscriptionId as it came with the form
 * @throws AppError as `actOnCard`: then nothing is changed anywhere
 */
export async function changeOwn(
  context: Pick<Context, 'db' | 'sealer' | 'config' | 'now'>,
  { newsletterId, subscriberId }: SubscriberKey,
  { subscriptionId, act }: { subscriptionId: string; act: CardAct },
): Promise<void> {
  const { cancel_reason } = await requireOwn(context.db, { newsletterId, subscriberId }, subscriptionId)
  if (cancel_reason === BY_OWNER) throw new AppError('no_offer')
  await actOnCard(context, { newsletterId, subscriptionId }, act)
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
