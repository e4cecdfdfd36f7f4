import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Jobs } from './queue.ts'

/**
 * Jobs are found by their payload, whether they wait, are being done, or have failed for good. Graphile Worker has no
 * function for this, so its private tables are read here, and only here.
 *
 * @param matches SQL on the column `payload`, which is JSON
 */
export async function findJobs<Name extends keyof Jobs & string>(
  db: Db,
  name: Name,
  matches: RawBuilder<SqlBool>,
): Promise<{ payload: Jobs[Name]; queuedAt: Date }[]> {
  const { rows } = await sql<{ payload: Jobs[Name]; queuedAt: Date }>`
    select payload, created_at as "queuedAt" from graphile_worker._private_jobs
    where ${ofKind(name)} and ${matches} order by id`.execute(db)
  return rows
}

/** Deletes jobs by their payload. A job that is being done runs to its end, and is not tried again. */
export async function deleteJobs(db: Db, name: keyof Jobs & string, matches: RawBuilder<SqlBool>): Promise<void> {
  await sql`delete from graphile_worker._private_jobs where ${ofKind(name)} and ${matches}`.execute(db)
}

const ofKind = (name: string) =>
  sql<SqlBool>`task_id = (select id from graphile_worker._private_tasks where identifier = ${name})`
