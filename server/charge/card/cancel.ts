import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { enqueue } from '../../jobs/queue.ts'
import { dayIn } from '../../subscribers/leave.page.tsx'
import { lockSubscriber } from '../../subscribers/queries.ts'
import { type SubscriptionRow, storeSubscription } from '../change.ts'
import { applyAnswer } from '../payment-events/ask.ts'
import { findCharging } from '../payment-events/newsletter.ts'
import { findMailReader, renderReaderMail } from '../reader-mail.ts'
import { cancelAtStripe, type SubscriptionKey } from '../stripe/actions.ts'
import { findRow } from './act.ts'
import { BY_OWNER } from './win-back.ts'

/** Whether a subscription that Stripe charges can be cancelled at all. */
const canCancel = ({ way, status, stripe_id }: SubscriptionRow): boolean =>
  way === 'card' && status !== 'ended' && status !== 'incomplete' && stripe_id?.startsWith('sub_') === true

/**
 * Cancels a subscription that is paid by card in the name of the owner, and gives nothing back. Its subscriber is told once: the mail is queued in the
 * transaction that notes whose wish it was.
 *
 * @throws AppError subscription_not_found, not_cancellable, and what `cancelAtStripe` throws: then nothing is changed anywhere
 */
export async function cancelForOwner(
  context: Pick<Context, 'db' | 'sealer' | 'config' | 'signer' | 'now'>,
  key: SubscriptionKey,
  when: 'period_end' | 'now',
): Promise<void> {
  const { db, now } = context
  const newsletter = await findCharging(db, key.newsletterId)
  const row = newsletter && (await findRow(db, key))
  if (!row) throw new AppError('subscription_not_found')
  if (!canCancel(row)) throw new AppError('not_cancellable')
  await applyAnswer({ db, now, newsletter }, await cancelAtStripe(context, key, { when }))
  await db.transaction().execute(async (tx) => {
    const { subscriber_id: subscriberId } = row
    if (subscriberId) await lockSubscriber(tx, { newsletterId: key.newsletterId, subscriberId })
    const stored = await findRow(tx, key)
    if (!stored || (when === 'period_end' && stored.cancel_reason === BY_OWNER)) return
    await storeSubscription(tx, newsletter, { ...stored, cancel_reason: BY_OWNER, at: now() })
    const reader = await findMailReader(tx, context, { ...key, subscriberId, planId: stored.plan_id })
    if (!reader) return
    const date = stored.paid_until ? dayIn(reader, stored.paid_until) : ''
    const mail = renderReaderMail(context, reader, (t, part, named) =>
      t(`chargeMail.cancelled.${when}.${part}`, { ...named, date }),
    )
    await enqueue(tx, 'send_mail', mail)
  })
}
