import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { digestPaces } from '../subscribers/contract.ts'
import { composeDigests } from './compose.ts'
import { lastMoment } from './moment.ts'
import { scheduleOf } from './schedule.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    compose_digests: Record<string, unknown>
  }
}

/** Makes the digests whose moment has come, those too that came while no process worked. */
export const composeDigestsJob =
  (context: Pick<Context, 'db' | 'config' | 'threads' | 'now'>): Job<'compose_digests'> =>
  async () => {
    // Each newsletter by a look at its index, because the planner would else read all that waits.
    const { rows } = await sql<{ id: string; weekly: Date | null; monthly: Date | null }>`
      select n.id, (select r.at from digest_run r where r.newsletter_id = n.id and r.pace = 'weekly') as weekly,
        (select r.at from digest_run r where r.newsletter_id = n.id and r.pace = 'monthly') as monthly
      from newsletter n cross join lateral (
        select from digest_item i where i.newsletter_id = n.id and i.digested_at is null limit 1
      ) waiting
      where n.deleted_at is null`.execute(context.db)
    for (const { id, ...made } of rows) {
      const newsletter = await findNewsletter(context.db, id)
      for (const pace of newsletter ? digestPaces : []) {
        if (!newsletter) continue
        const moment = lastMoment(scheduleOf(newsletter), pace, context.now())
        const last = made[pace]
        if (!last || last < moment) await composeDigests(context, { newsletter, pace, moment })
      }
    }
  }
