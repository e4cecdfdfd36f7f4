import type { Context } from '../context.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { findPictures } from '../media/pictures.ts'
import type { RenderableText, Site } from './rendering.ts'

/** What rendering these publications of a newsletter needs from the database. */
export async function siteOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  newsletter: NewsletterRow,
  shown: Pick<RenderableText, 'content' | 'cover_media_id'>[],
): Promise<Site> {
  const documents = shown.map(({ content }) => content)
  const covers = shown.flatMap(({ cover_media_id }) => cover_media_id ?? [])
  const pictures = await findPictures(db, newsletter.id, { documents, ids: covers })
  return { config: { publicUrl: config.publicUrl }, newsletter, pictures }
}
