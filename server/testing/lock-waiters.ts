import { sql } from 'kysely'
import type { Db } from '../database/client.ts'

/** How many statements on the test's database wait for a lock. */
export async function lockWaiters(db: Db): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
