import { type Kysely, type Selectable, sql, type UpdateObject } from 'kysely'
import type pg from 'pg'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { DB, Import as ImportTable } from '../../database/types.ts'
import type { Choices, Sheet, Target } from './contract.ts'
import type { FileParts } from './file-parts.ts'

export type ImportRecord = Selectable<ImportTable>

/** What the steps of an import work with. */
export interface ImportWork {
  context: Pick<Context, 'db' | 'signer' | 'now' | 'log'>
  db: Kysely<DB>
  /** The connection that holds the lock of the newsletter: without it, nothing is copied. */
  client: pg.PoolClient
  files: FileParts
  /** Aborted when the process stops. The step goes on in another. */
  signal: AbortSignal
}

/** The step under way was cancelled, or another process goes on with it. */
export class MovedOn extends Error {}

export const keyOf = ({ newsletter_id, id }: ImportRecord) => ({ newsletterId: newsletter_id, importId: id })

export const sheetOf = ({ sheet }: ImportRecord): Sheet => sheet as unknown as Sheet
/** What was chosen, with the key of each custom field that the import makes. */
export interface KeptChoices extends Omit<Choices, 'confirmed'> {
  newFields: (Extract<Target, { to: 'new_field' }> & { key: string; column: number })[]
}
export const choicesOf = ({ choices }: ImportRecord): KeptChoices => choices as unknown as KeptChoices

/** Changes an import that is in one of these states, and tells the browsers. @throws MovedOn when it is in another */
export async function moveOn(
  db: Db,
  { newsletter_id, id }: Pick<ImportRecord, 'newsletter_id' | 'id'>,
  { from, set }: { from: ImportRecord['state'][]; set: UpdateObject<DB, 'import'> },
): Promise<ImportRecord> {
  const changed = await db
    .updateTable('import')
    .set({ ...set, changed_at: sql`now()` })
    .where('newsletter_id', '=', newsletter_id)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (!changed) throw new MovedOn()
  await sql`select notify_live(${newsletter_id}, 'imports'), pg_notify('import', '')`.execute(db)
  return changed
}
