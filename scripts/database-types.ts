import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'

/** Writes the types of a freshly migrated database; with `--verify` it only compares them with the committed ones. */
const root = join(import.meta.dirname, '..')
const dataDir = mkdtempSync(join(tmpdir(), 'tirage-types-'))
const log = { info: () => {}, warn: () => {} }
/** The table of roles says which there are: a role that is added changes no generated file. */
const role: TypeNode = { type: 'Identifier', name: 'Role' }
const roleColumns = { 'member.role': role, 'invitation.role': role, 'api_key.role': role }
const database = await startEmbeddedPostgres({ dataDir, log, settings: 'fast' })
try {
  await migrate(database.url)
  const options = {
    dialect: 'postgres',
    url: database.url,
    'exclude-pattern': 'migration',
    // The driver gives 64-bit counts as numbers (database/client.ts).
    'type-mapping': '{"int8":"number"}',
    overrides: JSON.stringify({ columns: { ...(await listedColumns(database.url)), ...roleColumns } }),
    'custom-imports': '{"Role":"../permissions.ts#Role"}',
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

/** A type as kysely-codegen describes it. Its own parser of types needs a TypeScript API that version 7 does not have. */
type TypeNode =
  | { type: 'Literal'; value: string }
  | { type: 'Identifier'; name: string }
  | { type: 'UnionExpression'; args: TypeNode[] }
  | { type: 'GenericExpression'; name: 'Generated'; args: TypeNode[] }

interface ListedColumn {
  column: string
  definition: string
  nullable: boolean
  generated: boolean
}

/**
 * The types of columns that allow only a list of values, such as `"draft" | "sent"`, by `table.column`.
 * The list is a check constraint of the column or of its domain.
 */
async function listedColumns(url: string): Promise<Record<string, TypeNode>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<ListedColumn>(`
      select format('%s.%s', c.relname, a.attname) as column, pg_get_constraintdef(k.oid) as definition,
        not (a.attnotnull or t.typnotnull) as nullable, a.atthasdef or a.attidentity <> '' as generated
      from pg_class c
        join pg_attribute a on a.attrelid = c.oid
        join pg_type t on t.oid = a.atttypid
        join pg_constraint k on k.contypid = t.oid or (k.conrelid = c.oid and k.conkey = array[a.attnum])
      where c.relnamespace = 'public'::regnamespace and k.contype = 'c'`)
    return Object.fromEntries(rows.flatMap(typeOf))
  } finally {
    await client.end()
  }
}

function typeOf({ column, definition, nullable, generated }: ListedColumn): [string, TypeNode][] {
  // PostgreSQL rewrites `state in ('a', 'b')` in this form.
  const list = definition.match(/^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/)?.[1]
  if (!list) return []
  const values = [...list.matchAll(/'([^']+)'::text/g)]
  // A list of numbers: their type says enough.
  if (values.length === 0) return []
  const args = values.map(([, value = '']): TypeNode => ({ type: 'Literal', value }))
  if (nullable && generated) args.push({ type: 'Identifier', name: 'null' })
  const union: TypeNode = { type: 'UnionExpression', args }
  // kysely-codegen adds `| null` itself.
  return [[column, generated ? { type: 'GenericExpression', name: 'Generated', args: [union] } : union]]
}
