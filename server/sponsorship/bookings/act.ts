import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { wordsIn } from '../../publications/document/words-in.ts'
import { dayAt, requireSold } from '../days.ts'
import { bookingAddress } from '../public/links.ts'
import type { BookingChanges } from '../tell.ts'
import { type BookingKey, findBooking, lockBooking } from './bookings.ts'
import { changeBooking, insertBooking } from './change.ts'
import type { Booking, BookingAct, BookingState, Creative, createBooking, updateBooking } from './contract.ts'
import { holdImage, removeReplaced, requireImage } from './creative-image.ts'
import { leadsReaders } from './target.ts'

interface Clocked {
  db: Kysely<DB>
  now: () => Date
}

/** The account with which a member does something; null for an API key. */
export interface ByMember {
  userId: string | null
}

/** With what tells those whom a change concerns. */
export interface Changing extends Clocked {
  changes: BookingChanges
}

/** Enters what was agreed with a sponsor. @throws AppError day_not_sold, placement_not_found, placement_closed, slot_taken, too_many_bookings */
export const enterBooking = (
  { db, now }: Clocked,
  newsletter: NewsletterRow,
  values: z.output<typeof createBooking.body> & ByMember,
): Promise<Booking> =>
  db.transaction().execute(async (tx) => {
    const at = now()
    const newsletterId = newsletter.id
    const id = await insertBooking(tx, { ...values, newsletterId, state: 'accepted', actor: 'member', at })
    await requireSold(tx, newsletter, { day: values.day, now: at })
    return findBooking(tx, { newsletterId, bookingId: id })
  })

/**
 * What a member does with a booking; `seen` is what they read of what its sponsor sent.
 *
 * @throws AppError booking_not_found, booking_moved_on, creative_changed, slot_taken, too_many_requests; `invalid` to ask for changes without a word; day_not_sold to accept for a day that is over; day_to_come to note that it ran before its day
 */
export async function act(
  { db, now, changes }: Changing,
  { newsletter, bookingId }: { newsletter: NewsletterRow; bookingId: string },
  { act: done, words, seen, userId }: { act: BookingAct; words: string; seen?: number | undefined } & ByMember,
): Promise<Booking> {
  const key = { newsletterId: newsletter.id, bookingId }
  await changes.admitMail(key, done)
  return db.transaction().execute(async (tx) => {
    const at = now()
    const { creativeSent, day } = await lockBooking(tx, key)
    requireSeen({ seen, creativeSent })
    if (done === 'accept' && day < dayAt(newsletter, at)) throw new AppError('day_not_sold')
    if (done === 'ask_changes' && words === '') throw new AppError('invalid', { fields: { words: 'required' } })
    if (done === 'run' && day > dayAt(newsletter, at)) throw new AppError('day_to_come')
    await changes.change(tx, key, { act: done, words, actor: 'member', userId, at })
    return findBooking(tx, key)
  })
}

/** Nobody judges or replaces words that came in after those that they read. @throws AppError creative_changed */
function requireSeen({ seen, creativeSent }: { seen: number | undefined; creativeSent: number }): void {
  if (seen !== undefined && seen !== creativeSent) throw new AppError('creative_changed')
}

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

/**
 * @throws AppError `invalid` when it has more words than its placement takes, leads readers nowhere, or has an image where none is taken; media_not_found,
 *   booking_not_found, booking_moved_on, creative_changed
 */
export const enterCreative = (
  { db, now, changes }: Changing,
  key: BookingKey,
  {
    creative,
    seen,
    actor,
    userId,
  }: { creative: Creative; seen?: number | undefined; actor: 'member' | 'sponsor' } & ByMember,
): Promise<Booking> =>
  db.transaction().execute(async (tx) => {
    const { maxWords, takesImage, state, creative: before, creativeSent } = await lockBooking(tx, key)
    requireSeen({ seen, creativeSent })
    if (wordsIn(creative.text) > maxWords) throw new AppError('invalid', { fields: { text: 'too_many_words' } })
    if (!leadsReaders(creative.target)) throw new AppError('invalid', { fields: { target: 'not_for_readers' } })
    await requireImage(tx, key.newsletterId, { image: creative.image, takesImage })
    await changes.change(tx, key, { act: 'send_creative', creative, actor, userId, at: now() })
    const shown = creative.image?.mediaId ?? null
    await removeReplaced(tx, key.newsletterId, { before: before?.image?.mediaId ?? null, after: shown, now: now() })
    await holdImage(tx, key, { mediaId: null, shown, now: now() })
    // Those who wait already are not told again of each correction.
    if (actor === 'sponsor' && state !== 'creative_in') await changes.tellOwners(tx, key, 'creative')
    return findBooking(tx, key)
  })

/** Whether what a sponsor says in a booking was approved: it is the same on another day. */
const wasApproved = (state: BookingState): boolean => ['approved', 'ran', 'reported'].includes(state)

/**
 * Gives a sponsor another day for nothing, with what they say. The booking that did not run as agreed leaves its slot and keeps what was
 * paid for it.
 *
 * @throws AppError booking_not_found, booking_moved_on, slot_taken, day_not_sold, too_many_requests; `invalid` for the day that it has
 */
export async function giveAnotherDay(
  { db, now, changes }: Changing,
  newsletter: NewsletterRow,
  { bookingId, day, userId }: { bookingId: string; day: string } & ByMember,
): Promise<Booking> {
  await changes.admitMail({ newsletterId: newsletter.id, bookingId }, 'make_good')
  return db.transaction().execute(async (tx) => {
    const at = now()
    const by = { actor: 'member', userId, at } as const
    const key = { newsletterId: newsletter.id, bookingId }
    const before = await lockBooking(tx, key)
    const { placementId, sponsor, contact, email, language, currency, creative, state } = before
    if (day === before.day) throw new AppError('invalid', { fields: { day: 'same_day' } })
    await changes.change(tx, key, { act: 'make_good', ...by })
    const id = await insertBooking(tx, {
      ...{ newsletterId: newsletter.id, placementId, day, sponsor, contact, email, language, currency, creative },
      ...{ amount: 0, state: 'paid', makesGood: bookingId, ...by },
    })
    await requireSold(tx, newsletter, { day, now: at })
    const made = { newsletterId: newsletter.id, bookingId: id }
    if (creative) await changeBooking(tx, made, { act: 'send_creative', creative, ...by })
    // Said with the other day: nobody reads the text a second time.
    if (creative && wasApproved(state)) await changeBooking(tx, made, { act: 'approve', ...by })
    await changes.tellSponsor(tx, made, { act: 'make_good' })
    return findBooking(tx, made)
  })
}

/** @throws AppError booking_not_found */
export async function linkOf(
  context: Pick<Context, 'db' | 'signer' | 'config'>,
  key: BookingKey,
  { renew }: { renew: boolean },
): Promise<{ url: string }> {
  await findBooking(context.db, key)
  if (renew)
    await context.db
      .updateTable('booking')
      .set({ link_version: sql`link_version + 1` })
      .where('newsletter_id', '=', key.newsletterId)
      .where('id', '=', key.bookingId)
      .execute()
  const { linkVersion } = await findBooking(context.db, key)
  return { url: bookingAddress(context, { ...key, linkVersion }) }
}
