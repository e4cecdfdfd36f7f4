import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { publicId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { refuseReserved } from '../http/reserved-slugs.ts'
import { requireRoomInNewsletter } from '../identity/limits-by-standing.ts'
import { codeOf } from '../start-error.ts'
import type { createShortLink, listShortLinks, ShortLink } from './contract.ts'
import { type CountedLink, insertLink, listLinks } from './queries.ts'

const UNIQUE_VIOLATION = '23505'

/** Makes a short link. @throws AppError slug_taken when another link has this address, slug_reserved, too_many_links, too_many_requests */
export async function addLink(
  { db, config }: Pick<Context, 'db' | 'config'>,
  newsletterId: string,
  { target, slug, expiresAt }: z.output<typeof createShortLink.body>,
): Promise<z.input<typeof ShortLink>> {
  if (slug !== undefined) refuseReserved(slug, 'slug')
  const link = { id: slug ?? publicId(8), target, expiresAt }
  try {
    await db.transaction().execute(async (tx) => {
      await requireRoomInNewsletter(tx, newsletterId, 'links')
      await insertLink(tx, newsletterId, link)
    })
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error
    throw new AppError('slug_taken', { fields: { slug: 'taken' }, cause: error })
  }
  return shown(config, {
    ...link,
    newsletterId,
    publicationId: null,
    position: null,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    raw: 0,
    human: 0,
    people: 0,
  })
}

export async function pageOfLinks(
  { db, config }: Pick<Context, 'db' | 'config'>,
  newsletterId: string,
  query: z.output<typeof listShortLinks.query>,
): Promise<z.input<typeof listShortLinks.reply>> {
  const links = await listLinks(db, newsletterId, query)
  return {
    rows: links.map((link) => shown(config, link)),
    next: links.length === query.limit ? (links.at(-1)?.id ?? null) : null,
  }
}

const shown = (config: Config, { id, target, publicationId, expiresAt, raw, human, people }: CountedLink) => ({
  id,
  url: `${config.publicUrl}/r/${id}`,
  target,
  publicationId,
  clicks: { raw, human, people },
  expiresAt: expiresAt?.toISOString() ?? null,
})

/** A target in ASCII, as a Location header needs it (RFC 9110 section 10.2.2). */
export const locationOf = (target: string): string => {
  if (/^[\x21-\x7e]*$/.test(target)) return target
  return URL.canParse(target) ? new URL(target).href : encodeURI(target)
}
