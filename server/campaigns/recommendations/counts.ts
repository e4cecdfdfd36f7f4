import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { csvText } from '../../database/csv.ts'
import type { Language } from '../../languages.ts'
import type { RecommendationCounts } from './contract.ts'

interface RecommendationKey {
  newsletterId: string
  campaignId: string
}

export interface Period {
  from?: string | undefined
  to?: string | undefined
}

/** Figures of each recommendation are spread over so many rows for a day. */
const PARTS = 16

/** Adds one to what happened to recommendations on the day (UTC) of a moment. Rows are written in one order, so that nobody waits in a circle. */
export async function countRecommendations(
  db: Db,
  happened: 'shown' | 'chosen' | 'confirmed',
  { newsletterId, campaignIds, at }: { newsletterId: string; campaignIds: string[]; at: Date },
): Promise<void> {
  if (campaignIds.length === 0) return
  const column = sql.ref(happened)
  await sql`
    insert into recommendation_count as c (newsletter_id, campaign_id, day, part, ${column})
    select ${newsletterId}, id, (${at}::timestamptz at time zone 'utc')::date, pg_backend_pid() % ${PARTS}, 1
    from unnest(${[...campaignIds].sort()}::text[]) as r (id)
    on conflict (newsletter_id, campaign_id, day, part) do update set ${column} = c.${column} + 1`.execute(db)
}

const during = ({ from, to }: Period): RawBuilder<unknown> => sql`
  ${from === undefined ? sql`` : sql`and c.day >= ${from}::date`} ${to === undefined ? sql`` : sql`and c.day <= ${to}::date`}`

interface CountRow {
  newsletterId: string
  campaignId: string
  shown: number
  chosen: number
  confirmed: number
  due: number
  stayed: number
}

const sums = sql`sum(c.shown)::bigint as shown, sum(c.chosen)::bigint as chosen, sum(c.confirmed)::bigint as confirmed,
  sum(c.due)::bigint as due, sum(c.stayed)::bigint as stayed`

const none: RecommendationCounts = { shown: 0, chosen: 0, confirmed: 0, stayed: { still: 0, of: 0 } }

/** What came of recommendations in a period, by their keys. */
export async function countsOf(
  db: Db,
  keys: RecommendationKey[],
  period: Period,
): Promise<(key: RecommendationKey) => RecommendationCounts> {
  const { rows } = await sql<CountRow>`
    select c.newsletter_id as "newsletterId", c.campaign_id as "campaignId", ${sums}
    from recommendation_count c
    join unnest(${keys.map((k) => k.newsletterId)}::text[], ${keys.map((k) => k.campaignId)}::text[])
      as k (newsletter_id, campaign_id) using (newsletter_id, campaign_id)
    where true ${during(period)} group by 1, 2`.execute(db)
  const found = new Map(
    rows.map(({ newsletterId, campaignId, due, stayed, ...counts }) => [
      `${newsletterId} ${campaignId}`,
      { shown: counts.shown, chosen: counts.chosen, confirmed: counts.confirmed, stayed: { still: stayed, of: due } },
    ]),
  )
  return ({ newsletterId, campaignId }) => found.get(`${newsletterId} ${campaignId}`) ?? none
}

interface DayRow extends Omit<CountRow, 'newsletterId' | 'campaignId'> {
  day: string
  way: 'given' | 'received'
  newsletter: string
}

/** Each day's figures, both ways: what this newsletter's recommendations gave others (`given`), and what those of others gave it (`received`). */
export async function recommendationsCsv(
  db: Db,
  newsletterId: string,
  { sheet, ...period }: Period & { sheet?: Language | undefined },
): Promise<string> {
  const { rows } = await sql<DayRow>`
    select c.day::text as day, 'given' as way, p.name as newsletter, ${sums}
    from recommendation_count c
    join campaign p on p.newsletter_id = c.newsletter_id and p.id = c.campaign_id
    where c.newsletter_id = ${newsletterId} ${during(period)} group by c.day, p.name
    union all
    select c.day::text, 'received', n.name, ${sums}
    from recommendation r
    join recommendation_count c on c.newsletter_id = r.newsletter_id and c.campaign_id = r.id
    join newsletter n on n.id = r.newsletter_id
    where r.to_newsletter_id = ${newsletterId} ${during(period)} group by c.day, n.name
    order by day, way, newsletter`.execute(db)
  const names = ['day', 'way', 'newsletter', 'shown', 'chosen', 'confirmed', 'of_14_days', 'still_there_after_14_days']
  const lines = rows.map((r) => [r.day, r.way, r.newsletter, r.shown, r.chosen, r.confirmed, r.due, r.stayed])
  return csvText([names, ...lines], sheet)
}
