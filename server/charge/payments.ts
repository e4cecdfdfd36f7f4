import type { Insertable } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Payment } from '../database/types.ts'

/**
 * The only writer of the books. A payment, a refund and a dispute are each a row of their own; refunds and disputes are negative, and
 * their tax and fee with them. Said again by Stripe, a row stays as it is, but for a fee that was not known before.
 *
 * @returns whether it is new
 */
export async function storePayment(
  tx: Db,
  newsletterId: string,
  payment: Omit<Insertable<Payment>, 'newsletter_id'>,
): Promise<boolean> {
  const row = { ...payment, newsletter_id: newsletterId }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('payment')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['newsletter_id', 'stripe_id']).where('stripe_id', 'is not', null).doNothing(),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return true
  if (payment.stripe_id && payment.fee)
    await tx
      .updateTable('payment')
      .set({ fee: payment.fee })
      .where('newsletter_id', '=', newsletterId)
      .where('stripe_id', '=', payment.stripe_id)
      .where('fee', '=', 0)
      .execute()
  return false
}
