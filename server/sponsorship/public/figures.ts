import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { countByStatus } from '../../subscribers/subscriber-count.ts'

/** Of so many publications the middle one is shown. */
const MOST_PUBLICATIONS = 8

/** What the page for sponsors says of a newsletter. Null where too little is known. */
export interface AuditedFigures {
  subscribers: Rounded
  accepted: Rounded | null
  clicks: Rounded | null
  /** How many publications the medians are of. */
  publications: number
}

export interface Rounded {
  value: number
  /** Whether it is fewer than `value`, since so few could be counted one by one. */
  isFewer: boolean
}

const FEWEST = 100

/**
 * A number as strangers see it: fewer than a hundred is said so, below a thousand the last two digits are left out, above that the last. So nobody
 * sees who comes and goes.
 */
export function rounded(count: number): Rounded {
  if (count < FEWEST) return { value: FEWEST, isFewer: true }
  const step = count < 1_000 ? 50 : count < 10_000 ? 10 : 1
  return { value: Math.floor(count / step) * step, isFewer: false }
}

/** Roll-ups alone, of the last publications that were mailed and are two days old, when nearly all clicks have come. */
export async function auditedFigures(db: Db, newsletterId: string, now: Date): Promise<AuditedFigures> {
  const { rows } = await sql<{ publications: number; accepted: number | null; clicks: number | null }>`
    with last as (
      select p.id, d.accepted from publication p
      join publication_count d on d.newsletter_id = p.newsletter_id and d.publication_id = p.id and d.accepted > 0
      where p.newsletter_id = ${newsletterId} and p.digest is null and p.published_at < ${now}::timestamptz - interval '2 days'
      order by p.published_at desc limit ${MOST_PUBLICATIONS}
    )
    select count(*)::integer as publications, percentile_disc(0.5) within group (order by accepted)::integer as accepted,
      percentile_disc(0.5) within group (order by coalesce((select sum(r.human) from publication_result r
        where r.newsletter_id = ${newsletterId} and r.publication_id = last.id), 0))::integer as clicks
    from last`.execute(db)
  const { publications = 0, accepted = null, clicks = null } = rows[0] ?? {}
  return {
    subscribers: rounded(await countByStatus(db, newsletterId, 'active')),
    accepted: accepted === null ? null : rounded(accepted),
    clicks: clicks === null ? null : rounded(clicks),
    publications,
  }
}
