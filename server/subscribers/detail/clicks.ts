import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { SubscriberKey } from '../change.ts'

/**
 * The clicks of one subscriber: rows of `id`, `at`, `target`, `publication_id` and `is_human`. Whatever shows a person’s clicks to members
 * reads them here, so that this is the one place that can hold them back.
 */
export const clicksOf = ({ newsletterId, subscriberId }: SubscriberKey): RawBuilder<unknown> => sql`
  select c.id, c.at, l.target, c.publication_id, c.excluded_by is null as is_human
  from click c join short_link l on l.newsletter_id = c.newsletter_id and l.id = c.short_link_id and not l.canary
  where c.newsletter_id = ${newsletterId} and c.subscriber_id = ${subscriberId}`

export interface ClickedLink {
  target: string
  publicationId: string | null
  number: number | null
  title: string | null
  clicks: number
  lastAt: Date
}

/** The links that somebody clicked, by publication; the last clicked first. */
export async function listClickedLinks(db: Db, key: SubscriberKey): Promise<ClickedLink[]> {
  const { rows } = await sql<ClickedLink>`
    select c.target, c.publication_id as "publicationId", p.number, p.title, count(*) as clicks, max(c.at) as "lastAt"
    from (${clicksOf(key)}) c
    left join publication p on p.newsletter_id = ${key.newsletterId} and p.id = c.publication_id
    where c.is_human group by 1, 2, 3, 4 order by "lastAt" desc, c.target limit 100`.execute(db)
  return rows
}

export async function countClicks(db: Db, key: SubscriberKey): Promise<{ human: number; excluded: number }> {
  const { rows } = await sql<{ human: number; excluded: number }>`
    select count(*) filter (where is_human) as human, count(*) filter (where not is_human) as excluded
    from (${clicksOf(key)}) c`.execute(db)
  return rows[0] ?? { human: 0, excluded: 0 }
}
