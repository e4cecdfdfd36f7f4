import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { Job } from '../../jobs/queue.ts'
import { forgetChoices } from './choice.ts'
import { recommendationLimits } from './contract.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    count_stayed: Record<string, unknown>
  }
}

const BATCH = 5_000

export const countStayedJob =
  ({ db, now }: Pick<Context, 'db' | 'now'>): Job<'count_stayed'> =>
  async () => {
    const at = now()
    await countStayed(db, at)
    await forgetChoices(db, new Date(at.getTime() - recommendationLimits.stayedDays * 86_400_000))
  }

/**
 * Counts who came by a recommendation and was still there after fourteen days, and forgets that they came by it: their receipt says so. A run
 * that comes late counts those as there who left after the fourteen days.
 */
export async function countStayed(db: Db, now: Date): Promise<void> {
  for (let counted = BATCH; counted === BATCH; ) {
    const { rows } = await sql<{ counted: number }>`
        with due as (
          select newsletter_id, id from recommendation_yes
          where at <= ${now}::timestamptz - ${recommendationLimits.stayedDays} * interval '24 hours'
          order by at limit ${BATCH} for update skip locked
        ),
        counted as (
          delete from recommendation_yes y using due d where y.newsletter_id = d.newsletter_id and y.id = d.id
          returning y.newsletter_id, y.subscriber_id, y.from_newsletter_id, y.campaign_id, y.at
        ),
        days as (
          select y.from_newsletter_id, y.campaign_id, (y.at at time zone 'utc')::date as day, count(*) as due,
            count(*) filter (where s.status = 'active'
              or s.left_at > y.at + ${recommendationLimits.stayedDays} * interval '24 hours') as stayed
          from counted y left join subscriber s on s.newsletter_id = y.newsletter_id and s.id = y.subscriber_id
          group by 1, 2, 3
        ),
        written as (
          insert into recommendation_count as c (newsletter_id, campaign_id, day, part, due, stayed)
          select from_newsletter_id, campaign_id, day, 0, due, stayed from days order by 1, 2, 3
          on conflict (newsletter_id, campaign_id, day, part)
            do update set due = c.due + excluded.due, stayed = c.stayed + excluded.stayed
        )
        select count(*)::integer as counted from counted`.execute(db)
    counted = rows[0]?.counted ?? 0
  }
}
