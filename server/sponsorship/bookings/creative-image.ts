import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import { deleteRows } from '../../media/remove.ts'
import { noteUnused } from '../../media/uses.ts'
import type { Placement } from '../contract.ts'
import type { Creative } from './contract.ts'

/**
 * Refuses an image that its placement does not take, and one that is none of the newsletter's own.
 *
 * @throws AppError invalid, media_not_found
 */
export async function requireImage(
  tx: Db,
  newsletterId: string,
  { image, placement }: { image: Creative['image']; placement: Placement },
): Promise<void> {
  if (!image) return
  if (!placement.takesImage) throw new AppError('invalid', { fields: { image: 'no_image_here' } })
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
  { before, after, now }: { before: Creative['image']; after: Creative['image']; now: Date },
): Promise<void> {
  if (!before || before.mediaId === after?.mediaId) return
  await noteUnused(tx, newsletterId, now)
  const unused = await tx
    .selectFrom('media')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', before.mediaId)
    .where('booking_id', 'is not', null)
    .where('unused_since', 'is not', null)
    .executeTakeFirst()
  if (unused) await deleteRows(tx, newsletterId, [unused.id])
}
