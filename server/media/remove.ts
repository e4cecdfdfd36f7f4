import { type Kysely, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import { enqueue, type Job } from '../jobs/queue.ts'
import { filesOf, folderOf } from './files.ts'
import { openStorage } from './open-storage.ts'
import { type Use, usesOf } from './uses.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    /** The files of images whose rows are gone. */
    remove_media_files: { keys: string[] }
    /** The files of a newsletter that is gone. */
    remove_newsletter_files: { newsletterId: string }
  }
}

interface Removal {
  newsletterId: string
  mediaId: string
  /** Whether its maker knows that it is used, and removes it nevertheless. */
  evenIfUsed: boolean
}

/**
 * Deletes an image. Where it was the cover, the logo or a sponsor's there is none any more, and where it stands in a text there is an empty place.
 * @throws AppError media_not_found, media_in_use with the uses in `detail`
 */
export function deleteMedia(db: Kysely<DB>, { newsletterId, mediaId, evenIfUsed }: Removal): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const uses = (await usesOf(tx, newsletterId, [mediaId])).get(mediaId) ?? []
    const [gone] = await deleteRows(tx, newsletterId, [mediaId])
    if (!gone) throw new AppError('media_not_found')
    if (uses.length > 0 && !evenIfUsed) throw new AppError('media_in_use', { detail: { uses } })
    await forget(tx, { newsletterId, mediaId, uses })
  })
}

/** Deletes the rows, and the files with them as soon as that is committed. @returns the ids */
export async function deleteRows(tx: Db, newsletterId: string, ids: string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('media')
    .where('newsletter_id', '=', newsletterId)
    .where('id', 'in', ids)
    .returning(['id', 'storage_key'])
    .execute()
  const keys = rows.flatMap(({ storage_key }) => filesOf(storage_key))
  if (keys.length > 0) await enqueue(tx, 'remove_media_files', { keys })
  return rows.map(({ id }) => id)
}

/** Pages that showed it are rendered anew. */
async function forget(
  tx: Db,
  { newsletterId, mediaId, uses }: Omit<Removal, 'evenIfUsed'> & { uses: Use[] },
): Promise<void> {
  await tx
    .updateTable('publication')
    .set({ cover_media_id: null })
    .where('newsletter_id', '=', newsletterId)
    .where('cover_media_id', '=', mediaId)
    .execute()
  await sql`update booking set creative = jsonb_set(creative, '{image}', 'null')
    where newsletter_id = ${newsletterId} and creative #>> '{image,mediaId}' = ${mediaId}`.execute(tx)
  if (!uses.some(({ isOut }) => isOut)) return
  await tx
    .updateTable('newsletter')
    .set({ logo_media_id: sql`nullif(logo_media_id, ${mediaId})`, version: sql`version + 1` })
    .where('id', '=', newsletterId)
    .execute()
}

type Files = Pick<Context, 'config'>

export const removeMediaFilesJob =
  ({ config }: Files): Job<'remove_media_files'> =>
  async ({ keys }) => {
    const storage = await openStorage(config)
    for (const key of keys) await storage.remove(key)
  }

export const removeNewsletterFilesJob =
  ({ config }: Files): Job<'remove_newsletter_files'> =>
  async ({ newsletterId }) => {
    const storage = await openStorage(config)
    for await (const { key } of storage.list(folderOf(config, newsletterId))) await storage.remove(key)
  }
