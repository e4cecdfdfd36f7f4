import type { Context } from '../context.ts'
import { createDatabase, createPool } from '../database/client.ts'

const CONNECTIONS = 5
/** The library hashes the password of a new account while it holds a connection, so a crowd takes a while. */
const PATIENCE_MS = 30_000

export interface Connections {
  db: Context['db']
  close(): Promise<void>
}

/** Connections for the identity library alone. Idle ones close. */
export function openConnections({ pool, log }: Pick<Context, 'pool' | 'log'>): Connections {
  const own = createPool(String(pool.options.connectionString), CONNECTIONS, PATIENCE_MS)
  own.on('error', ({ message }) => own.ending || log.warn({ reason: message }, 'a database connection was lost'))
  return { db: createDatabase(own), close: () => own.end() }
}
