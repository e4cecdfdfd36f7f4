import { Logger as GraphileLogger, type Runner, run, runMigrations, type Task, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../database/client.ts'

/** Everything that may be queued and what it carries. A slice adds its jobs here by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface Jobs {}

interface Timed<Payload> {
  payload: Payload
  /** null: as soon as a worker is free. */
  runAt: Date | null
  /** A job with the same key that has not begun is replaced. */
  key: string | null
}

/** Queues a job in the same transaction as the change that needs it: both happen or neither does. */
export async function enqueue<Name extends keyof Jobs & string>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
): Promise<void> {
  await enqueueAt(db, name, { payload, runAt: null, key: null })
}

/** Like `enqueue`, for later. */
export async function enqueueAt<Name extends keyof Jobs & string>(
  db: Db,
  name: Name,
  { payload, runAt, key }: Timed<Jobs[Name]>,
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json,
    run_at := ${runAt}, job_key := ${key}, max_attempts := 12)`.execute(db)
}

export type Job<Name extends keyof Jobs> = (payload: Jobs[Name], helpers: Parameters<Task>[1]) => Promise<void>
export type JobList = { [Name in keyof Jobs]: Job<Name> }

export const migrateQueue = (pool: pg.Pool): Promise<void> => runMigrations({ pgPool: pool, preset: {} })

interface Dependencies {
  pool: pg.Pool
  log: Logger
}

/** Starts working; `crontab` in graphile-worker's syntax. */
export function startWorker({ pool, log }: Dependencies, jobs: JobList, crontab: string): Promise<Runner> {
  return run({
    pgPool: pool,
    concurrency: 8,
    noHandleSignals: true,
    pollInterval: 2_000,
    taskList: jobs as unknown as TaskList,
    crontab,
    logger: quietLogger(log),
    // Jobs that watch their abort signal are told of a stop at once; the others run to their end.
    gracefulShutdownAbortTimeout: 0,
  })
}

function quietLogger(log: Logger) {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new GraphileLogger(() => (level, message) => log[levels[level]](message))
}
