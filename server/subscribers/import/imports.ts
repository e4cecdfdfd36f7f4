import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { publicId } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { standingOfNewsletter } from '../../identity/standing.ts'
import { listFields } from '../../segments/fields.ts'
import { settle } from './choose.ts'
import { Choices, Counts, FileRefusal, type Import as ImportShape, importLimits, Sheet, TakenBack } from './contract.ts'
import type { Encoding } from './file/contract.ts'
import type { FileParts } from './file-parts.ts'
import { RefusedFile, readSheet } from './sheet.ts'
import { countTakeBack } from './take-back.ts'
import { type ImportRecord, keyOf, MovedOn, moveOn, sheetOf } from './work.ts'

export interface ImportKey {
  newsletterId: string
  importId: string
}

const SHOWN = 50
const DAY_MS = 86_400_000

type ShownImport = z.input<typeof ImportShape>

/** As members see it. */
function shownImport(row: ImportRecord & { by: string | null }): ShownImport {
  const { finished_at: finished } = row
  return {
    id: row.id,
    state: row.state,
    fileName: row.file_name,
    bytes: row.bytes,
    received: row.received,
    parts: row.parts,
    sheet: row.sheet === null ? null : Sheet.parse(row.sheet),
    choices: row.choices === null ? null : Choices.omit({ confirmed: true }).parse(row.choices),
    counts: row.counts === null ? null : Counts.parse(row.counts),
    refusal: row.refusal === null ? null : FileRefusal.parse(row.refusal),
    progress: { done: row.done, total: row.total },
    createdAt: row.created_at.toISOString(),
    finishedAt: finished?.toISOString() ?? null,
    by: row.by,
    takeBackUntil:
      row.state === 'done' && finished
        ? new Date(finished.getTime() + importLimits.takeBackDays * DAY_MS).toISOString()
        : null,
    takenBack: row.state === 'taken_back' && row.taken_back !== null ? TakenBack.parse(row.taken_back) : null,
  }
}

const imports = (db: Db, newsletterId: string) =>
  db
    .selectFrom('import')
    .leftJoin('user', 'user.id', 'import.created_by')
    .selectAll('import')
    .select('user.name as by')
    .where('import.newsletter_id', '=', newsletterId)

export async function listImports(db: Db, newsletterId: string): Promise<ShownImport[]> {
  const rows = await imports(db, newsletterId).orderBy('import.created_at', 'desc').limit(SHOWN).execute()
  return rows.map(shownImport)
}

/** @throws AppError import_not_found */
export async function findImport(db: Db, { newsletterId, importId }: ImportKey): Promise<ShownImport> {
  const row = await imports(db, newsletterId).where('import.id', '=', importId).executeTakeFirst()
  if (!row) throw new AppError('import_not_found')
  return shownImport(row)
}

interface Announced {
  newsletterId: string
  personId: string | null
  fileName: string
  bytes: number
}

/** @throws AppError file_too_large, too_many_imports */
export async function beginImport(
  db: Kysely<DB>,
  { newsletterId, personId, fileName, bytes }: Announced,
): Promise<ShownImport> {
  const limitOf = await standingOfNewsletter(db, newsletterId)
  const most = limitOf === 'proven' ? importLimits.bytes : importLimits.unprovenBytes
  if (bytes > most) throw new AppError('file_too_large', { params: { megabytes: most / 1_000_000 }, limitOf })
  return db.transaction().execute(async (tx) => {
    // Requests at the same moment are counted one after the other.
    await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
    const open = await tx
      .selectFrom('import')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('newsletter_id', '=', newsletterId)
      .where('state', 'not in', ['done', 'cancelled', 'refused', 'taken_back'])
      .executeTakeFirstOrThrow()
    if (open.count >= importLimits.open) {
      throw new AppError('too_many_imports', { params: { maximum: importLimits.open } })
    }
    const id = publicId()
    const values = {
      newsletter_id: newsletterId,
      id,
      created_by: personId,
      state: 'uploading' as const,
      file_name: fileName,
      bytes,
    }
    await tx.insertInto('import').values(values).execute()
    return findImport(tx, { newsletterId, importId: id })
  })
}

/**
 * Keeps the next part of a file. When it was the last one, finds out how the file is to be read, or refuses it.
 *
 * @throws AppError import_not_found; import_moved_on for any other part than the next or the last that arrived; invalid for one of
 *   another size; storage_refuses, storage_away; errors of a full disk
 */
export async function addPart(
  { db, files }: { db: Kysely<DB>; files: FileParts },
  key: ImportKey,
  { part, data }: { part: number; data: Buffer },
): Promise<void> {
  const record = await findRecord(db, key)
  if (record.state === 'uploading' && part === record.parts - 1) return
  const isLast = record.received + data.length === record.bytes
  const fits = isLast ? data.length <= importLimits.partBytes : data.length === importLimits.partBytes
  if (record.state !== 'uploading' || part !== record.parts) throw new AppError('import_moved_on')
  if (!fits || record.received + data.length > record.bytes)
    throw new AppError('invalid', { fields: { file: 'part_length' } })
  await files.write(key, part, data)
  const changed = await db
    .updateTable('import')
    .set({ parts: part + 1, received: record.received + data.length, changed_at: sql`now()` })
    .where('newsletter_id', '=', key.newsletterId)
    .where('id', '=', key.importId)
    .where('state', '=', 'uploading')
    .where('parts', '=', part)
    .returningAll()
    .executeTakeFirst()
  if (!changed) throw new AppError('import_moved_on')
  if (isLast) await readBeginning({ db, files }, changed)
}

async function readBeginning({ db, files }: Stored, record: ImportRecord): Promise<void> {
  try {
    const sheet = await sheetOfFile({ db, files }, record)
    await change(db, keyOf(record), { from: ['uploading'], set: { state: 'uploaded', sheet: JSON.stringify(sheet) } })
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error
    const refusal = JSON.stringify({ code: error.code, line: error.line })
    await change(db, keyOf(record), { from: ['uploading'], set: { state: 'refused', refusal } })
  }
}

interface Stored {
  db: Kysely<DB>
  files: FileParts
}

/** @param encoding in place of the one that is found @throws RefusedFile; AppError import_not_found, storage_refuses, storage_away */
async function sheetOfFile({ db, files }: Stored, record: ImportRecord, encoding?: Encoding): Promise<Sheet> {
  const [head] = await Array.fromAsync(files.read(keyOf(record), Math.min(record.parts, 1)))
  const fields = await listFields(db, record.newsletter_id)
  return readSheet(head ?? Buffer.alloc(0), { isWhole: record.parts <= 1, fields, ...(encoding && { encoding }) })
}

/**
 * Reads the file as one in this encoding. What was chosen for its columns, and a dry run, are forgotten.
 *
 * @throws AppError import_not_found, import_moved_on; encoding_does_not_fit when no rows come of it; storage_refuses, storage_away
 */
export async function readImportAs(stored: Stored, key: ImportKey, encoding: Encoding): Promise<void> {
  const record = await findRecord(stored.db, key)
  if (record.state !== 'uploaded' && record.state !== 'checked') throw new AppError('import_moved_on')
  const sheet = await sheetOfFile(stored, record, encoding).catch((error: unknown) => {
    if (error instanceof RefusedFile) throw new AppError('encoding_does_not_fit', { field: 'encoding', cause: error })
    throw error
  })
  const forgotten = { choices: null, counts: null, refusal: null, done: 0, total: 0 }
  const set = { state: 'uploaded' as const, sheet: JSON.stringify(sheet), ...forgotten }
  await change(stored.db, key, { from: ['uploaded', 'checked'], set })
}

/** @throws AppError import_not_found, import_moved_on, field_not_found, invalid */
export async function checkImport(db: Kysely<DB>, key: ImportKey, choices: z.output<typeof Choices>): Promise<void> {
  const record = await findRecord(db, key)
  if (!record.sheet) throw new AppError('import_moved_on')
  const kept = settle(choices, sheetOf(record), await listFields(db, key.newsletterId))
  const set = {
    state: 'checking' as const,
    choices: JSON.stringify(kept),
    refusal: null,
    counts: null,
    done: 0,
    total: record.received,
  }
  await change(db, key, { from: ['uploaded', 'checked'], set })
}

/** @throws AppError import_not_found, import_moved_on */
export async function startImport(db: Kysely<DB>, key: ImportKey): Promise<void> {
  await findRecord(db, key)
  await change(db, key, { from: ['checked'], set: { state: 'importing', done: 0, total: 0 } })
}

/** What it has added already is removed by the runner. @throws AppError import_not_found, import_moved_on */
export const cancelImport = async (db: Kysely<DB>, key: ImportKey): Promise<void> => {
  const { state } = await findRecord(db, key)
  if (state === 'importing') return change(db, key, { from: ['importing'], set: { state: 'cancelling', done: 0 } })
  await change(db, key, { from: ['uploading', 'uploaded', 'checking', 'checked'], set: { state: 'cancelled' } })
}

/** @throws AppError import_not_found, import_moved_on when it is not done or too long ago */
async function findUndoable({ db, now }: Pick<Context, 'db' | 'now'>, key: ImportKey): Promise<ImportRecord> {
  const record = await findRecord(db, key)
  const since = now().getTime() - importLimits.takeBackDays * DAY_MS
  if (record.state !== 'done' || !record.finished_at || record.finished_at.getTime() < since)
    throw new AppError('import_moved_on')
  return record
}

/** What taking it back would do now. @throws AppError as `takeBackImport` */
export async function previewTakeBack(context: Pick<Context, 'db' | 'now'>, key: ImportKey) {
  return { takenBack: await countTakeBack(context.db, await findUndoable(context, key)) }
}

/** @throws AppError import_not_found, import_moved_on when it is not done or too long ago */
export async function takeBackImport(
  context: Pick<Context, 'db' | 'now'>,
  key: ImportKey,
  { keepLeft }: { keepLeft: boolean },
): Promise<void> {
  const { db } = context
  const record = await findUndoable(context, key)
  const { added, keptAway } = Counts.parse(record.counts)
  await change(db, key, {
    from: ['done'],
    set: { state: 'taking_back', done: 0, total: added + keptAway, drops_left: !keepLeft },
  })
}

async function findRecord(db: Db, { newsletterId, importId }: ImportKey): Promise<ImportRecord> {
  const record = await db
    .selectFrom('import')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', importId)
    .executeTakeFirst()
  if (!record) throw new AppError('import_not_found')
  return record
}

async function change(db: Db, key: ImportKey, step: Parameters<typeof moveOn>[2]): Promise<void> {
  try {
    await moveOn(db, { newsletter_id: key.newsletterId, id: key.importId }, step)
  } catch (error) {
    if (!(error instanceof MovedOn)) throw error
    throw new AppError('import_moved_on', { cause: error })
  }
}

const FIRST_REPORTED = 5

/** The first rows of the report for each reason, so that none hides the others. */
export const firstReported = (db: Db, { newsletterId, importId }: ImportKey) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('import_refusal')
        .select(['line', 'reason', 'cell'])
        .select(sql<number>`row_number() over (partition by reason order by line)`.as('nth'))
        .where('newsletter_id', '=', newsletterId)
        .where('import_id', '=', importId)
        .as('reported'),
    )
    .select(['line', 'reason', 'cell'])
    .where('nth', '<=', FIRST_REPORTED)
    .orderBy('line')
    .execute()
