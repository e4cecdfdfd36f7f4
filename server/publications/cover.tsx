import type { Config } from '../config.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { mediaAddress, pageSources } from '../media/address.ts'
import { brandStyle } from '../newsletters/branding.ts'
import { coverAddress } from '../page/routes.ts'
import type { StoredPublication } from './queries.ts'

type Instance = Pick<Config, 'publicUrl'>

interface Covered {
  newsletter: NewsletterRow
  publication: Pick<StoredPublication, 'id' | 'cover_media_id'>
}

/** Whether its page shows a cover. A shared address has a picture all the same. */
export const hasCover = ({
  cover_media_id,
  draws_cover,
}: Pick<StoredPublication, 'cover_media_id' | 'draws_cover'>): boolean => cover_media_id !== null || draws_cover

/** The absolute address of a cover: the publication’s own, or one that is drawn for it in the colours of the newsletter. */
export function coverOf(instance: Instance, { newsletter, publication }: Covered, format: 'svg' | 'png'): string {
  const { id, cover_media_id: own } = publication
  if (own) return mediaAddress(instance, own, 1600)
  const style = brandStyle(newsletter.accent, newsletter.pairing)
  return instance.publicUrl + coverAddress({ seed: id, inks: style, shape: 'wide', format })
}

/**
 * The cover on a page. Of the publication’s own image a browser takes the width that it shows, which is known before the page is laid out.
 *
 * @param sizes how wide the page shows it, as `sizes` of HTML
 */
export function Cover({ instance, sizes, ...covered }: Covered & { instance: Instance; sizes: string }) {
  const own = covered.publication.cover_media_id
  const img = <img src={coverOf(instance, covered, 'svg')} alt="" width={1280} height={720} fetchPriority="high" />
  if (!own) return img
  return (
    <picture>
      <source type="image/webp" srcSet={pageSources(instance, own)} sizes={sizes} />
      {img}
    </picture>
  )
}
