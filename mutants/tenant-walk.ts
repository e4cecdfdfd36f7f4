import { type Kysely, sql } from 'kysely'
import { test } from 'vitest'
import { leftOut, reached } from './tenant-switch.ts'

/**
 * Takes the place of Vitest's `test` in a walk: the same test once with every condition, once without each of those that it reaches of
 * what `TENANT_WALK` names and no test before it has noticed, and once more with every one, so that a walk which fails by itself
 * notices nothing. After each, the rows are what they were before the first.
 */
export function walkWithoutEach(database: () => Kysely<never>) {
  const noticed = new Set<string>()
  return (name: string, body: () => Promise<void>): void => {
    const names: string[] = JSON.parse(process.env.TENANT_WALK ?? '[]')
    let own = new Set(names)
    for (const lost of ['', ...names, '']) {
      test(`${lost || 'every condition'}: ${name}`, async (context) => {
        if (lost) context.skip(noticed.has(lost) || !own.has(lost))
        else reached.clear()
        context.onTestFailed(() => void noticed.add(lost))
        await keepRows(database())
        leftOut(lost)
        try {
          await body()
        } finally {
          leftOut('')
          if (!lost) own = new Set(reached)
          await bringBackRows(database())
        }
      })
    }
  }
}

const KEPT = 'kept_rows'

/** The tables, and the columns that can be written. */
async function tablesOf(db: Kysely<never>) {
  const { rows } = await sql<{ table: string; columns: string }>`
    select quote_ident(c.relname) as table, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname`.execute(db)
  return rows
}

async function keepRows(db: Kysely<never>): Promise<void> {
  const { rows } = await sql`select from pg_namespace where nspname = ${KEPT}`.execute(db)
  if (rows.length > 0) return
  const copies = (await tablesOf(db)).map(
    ({ table, columns }) => `create table ${KEPT}.${table} as select ${columns} from public.${table};`,
  )
  await sql.raw(`create schema ${KEPT}; ${copies.join('')}`).execute(db)
}

/** Without triggers, which would count the rows a second time. */
async function bringBackRows(db: Kysely<never>): Promise<void> {
  const back = (await tablesOf(db)).map(
    ({ table, columns }) =>
      `delete from public.${table}; insert into public.${table} (${columns}) overriding system value select * from ${KEPT}.${table};`,
  )
  await sql.raw(`begin; set local session_replication_role = replica; ${back.join('')} commit`).execute(db)
}
