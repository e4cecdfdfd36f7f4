import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { projectRoot } from '../root.ts'
import { messageOf, StartError } from '../start-error.ts'

interface Migration {
  name: string
  checksum: string
  sql: string
}

/** Keeps two processes from migrating at the same time. Any number does that nobody else locks. */
const LOCK = 7_318_204_551

/** Checksums of files that were changed when somebody could have applied them. A later migration makes of both the same. */
const FORMER: Readonly<Record<string, string>> = {
  '0098_clicks_in_batches.sql': '0f9273f31ef03a9fae6946a1e434a97e401e345f573f2d2a6c6ded443db17b7e',
}

interface MigrateOptions {
  folder?: string
  /** Told how many are missing, when there are some. */
  before?(count: number): void
}

/**
 * Applies `NNNN_*.sql` of the folder in the order of their numbers, each in a transaction of its own, once.
 * @returns the names of those that this call applied
 * @throws StartError when an applied file has changed or is missing, or one fails
 */
export async function migrate(
  database: pg.Pool | string,
  { folder = join(projectRoot, 'migrations'), before }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client(typeof database === 'string' ? { connectionString: database } : database.options)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await applyMissing(client, readMigrations(folder), before)
  } finally {
    await client.end()
  }
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}_\w+\.sql$/.test(name))
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

async function applyMissing(
  client: pg.Client,
  migrations: Migration[],
  before: MigrateOptions['before'],
): Promise<string[]> {
  await client.query(`create table if not exists migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<Pick<Migration, 'name' | 'checksum'>>('select name, checksum from migration')
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  refuseChanged(migrations, applied)
  const missing = migrations.filter(({ name }) => !applied.has(name))
  if (missing.length > 0) before?.(missing.length)
  for (const migration of missing) await apply(client, migration)
  return missing.map(({ name }) => name)
}

function refuseChanged(migrations: Migration[], applied: Map<string, string>): void {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const [name, checksum] of applied) {
    const now = checksums.get(name)
    if (now === checksum || (now && FORMER[name] === checksum)) continue
    const problem = now ? 'has changed since it was applied' : 'was applied and is no longer there'
    throw new StartError(`The migration ${name} ${problem}: this program does not fit this database.`)
  }
}

async function apply(client: pg.Client, { name, checksum, sql }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new StartError(`The migration ${name} failed: ${messageOf(error)}`, { cause: error })
  }
}
