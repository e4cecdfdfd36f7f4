import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { Signer } from '../../http/signing.ts'
import { type Counts, importLimits } from './contract.ts'
import { rowWasErased, stagedRows } from './staging.ts'
import type { ImportRecord } from './work.ts'

/** What becomes of each row, or what became of it. Once people were added, only those rows are looked up of whom somebody was here. */
function judged(signer: Signer, record: ImportRecord): RawBuilder<unknown> {
  const rows = stagedRows(record.id)
  if (record.state !== 'finishing') return judgedByPeople(signer, record, sql`select * from ${rows}`)
  return sql`
    select line, refusal, cell, notes, email, case when refusal is not null then 'refused' when twin_of is not null then 'twin'
      when status = 'active' then 'added' else 'keptAway' end as outcome, null as why
    from ${rows} where not here
    union all ${judgedByPeople(signer, record, sql`select * from ${rows} where here`)}`
}

/** The same by who is here: a subscriber with the id of a row was added by it. */
const judgedByPeople = (signer: Signer, record: ImportRecord, rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select r.line, r.refusal, r.cell, r.notes, r.email, case
    when r.refusal is not null then 'refused'
    when r.twin_of is not null then 'twin'
    when r.confirms then 'confirmed'
    when s.id is null and ${rowWasErased(signer, record)} then 'leftOut'
    when s.id = r.subscriber_id or (s.id is null and x.reason is null)
      then case r.status when 'active' then 'added' else 'keptAway' end
    when x.reason is null and s.status in ('pending', 'campaign_only') and r.status = 'active' then 'confirmed'
    when x.reason is null and s.status in ('active', 'pending', 'campaign_only') then 'here'
    else 'leftOut' end as outcome,
    case when s.id is null and x.reason is null then 'erased_before' when s.status = 'unsubscribed' then 'left_before'
      when 'complained' in (s.status, x.reason) then 'complained_before'
      when 'bounced' in (s.status, x.reason) then 'bounced_before' else 'suppressed' end as why
  from (${rows}) r
  left join subscriber s on s.newsletter_id = ${record.newsletter_id} and s.email_normalised = r.email_normalised
  left join suppression x on x.newsletter_id = ${record.newsletter_id} and x.email_normalised = r.email_normalised`

/** Whether there is nothing to be said of a row `j` that was judged, as of nearly all. */
const isWhole = sql<SqlBool>`(j.outcome <> 'leftOut' and j.refusal is null and j.notes is null)`

/** What is to be said of a row `j` that was judged: why it is left out or refused, or what of it could not be kept. */
const remarks = sql`(
  select j.why as reason, j.email as cell where j.outcome = 'leftOut'
  union all select j.refusal, j.cell where j.refusal is not null
  union all select n.reason, n.cell from jsonb_to_recordset(j.notes) n (reason text, cell text) where j.outcome <> 'leftOut')`

/**
 * Counts what becomes of the rows, and writes why some are refused, left out or not kept whole, in place of what an earlier run wrote.
 */
export async function countAndReport(tx: Db, signer: Signer, record: ImportRecord): Promise<Counts> {
  const { newsletter_id, id } = record
  const counts = await countRows(tx, signer, record)
  await tx.deleteFrom('import_refusal').where('newsletter_id', '=', newsletter_id).where('import_id', '=', id).execute()
  // Without a reason there is nothing to report, and the rows are not read once more.
  if (Object.keys(counts.reasons).length > 0) await writeReport(tx, signer, record)
  return counts
}

async function countRows(tx: Db, signer: Signer, record: ImportRecord): Promise<Counts> {
  // Rows with the same reasons are counted together: a row may have several.
  const { rows } = await sql<{ outcome: string; reasons: string[]; count: number }>`
    select outcome, case when ${isWhole} then '{}' else array(select reason from ${remarks} m) end as reasons, count(*) as count
    from (${judged(signer, record)}) j group by 1, 2`.execute(tx)
  const of = (...outcomes: string[]) =>
    rows.filter(({ outcome }) => outcomes.includes(outcome)).reduce((sum, { count }) => sum + count, 0)
  const reasons: Record<string, number> = {}
  for (const row of rows) for (const reason of row.reasons) reasons[reason] = (reasons[reason] ?? 0) + row.count
  return {
    rows: rows.reduce((sum, { count }) => sum + count, 0),
    added: of('added'),
    here: of('here', 'confirmed'),
    confirmed: of('confirmed'),
    keptAway: of('keptAway'),
    leftOut: of('leftOut'),
    twins: of('twin'),
    refused: of('refused'),
    reasons,
  }
}

async function writeReport(tx: Db, signer: Signer, record: ImportRecord): Promise<void> {
  const { newsletter_id, id } = record
  await sql`
    insert into import_refusal (newsletter_id, import_id, line, reason, cell)
    select ${newsletter_id}, ${id}, line, m.reason, left(coalesce(m.cell, ''), 200)
    from (${judged(signer, record)}) j cross join lateral ${remarks} m
    where not ${isWhole}
    order by line limit ${importLimits.reported}`.execute(tx)
}
