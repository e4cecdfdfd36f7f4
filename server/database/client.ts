import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './types.ts'

/** The database, or a transaction on it: every query takes one as its first argument. */
export type Db = Kysely<DB> | Transaction<DB>

const INT8 = 20
const types: pg.CustomTypesConfig = {
  // Counts stay far below 2^53. A string would have to be parsed at each use.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** After this time a visitor gets an answer that asks them to come back. */
const PATIENCE_MS = 10_000

/** A pool of at most `size` connections. Whoever waits longer than `patienceMs` for one gets an error. */
export function createPool(url: string, size = 20, patienceMs = PATIENCE_MS): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    application_name: 'tirage',
    connectionTimeoutMillis: patienceMs,
  })
  // The query in use also gets the error of its connection, and the pool drops one that is idle. Without a listener, the event would end the process.
  const ignore = () => {}
  return pool.on('error', ignore).on('connect', (client) => client.on('error', ignore))
}

export function createDatabase(pool: pg.Pool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}
