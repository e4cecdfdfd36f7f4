import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { Reasons } from './reasons.ts'
import { agreed, KEPT_MS } from './recommendations.ts'

interface Offering {
  id: string
  version: number
  name: string
  reasons: Reasons
}

/** A newsletter of this server that a reader is shown, with the words of a version. */
export interface LocalOffer extends Offering {
  newsletter: NewsletterRow
}

/** A newsletter of another server: readers subscribe there. */
export interface RemoteOffer extends Offering {
  subscribeUrl: string
}

export type Offer = LocalOffer | RemoteOffer

export const isRemote = (offer: Offer): offer is RemoteOffer => 'subscribeUrl' in offer

interface Row {
  id: string
  version: number
  newsletterId: string | null
  name: string | null
  subscribeUrl: string | null
  reasons: unknown
}

/** The recommendations of a newsletter that may be shown now, in its order. With `ids` only those, with the words of the versions that were shown. */
export async function offersOf(
  db: Db,
  newsletterId: string,
  { now, shown }: { now: Date; shown?: Pick<Offer, 'id' | 'version'>[] },
): Promise<Offer[]> {
  const version = shown
    ? sql`(select k.version from unnest(${shown.map(({ id }) => id)}::text[], ${shown.map((s) => s.version)}::integer[])
        as k (id, version) where k.id = r.id)`
    : sql`c.version`
  const { rows } = await sql<Row>`
    select r.id, w.version, n.id as "newsletterId", m.name, m.subscribe_url as "subscribeUrl", jsonb_object_agg(w.language, w.reason) as reasons
    from recommendation r
    join campaign c on c.newsletter_id = r.newsletter_id and c.id = r.id
    left join newsletter n on n.id = r.to_newsletter_id and n.deleted_at is null and ${agreed}
    left join remote_newsletter m on m.newsletter_id = r.newsletter_id and m.id = r.id
      and (m.is_demo or m.renewed_at > ${new Date(now.getTime() - KEPT_MS)})
    join recommendation_words w on w.newsletter_id = r.newsletter_id and w.campaign_id = r.id and w.version = ${version}
    where r.newsletter_id = ${newsletterId} and c.withdrawn_at is null and (n.id is not null or m.id is not null)
    group by r.newsletter_id, r.id, w.version, n.id, m.newsletter_id, m.id order by r.position, r.id`.execute(db)
  if (rows.length === 0) return []
  const ids = rows.flatMap((row) => row.newsletterId ?? [])
  const newsletters =
    ids.length === 0 ? [] : await db.selectFrom('newsletter').selectAll().where('id', 'in', ids).execute()
  return rows.flatMap((row): Offer[] => {
    const { id, version, name, subscribeUrl } = row
    const reasons = Reasons.parse(row.reasons)
    if (name !== null && subscribeUrl !== null) return [{ id, version, name, subscribeUrl, reasons }]
    const newsletter = newsletters.find((one) => one.id === row.newsletterId)
    return newsletter ? [{ id, version, name: newsletter.name, newsletter, reasons }] : []
  })
}
