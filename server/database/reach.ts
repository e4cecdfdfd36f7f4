import pg from 'pg'
import { messageOf, StartError } from '../start-error.ts'

const OLDEST_MAJOR = 15

/** @throws StartError when no server answers at `url`, or it refuses us or is older than PostgreSQL 15 */
export async function reachDatabase(url: string): Promise<{ version: string; fsync: boolean }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; fsync: string }>(
      `select current_setting('server_version') as version, current_setting('fsync') as fsync`,
    )
    const { version = '0', fsync } = rows[0] ?? {}
    if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
      throw new StartError(`${placeOf(url)} is PostgreSQL ${version}; Tirage needs ${OLDEST_MAJOR} or newer.`)
    }
    return { version, fsync: fsync === 'on' }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`PostgreSQL at ${placeOf(url)} cannot be used (${reasonOf(error)}): check DATABASE_URL.`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The address without its password. */
const placeOf = (url: string) => `${new URL(url).host}${new URL(url).pathname}`

/** When a name has several addresses, a refused connection is an AggregateError, whose own message is empty. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? [...new Set(error.errors.map(messageOf))].join('; ') : messageOf(error)
