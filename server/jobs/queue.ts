import { Logger as GraphileLogger, type Runner, run, runMigrations, type Task, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../database/client.ts'

/** The kinds of jobs with their payloads. A slice adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface Jobs {}

interface Timed<Payload> {
  payload: Payload
  /** `null`: as soon as a worker is free. */
  runAt: Date | null
  /** Replaces a job with the same key that has not begun. */
  key: string | null
}

/** How often a job is tried. */
export const MAX_ATTEMPTS = 12

/** Queues a job. In the transaction of the change that needs it, both happen or neither does. */
export async function enqueue<Name extends keyof Jobs & string>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
): Promise<void> {
  await enqueueAt(db, name, { payload, runAt: null, key: null })
}

/** Queues a job for a later time. */
export async function enqueueAt<Name extends keyof Jobs & string>(
  db: Db,
  name: Name,
  { payload, runAt, key }: Timed<Jobs[Name]>,
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json,
    run_at := ${runAt}, job_key := ${key}, max_attempts := ${MAX_ATTEMPTS})`.execute(db)
}

export type Job<Name extends keyof Jobs> = (payload: Jobs[Name], helpers: Parameters<Task>[1]) => Promise<void>
export type JobList = { [Name in keyof Jobs]: Job<Name> }

export const migrateQueue = (pool: pg.Pool): Promise<void> => runMigrations({ pgPool: pool, preset: {} })

interface Dependencies {
  pool: pg.Pool
  log: Logger
}

/** Starts to work on jobs. `crontab` has graphile-worker's syntax. */
export function startWorker({ pool, log }: Dependencies, jobs: JobList, crontab: string): Promise<Runner> {
  return run({
    pgPool: pool,
    concurrency: 8,
    noHandleSignals: true,
    pollInterval: 2_000,
    taskList: jobs as unknown as TaskList,
    crontab,
    logger: quietLogger(log),
    // At a stop, jobs are aborted at once if they watch their abort signal. The others run to their end.
    gracefulShutdownAbortTimeout: 0,
  })
}

function quietLogger(log: Logger) {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new GraphileLogger(() => (level, message) => log[levels[level]](message))
}
