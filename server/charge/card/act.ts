import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import { type SubscriptionRow, storeSubscription } from '../change.ts'
import { applyAnswer } from '../payment-events/ask.ts'
import { findCharging } from '../payment-events/newsletter.ts'
import {
  cancelAtStripe,
  type Feedback,
  pauseAtStripe,
  resumeAtStripe,
  type SubscriptionKey,
  stayAtStripe,
} from '../stripe/actions.ts'
import type { pauseMonths } from './contract.ts'
import { findWinBack } from './win-back.ts'

/** What a subscriber or an owner does with a subscription that is paid by card. */
export type CardAct =
  | { to: 'cancel'; reason: Feedback | null }
  /** Takes back a cancellation or a pause. */
  | { to: 'resume' }
  | { to: 'pause'; months: (typeof pauseMonths)[number] }
  /** Takes back a cancellation for what is offered to who stays. */
  | { to: 'stay' }

/**
 * Whether a subscription can be paused: one by the month that goes on and is paid. Of a year Stripe can leave out the whole or nothing.
 */
export const canPause = (row: Pick<SubscriptionRow, 'way' | 'status' | 'period' | 'renews' | 'paid_until'>): boolean =>
  row.way === 'card' && row.status === 'active' && row.period === 'month' && row.renews && row.paid_until !== null

/**
 * Does it at Stripe and stores what Stripe answers.
 *
 * @throws AppError subscription_not_found, not_pausable, no_offer, and what `cancelAtStripe` throws: then nothing is changed anywhere
 */
export async function actOnCard(
  context: Pick<Context, 'db' | 'sealer' | 'config' | 'now'>,
  key: SubscriptionKey,
  act: CardAct,
): Promise<void> {
  const { db, now } = context
  if (act.to !== 'cancel') await refuseDeleted(db, key.newsletterId)
  const newsletter = await findCharging(db, key.newsletterId)
  const row = newsletter && (await findRow(db, key))
  if (!row) throw new AppError('subscription_not_found')
  await applyAnswer({ db, now, newsletter }, await atStripe(context, row, act))
  const cancel_reason = act.to === 'cancel' ? act.reason : null
  await db.transaction().execute(async (tx) => {
    const stored = await findRow(tx, key)
    if (stored) await storeSubscription(tx, newsletter, { ...stored, cancel_reason, at: now() })
  })
}

/** For a newsletter that was deleted nobody is charged, and what was cancelled stays so. */
async function refuseDeleted(db: Db, newsletterId: string): Promise<void> {
  const going = db.selectFrom('newsletter').select('id').where('deleted_at', 'is', null).where('id', '=', newsletterId)
  if (!(await going.executeTakeFirst())) throw new AppError('no_offer')
}

async function atStripe(
  context: Pick<Context, 'db' | 'sealer' | 'config' | 'now'>,
  row: SubscriptionRow,
  act: CardAct,
) {
  const key = { newsletterId: row.newsletter_id, subscriptionId: row.id }
  switch (act.to) {
    case 'cancel':
      return cancelAtStripe(context, key, { when: 'period_end', feedback: act.reason })
    case 'resume':
      return resumeAtStripe(context, key, { now: context.now() })
    case 'pause': {
      if (!canPause(row) || !row.paid_until) throw new AppError('not_pausable')
      return pauseAtStripe(context, key, { months: act.months })
    }
    case 'stay': {
      const coupon = await findWinBack(context.db, row, context.now())
      if (!coupon) throw new AppError('no_offer')
      return stayAtStripe(context, key, coupon)
    }
  }
}

/** The subscription as it is stored. */
export const findRow = (
  db: Db,
  { newsletterId, subscriptionId }: SubscriptionKey,
): Promise<SubscriptionRow | undefined> =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriptionId)
    .executeTakeFirst()
