import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { mediaAddress, mediaWidths, pageSources, widthFor } from './address.ts'

/** An image of a newsletter, as far as a rendering must know it. */
export interface KnownPicture {
  id: string
  width: number
  height: number
}

interface Source {
  mediaId: string | null
  src: string | null
}

interface Shown {
  src: string
  width: number
  height: number | null
  sources: string | null
}

/**
 * The addresses of pictures. An image of the newsletter is asked for at twice its shown width, for sharp screens. Any other
 * picture keeps its own address.
 *
 * @param isPage whether a page of ours shows them: mail programs and feed readers get formats that all of them know
 */
export function picturesOf(
  instance: Pick<Config, 'publicUrl'>,
  pictures: KnownPicture[],
  isPage = false,
): (source: Source, width: number) => Shown {
  const known = new Map(pictures.map((picture) => [picture.id, picture]))
  return ({ mediaId, src }, width) => {
    const media = mediaId ? known.get(mediaId) : undefined
    if (media) return { ...shown(instance, media, width), sources: isPage ? sourcesOf(instance, media, width) : null }
    const address = src?.startsWith('/') ? instance.publicUrl + src : src
    return { src: address ?? `${instance.publicUrl}/media/${mediaId ?? 'missing'}`, width, height: null, sources: null }
  }
}

function shown(
  instance: Pick<Config, 'publicUrl'>,
  { id, width: own, height }: KnownPicture,
  width: number,
): Omit<Shown, 'sources'> {
  const asked = widthFor(Math.min(width * 2, own))
  const across = Math.min(asked, own)
  return { src: mediaAddress(instance, id, asked), width: across, height: Math.round((height * across) / own) }
}

/** Up to the width that is shown on sharp screens: a phone takes a narrower one. */
function sourcesOf(instance: Pick<Config, 'publicUrl'>, { id, width: own }: KnownPicture, width: number): string {
  const widest = widthFor(Math.min(width * 2, own))
  return pageSources(
    instance,
    id,
    mediaWidths.filter((each) => each <= widest),
  )
}

/** The images of the newsletter with these ids, and those named in documents, which are JSON here: nobody has to parse them for this. */
export async function findPictures(
  db: Db,
  newsletterId: string,
  { documents, ids: others }: { documents: string[]; ids: string[] },
): Promise<KnownPicture[]> {
  const named = documents.flatMap((json) => [...json.matchAll(namesOfPictures)].map(([, id = '']) => id))
  const ids = [...new Set([...others, ...named])].slice(0, MAX_PICTURES)
  if (ids.length === 0) return []
  return db
    .selectFrom('media')
    .select(['id', 'width', 'height'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', 'in', ids)
    .execute()
}

const namesOfPictures = /"(?:mediaId|posterMediaId)"\s*:\s*"([\w-]{1,40})"/g
/** As many as a document has nodes. */
const MAX_PICTURES = 20_000
