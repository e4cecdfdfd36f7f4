import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { isUuid, uuidv7 } from '../../database/ids.ts'
import { enqueueAt } from '../../jobs/queue.ts'
import type { ChargingNewsletter } from '../change.ts'
import type { StatedPurchase } from '../payment-events/read-payment.ts'
import { storePayment } from '../payments.ts'
import { newCode } from './code.ts'
import type { OrderRow } from './orders.ts'

/**
 * Makes the code of a gift that is paid, writes the payment into the books, and queues the mails, in one transaction with the mark that the event was
 * applied. Said again, nothing is made twice.
 */
export async function applyGiftOrder(
  tx: Db,
  newsletter: ChargingNewsletter,
  { purchase: { names, ...purchase }, now }: { purchase: StatedPurchase; now: Date },
): Promise<'stored' | 'not_ours' | 'order_unknown'> {
  if (names.newsletter !== newsletter.id) return 'not_ours'
  const order = await lockOrder(tx, newsletter.id, names.gift)
  // Whoever may write in the account can write any name there.
  if (!order || order.test !== purchase.test || (order.paid_at && order.stripe_id !== purchase.stripeId))
    return 'order_unknown'
  const giftId = order.gift_id ?? (await makeGift(tx, order, { purchase, now }))
  await storePayment(tx, newsletter.id, {
    ...{
      id: uuidv7(purchase.at.getTime()),
      gift_id: giftId,
      plan_id: order.plan_id,
      kind: 'payment',
      test: order.test,
    },
    ...{ at: purchase.at, currency: purchase.currency, amount: purchase.amount, tax: purchase.tax },
    // What it was besides a card, only the charge says: the nightly comparison reads it with the fee.
    ...{ country: purchase.country, means: 'card', source: 'gift' },
    ...{ stripe_id: purchase.stripeId, stripe_payment_intent: purchase.paymentIntent },
  })
  return 'stored'
}

async function lockOrder(tx: Db, newsletterId: string, id: string | null): Promise<OrderRow | undefined> {
  if (id === null || !isUuid(id)) return undefined
  const query = tx.selectFrom('gift_order').selectAll().where('newsletter_id', '=', newsletterId)
  return query.where('id', '=', id).forUpdate().executeTakeFirst()
}

type Paid = Omit<StatedPurchase, 'names'>

async function makeGift(tx: Db, order: OrderRow, { purchase, now }: { purchase: Paid; now: Date }): Promise<string> {
  const { newsletter_id: newsletterId, id: orderId, plan_id, months, mail_at: mailAt } = order
  const id = uuidv7(now.getTime())
  const gift = { newsletter_id: newsletterId, id, code: newCode(), plan_id, months, created_at: now }
  await tx.insertInto('gift').values(gift).execute()
  await tx
    .updateTable('gift_order')
    .set({ paid_at: purchase.at, gift_id: id, stripe_id: purchase.stripeId })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', orderId)
    .execute()
  await queueGiftMail(tx, { newsletterId, orderId, to: 'buyer' }, null)
  if (mailAt) await queueGiftMail(tx, { newsletterId, orderId, to: 'recipient' }, mailAt > now ? mailAt : null)
  return id
}

/** Queues a mail of an order, in the place of the same one that waits. @param runAt null: now */
export const queueGiftMail = (
  tx: Db,
  payload: { newsletterId: string; orderId: string; to: 'buyer' | 'recipient' },
  runAt: Date | null,
): Promise<void> =>
  enqueueAt(tx, 'mail_bought_gift', { payload, runAt, key: `bought gift ${payload.orderId} ${payload.to}` })

/**
 * A gift that nobody has taken goes back with its money, and comes again when a refund failed or a dispute was won: what is in the books says so, in
 * whatever order it came there. What was taken is ended only where an owner says so with the refund.
 */
export async function settleReturnedGift(
  tx: Db,
  newsletterId: string,
  { giftId, now }: { giftId: string; now: Date },
): Promise<void> {
  const order = await tx
    .selectFrom('gift_order')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('gift_id', '=', giftId)
    .forUpdate()
    .executeTakeFirst()
  if (!order) return
  const { rows } = await sql<{ left: number }>`
    select coalesce(sum(amount), 0)::float8 as left from payment
    where newsletter_id = ${newsletterId} and gift_id = ${giftId}`.execute(tx)
  const isReturned = (rows[0]?.left ?? 0) <= 0
  if (isReturned === (order.returned_at !== null)) return
  await tx
    .updateTable('gift_order')
    .set({ returned_at: isReturned ? now : null })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', order.id)
    .execute()
  await tx
    .updateTable('gift')
    .set({ withdrawn_at: isReturned ? sql<Date>`coalesce(withdrawn_at, ${now})` : null })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', giftId)
    .where('redeemed_at', 'is', null)
    .execute()
}
