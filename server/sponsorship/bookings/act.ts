import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { requireSold } from '../days.ts'
import { findPlacement } from '../placements.ts'
import { type BookingKey, findBooking, lockBooking } from './bookings.ts'
import { changeBooking, insertBooking } from './change.ts'
import {
  type Booking,
  type BookingAct,
  type Creative,
  type createBooking,
  type updateBooking,
  wordsIn,
} from './contract.ts'

interface Clocked {
  db: Kysely<DB>
  now: () => Date
}

/** Enters what was agreed with a sponsor. @throws AppError day_not_sold, placement_not_found, placement_closed, slot_taken, too_many_bookings */
export const enterBooking = (
  { db, now }: Clocked,
  newsletter: NewsletterRow,
  values: z.output<typeof createBooking.body>,
): Promise<Booking> =>
  db.transaction().execute(async (tx) => {
    const at = now()
    const newsletterId = newsletter.id
    const id = await insertBooking(tx, { ...values, newsletterId, state: 'accepted', actor: 'member', at })
    await requireSold(tx, newsletter, { day: values.day, now: at })
    return findBooking(tx, { newsletterId, bookingId: id })
  })

/** What a member does with a booking. @throws AppError booking_not_found, booking_moved_on, slot_taken */
export const act = (
  { db, now }: Clocked,
  key: BookingKey,
  { act: done, words }: { act: BookingAct; words: string },
): Promise<Booking> =>
  db.transaction().execute(async (tx) => {
    await changeBooking(tx, key, { act: done, words, actor: 'member', at: now() })
    return findBooking(tx, key)
  })

/** @throws AppError booking_not_found */
export async function correctBooking(
  { db }: Clocked,
  key: BookingKey,
  values: z.output<typeof updateBooking.body>,
): Promise<Booking> {
  await findBooking(db, key)
  if (Object.keys(values).length > 0)
    await db
      .updateTable('booking')
      .set(values)
      .where('newsletter_id', '=', key.newsletterId)
      .where('id', '=', key.bookingId)
      .execute()
  return findBooking(db, key)
}

/** @throws AppError `invalid` when it has more words than its placement takes, booking_not_found, booking_moved_on */
export const enterCreative = (
  { db, now }: Clocked,
  key: BookingKey,
  { creative, actor }: { creative: Creative; actor: 'member' | 'sponsor' },
): Promise<Booking> =>
  db.transaction().execute(async (tx) => {
    const { placementId } = await lockBooking(tx, key)
    const { maxWords } = await findPlacement(tx, { newsletterId: key.newsletterId, placementId })
    if (wordsIn(creative.text) > maxWords) throw new AppError('invalid', { fields: { text: 'too_many_words' } })
    await changeBooking(tx, key, { act: 'send_creative', creative, actor, at: now() })
    return findBooking(tx, key)
  })

/**
 * Gives a sponsor another day for nothing, with what they say. The booking that did not run as agreed leaves its slot and keeps what was
 * paid for it.
 *
 * @throws AppError booking_not_found, booking_moved_on, slot_taken, day_not_sold
 */
export const giveAnotherDay = (
  { db, now }: Clocked,
  newsletter: NewsletterRow,
  { bookingId, day }: { bookingId: string; day: string },
): Promise<Booking> =>
  db.transaction().execute(async (tx) => {
    const at = now()
    const key = { newsletterId: newsletter.id, bookingId }
    const { placementId, sponsor, contact, email, language, currency, creative } = await lockBooking(tx, key)
    await changeBooking(tx, key, { act: 'make_good', actor: 'member', at })
    const id = await insertBooking(tx, {
      ...{ newsletterId: newsletter.id, placementId, day, sponsor, contact, email, language, currency, creative },
      ...{ amount: 0, state: 'paid', makesGood: bookingId, actor: 'member', at },
    })
    await requireSold(tx, newsletter, { day, now: at })
    const made = { newsletterId: newsletter.id, bookingId: id }
    if (creative) await changeBooking(tx, made, { act: 'send_creative', creative, actor: 'member', at })
    return findBooking(tx, made)
  })
