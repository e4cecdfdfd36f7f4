import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { Signer } from '../../http/signing.ts'
import { wasErasedIfAny } from '../erased-addresses.ts'
import type { StagedRow } from './read-row.ts'
import type { ImportRecord } from './work.ts'

/** The rows of one import, in a table of their own. */
export const stagedRows = (importId: string): RawBuilder<unknown> => sql.table(nameOf(importId))

const nameOf = (importId: string): string => `import_row_${importId}`

/** SQL that is true for a row `r` whose address belonged to somebody who was erased. */
export const rowWasErased = (signer: Signer, { newsletter_id }: ImportRecord): RawBuilder<SqlBool> =>
  wasErasedIfAny(signer, { newsletterId: sql`${newsletter_id}::text`, normalised: sql`r.email_normalised` })

/** Makes the table anew, without rows. */
export async function makeStaging(db: Db, importId: string): Promise<void> {
  await dropStaging(db, importId)
  await sql`create unlogged table ${stagedRows(importId)} partition of import_row for values in (${sql.lit(importId)})`.execute(
    db,
  )
}

export const dropStaging = (db: Db, importId: string) => sql`drop table if exists ${stagedRows(importId)}`.execute(db)

/** Drops the tables of imports that went with their newsletter. */
export async function dropStrayStagings(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select substr(c.relname, ${nameOf('').length + 1}) as id from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'import_row'::regclass
      and not exists (select from import where import.id = substr(c.relname, ${nameOf('').length + 1}))`.execute(db)
  for (const { id } of rows) await dropStaging(db, id)
}

/** Whether the table is there with rows: a crash of the database empties it. */
export async function isStaged(db: Db, importId: string): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean
  }>`select to_regclass(${`"${nameOf(importId)}"`}) is not null as there`.execute(db)
  if (!rows[0]?.there) return false
  const found = await sql<{ any: boolean }>`select exists (select from ${stagedRows(importId)}) as any`.execute(db)
  return found.rows[0]?.any ?? false
}

/** SQL that takes `copyLine`s. */
export const copyRows = (importId: string): string =>
  `copy "${nameOf(importId)}" (newsletter_id, import_id, subscriber_id, line, refusal, cell, notes, email, email_normalised, name, language, status,
    source, created_at, joined_at, left_at, left_reason, paused_until, pace, fields, tags) from stdin`

/** A row in PostgreSQL's text format of COPY. */
export function copyLine(row: StagedRow, ids: { newsletterId: string; importId: string }): string {
  const values = [
    ids.newsletterId,
    ids.importId,
    uuidv7(),
    String(row.line),
    row.refusal,
    row.cell,
    row.notes.length === 0 ? null : JSON.stringify(row.notes),
    row.email,
    row.normalised,
    row.name,
    row.language,
    row.status,
    row.source,
    row.createdAt,
    row.joinedAt,
    row.leftAt,
    row.leftReason,
    row.pausedUntil,
    row.pace,
    JSON.stringify(row.fields),
    row.tags.length === 0 ? '{}' : `{${row.tags.map(quoted).join(',')}}`,
  ]
  return `${values.map(copied).join('\t')}\n`
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const special = /[\\\n\r\t]/

function copied(value: string | null): string {
  if (value === null) return '\\N'
  return special.test(value) ? value.replaceAll(/[\\\n\r\t]/g, (character) => escapes[character] ?? '') : value
}

/** An element of an array, as PostgreSQL reads one. */
const quoted = (tag: string): string => `"${tag.replaceAll(/["\\]/g, '\\$&')}"`
