import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { Reasons } from './reasons.ts'
import { agreed } from './recommendations.ts'

/** A newsletter that a reader is shown, with the words of a version. */
export interface Offer {
  id: string
  version: number
  newsletter: NewsletterRow
  reasons: Reasons
}

/** The recommendations of a newsletter that may be shown now, in its order. With `ids` only those, with the words of the versions that were shown. */
export async function offersOf(
  db: Db,
  newsletterId: string,
  shown?: Pick<Offer, 'id' | 'version'>[],
): Promise<Offer[]> {
  const version = shown
    ? sql`(select k.version from unnest(${shown.map(({ id }) => id)}::text[], ${shown.map((s) => s.version)}::integer[])
        as k (id, version) where k.id = r.id)`
    : sql`c.version`
  const { rows } = await sql<{ id: string; version: number; newsletterId: string; reasons: unknown }>`
    select r.id, w.version, n.id as "newsletterId", jsonb_object_agg(w.language, w.reason) as reasons
    from recommendation r
    join campaign c on c.newsletter_id = r.newsletter_id and c.id = r.id
    join newsletter n on n.id = r.to_newsletter_id and n.deleted_at is null
    join recommendation_words w on w.newsletter_id = r.newsletter_id and w.campaign_id = r.id and w.version = ${version}
    where r.newsletter_id = ${newsletterId} and c.withdrawn_at is null and ${agreed}
    group by r.newsletter_id, r.id, w.version, n.id order by r.position, r.id`.execute(db)
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.newsletterId)
  const newsletters = await db.selectFrom('newsletter').selectAll().where('id', 'in', ids).execute()
  return rows.flatMap(({ id, version, newsletterId: otherId, reasons }) => {
    const newsletter = newsletters.find((one) => one.id === otherId)
    return newsletter ? [{ id, version, newsletter, reasons: Reasons.parse(reasons) }] : []
  })
}
