import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import { enqueue } from '../../jobs/queue.ts'
import { type ChargingNewsletter, type SubscriptionRow, storeSubscription } from '../change.ts'
import { applyReturn, linkPayment } from '../payment-events/apply-payments.ts'
import { applyAnswer } from '../payment-events/ask.ts'
import { findCharging } from '../payment-events/newsletter.ts'
import { readRefund } from '../payment-events/read-payment.ts'
import { idOrNull } from '../payment-events/read-subscription.ts'
import { cancelAtStripe, refundPayment } from '../stripe/actions.ts'

type Acting = Pick<Context, 'db' | 'sealer' | 'config' | 'now' | 'log'>

export interface GivingBack {
  newsletterId: string
  paymentId: string
  /** In the smallest unit. */
  amount: number
  /** How much had been given back when it was decided: what somebody else gave back since then stops it. */
  seen: number
  /** Whether the subscription goes on, goes on until what was paid is over, or ends now. */
  access: 'goes_on' | 'period_end' | 'now'
}

/**
 * Gives a payment by card back at Stripe, in part or in all, and writes it into the books. Two who do so at the same moment wait for each
 * other, and the second hears that it was done.
 *
 * @throws AppError payment_not_found, given_back_meanwhile, and what `refundPayment` throws: then no money has moved
 */
export async function giveBack(context: Acting, giving: GivingBack): Promise<void> {
  const { newsletterId, paymentId, amount, seen, access } = giving
  const newsletter = await findCharging(context.db, newsletterId)
  if (!newsletter || !isUuid(paymentId)) throw new AppError('payment_not_found')
  const subscriptionId = await context.db.transaction().execute(async (tx) => {
    const payment = await tx
      .selectFrom('payment')
      .selectAll()
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', paymentId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const back = await tx
      .selectFrom('payment')
      .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
      .where('newsletter_id', '=', newsletterId)
      .where('refund_of', '=', paymentId)
      .executeTakeFirst()
    if (!payment?.stripe_id) throw new AppError('payment_not_found')
    if (-Number(back?.sum ?? 0) !== seen) throw new AppError('given_back_meanwhile')
    const refund = await refundPayment({ ...context, db: tx }, { newsletterId, paymentId }, amount)
    const paymentIntent = idOrNull(refund.payment_intent)
    if (paymentIntent) await linkPayment(tx, newsletterId, { invoice: payment.stripe_id, paymentIntent })
    await applyReturn(tx, newsletterId, { returned: readRefund(refund), now: context.now() })
    return payment.gift_id ? becameOf(tx, newsletterId, payment.gift_id) : payment.subscription_id
  })
  if (subscriptionId && access !== 'goes_on') await endAccess(context, { newsletter, subscriptionId, access })
}

/** The subscription that a gift opened; null when nobody has taken it. */
async function becameOf(tx: Db, newsletterId: string, giftId: string): Promise<string | null> {
  const query = tx.selectFrom('gift').select('subscription_id').where('newsletter_id', '=', newsletterId)
  return (await query.where('id', '=', giftId).executeTakeFirst())?.subscription_id ?? null
}

interface Ending {
  newsletter: ChargingNewsletter
  subscriptionId: string
  access: 'period_end' | 'now'
}

/** The money has gone back by now, so what Stripe does not do at once is done by a job. */
async function endAccess(context: Acting, { newsletter, subscriptionId, access }: Ending): Promise<void> {
  const { db, now } = context
  const key = { newsletterId: newsletter.id, subscriptionId }
  const row = await db
    .selectFrom('subscription')
    .selectAll()
    .where('newsletter_id', '=', newsletter.id)
    .where('id', '=', subscriptionId)
    .executeTakeFirst()
  if (!row || row.status === 'ended') return
  if (!row.stripe_id?.startsWith('sub_')) return endHere(context, newsletter, row)
  try {
    await applyAnswer({ db, now, newsletter }, await cancelAtStripe(context, key, { when: access }))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.log.warn({ err: error, subscriptionId }, 'a subscription that was given back is cancelled at Stripe later')
    const stripeIds = [row.stripe_id]
    await enqueue(db, 'cancel_at_stripe', { newsletterId: newsletter.id, test: row.test, stripeIds, when: access })
  }
}

/** What was bought once is no subscription at Stripe. */
const endHere = ({ db, now }: Acting, newsletter: ChargingNewsletter, row: SubscriptionRow): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await storeSubscription(tx, newsletter, { ...row, status: 'ended', ended_at: now(), at: now() })
  })
