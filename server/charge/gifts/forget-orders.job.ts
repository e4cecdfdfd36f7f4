import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/queue.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    forget_gift_orders: Record<string, unknown>
  }
}

/** After the day of the mail, or of the payment where there is none. */
const ADDRESS_DAYS = 90
/** A payment that takes its time, such as by debit, is there by then. */
const UNPAID_DAYS = 30

/** Forgets who bought a gift and for whom, and orders that nobody paid. The code and the payment stay. */
export const forgetGiftOrdersJob =
  ({ db, now }: Pick<Context, 'db' | 'now'>): Job<'forget_gift_orders'> =>
  async () => {
    const daysAgo = (days: number) => new Date(now().getTime() - days * 86_400_000)
    await sql`
      update gift_order set buyer_email = null, recipient_email = null, recipient_name = '', message = ''
      where paid_at is not null and coalesce(mail_at, paid_at) < ${daysAgo(ADDRESS_DAYS)}
        and (buyer_email is not null or recipient_email is not null)`.execute(db)
    await sql`delete from gift_order where paid_at is null and created_at < ${daysAgo(UNPAID_DAYS)}`.execute(db)
  }
