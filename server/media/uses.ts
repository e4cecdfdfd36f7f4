import { sql } from 'kysely'
import type { Db } from '../database/client.ts'

/** A place where an image is shown. `isOut`: readers have it already, on the web or in their inboxes. */
export type Use =
  | { kind: 'publication'; publicationId: string; title: string; isOut: boolean }
  | { kind: 'revision'; publicationId: string; title: string; isOut: boolean }
  | { kind: 'logo'; isOut: true }
  | { kind: 'booking'; bookingId: string; sponsor: string; isOut: boolean }

const MOST_SHOWN = 10

/** Where each of these images of a newsletter is used, at most ten places of each. A revision is named when nothing else uses it. */
export async function usesOf(db: Db, newsletterId: string, ids: string[]): Promise<Map<string, Use[]>> {
  const uses = new Map<string, Use[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return uses
  for (const { media_id, id, title, is_out } of await inPublications(db, newsletterId, ids)) {
    const list = uses.get(media_id)
    if (list && list.length < MOST_SHOWN) {
      list.push({ kind: 'publication', publicationId: id, title, isOut: is_out })
    }
  }
  for (const { media_id, id, sponsor, is_out } of await inBookings(db, newsletterId, ids)) {
    const list = uses.get(media_id)
    if (list && list.length < MOST_SHOWN) list.push({ kind: 'booking', bookingId: id, sponsor, isOut: is_out })
  }
  const logo = await logoOf(db, newsletterId)
  if (logo) uses.get(logo)?.unshift({ kind: 'logo', isOut: true })
  const rest = ids.filter((id) => uses.get(id)?.length === 0)
  for (const { media_id, id, title } of rest.length > 0 ? await inRevisions(db, newsletterId, rest) : []) {
    const list = uses.get(media_id)
    if (list && list.length < MOST_SHOWN) list.push({ kind: 'revision', publicationId: id, title, isOut: false })
  }
  return uses
}

const logoOf = async (db: Db, newsletterId: string): Promise<string | null> =>
  (await db.selectFrom('newsletter').select('logo_media_id').where('id', '=', newsletterId).executeTakeFirst())
    ?.logo_media_id ?? null

async function inPublications(db: Db, newsletterId: string, ids: string[]) {
  const { rows } = await sql<{ media_id: string; id: string; title: string; is_out: boolean }>`
    select distinct used.media_id, p.id, p.title, p.edited_at,
      p.published_at is not null or exists (
        select from sending s where s.newsletter_id = p.newsletter_id and s.publication_id = p.id and s.started_at is not null
      ) as is_out
    from publication p cross join lateral unnest(p.media_ids || p.cover_media_id) as used (media_id)
    where p.newsletter_id = ${newsletterId} and used.media_id = any(${ids})
    order by p.edited_at desc, p.id`.execute(db)
  return rows
}

/** What sponsors say. */
async function inBookings(db: Db, newsletterId: string, ids: string[]) {
  const { rows } = await sql<{ media_id: string; id: string; sponsor: string; is_out: boolean }>`
    select b.creative #>> '{image,mediaId}' as media_id, b.id, b.sponsor, b.ran_at is not null as is_out
    from booking b where b.newsletter_id = ${newsletterId} and b.creative #>> '{image,mediaId}' = any(${ids})
    order by b.day desc, b.id`.execute(db)
  return rows
}

async function inRevisions(db: Db, newsletterId: string, ids: string[]) {
  const { rows } = await sql<{ media_id: string; id: string; title: string }>`
    select distinct used.media_id, p.id, p.title
    from publication_revision r
    join publication p on p.newsletter_id = r.newsletter_id and p.id = r.publication_id
    cross join lateral unnest(r.media_ids) as used (media_id)
    where r.newsletter_id = ${newsletterId} and r.media_ids && ${ids} and used.media_id = any(${ids})
    order by p.id`.execute(db)
  return rows
}

/**
 * Notes since when each image of a newsletter is unused. What a sponsor says uses its image. So does
 * what can still be restored. An address of ours as the target of a short link is a use as well.
 */
export async function noteUnused(db: Db, newsletterId: string, now: Date): Promise<void> {
  await sql`
    with used as (
      select unnest(media_ids || cover_media_id) as id from publication where newsletter_id = ${newsletterId}
      union select unnest(media_ids) from publication_revision where newsletter_id = ${newsletterId}
      union select unnest(media_ids || cover_media_id) from deleted_publication where newsletter_id = ${newsletterId}
      union select unnest(media_ids) from deleted_publication_revision where newsletter_id = ${newsletterId}
      union select logo_media_id from newsletter where id = ${newsletterId}
      union select creative #>> '{image,mediaId}' from booking where newsletter_id = ${newsletterId}
      union select substring(target from '/media/(\\w{1,20})') from short_link
        where newsletter_id = ${newsletterId} and target like '%/media/%'
    )
    update media set unused_since = case when id in (select id from used where id is not null) then null else ${now}::timestamptz end
    where newsletter_id = ${newsletterId}
      and (unused_since is null) <> (id in (select id from used where id is not null))`.execute(db)
}
