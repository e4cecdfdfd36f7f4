import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { KEPT_DELETED_DAYS } from './contract.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    forget_deleted_publications: Record<string, unknown>
  }
}

/** Runs daily. Removes publications for good that were deleted more than 30 days ago. */
export const forgetDeletedPublicationsJob =
  ({ db }: Context): Job<'forget_deleted_publications'> =>
  async () => {
    await db
      .deleteFrom('deleted_publication')
      .where('deleted_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DELETED_DAYS})`)
      .execute()
  }
