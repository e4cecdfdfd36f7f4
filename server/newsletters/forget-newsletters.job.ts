import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { KEPT_DAYS } from './newsletter.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    forget_newsletters: Record<string, unknown>
  }
}

/** Daily: removes for good what was deleted more than 30 days ago. Clicks, links and events name no table to follow. */
export function forgetNewslettersJob({ db }: Context): Job<'forget_newsletters'> {
  return async () => {
    const old = await db
      .selectFrom('newsletter')
      .select('id')
      .where('deleted_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
      .execute()
    for (const { id } of old) {
      await db.deleteFrom('click').where('newsletter_id', '=', id).execute()
      await db.deleteFrom('event').where('newsletter_id', '=', id).execute()
      await db.deleteFrom('short_link').where('newsletter_id', '=', id).execute()
      await db.deleteFrom('newsletter').where('id', '=', id).execute()
    }
  }
}
