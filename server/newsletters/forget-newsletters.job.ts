import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { eraseNewsletter } from '../personal-data/erase.ts'
import { KEPT_DAYS } from './newsletter.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    forget_newsletters: Record<string, unknown>
  }
}

/** Runs daily. Removes newsletters for good that were deleted more than 30 days ago. */
export function forgetNewslettersJob({ db }: Context): Job<'forget_newsletters'> {
  return async () => {
    const old = await db
      .selectFrom('newsletter')
      .select('id')
      .where('deleted_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
      .execute()
    for (const { id } of old) await eraseNewsletter(db, id)
  }
}
