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

/**
 * Runs daily. Removes newsletters for good that were deleted more than 30 days ago.
 *
 * @param beforeErasing what has to be done elsewhere first. One for which it fails waits for the next day
 */
export function forgetNewslettersJob(
  { db, log }: Context,
  beforeErasing: (newsletterId: string) => Promise<void>,
): Job<'forget_newsletters'> {
  return async () => {
    const old = await db
      .selectFrom('newsletter')
      .select('id')
      .where('deleted_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
      .execute()
    for (const { id } of old)
      try {
        await beforeErasing(id)
        await eraseNewsletter(db, id)
      } catch (error) {
        log.error({ err: error, newsletterId: id }, 'a newsletter could not be removed yet')
      }
  }
}
