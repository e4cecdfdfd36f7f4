import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'

/** Writes the types of a freshly migrated database; with `--verify` it only says whether the kept ones are these. */
const root = join(import.meta.dirname, '..')
const dataDir = mkdtempSync(join(tmpdir(), 'tirage-types-'))
const log = { info: () => {}, warn: () => {} }
const database = await startEmbeddedPostgres({ dataDir, log, durable: false })
try {
  await migrate(database.url)
  const options = {
    dialect: 'postgres',
    url: database.url,
    'exclude-pattern': 'migration',
    // The driver gives 64-bit counts as numbers (database/client.ts).
    'type-mapping': '{"int8":"number"}',
    'out-file': join(root, 'server/database/types.ts'),
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const codegen = join(root, 'node_modules/kysely-codegen/dist/cli/bin.js')
  execFileSync(process.execPath, [codegen, ...args, ...process.argv.slice(2)], { stdio: 'inherit' })
} catch {
  process.exitCode = 1
} finally {
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
