import { once } from 'node:events'
import { sql } from 'kysely'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from '../../database/client.ts'
import { listFields } from '../../segments/fields.ts'
import { segmentLimits } from '../../segments/filter/contract.ts'
import { policyFor } from '../address-kind.ts'
import { type DayOrder, dayOrders, type Sheet, timeTargets } from './contract.ts'
import { countAndReport } from './count-rows.ts'
import { DayEvidence } from './day-order.ts'
import { proofOf } from './proof.ts'
import { readFile } from './read-file.ts'
import { type Reading, readRow, unescaped } from './read-row.ts'
import { RefusedFile } from './sheet.ts'
import { copyLine, copyRows, makeStaging, stagedRows } from './staging.ts'
import { choicesOf, type ImportRecord, type ImportWork, keyOf, MovedOn, moveOn, sheetOf } from './work.ts'

const PROGRESS_MS = 1_000

/**
 * The dry run: reads every row, and puts them all where the import will find them. No subscriber changes. Whatever a process that
 * was killed has left is done again.
 *
 * @throws MovedOn when it was cancelled; RefusedFile
 */
export async function checkFile(work: ImportWork, record: ImportRecord): Promise<void> {
  const { db } = work
  const dayOrder = await stageFile(work, record)
  await db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '64MB'`.execute(tx)
    await joinTwins(tx, record.id)
    await requireRoomForTags(tx, record)
    const counts = await countAndReport(tx, work.context.signer, record)
    const choices = JSON.stringify({ ...choicesOf(record), dayOrder })
    const set = { state: 'checked' as const, choices, counts: JSON.stringify(counts), done: 0 }
    await moveOn(tx, record, { from: ['checking'], set })
  })
}

/**
 * Reads the file once more, when a crash of the database has emptied the staging table in the middle of the import. Those who were added
 * before it stay known as added.
 */
export async function restage(work: ImportWork, record: ImportRecord): Promise<void> {
  const { db } = work
  await stageFile(work, record)
  await db.transaction().execute(async (tx) => {
    await joinTwins(tx, record.id)
    // Who was here is not known any more: each row that was tried is looked up again.
    const tried = record.state === 'finishing' ? sql`true` : sql`line <= ${record.done}`
    await sql`
      update ${stagedRows(record.id)} set here = true where refusal is null and twin_of is null and ${tried}`.execute(
      tx,
    )
    await sql`
      update ${stagedRows(record.id)} r set subscriber_id = s.id from subscriber s
      where s.newsletter_id = ${record.newsletter_id} and s.email_normalised = r.email_normalised and exists (
        select from consent c where c.newsletter_id = s.newsletter_id and c.subscriber_id = s.id and c.means = 'import'
          and starts_with(c.proof, ${proofOf(record.id)}))`.execute(tx)
  })
}

/**
 * Reads the file into a new staging table. Only its last line may prove the order of its days: when that is another than the file was
 * read with, it is read once more.
 *
 * @returns which comes first in its days, or null when that matters for none, or nobody can tell
 * @throws RefusedFile when nothing in the file proves it and the owner was not asked: the sheet has an example then
 */
async function stageFile(work: ImportWork, record: ImportRecord): Promise<DayOrder | null> {
  const reading = await readingOf(work.db, record, work.context.now())
  await makeStaging(work.db, record.id)
  const evidence = await copyFile(work, record, reading)
  const { unproven } = evidence
  const chosen = choicesOf(record).dayOrder ?? null
  // An import that is under way and never was asked leaves such days out.
  if (unproven && !chosen && record.state === 'checking') {
    await moveOn(work.db, record, { from: ['checking'], set: { sheet: JSON.stringify(sheetWith(record, unproven)) } })
    throw new RefusedFile('day_order', unproven.line)
  }
  const proven = unproven ? chosen : evidence.order
  const dayOrder = proven === 'mixed' ? null : proven
  const isWithout = !unproven && evidence.order === null
  if (isWithout || dayOrder === reading.dayOrder) return dayOrder
  await makeStaging(work.db, record.id)
  await copyFile(work, record, { ...reading, dayOrder })
  return dayOrder
}

const sheetWith = (record: ImportRecord, { cell, column: at }: { cell: string; column: number }): Sheet => {
  const sheet = sheetOf(record)
  const columns = sheet.columns.map((column, each) =>
    each === at ? { ...column, example: cell, days: 'unproven' as const } : { ...column, days: null },
  )
  return { ...sheet, columns }
}

/** Columns that become times. */
const timeColumns = ({ targets, fields, newKeys }: Reading): number[] =>
  targets.flatMap((target, at) => {
    const key = target.to === 'field' ? target.field : newKeys.get(at)
    const isTime = timeTargets.some((to) => to === target.to) || (key && fields.get(key)?.kind === 'date')
    return isTime ? [at] : []
  })

async function readingOf(db: Db, record: ImportRecord, now: Date): Promise<Reading> {
  const newsletter = await db
    .selectFrom('newsletter')
    .selectAll()
    .where('id', '=', record.newsletter_id)
    .executeTakeFirst()
  if (!newsletter) throw new MovedOn()
  const choices = choicesOf(record)
  const known = await listFields(db, newsletter.id)
  const newFields = choices.newFields.filter(({ key }) => !known.some((field) => field.key === key))
  if (known.length + newFields.length > segmentLimits.fields) throw new RefusedFile('too_many_fields')
  const fields = [...known, ...newFields.map(({ key, kind }) => ({ key, kind, choices: [] as string[] }))]
  return {
    targets: choices.targets,
    fields: new Map(fields.map((field) => [field.key, field])),
    newKeys: new Map(choices.newFields.map(({ column, key }) => [column, key])),
    isOurs: sheetOf(record).preset === 'tirage',
    dayOrder: choices.dayOrder ?? provenAtBeginning(sheetOf(record)),
    tag: choices.tag,
    policyFor: (normalised) => policyFor(newsletter, normalised),
    now,
  }
}

const provenAtBeginning = ({ columns }: Sheet): DayOrder | null => {
  const proven = columns.map(({ days }) => dayOrders.find((order) => order === days))
  return proven.find((order) => order !== undefined) ?? null
}

/** Reads the file into the staging table. Memory holds one part of the file, whatever its size. */
async function copyFile(work: ImportWork, record: ImportRecord, reading: Reading): Promise<DayEvidence> {
  const { client, files, signal } = work
  const ids = keyOf(record)
  const { encoding, delimiter } = sheetOf(record)
  const { hasHeader } = choicesOf(record)
  const stream = client.query(copyFrom(copyRows(record.id)))
  // More than one error may come: what PostgreSQL has refused cannot be ended any more.
  const ended = new Promise<void>((resolve, reject) => stream.once('finish', resolve).on('error', reject))
  ended.catch(() => {})
  let reported = performance.now()
  const evidence = new DayEvidence()
  const columns = timeColumns(reading)
  try {
    for await (const { rows, bytes } of readFile({
      parts: files.read(ids, record.parts),
      encoding,
      delimiter,
      hasHeader,
    })) {
      if (signal.aborted) throw new MovedOn()
      for (const { line, cells } of rows)
        for (const column of columns) evidence.add(unescaped(cells[column] ?? ''), { line, column })
      const lines = rows.map((row) => copyLine(readRow(row, reading), ids)).join('')
      if (lines !== '' && !stream.write(lines)) await Promise.race([once(stream, 'drain'), ended])
      if (performance.now() - reported < PROGRESS_MS) continue
      reported = performance.now()
      if (record.state === 'checking')
        await moveOn(work.db, record, { from: ['checking'], set: { done: bytes, total: record.received } })
    }
    stream.end()
    await ended
    return evidence
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error(String(error)))
    await ended.catch(() => {})
    throw error
  }
}

/**
 * Puts rows with the same address into the first of them: the earliest dates, the sternest state, each value of the first row that
 * has one, and the tags of all.
 */
async function joinTwins(tx: Db, importId: string): Promise<void> {
  const rows = stagedRows(importId)
  await sql`create unique index on ${rows} (line)`.execute(tx)
  await sql`create index on ${rows} (line) where here`.execute(tx)
  await sql`analyze ${rows}`.execute(tx)
  await sql`
    with twins as materialized (
      select email_normalised, min(line) as first from ${rows} where refusal is null group by 1 having count(*) > 1
    ),
    members as materialized (
      select r.*, t.first from ${rows} r join twins t using (email_normalised) where r.refusal is null
    ),
    joined as (
      select first, min(created_at) as created_at, min(joined_at) as joined_at, min(left_at) as left_at,
        (array_agg(name order by line) filter (where name is not null))[1] as name,
        (array_agg(language order by line) filter (where language is not null))[1] as language,
        (array['active', 'pending', 'unsubscribed', 'bounced', 'complained'])[
          max(array_position(array['active', 'pending', 'unsubscribed', 'bounced', 'complained'], status))] as status
      from members group by first
    ),
    fields as (
      select first, jsonb_object_agg(f.key, f.value order by line desc) as fields
      from members cross join jsonb_each(members.fields) f group by first
    ),
    tags as (
      select first, (array_agg(tag order by line))[1:${sql.lit(segmentLimits.tagsOfSubscriber)}] as tags from (
        select distinct on (first, lower(tag)) first, tag, line
        from members cross join unnest(members.tags) tag order by first, lower(tag), line) each_once group by first
    ),
    others as (
      update ${rows} r set twin_of = m.first from members m where r.line = m.line and m.line > m.first
    )
    update ${rows} r set created_at = j.created_at, joined_at = j.joined_at, left_at = j.left_at, name = j.name, language = j.language,
      status = j.status, fields = coalesce(f.fields, '{}'), tags = coalesce(t.tags, '{}')
    from joined j left join fields f using (first) left join tags t using (first) where r.line = j.first`.execute(tx)
}

/** @throws RefusedFile when the newsletter would have more tags than it can */
async function requireRoomForTags(tx: Db, { id, newsletter_id }: ImportRecord): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select lower(name) from tag where newsletter_id = ${newsletter_id}
      union select lower(tag) from ${stagedRows(id)} r cross join unnest(r.tags) tag where r.refusal is null
    ) all_tags`.execute(tx)
  if ((rows[0]?.count ?? 0) > segmentLimits.tags) throw new RefusedFile('too_many_tags')
}
