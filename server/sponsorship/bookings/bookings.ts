import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { containing } from '../../database/containing.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { dayAt } from '../days.ts'
import { listCardPayments } from '../payment/card-payments.ts'
import {
  type Booking,
  type BookingState,
  type CardPayment,
  type getBooking,
  invoiceDays,
  type listBookings,
} from './contract.ts'
import { type BookingFacts, holdingStates, possibleActs, shownState, waitingStates } from './state.ts'

export interface BookingKey {
  newsletterId: string
  bookingId: string
}

type Dates = 'heldUntil' | 'requestedAt' | 'invoicedAt' | 'paidAt' | 'refundedAt' | 'ranAt'
/** As it is stored, with its times. */
export type StoredBooking = Omit<Booking, Dates | 'acts' | 'state'> & { [Name in Dates]: Date | null } & {
  requestedAt: Date
  state: BookingState
}

export const factsOf = ({ state, amount, paidAt, refundedAt, owed, creative }: StoredBooking): BookingFacts => ({
  state,
  isPaid: paidAt !== null && refundedAt === null,
  isForNothing: amount === 0,
  isOwed: owed,
  hasCreative: creative !== null,
})

/** What was paid outside of here and is not noted as given back. */
export const leftOf = ({ amount, givenBack }: Pick<Booking, 'amount' | 'givenBack'>): number => amount - givenBack

type OfMoney = Pick<Booking, 'amount' | 'givenBack'> & { paidAt: unknown; refundedAt: unknown }

/** What was paid of a booking, by card or outside, and did not go back. */
function moneyHere(cardPayments: readonly CardPayment[], booking: OfMoney): number {
  const byCard = cardPayments.filter(({ owed }) => !owed)
  if (byCard.length > 0) return byCard.reduce((sum, one) => sum + one.amount - one.refunded - one.disputed, 0)
  return booking.paidAt !== null && booking.refundedAt === null ? leftOf(booking) : 0
}

/** Whether somebody waits for an answer or a payment, or has waited in vain. */
const isKept = (state: BookingState): boolean => state === 'requested' || state === 'accepted' || state === 'expired'

const shown = (row: StoredBooking): Booking => ({
  ...row,
  state: shownState(row.state, { isScheduled: row.publication !== null, isForNothing: row.amount === 0 }),
  heldUntil: isKept(row.state) ? (row.heldUntil?.toISOString() ?? null) : null,
  requestedAt: row.requestedAt.toISOString(),
  invoicedAt: row.invoicedAt?.toISOString() ?? null,
  paidAt: row.paidAt?.toISOString() ?? null,
  refundedAt: row.refundedAt?.toISOString() ?? null,
  ranAt: row.ranAt?.toISOString() ?? null,
  acts: possibleActs(factsOf(row)),
})

/** Of a booking `b` in the newsletter `n`: the first publication that is to be mailed on its day and has a slot of its placement. */
const scheduledWithSlot = sql`
  select jsonb_build_object('id', s.id, 'title', s.title, 'language', s.language) from publication s
  where s.newsletter_id = b.newsletter_id and s.state = 'scheduled' and s.channel = 'everywhere'
    and (s.scheduled_at at time zone n.timezone)::date = b.day
    and s.sponsor_slots @> jsonb_build_array(jsonb_build_object('placementId', b.placement_id))
  order by s.scheduled_at, s.id limit 1`

/** Whether one of its payments by card is so. The table is `b`. */
const hasCheckout = (column: 'owed_at' | 'disputed_at' | 'paid_at') =>
  sql<boolean>`exists (select from booking_checkout c where c.newsletter_id = b.newsletter_id and c.booking_id = b.id
    and ${sql.ref(`c.${column}`)} is not null and c.returned_at is null)`

/** Of a booking `b` that was made good: the days that took its place, one after the other. */
const later = sql`
  with recursive later as (
    select r.id, r.day, r.state, r.ran_at from booking r where r.newsletter_id = b.newsletter_id and r.makes_good = b.id
    union all
    select r.id, r.day, r.state, r.ran_at from booking r join later l on r.makes_good = l.id where r.newsletter_id = b.newsletter_id
  )`

/** Of a booking `b` that was made good: the day on which it ran later, else the one that its sponsor has now. Null once that was cancelled too. */
export const dayInstead = sql`
  ${later} select l.day from later l where l.state not in ('cancelled', 'made_good') or l.ran_at is not null
  order by l.ran_at is null, l.day desc limit 1`

/** Whether a booking `b` was not given another day, or that one stands, or it ran before. Else its sponsor owes nothing. */
const stillStands = sql`(b.state <> 'made_good' or b.ran_at is not null or (${dayInstead}) is not null)`

/** What a booking `b` was sold for. One that makes another good costs nothing itself: it has the price of the first, unless that ran before. */
const soldFor = sql`
  case when b.state = 'refunded' or b.state = 'made_good' and b.ran_at is null and (${dayInstead}) is not null then 0
  when b.makes_good is null then b.amount else (
    with recursive earlier as (
      select b.makes_good as id
      union all
      select o.makes_good from booking o join earlier e on o.id = e.id where o.newsletter_id = b.newsletter_id and o.makes_good is not null
    ) select case when bool_or(o.ran_at is not null) then 0 else coalesce(max(o.amount) filter (where o.state = 'made_good'), 0) end
      from booking o join earlier e on o.id = e.id
    where o.newsletter_id = b.newsletter_id) end`

/** Of a booking `b` of the placement `p`: how many days before it runs its words are due. No less time than was sold. */
const leadDays = sql`least(b.lead_days, p.lead_days)`

/** @param narrowed SQL after the condition on the newsletter, with the table as `b`: further conditions, order, limit, lock */
async function bookingsWhere(db: Db, newsletterId: string, narrowed: RawBuilder<unknown>): Promise<StoredBooking[]> {
  const { rows } = await sql<StoredBooking>`
    select b.id, b.placement_id as "placementId", to_char(b.day, 'YYYY-MM-DD') as day, b.seat, b.state, b.sponsor, b.contact, b.email,
      b.language, b.message, b.note, b.currency, b.amount, b.held_until as "heldUntil", ${soldFor} as "soldFor",
      '{"image": null}'::jsonb || b.creative as creative,
      (select count(*)::integer from booking_step s where s.newsletter_id = b.newsletter_id and s.booking_id = b.id
        and s.act = 'send_creative') as "creativeSent",
      greatest(b.max_words, p.max_words) as "maxWords", b.takes_image or p.takes_image as "takesImage",
      to_char(b.day - ${leadDays}, 'YYYY-MM-DD') as "creativeDue", b.requested_at as "requestedAt", b.invoiced_at as "invoicedAt",
      b.paid_at as "paidAt", b.refunded_at as "refundedAt", b.makes_good as "makesGood", b.link_version as "linkVersion",
      (select coalesce(sum(s.amount), 0)::float8 from booking_step s where s.newsletter_id = b.newsletter_id
        and s.booking_id = b.id) as "givenBack",
      b.report_version as "reportVersion", b.ran_at as "ranAt",
      case when b.state = 'approved' then (${scheduledWithSlot})
        else (select jsonb_build_object('id', r.id, 'title', r.title, 'language', r.language) from publication r
          where r.newsletter_id = b.newsletter_id and r.id = b.publication_id) end as publication,
      ${hasCheckout('owed_at')} as owed, ${hasCheckout('disputed_at')} as disputed
    from booking b join placement p on p.newsletter_id = b.newsletter_id and p.id = b.placement_id
      join newsletter n on n.id = b.newsletter_id
    where b.newsletter_id = ${newsletterId} ${narrowed}`.execute(db)
  return rows
}

/** A booking, locked until the transaction ends. @throws AppError booking_not_found */
export async function lockBooking(tx: Db, { newsletterId, bookingId }: BookingKey): Promise<StoredBooking> {
  if (!isUuid(bookingId)) throw new AppError('booking_not_found')
  // Apart from what reads it: a statement that waits for a lock goes on seeing the steps and payments from before it waited.
  await sql`select from booking where newsletter_id = ${newsletterId} and id = ${bookingId} for update`.execute(tx)
  const [row] = await bookingsWhere(tx, newsletterId, sql`and b.id = ${bookingId}`)
  if (!row) throw new AppError('booking_not_found')
  return row
}

/** The booking that was sold: the first of those which a booking makes good, or itself. */
export async function soldBooking(db: Db, newsletterId: string, booking: StoredBooking): Promise<StoredBooking> {
  if (!booking.makesGood) return booking
  const [before] = await bookingsWhere(db, newsletterId, sql`and b.id = ${booking.makesGood}`)
  return before ? soldBooking(db, newsletterId, before) : booking
}

/** Whether an invoice was noted and no payment. */
export const isUnpaidInvoice = ({ invoicedAt, paidAt }: { invoicedAt: unknown; paidAt: unknown }): boolean =>
  invoicedAt !== null && paidAt === null

const doesStand = async (db: Db, newsletterId: string, id: string): Promise<boolean> =>
  (await bookingsWhere(db, newsletterId, sql`and b.id = ${id} and ${stillStands}`)).length > 0

/** The day on which what was sold ran, be it one that took the place of another; null when it did not. Then its price stays what it was. */
export async function dayRun(db: Db, newsletterId: string, { id }: Pick<StoredBooking, 'id'>): Promise<string | null> {
  const { rows } = await sql<{ day: string }>`
    select to_char(coalesce((${later} select max(day) from later where ran_at is not null), case when b.ran_at is not null then b.day end), 'YYYY-MM-DD') as day
    from booking b where b.newsletter_id = ${newsletterId} and b.id = ${id}`.execute(db)
  return rows[0]?.day ?? null
}

/**
 * The day on which what was sold ran. Of a booking that makes another good: the one that was sold, as long as it stands and its invoice is not
 * paid, or its money is here and it did not run.
 */
async function findSale(db: Db, newsletterId: string, booking: StoredBooking) {
  const { id, day, currency, amount, ...sold } = await soldBooking(db, newsletterId, booking)
  const ranOn = await dayRun(db, newsletterId, { id })
  if (id === booking.id) return { ranOn, ranBefore: null, unpaidFor: null, paidFor: null }
  const left = moneyHere(await listCardPayments(db, { newsletterId, bookingId: id }), { amount, ...sold })
  return {
    ranOn,
    // Who got all of it back has no price that stays.
    ranBefore: sold.refundedAt ? null : ranOn,
    unpaidFor: isUnpaidInvoice(sold) && (await doesStand(db, newsletterId, id)) ? { id, currency, amount } : null,
    paidFor: left > 0 && !ranOn ? { id, day, currency, amount: left } : null,
  }
}

/** @throws AppError booking_not_found */
export const findBooking = async (db: Db, key: BookingKey): Promise<Booking> => shown(await findStored(db, key))

async function findStored(db: Db, { newsletterId, bookingId }: BookingKey): Promise<StoredBooking> {
  if (!isUuid(bookingId)) throw new AppError('booking_not_found')
  const [row] = await bookingsWhere(db, newsletterId, sql`and b.id = ${bookingId}`)
  if (!row) throw new AppError('booking_not_found')
  return row
}

/** A booking with what was done with it, in its order. @throws AppError booking_not_found */
export async function readBooking(
  db: Db,
  key: BookingKey,
): Promise<Omit<z.input<typeof getBooking.reply>, 'couldRunIn'>> {
  const stored = await findStored(db, key)
  const booking = shown(stored)
  const dayOf = sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day')
  const before = await db
    .selectFrom('booking')
    .select(dayOf)
    .where('newsletter_id', '=', key.newsletterId)
    .where('id', '=', booking.makesGood)
    .executeTakeFirst()
  const { rows } = await sql<{ id: string; day: string; stands: boolean }>`
    select l.id, to_char(l.day, 'YYYY-MM-DD') as day, l.state <> 'cancelled' as stands
    from booking b cross join lateral (
      ${later} select * from later where state <> 'made_good' or ran_at is not null
      order by state not in ('cancelled', 'made_good') desc, ran_at desc nulls last limit 1) l
    where b.newsletter_id = ${key.newsletterId} and b.id = ${booking.id}`.execute(db)
  const madeGoodBy = rows[0]
  const steps = await db
    .selectFrom('booking_step as s')
    .leftJoin('user as u', 'u.id', 's.user_id')
    .select(['s.booking_id as of', 's.at', 's.act', 's.state', 's.actor', 'u.name as by', 's.words', 's.amount'])
    .where('s.newsletter_id', '=', key.newsletterId)
    // That the day which was given was cancelled belongs to the story of the first one too.
    .where((or) =>
      or.or([
        or('s.booking_id', '=', key.bookingId),
        or.and([or('s.booking_id', '=', madeGoodBy?.id ?? null), or('s.act', '=', 'cancel')]),
      ]),
    )
    .orderBy('s.id')
    .execute()
  const cardPayments = await listCardPayments(db, key)
  return {
    ...booking,
    paidHere: moneyHere(cardPayments, booking),
    madeGoodBy: madeGoodBy ?? null,
    insteadOf: before?.day ?? null,
    ...(await findSale(db, key.newsletterId, stored)),
    cardPayments,
    steps: steps.map(({ of, act, ...step }) => ({
      ...step,
      act: of === booking.id ? act : 'other_day_cancelled',
      at: step.at.toISOString(),
      state: step.state as BookingState,
    })),
  }
}

/** Whether the day of a booking, which is still to come, was given up when all its money went back: its text does not run. */
export const wentWithMoney = (
  { state, day, steps }: Pick<Booking, 'state' | 'day'> & { steps: readonly { act: string }[] },
  today: string,
): boolean =>
  state === 'refunded' && day >= today && !steps.some(({ act }) => ['run', 'cancel', 'make_good'].includes(act))

/** Those that hold their slot or had it when they ran, between two days. */
export const listHeld = async (
  db: Db,
  newsletterId: string,
  { from, to }: { from: string; to: string },
): Promise<Booking[]> =>
  (
    await bookingsWhere(
      db,
      newsletterId,
      sql`and b.day between ${from}::date and ${to}::date and (b.state = any(${holdingStates}::text[]) or b.ran_at is not null)
        order by b.day, b.placement_id, b.seat`,
    )
  ).map(shown)

/** Those that hold a slot of a day, in the order of their seats. With `lock` until the transaction ends, and only those that can run. */
export const bookingsOfDay = (
  db: Db,
  newsletterId: string,
  { day, placementIds, lock }: { day: string; placementIds: readonly number[]; lock: boolean },
): Promise<StoredBooking[]> =>
  bookingsWhere(
    db,
    newsletterId,
    sql`and b.day = ${day}::date and b.placement_id = any(${placementIds}::integer[]) and b.state = any(${lock ? ['approved'] : holdingStates}::text[])
      order by b.placement_id, b.seat ${lock ? sql`for update of b` : sql``}`,
  )

/** What was not paid in half a year is a matter of the owner's books, and is not called due any more. */
const FORGOTTEN_DAYS = 180

/** How long it is said that a report is final and nobody could be mailed it, in days. */
const REPORT_DAYS = 14

/** Of a booking `b` that has run or will, or that got another day which stands: its invoice is older than its term, and not paid. */
const isUnpaid = (
  now: Date,
) => sql`b.state in ('invoiced', 'creative_in', 'changes_asked', 'approved', 'reported', 'made_good')
  and ${stillStands} and b.paid_at is null and b.amount > 0 and b.invoiced_at between ${now}::timestamptz - make_interval(days => ${FORGOTTEN_DAYS})
    and ${now}::timestamptz - make_interval(days => ${invoiceDays})`

/** Of a booking `b`: its money is here, by whatever way it came. */
const isPaid = sql`(b.paid_at is not null and b.refunded_at is null or ${hasCheckout('paid_at')})`

/** Of a booking `b` that was paid: the day that its sponsor got instead, or one after it, was cancelled too. */
const isTwiceCancelled = (today: string) => sql`b.state = 'made_good' and ${isPaid} and not ${stillStands} and exists (
  ${later} select from later where state = 'cancelled' and day >= ${today}::date)`

/** Of a booking `b`: its report has become final, and there was no address to mail it to. */
const isToHandOn = (now: Date) => sql`b.state = 'reported' and b.email is null and exists (
  select from booking_report r where r.newsletter_id = b.newsletter_id and r.booking_id = b.id
    and r.taken_at > ${now}::timestamptz - make_interval(days => ${REPORT_DAYS}))`

/** Of a booking `b`: its publication was cancelled before anybody got it. */
const reachedNobody = sql`exists (
  select from publication_status s
    left join publication_count c on c.newsletter_id = s.newsletter_id and c.publication_id = s.publication_id
  where s.newsletter_id = b.newsletter_id and s.publication_id = b.publication_id and s.status = 'cancelled'
    and coalesce(c.accepted, 0) = 0)`

type Asked = z.output<typeof listBookings.query>

/** Those with a part of the sponsor’s name, of the person there or of their address, the latest day first. */
export async function findBookingsBySponsor(
  db: Db,
  newsletterId: string,
  { search, limit }: { search: string; limit: number },
): Promise<Booking[]> {
  const part = containing(search)
  const named = sql`b.sponsor ~* ${part} or b.contact ~* ${part} or b.email ~* ${part}`
  return (await bookingsWhere(db, newsletterId, sql`and (${named}) order by b.day desc, b.id limit ${limit}`)).map(
    shown,
  )
}

/** A page of bookings. After what is no cursor there is nothing. */
export async function pageOfBookings(
  db: Db,
  newsletter: Pick<NewsletterRow, 'id' | 'timezone'>,
  { which, cursor, limit, now }: Asked & { now: Date },
): Promise<z.input<typeof listBookings.reply>> {
  const today = dayAt(newsletter, now)
  const chosen: Record<Asked['which'], RawBuilder<unknown>> = {
    all: sql``,
    due: sql`and (b.state in ('requested', 'creative_in') or b.day < ${today}::date and b.state = any(${waitingStates}::text[])
      or b.day >= ${today}::date and b.day - ${leadDays} < ${today}::date and b.state in ('invoiced', 'paid', 'changes_asked')
      or b.state = 'ran' and ${reachedNobody} or ${isUnpaid(now)} or ${isToHandOn(now)} or ${isTwiceCancelled(today)} or ${hasCheckout('owed_at')} or b.day >= ${today}::date and (
        b.state = any(${holdingStates}::text[]) and ${hasCheckout('disputed_at')} or b.state = 'cancelled' and ${isPaid}))`,
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
