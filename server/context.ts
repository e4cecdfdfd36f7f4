import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import { createDatabase, createPool } from './database/client.ts'
import { Listener } from './database/listener.ts'
import type { DB } from './database/types.ts'
import { LiveEvents } from './http/live.ts'
import { createMetrics } from './http/metrics.ts'
import { Sealer } from './http/sealing.ts'
import { ShownIds } from './http/shown-ids.ts'
import { Signer } from './http/signing.ts'
import { Threads } from './jobs/threads.ts'
import { createLogger } from './log.ts'

/** The objects with state that several slices need, built once. A slice builds its own objects itself. */
export interface Context {
  config: Config
  log: Logger
  pool: pg.Pool
  db: Kysely<DB>
  listener: Listener
  threads: Threads
  live: LiveEvents
  signer: Signer
  sealer: Sealer
  shownIds: ShownIds
  metrics: Registry
  now: () => Date
}

export interface ContextOptions {
  config: Config
  databaseUrl: string
  log?: Logger
  now?: () => Date
}

export function createContext({ config, databaseUrl, log, now }: ContextOptions): Context {
  const logger = log ?? createLogger(config.logLevel)
  const pool = createPool(databaseUrl)
  // An idle connection that breaks must not end the process. The next query opens another.
  pool.on('error', ({ message }) => pool.ending || logger.warn({ reason: message }, 'a database connection was lost'))
  const listener = new Listener(pool, logger)
  return {
    config,
    log: logger,
    pool,
    db: createDatabase(pool),
    listener,
    threads: new Threads(logger),
    live: new LiveEvents(listener),
    signer: new Signer(config.secret),
    sealer: new Sealer(config.secret),
    shownIds: new ShownIds(config.secret),
    metrics: createMetrics(config),
    now: now ?? (() => new Date()),
  }
}
