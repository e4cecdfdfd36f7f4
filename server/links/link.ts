import type { z } from 'zod'
import { addLine, type By } from '../audit/lines.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { publicId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { refuseReserved } from '../http/reserved-slugs.ts'
import { requireRoomInNewsletter } from '../identity/limits-by-standing.ts'
import { codeOf } from '../start-error.ts'
import type { createShortLink, listShortLinks, ShortLink, updateShortLink } from './contract.ts'
import { wholeAddress } from './leads-to.ts'
import { type CountedLink, changeLink, findCountedLink, insertLink, listLinks } from './queries.ts'
import { noUtm, withUtm } from './utm.ts'

const UNIQUE_VIOLATION = '23505'

type Dependencies = Pick<Context, 'db' | 'config'>
type Shown = z.input<typeof ShortLink>

/**
 * Makes a short link, with its line in the audit. Tries that are refused leave none, and are no audited acts of which a guest has few in an
 * hour.
 *
 * @throws AppError slug_taken when another link has this address, slug_reserved, too_many_links, too_many_requests
 */
export async function addLink(
  context: Dependencies,
  by: By,
  { target, slug, name = '', expiresAt = null, fallback = null, utm }: z.output<typeof createShortLink.body>,
): Promise<Shown> {
  const { newsletterId } = by
  if (slug !== undefined) refuseReserved(slug, 'slug')
  const id = slug ?? publicId(8)
  const link = { id, name, target: utm ? withUtm(target, utm) : target, expiresAt, fallback }
  try {
    await context.db.transaction().execute(async (tx) => {
      await requireRoomInNewsletter(tx, newsletterId, 'links')
      await insertLink(tx, newsletterId, link)
      await addLine(tx, { ...by, act: 'link_made', detail: { linkId: id } })
    })
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error
    throw new AppError('slug_taken', { field: 'slug', cause: error })
  }
  return shown(context.config, await requireLink(context, newsletterId, id))
}

/**
 * Changes a link of the owner's own making. Those of a publication stay as its readers got them, but for being disabled and leading elsewhere
 * then.
 *
 * @throws AppError link_not_found, link_of_publication
 */
export async function updateLink(
  context: Dependencies,
  { newsletterId, linkId }: { newsletterId: string; linkId: string },
  { utm, ...values }: z.output<typeof updateShortLink.body>,
): Promise<Shown> {
  const link = await requireLink(context, newsletterId, linkId)
  const current = wholeAddress(context.config, link.target)
  const wanted = values.target ?? current
  const target = utm === undefined ? wanted : withUtm(wanted, utm ?? noUtm)
  const isOther = target !== current
  if (isOther && link.publicationId !== null) throw new AppError('link_of_publication')
  await changeLink(context.db, { newsletterId, linkId }, { ...values, target: isOther ? target : undefined })
  return shown(context.config, await requireLink(context, newsletterId, linkId))
}

/** @throws AppError link_not_found */
export async function requireLink(
  { db }: Pick<Context, 'db'>,
  newsletterId: string,
  linkId: string,
): Promise<CountedLink> {
  const link = await findCountedLink(db, newsletterId, linkId)
  if (!link) throw new AppError('link_not_found')
  return link
}

export async function pageOfLinks(
  { db, config }: Dependencies,
  newsletterId: string,
  query: z.output<typeof listShortLinks.query>,
): Promise<z.input<typeof listShortLinks.reply>> {
  const links = await listLinks(db, newsletterId, query)
  return {
    rows: links.map((link) => shown(config, link)),
    next: links.length === query.limit ? (links.at(-1)?.id ?? null) : null,
  }
}

export const addressOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, linkId: string): string =>
  `${publicUrl}/r/${linkId}`

export const shown = (
  config: Config,
  { id, name, target, publicationId, raw, human, people, ...link }: CountedLink,
): Shown => ({
  id,
  url: addressOf(config, id),
  name,
  target: wholeAddress(config, target),
  publicationId,
  clicks: { raw, human, people },
  createdAt: link.createdAt.toISOString(),
  expiresAt: link.expiresAt?.toISOString() ?? null,
  disabledAt: link.disabledAt?.toISOString() ?? null,
  fallback: link.fallback,
})

/** A target in ASCII, as a Location header needs it (RFC 9110 section 10.2.2). */
export const locationOf = (target: string): string => {
  if (/^[\x21-\x7e]*$/.test(target)) return target
  return URL.canParse(target) ? new URL(target).href : encodeURI(target)
}
