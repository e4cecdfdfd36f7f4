import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import pg from 'pg'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { migrateQueue } from '../jobs/queue.ts'

/** The variable in which the run of the tests (`global-setup.ts`) names a data folder with a migrated, empty and stopped database. */
const VARIABLE = 'TIRAGE_TEST_DATA_FOLDER'

const log = { info: () => {}, warn: () => {} }

/** Makes a data folder as a program leaves it that was started once and stopped, for all tests of this run to copy. */
export async function offerDataFolder(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log, settings: 'fast' })
  await migrate(server.url)
  const pool = new pg.Pool({ connectionString: server.url })
  const ignore = () => {}
  pool.on('error', ignore).on('connect', (connected) => connected.on('error', ignore))
  await migrateQueue(pool)
  await pool.end()
  await server.stop()
  process.env[VARIABLE] = dataDir
}

/**
 * Makes `folder` a copy of it. To make a database anew takes seconds of a core, and only tests of a first start need that.
 * Without that variable, as in a bench, nothing happens, and the program makes its database itself.
 */
export function copyMadeDataFolder(folder: string): void {
  const made = process.env[VARIABLE]
  if (!made) return
  mkdirSync(folder, { recursive: true })
  // Node's own copy does not keep the owner, and PostgreSQL starts only in a folder of its user.
  execFileSync('cp', ['-a', `${made}/.`, folder])
}
