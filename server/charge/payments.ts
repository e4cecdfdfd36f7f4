import { type Insertable, sql } from 'kysely'
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

interface Charged {
  paymentIntent: string
  /** Null while it is not known. */
  fee: number | null
  means?: string
  country?: string | null
}

/** Adds to a payment by card what its charge says later: the fee, and with it the means and the country, which are also those of its refunds. */
export async function completePayment(db: Db, newsletterId: string, charged: Charged): Promise<void> {
  const { paymentIntent, fee, means, country } = charged
  if (fee === null) return
  await sql`
    with paid as (
      update payment set fee = ${fee}, means = coalesce(${means ?? null}, means), country = coalesce(country, ${country ?? null})
      where newsletter_id = ${newsletterId} and stripe_payment_intent = ${paymentIntent} and kind = 'payment' and fee = 0
      returning id, means, country
    )
    update payment r set means = paid.means, country = paid.country from paid
    where r.newsletter_id = ${newsletterId} and r.refund_of = paid.id`.execute(db)
}
