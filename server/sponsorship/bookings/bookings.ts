import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { dayAt } from '../days.ts'
import type { Booking, getBooking, listBookings } from './contract.ts'
import { type BookingFacts, holdingStates, possibleActs } from './state.ts'

export interface BookingKey {
  newsletterId: string
  bookingId: string
}

type Dates = 'heldUntil' | 'requestedAt' | 'invoicedAt' | 'paidAt' | 'refundedAt'
/** As it is stored, with its times. */
export type StoredBooking = Omit<Booking, Dates | 'acts'> & { [Name in Dates]: Date | null } & { requestedAt: Date }

export const factsOf = ({ state, paidAt, refundedAt, creative }: StoredBooking): BookingFacts => ({
  state,
  isPaid: paidAt !== null && refundedAt === null,
  hasCreative: creative !== null,
})

const shown = (row: StoredBooking): Booking => ({
  ...row,
  heldUntil: row.heldUntil?.toISOString() ?? null,
  requestedAt: row.requestedAt.toISOString(),
  invoicedAt: row.invoicedAt?.toISOString() ?? null,
  paidAt: row.paidAt?.toISOString() ?? null,
  refundedAt: row.refundedAt?.toISOString() ?? null,
  acts: possibleActs(factsOf(row)),
})

/** @param narrowed SQL after the condition on the newsletter, with the table as `b`: further conditions, order, limit, lock */
async function bookingsWhere(db: Db, newsletterId: string, narrowed: RawBuilder<unknown>): Promise<StoredBooking[]> {
  const { rows } = await sql<StoredBooking>`
    select b.id, b.placement_id as "placementId", to_char(b.day, 'YYYY-MM-DD') as day, b.seat, b.state, b.sponsor, b.contact, b.email,
      b.language, b.message, b.note, b.currency, b.amount, b.held_until as "heldUntil", b.creative,
      to_char(b.day - p.lead_days, 'YYYY-MM-DD') as "creativeDue", b.requested_at as "requestedAt", b.invoiced_at as "invoicedAt",
      b.paid_at as "paidAt", b.refunded_at as "refundedAt", b.makes_good as "makesGood", b.link_version as "linkVersion"
    from booking b join placement p on p.newsletter_id = b.newsletter_id and p.id = b.placement_id
    where b.newsletter_id = ${newsletterId} ${narrowed}`.execute(db)
  return rows
}

/** A booking, locked until the transaction ends. @throws AppError booking_not_found */
export async function lockBooking(tx: Db, { newsletterId, bookingId }: BookingKey): Promise<StoredBooking> {
  if (!isUuid(bookingId)) throw new AppError('booking_not_found')
  const [row] = await bookingsWhere(tx, newsletterId, sql`and b.id = ${bookingId} for update of b`)
  if (!row) throw new AppError('booking_not_found')
  return row
}

/** @throws AppError booking_not_found */
export async function findBooking(db: Db, { newsletterId, bookingId }: BookingKey): Promise<Booking> {
  if (!isUuid(bookingId)) throw new AppError('booking_not_found')
  const [row] = await bookingsWhere(db, newsletterId, sql`and b.id = ${bookingId}`)
  if (!row) throw new AppError('booking_not_found')
  return shown(row)
}

/** A booking with what was done with it, in its order. @throws AppError booking_not_found */
export async function readBooking(db: Db, key: BookingKey): Promise<z.input<typeof getBooking.reply>> {
  const booking = await findBooking(db, key)
  const steps = await db
    .selectFrom('booking_step')
    .select(['at', 'act', 'state', 'actor', 'words'])
    .where('newsletter_id', '=', key.newsletterId)
    .where('booking_id', '=', key.bookingId)
    .orderBy('id')
    .execute()
  return {
    ...booking,
    steps: steps.map((step) => ({ ...step, at: step.at.toISOString(), state: step.state as Booking['state'] })),
  }
}

/** Those that hold their slot, between two days. */
export const listHeld = async (
  db: Db,
  newsletterId: string,
  { from, to }: { from: string; to: string },
): Promise<Booking[]> =>
  (
    await bookingsWhere(
      db,
      newsletterId,
      sql`and b.day between ${from}::date and ${to}::date and b.state = any(${holdingStates}::text[])
        order by b.day, b.placement_id, b.seat`,
    )
  ).map(shown)

type Asked = z.output<typeof listBookings.query>

/** A page of bookings. After what is no cursor there is nothing. */
export async function pageOfBookings(
  db: Db,
  newsletter: Pick<NewsletterRow, 'id' | 'timezone'>,
  { which, cursor, limit, now }: Asked & { now: Date },
): Promise<z.input<typeof listBookings.reply>> {
  const today = dayAt(newsletter, now)
  const chosen: Record<Asked['which'], RawBuilder<unknown>> = {
    all: sql``,
    due: sql`and b.state in ('requested', 'creative_in')`,
    coming: sql`and b.day >= ${today}::date and b.state = any(${holdingStates}::text[])`,
    over: sql`and (b.day < ${today}::date or b.state <> all(${holdingStates}::text[]))`,
  }
  const isUpwards = which === 'due' || which === 'coming'
  const order = isUpwards ? sql`asc` : sql`desc`
  const last = sql`(select l.day, l.id from booking l where l.newsletter_id = ${newsletter.id} and l.id = ${cursor ?? null})`
  const after = isUpwards ? sql`and (b.day, b.id) > ${last}` : sql`and (b.day, b.id) < ${last}`
  const begun = cursor === undefined ? sql`` : isUuid(cursor) ? after : sql`and false`
  const found = await bookingsWhere(
    db,
    newsletter.id,
    sql`${chosen[which]} ${begun} order by b.day ${order}, b.id ${order} limit ${limit + 1}`,
  )
  const rows = found.slice(0, limit)
  return { rows: rows.map(shown), next: found.length > limit ? (rows.at(-1)?.id ?? null) : null }
}
