import { sql, type UpdateObject } from 'kysely'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { enqueue } from '../../jobs/queue.ts'
import { sponsorshipLimits } from '../contract.ts'
import { lockDays } from '../days.ts'
import { lockPlacement, type PlacementKey } from '../placements.ts'
import { type BookingKey, factsOf, leftOf, lockBooking } from './bookings.ts'
import type { BookingAct, BookingState, Creative, MoneyNote } from './contract.ts'
import { afterAct, holdingStates, holdsSlot } from './state.ts'

/** How long a request keeps its slot without an answer, and an accepted one without a payment, in milliseconds; at most until its day is over. */
const ANSWER_MS = 48 * 3_600_000
const PAYMENT_MS = 7 * 24 * 3_600_000

declare module '../../jobs/queue.ts' {
  interface Jobs {
    close_booking_checkouts: { newsletterId: string; bookingId: string }
  }
}

type Actor = 'member' | 'sponsor' | 'system'

/** One act of somebody. */
export interface Step {
  act: BookingAct
  actor: Actor
  /** The member, where it was done with their account. */
  userId?: string | null
  at: Date
  words?: string
  /** With `send_creative`. */
  creative?: Creative
  /** With `run`, where it ran by itself. */
  where?: { publicationId: string; shortLinkId: string | null }
}

/**
 * THE ONE WRITER of a booking's state, under the lock of its row. What it did is kept beside it. A booking that comes back to a slot takes
 * a seat that is free.
 *
 * @throws AppError booking_not_found, booking_moved_on when the act is not possible in its state, slot_taken
 */
export async function changeBooking(tx: Db, key: BookingKey, step: Step): Promise<void> {
  const booking = await lockBooking(tx, key)
  const state = afterAct(factsOf(booking), step.act)
  if (state === null) throw new AppError('booking_moved_on', { detail: { state: booking.state } })
  const slot = { newsletterId: key.newsletterId, placementId: booking.placementId, day: booking.day }
  const returns = holdsSlot(state) && !holdsSlot(booking.state)
  const seat = returns ? await takeSeat(tx, slot) : booking.seat
  await tx
    .updateTable('booking')
    .set({ state, seat, ...valuesOf(step, slot) })
    .where('newsletter_id', '=', key.newsletterId)
    .where('id', '=', key.bookingId)
    .where('state', '=', booking.state)
    .execute()
  const isByHand = step.act === 'refund' && step.actor === 'member'
  await keepStep(tx, key, { ...step, state, ...(isByHand && { amount: leftOf(booking) }) })
  // A member who gives the slot, or another day, settles with it what came by card before.
  const settles = step.actor === 'member' && (step.act === 'pay' || step.act === 'make_good')
  if (settles && booking.owed && !holdsSlot(booking.state)) await settleOwed(tx, key, step.at)
  if (closing.includes(step.act)) await closeCheckouts(tx, key, step.at)
}

/** Notes what happened to the money of a booking that stays in its state. */
export async function noteOnBooking(
  tx: Db,
  key: BookingKey,
  note: { act: MoneyNote; actor: Actor; at: Date } & Pick<Kept, 'userId' | 'words' | 'amount'>,
): Promise<void> {
  const { state } = await lockBooking(tx, key)
  await keepStep(tx, key, { ...note, state })
}

/** After these nobody shall pay on a page of Stripe that is still open. */
const closing: readonly BookingAct[] = ['cancel', 'withdraw', 'make_good', 'pay']

async function closeCheckouts(tx: Db, key: BookingKey, at: Date): Promise<void> {
  const open = await tx
    .selectFrom('booking_checkout')
    .select('id')
    .where('newsletter_id', '=', key.newsletterId)
    .where('booking_id', '=', key.bookingId)
    .where('paid_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  if (open) await enqueue(tx, 'close_booking_checkouts', key)
}

/** The money that had no slot is now what was paid for the booking, so that it can be given back as such. */
async function settleOwed(tx: Db, { newsletterId, bookingId }: BookingKey, at: Date): Promise<void> {
  await tx
    .updateTable('booking_checkout')
    .set({ owed_at: null })
    .where('newsletter_id', '=', newsletterId)
    .where('booking_id', '=', bookingId)
    .where('owed_at', 'is not', null)
    .execute()
  await tx
    .updateTable('booking')
    .set({ paid_at: at, refunded_at: null })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', bookingId)
    .execute()
}

/** What an act changes besides the state. */
function valuesOf({ act, at, creative, where }: Step, slot: Slot): UpdateObject<DB, 'booking'> {
  switch (act) {
    case 'accept':
      return { held_until: heldUntil(slot, at, PAYMENT_MS) }
    case 'invoice':
      return { invoiced_at: at, held_until: null }
    case 'pay':
      return { paid_at: at, refunded_at: null, held_until: null }
    case 'refund':
      return { refunded_at: at }
    case 'run':
      return where
        ? { ran_at: at, publication_id: where.publicationId, short_link_id: where.shortLinkId }
        : { ran_at: beginningOf(slot) }
    case 'send_creative':
      return creative ? { creative: JSON.stringify(creative) } : {}
    default:
      return {}
  }
}

/** The hour at which something ran that was noted by hand is not known: its days are counted from the beginning of the first. */
const beginningOf = ({ newsletterId, day }: Slot) =>
  sql<Date>`(select ${day}::date::timestamp at time zone timezone from newsletter where id = ${newsletterId})`

interface Kept extends Pick<Step, 'actor' | 'userId' | 'at' | 'words'> {
  act: BookingAct | MoneyNote | 'enter'
  state: BookingState
  /** What a member gave back with it. */
  amount?: number | null
}

async function keepStep(
  tx: Db,
  { newsletterId, bookingId }: BookingKey,
  { act, actor, userId = null, at, words = '', state, amount = null }: Kept,
): Promise<void> {
  await tx
    .insertInto('booking_step')
    .values({
      ...{ newsletter_id: newsletterId, booking_id: bookingId, user_id: userId },
      ...{ at, act, state, actor, words, amount },
    })
    .execute()
}

interface Slot extends PlacementKey {
  day: string
}

/**
 * So long from a moment on, or until the last minute of the day on which the text is due where that is earlier: a slot that nobody can write
 * for any more is kept for nobody. Who is accepted after that minute has until the last one of the slot's day.
 */
const heldUntil = ({ newsletterId, placementId, day }: Slot, at: Date, lastsMs: number) => sql<Date>`(
  select least(${new Date(at.getTime() + lastsMs)}::timestamptz, case when d.due > ${at}::timestamptz then d.due else d.out end)
  from newsletter n join placement p on p.newsletter_id = n.id and p.id = ${placementId},
    lateral (select (${day}::date + 1 - p.lead_days)::timestamp at time zone n.timezone - interval '1 minute' as due,
      (${day}::date + 1)::timestamp at time zone n.timezone - interval '1 minute' as out) d
  where n.id = ${newsletterId})`

/**
 * The first free seat of a slot. Whoever takes one holds the lock of the placement, so two never get the same; the index `booking_slot`
 * would refuse the second.
 *
 * @throws AppError slot_taken, placement_not_found
 */
async function takeSeat(tx: Db, slot: Slot): Promise<number> {
  await lockPlacement(tx, slot)
  const seat = await findFreeSeat(tx, slot)
  if (seat === null) throw new AppError('slot_taken')
  return seat
}

/** The first free seat of a slot, as it is now; null when it is taken. */
export async function findFreeSeat(db: Db, { newsletterId, placementId, day }: Slot): Promise<number | null> {
  const { rows } = await sql<{ seat: number }>`
    select s.seat from placement p cross join lateral generate_series(1, p.seats::integer) as s (seat)
    where p.newsletter_id = ${newsletterId} and p.id = ${placementId}
      and not exists (select from booking b where b.newsletter_id = ${newsletterId} and b.placement_id = ${placementId}
        and b.day = ${day}::date and b.seat = s.seat and b.state = any(${holdingStates}::text[]))
    order by s.seat limit 1`.execute(db)
  return rows[0]?.seat ?? null
}

export interface NewBooking extends Slot {
  /** `accepted` was agreed by hand and does not lapse; `paid` makes good. */
  state: 'requested' | 'accepted' | 'paid'
  sponsor: string
  contact: string
  email: string | null
  language: 'en' | 'fr'
  message?: string
  note?: string
  currency: string
  amount: number
  creative?: Creative | null
  makesGood?: string
  /** Where it was decided before; a new one otherwise. */
  id?: string
  /** How many requests of its address may wait at once. */
  mostOpen?: number
  actor: Actor
  /** The member, where it was done with their account. */
  userId?: string | null
  at: Date
}

/**
 * Stores a booking that holds its slot, and returns its id.
 *
 * @throws AppError slot_taken, placement_not_found, placement_closed, too_many_bookings
 */
export async function insertBooking(tx: Db, booking: NewBooking): Promise<string> {
  const { newsletterId, placementId, day, state, at } = booking
  await lockDays(tx, newsletterId)
  await requireRoom(tx, newsletterId)
  if (booking.mostOpen !== undefined) await requireFewOpen(tx, booking, booking.mostOpen)
  const { closed_at, seats: _, ...offered } = await lockPlacement(tx, booking)
  if (closed_at) throw new AppError('placement_closed')
  const id = booking.id ?? uuidv7(at.getTime())
  await tx
    .insertInto('booking')
    .values({
      newsletter_id: newsletterId,
      id,
      placement_id: placementId,
      day: sql<Date>`${day}::date`,
      seat: await takeSeat(tx, booking),
      state,
      sponsor: booking.sponsor,
      contact: booking.contact,
      email: booking.email,
      language: booking.language,
      message: booking.message ?? '',
      note: booking.note ?? '',
      currency: booking.currency,
      amount: booking.amount,
      held_until: state === 'requested' ? heldUntil(booking, at, ANSWER_MS) : null,
      creative: booking.creative ? JSON.stringify(booking.creative) : null,
      makes_good: booking.makesGood ?? null,
      ...((await soldTerms(tx, booking)) ?? offered),
      requested_at: at,
    })
    .execute()
  const { actor, userId = null } = booking
  await keepStep(tx, { newsletterId, bookingId: id }, { act: 'enter', state, actor, userId, at })
  return id
}

/** What the sponsor of a booking that makes another good has bought already. */
const soldTerms = (tx: Db, { newsletterId, makesGood }: NewBooking) =>
  tx
    .selectFrom('booking')
    .select(['max_words', 'takes_image', 'lead_days'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', makesGood ?? null)
    .executeTakeFirst()

async function requireRoom(tx: Db, newsletterId: string): Promise<void> {
  const { rows } = await sql<{ bookings: number }>`
    select count(*) as bookings from booking where newsletter_id = ${newsletterId}`.execute(tx)
  const maximum = sponsorshipLimits.bookings
  if ((rows[0]?.bookings ?? 0) >= maximum) throw new AppError('too_many_bookings', { params: { maximum } })
}

async function requireFewOpen(tx: Db, { newsletterId, email }: NewBooking, maximum: number): Promise<void> {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from booking
    where newsletter_id = ${newsletterId} and lower(email) = lower(${email}) and state = 'requested'`.execute(tx)
  if ((rows[0]?.open ?? 0) >= maximum) throw new AppError('too_many_bookings', { params: { maximum } })
}
