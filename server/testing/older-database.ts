import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../database/migrate.ts'
import { migrateQueue } from '../jobs/queue.ts'
import { projectRoot } from '../root.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/**
 * A database that was filled when it had the migrations up to one, and has all of them now.
 *
 * @param last the number of that migration, such as `0012`
 * @param filled SQL, which runs in one transaction
 */
export async function upgradedDatabase(last: string, filled: string): Promise<TestDatabase> {
  const database = await createTestDatabase({ bare: true })
  const folder = join(mkdtempSync(join(tmpdir(), 'tirage-migrations-')), 'migrations')
  mkdirSync(folder)
  const migrations = join(projectRoot, 'migrations')
  for (const name of readdirSync(migrations).filter((one) => one <= `${last}~`))
    copyFileSync(join(migrations, name), join(folder, name))
  await migrate(database.url, { folder })
  rmSync(folder, { recursive: true })
  const pool = new pg.Pool({ connectionString: database.url })
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  await pool.query(`begin; ${filled} commit;`)
  await migrate(database.url)
  await migrateQueue(pool)
  await pool.end()
  return database
}
