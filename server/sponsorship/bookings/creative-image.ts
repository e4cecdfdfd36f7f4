import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import { deleteRows } from '../../media/remove.ts'
import { noteUnused } from '../../media/uses.ts'
import { type BookingKey, lockBooking } from './bookings.ts'
import type { Creative } from './contract.ts'

/**
 * Refuses an image that its booking does not take, and one that is none of the newsletter's own.
 *
 * @throws AppError invalid, media_not_found
 */
export async function requireImage(
  tx: Db,
  newsletterId: string,
  { image, takesImage }: { image: Creative['image']; takesImage: boolean },
): Promise<void> {
  if (!image) return
  if (!takesImage) throw new AppError('invalid', { fields: { image: 'no_image_here' } })
  const found = await tx
    .selectFrom('media')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', image.mediaId)
    .where('stored_at', 'is not', null)
    .executeTakeFirst()
  if (!found) throw new AppError('media_not_found')
}

/**
 * Removes the image that a sponsor uploaded once another one, or none, took its place and nothing else shows it. What members uploaded has the
 * time that every unused image has.
 */
export async function removeReplaced(
  tx: Db,
  newsletterId: string,
  { before, after, now }: { before: string | null; after: string | null; now: Date },
): Promise<void> {
  if (!before || before === after) return
  await noteUnused(tx, newsletterId, now)
  const unused = await tx
    .selectFrom('media')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', before)
    .where('booking_id', 'is not', null)
    .where('unused_since', 'is not', null)
    .executeTakeFirst()
  if (unused) await deleteRows(tx, newsletterId, [unused.id])
}

/** The id of the image that a booking holds for words that are not right yet. */
export async function heldImage(db: Db, { newsletterId, bookingId }: BookingKey): Promise<string | null> {
  const booking = await db
    .selectFrom('booking')
    .select('held_image')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', bookingId)
    .executeTakeFirst()
  return booking?.held_image ?? null
}

/**
 * Holds an image for words that are not right yet, or none once they are. The one before goes, unless it stands with the words now. What nobody
 * ever sends goes as every unused image does.
 */
export async function holdImage(
  tx: Db,
  key: BookingKey,
  { mediaId, shown, now }: { mediaId: string | null; shown: string | null; now: Date },
): Promise<void> {
  await lockBooking(tx, key)
  const before = await heldImage(tx, key)
  await tx
    .updateTable('booking')
    .set({ held_image: mediaId })
    .where('newsletter_id', '=', key.newsletterId)
    .where('id', '=', key.bookingId)
    .execute()
  await removeReplaced(tx, key.newsletterId, { before, after: shown, now })
}
