import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Subscriber } from '../database/types.ts'
import type { Job } from '../jobs/queue.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    fold_subscriber_counts: Record<string, unknown>
  }
}

/** How many subscribers a newsletter has, or how many people of one status. It reads none of them. */
export async function countByStatus(
  db: Db,
  newsletterId: string,
  status: Subscriber['status'] | undefined,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(n), 0)::integer as total from subscriber_count
    where newsletter_id = ${newsletterId} and ${status ? sql`status = ${status}` : sql`status <> 'campaign_only'`}`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

/** A newsletter has at most about so many rows to add up. */
const MANY_ROWS = 200

/** Adds the rows of `subscriber_count` up, in one statement: whoever reads meanwhile sees all of them or their sum. */
export const foldSubscriberCountsJob =
  ({ db }: { db: Db }): Job<'fold_subscriber_counts'> =>
  async () => {
    await sql`
      with folded as (
        delete from subscriber_count where newsletter_id in (
          select newsletter_id from subscriber_count group by 1 having count(*) > ${MANY_ROWS})
        returning newsletter_id, status, n
      )
      insert into subscriber_count (newsletter_id, status, n)
      select newsletter_id, status, sum(n) from folded group by 1, 2 having sum(n) <> 0`.execute(db)
  }
