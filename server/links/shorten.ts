import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'

/** A longer address may not fit the unique index. It is not shortened. */
const MAX_TARGET_BYTES = 2_000
/** Links of sponsors are listed below those of the author, of which no document has so many. */
const AFTER_OTHERS = 100_000

interface Of {
  newsletterId: string
  publicationId: string
}

interface PublicationLinks extends Of {
  targets: Iterable<string>
  /** For a test mail: until a mail of a sending has a link too, it is none of the publication's. */
  isTest?: boolean
}

/**
 * Makes short links for a publication's targets, and returns their ids by target, in reading order. A target that has a link
 * already keeps it. Targets above `MAX_TARGET_BYTES` get none and are missing from the result.
 */
export async function shortenLinks(
  db: Db,
  { newsletterId, publicationId, targets, isTest = false }: PublicationLinks,
): Promise<Map<string, string>> {
  const given = [...new Set(targets)]
    .map((target) => ({ target, address: withPath(target) }))
    .filter(({ address }) => Buffer.byteLength(address) <= MAX_TARGET_BYTES)
  const wanted = [...new Set(given.map(({ address }) => address))]
  if (wanted.length === 0) return new Map()
  const ids = wanted.map(() => publicId(10))
  await sql`
    insert into short_link as l (newsletter_id, id, target, publication_id, position, tested)
    select ${newsletterId}, id, target, ${publicationId}, (place - 1)::integer, ${isTest}
    from unnest(${ids}::text[], ${wanted}::text[]) with ordinality as w (id, target, place)
    order by target
    on conflict (newsletter_id, publication_id, target) where publication_id is not null and not for_sponsor
      do update set tested = excluded.tested, position = excluded.position where l.tested`.execute(db)
  const rows = await db
    .selectFrom('short_link')
    .select(['id', 'target'])
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('for_sponsor', '=', false)
    .where(sql<boolean>`target = any(${wanted}::text[])`)
    .execute()
  const idOf = new Map(rows.map(({ target, id }) => [target, id]))
  return new Map(
    given.flatMap(({ target, address }): [string, string][] => {
      const id = idOf.get(address)
      return id === undefined ? [] : [[target, id]]
    }),
  )
}

/** An empty path of the web is "/": `https://example.org` and `https://example.org/` are one address (RFC 3986, section 6.2.3). */
const withPath = (target: string): string => (/^https?:\/\/[^/?#]+$/i.test(target) ? `${target}/` : target)

/** The id of the link of a publication that is shown to nobody (docs/human-clicks.md). It leads to where people subscribe. */
export async function canaryLink(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { newsletterId, publicationId }: Of,
): Promise<string> {
  // An address of its own, since a target has one link in a publication, and an author may lead to the same page.
  const target = `${config.publicUrl}/subscribe/${newsletterId}?canary`
  await sql`
    insert into short_link (newsletter_id, id, target, publication_id, canary)
    values (${newsletterId}, ${publicId(10)}, ${target}, ${publicationId}, true)
    on conflict (newsletter_id, publication_id, target) where publication_id is not null and not for_sponsor do nothing`.execute(
    db,
  )
  const link = db.selectFrom('short_link').select('id').where('newsletter_id', '=', newsletterId)
  const { id } = await link
    .where('publication_id', '=', publicationId)
    .where('target', '=', target)
    .where('for_sponsor', '=', false)
    .executeTakeFirstOrThrow()
  return id
}

/** Makes a short link for a sponsor in a publication, whatever else there leads to the same address, and returns its id. `place` is 0 for the first of them. */
export async function sponsorLink(
  db: Db,
  { newsletterId, publicationId, target, place }: Of & { target: string; place: number },
): Promise<string> {
  const id = publicId(10)
  await db
    .insertInto('short_link')
    .values({
      ...{ newsletter_id: newsletterId, id, target, publication_id: publicationId, for_sponsor: true },
      position: AFTER_OTHERS + place,
    })
    .execute()
  return id
}
