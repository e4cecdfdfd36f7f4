import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { moveWaitingClicks } from '../links/store-clicks.ts'

/** Has all clicks counted that wait. A move that is under way has ended before. */
export async function countWaitingClicks(db: Db): Promise<void> {
  await db.transaction().execute((tx) => sql`lock table click_waiting in exclusive mode`.execute(tx))
  while ((await moveWaitingClicks(db)).more);
}
