import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { Job } from '../jobs/queue.ts'
import { moveCountsOfPastHours, moveWaitingClicks } from './store-clicks.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    judge_click_patterns: Record<string, unknown>
  }
}

/** Clicks are looked at again and again for so long. Those that a database which was away got later are judged by a replay. */
const LOOKED_BACK_MS = 15 * 60_000
/** Around the moment in which somebody's copy had its hidden address followed. */
const CANARY_MINUTES = 10
/** A burst begins so soon after the mail was accepted, and is over so soon. */
const BURST_BEGINS_SECONDS = 60
const BURST_SECONDS = 10
const BURST_LINKS = 3

/** Applies the rules that need more than one click, every minute. */
export const judgeClickPatternsJob =
  ({ db, now }: Context): Job<'judge_click_patterns'> =>
  async () => {
    // Of a process that was killed before it counted them.
    while ((await moveWaitingClicks(db)).more);
    const to = now()
    while (await moveCountsOfPastHours(db, to));
    const from = new Date(to.getTime() - LOOKED_BACK_MS)
    const { rows } = await sql<{ id: string }>`
      select n.id from newsletter n where exists (
        select from click c where c.newsletter_id = n.id and c.at >= ${from}
      )`.execute(db)
    for (const { id } of rows) await judgePatterns(db, id, { from, to })
  }

/**
 * Excludes clicks of people of one newsletter that are no person's when they are seen together: those of a copy whose hidden address was
 * followed, and those that followed every link of a mail within seconds. docs/human-clicks.md publishes both rules.
 *
 * @returns how many clicks each rule excluded
 */
export async function judgePatterns(
  db: Db,
  newsletterId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ canary: number; burst: number }> {
  const canary = await sql`
    update click c set excluded_by = 'canary' from click seen
    join short_link l on l.newsletter_id = seen.newsletter_id and l.id = seen.short_link_id and l.canary
    where seen.newsletter_id = ${newsletterId} and seen.at between ${from} and ${to} and seen.subscriber_id is not null
      and c.newsletter_id = seen.newsletter_id and c.publication_id = seen.publication_id and c.subscriber_id = seen.subscriber_id
      and c.excluded_by is null and abs(extract(epoch from c.at - seen.at)) <= ${CANARY_MINUTES * 60}`.execute(db)
  const burst = await sql`
    with mails as (
      select c.publication_id, c.subscriber_id, min(c.at) as begun from click c
      where c.newsletter_id = ${newsletterId} and c.at between ${from} and ${to} and c.publication_id is not null
        and c.subscriber_id is not null and (c.excluded_by is null or c.excluded_by = 'burst')
      group by 1, 2 having count(distinct c.short_link_id) >= ${BURST_LINKS}
    ), bursts as (
      select m.publication_id, m.subscriber_id, m.begun from mails m
      join delivery d on d.newsletter_id = ${newsletterId} and d.publication_id = m.publication_id and d.subscriber_id = m.subscriber_id
        and d.state = 'accepted' and m.begun <= d.changed_at + ${BURST_BEGINS_SECONDS} * interval '1 second'
      where (
        select count(distinct c.short_link_id) from click c
        where c.newsletter_id = ${newsletterId} and c.publication_id = m.publication_id and c.subscriber_id = m.subscriber_id
          and (c.excluded_by is null or c.excluded_by = 'burst') and c.at <= m.begun + ${BURST_SECONDS} * interval '1 second'
      ) >= greatest(${BURST_LINKS}::bigint, (
        select count(*) from short_link l where l.newsletter_id = ${newsletterId} and l.publication_id = m.publication_id and not l.canary
      ))
    )
    update click c set excluded_by = 'burst' from bursts b
    where c.newsletter_id = ${newsletterId} and c.publication_id = b.publication_id and c.subscriber_id = b.subscriber_id
      and c.excluded_by is null and c.at <= b.begun + ${BURST_SECONDS} * interval '1 second'`.execute(db)
  return { canary: Number(canary.numAffectedRows), burst: Number(burst.numAffectedRows) }
}
