import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { CardPayment } from '../bookings/contract.ts'

interface BookingKey {
  newsletterId: string
  bookingId: string
}

type Row = Omit<CardPayment, 'at' | 'url'> & { at: Date; intent: string | null }

/** What a sponsor paid by card for a booking, the first payment first. */
export async function listCardPayments(db: Db, { newsletterId, bookingId }: BookingKey): Promise<CardPayment[]> {
  const back = (kind: 'refund' | 'dispute') => sql<number>`coalesce((select -sum(r.amount) from payment r
    where r.newsletter_id = p.newsletter_id and r.refund_of = p.id and r.kind = ${kind}), 0)::float8`
  const { rows } = await sql<Row>`
    select p.id, p.at, p.amount, p.currency, p.test, p.fee, ${back('refund')} as refunded, ${back('dispute')} as disputed,
      c.owed_at is not null as owed, p.stripe_payment_intent as intent
    from payment p left join booking_checkout c on c.newsletter_id = p.newsletter_id and c.stripe_id = p.stripe_id
    where p.newsletter_id = ${newsletterId} and p.booking_id = ${bookingId} and p.kind = 'payment' order by p.at, p.id`.execute(
    db,
  )
  return rows.map(({ at, intent, ...row }) => ({ ...row, at: at.toISOString(), url: intent && atStripe(intent, row) }))
}

const atStripe = (intent: string, { test }: { test: boolean }): string =>
  `https://dashboard.stripe.com/${test ? 'test/' : ''}payments/${encodeURIComponent(intent)}`

/** Whether a booking was paid by card and its money is still here: it goes back at Stripe, and not by a note. */
export async function hasCardMoney(db: Db, { newsletterId, bookingId }: BookingKey): Promise<boolean> {
  const query = db.selectFrom('booking_checkout').select('id').where('newsletter_id', '=', newsletterId)
  const paid = query.where('booking_id', '=', bookingId).where('paid_at', 'is not', null)
  return (await paid.where('returned_at', 'is', null).where('owed_at', 'is', null).executeTakeFirst()) !== undefined
}
