import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { Job } from '../jobs/queue.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    ensure_event_partitions: Record<string, unknown>
  }
}

/** Makes the partitions of this month and the next two before their first event. It runs at the start and daily. */
export const ensureEventPartitionsJob =
  ({ db, now }: Context): Job<'ensure_event_partitions'> =>
  () =>
    ensureEventPartitions(db, now())

export function ensureEventPartitions(db: Db, now: Date): Promise<void> {
  return db.transaction().execute(async (tx) => {
    // Two programs that start at once would both make the same one.
    await sql`select pg_advisory_xact_lock(hashtextextended('event partitions', 0))`.execute(tx)
    await sql`select ensure_event_partitions(${now}::date, (${now}::date + interval '2 months')::date)`.execute(tx)
  })
}
