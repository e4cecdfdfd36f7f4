import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { mediaAddress, widthFor } from './address.ts'

interface Known {
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
}

/**
 * The addresses of pictures. An image of the newsletter is asked for at twice its shown width, for sharp screens. Any other
 * picture keeps its own address.
 */
export async function picturesOf(
  db: Db,
  instance: Pick<Config, 'publicUrl'>,
  { newsletterId, ids }: { newsletterId: string; ids: string[] },
): Promise<(source: Source, width: number) => Shown> {
  const rows = ids.length > 0 ? await findMedia(db, newsletterId, ids) : []
  const known = new Map(rows.map((row) => [row.id, row]))
  return ({ mediaId, src }, width) => {
    const media = mediaId ? known.get(mediaId) : undefined
    if (media) return shown(instance, media, width)
    const address = src?.startsWith('/') ? instance.publicUrl + src : src
    return { src: address ?? `${instance.publicUrl}/media/${mediaId ?? 'missing'}`, width, height: null }
  }
}

function shown(instance: Pick<Config, 'publicUrl'>, { id, width: own, height }: Known, width: number): Shown {
  const asked = widthFor(Math.min(width * 2, own))
  const across = Math.min(asked, own)
  return { src: mediaAddress(instance, id, asked), width: across, height: Math.round((height * across) / own) }
}

const findMedia = (db: Db, newsletterId: string, ids: string[]): Promise<Known[]> =>
  db
    .selectFrom('media')
    .select(['id', 'width', 'height'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', 'in', ids)
    .execute()
