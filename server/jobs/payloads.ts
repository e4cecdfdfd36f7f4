import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { type Jobs, MAX_ATTEMPTS } from './queue.ts'

/**
 * Jobs are found by their payload, whether they wait, are being done, or have failed for good. Graphile Worker has no
 * function for this, so its private tables are touched here, and only here.
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

/**
 * Ends the job that is being done by queueing what follows from it, in one statement: a process that is killed has done both or neither. A job that is
 * done a second time, because nobody heard of its end, queues nothing.
 */
export async function replaceJob<Name extends keyof Jobs & string>(
  db: Db,
  { job }: { job: { id: string } },
  { name, payload }: { name: Name; payload: Jobs[Name] },
): Promise<void> {
  await sql`
    with ended as (delete from graphile_worker._private_jobs where id = ${job.id} returning id)
    select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json, max_attempts := ${MAX_ATTEMPTS}) from ended`.execute(
    db,
  )
}

/** Ends the job that is being done, together with what its transaction does. @returns false when it was done before */
export async function endJob(tx: Db, { job }: { job: { id: string } }): Promise<boolean> {
  const { rows } = await sql`delete from graphile_worker._private_jobs where id = ${job.id} returning id`.execute(tx)
  return rows.length > 0
}

/**
 * Gives back jobs of a kind that a worker took so long ago. The queue itself waits four hours for a worker that was killed. That worker may
 * still be at it, so only kinds of which a second one changes nothing may be given back.
 */
export async function giveBackJobs(db: Db, name: keyof Jobs & string, takenFor: string): Promise<void> {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null
    where ${ofKind(name)} and locked_at < now() - ${takenFor}::interval`.execute(db)
}

/** Gives back every job that a worker has, at a time when no worker is there. */
export async function giveBackAllJobs(db: Db): Promise<void> {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null`.execute(
    db,
  )
}

const ofKind = (name: string) =>
  sql<SqlBool>`task_id = (select id from graphile_worker._private_tasks where identifier = ${name})`
