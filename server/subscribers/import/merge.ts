import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { Signer } from '../../http/signing.ts'
import type { Language } from '../../languages.ts'
import { segmentLimits } from '../../segments/filter/contract.ts'
import { requireRoom } from '../../segments/room.ts'
import { insertReceipts } from '../change.ts'
import { consentWording, OWN_WORDS, WORDING_VERSION } from '../consent.ts'
import { countAndReport } from './count-rows.ts'
import { againIfErased, requireNobodyErased } from './erased-meanwhile.ts'
import { endOfProof, proofOf, suppressedBy } from './proof.ts'
import { rowWasErased, stagedRows } from './staging.ts'
import { choicesOf, type ImportRecord, type ImportWork, MovedOn, moveOn } from './work.ts'

/**
 * Rows that are committed together. People who subscribe or confirm meanwhile wait for no more than these, and a process that was killed
 * goes on after the last of them.
 */
const BATCH = 5_000

/** So many times as many people are new since the last statistics. */
const GROWTH = 4

/** Batches under way at the same time, each on a connection of its own: one alone leaves the database half idle. */
const AT_ONCE = 2

/**
 * Adds those of the rows who are new, batch by batch, each with a receipt; nobody who is here already changes. When all are in, the
 * others are brought up to date by `finishImport`.
 *
 * @throws MovedOn when it was cancelled
 */
export async function addPeople(work: ImportWork, record: ImportRecord): Promise<void> {
  const { db, signal } = work
  const last = await lastLine(db, record.id)
  await makeTagsAndFields(work, record)
  // No receipt is older than this, whichever batch comes first: taking back looks no further.
  const begun = { total: last, begun_at: sql<Date>`coalesce(begun_at, now())` }
  await moveOn(db, record, { from: ['importing'], set: begun })
  const ahead = new Map<number, number>()
  let { done } = record
  let next = done
  let failed = false
  let added = 0
  let statisticsAt = BATCH
  const addNext = async (): Promise<void> => {
    while (next < last && !failed) {
      if (signal.aborted) throw new MovedOn()
      const lines = { after: next, to: Math.min(next + BATCH, last) }
      next = lines.to
      const add = async (tx: Db): Promise<void> => {
        const normalised = await addBatch(tx, work.context.signer, { record, ...lines })
        await requireNobodyErased(tx, work.context.signer, { newsletterId: record.newsletter_id, normalised })
        added += normalised.length
        // Whatever was cancelled meanwhile is rolled back here. All up to `done` is in; a batch that is ahead of it and in already is
        // tried once more after a kill, and finds everybody here.
        const upTo = lines.after === done ? lines.to : done
        await moveOn(tx, record, { from: ['importing'], set: { done: sql<number>`greatest(done, ${upTo})` } })
      }
      await againIfErased(() => inBatch(work, add))
      if (added >= statisticsAt) {
        statisticsAt = added * GROWTH
        await renewStatistics(db)
      }
      ahead.set(lines.after, lines.to)
      for (let to = ahead.get(done); to !== undefined; to = ahead.get(done)) {
        ahead.delete(done)
        done = to
      }
    }
  }
  const adding = Array.from({ length: AT_ONCE }, () =>
    addNext().catch((error: unknown) => {
      failed = true
      throw error
    }),
  )
  // Whoever goes on after this one finds no batch under way.
  await Promise.allSettled(adding)
  await Promise.all(adding)
  await moveOn(db, record, { from: ['importing'], set: { state: 'finishing', done: 0, total: last } })
}

/**
 * Other connections keep the plans of their foreign keys, and one that was made for a few subscribers reads all of them for each person who
 * subscribes. New statistics make them plan anew.
 */
const renewStatistics = (db: Db) => sql`analyze subscriber, subscriber_tag, consent`.execute(db)

/** Brings those up to date who were here already, and says what became of every row. From here on nothing can be cancelled. */
export async function finishImport(work: ImportWork, record: ImportRecord): Promise<void> {
  const { db, signal } = work
  let { done } = record
  for (;;) {
    if (signal.aborted) throw new MovedOn()
    const to = await lastOfNextHere(db, record.id, done)
    if (to === null) break
    await inBatch(work, async (tx) => {
      await updateBatch(tx, record, { after: done, to })
      await moveOn(tx, record, { from: ['finishing'], set: { done: to } })
    })
    done = to
  }
  await db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '64MB'`.execute(tx)
    const counts = JSON.stringify(await countAndReport(tx, work.context.signer, record))
    await moveOn(tx, record, { from: ['finishing'], set: { state: 'done', counts, finished_at: sql`now()` } })
  })
}

/** The line at which the next batch of people who were here already ends, or null when none is left. */
async function lastOfNextHere(db: Db, importId: string, after: number): Promise<number | null> {
  const { rows } = await sql<{ line: number | null }>`
    select max(line) as line from (
      select line from ${stagedRows(importId)} where here and line > ${after} order by line limit ${BATCH}
    ) next`.execute(db)
  return rows[0]?.line ?? null
}

async function lastLine(db: Db, importId: string): Promise<number> {
  const { rows } = await sql<{ line: number | null }>`select max(line) as line from ${stagedRows(importId)}`.execute(db)
  return rows[0]?.line ?? 0
}

/**
 * A batch looks up few rows in large tables whose statistics are from before the import: their indexes are the only good way, and the
 * planner would not know it.
 */
const inBatch = ({ db }: ImportWork, batch: (tx: Db) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_mergejoin = off`.execute(tx)
    await batch(tx)
  })

interface Lines {
  after: number
  to: number
}

const rowsOf = ({ id }: ImportRecord, { after, to }: Lines): RawBuilder<unknown> => sql`
  select * from ${stagedRows(id)}
  where line > ${after} and line <= ${to} and refusal is null and twin_of is null`

/** The newsletter, and what all ids of this moment begin with: to compute one is dearer than all else of a receipt. */
const letterOf = ({ newsletter_id: newsletterId }: ImportRecord) => sql`
  select n.*, left(uuidv7_at(now())::text, 15) as id_beginning from newsletter n where n.id = ${newsletterId}`

/**
 * The receipt of each row of the common table expression `from`, for the newsletter of the one that is called `letter`. The owner's words
 * are those of a yes; of a no, ours say what it was. It is of now, for that is when we learn of it; `dated` is when the file says that it was.
 */
function receiptsOf(record: ImportRecord, from: string): RawBuilder<unknown> {
  const { words, origin } = choicesOf(record)
  const proof = `${proofOf(record.id)} ${origin}, line `
  const goneIn = (language: Language) =>
    sql`case f.status when 'bounced' then ${consentWording('bouncedElsewhere', '{{newsletter}}', language)}
      else ${consentWording('leftElsewhere', '{{newsletter}}', language)} end`
  return sql`
    select n.id as newsletter_id, (n.id_beginning || substr(gen_random_uuid()::text, 16))::uuid as consent_id, f.subscriber_id,
      null::text as publication_id, now() as at, f.act,
      case f.act when 'withdrawn' then replace(case n.language when 'fr' then ${goneIn('fr')} else ${goneIn('en')} end, '{{newsletter}}', n.name)
        else ${words}::text end as wording,
      case f.act when 'withdrawn' then ${WORDING_VERSION} else ${OWN_WORDS} end as wording_version, n.language as wording_language,
      'import' as means, null::text as network, ${proof}::text || f.line || ${endOfProof(sql`f.dated`)} as proof, null::text as beneficiary_id, n.name as beneficiary_name
    from ${sql.table(from)} f cross join letter n`
}

/**
 * New subscribers with their receipts and tags. Whoever the file says has left is kept as such, so that no later file brings them
 * back, and a bounce or complaint suppresses the address. Somebody who subscribed since the dry run stays as they are; that they were
 * here is noted for `finishImport`.
 *
 * @returns the normalised addresses of those who were added
 */
async function addBatch(
  tx: Db,
  signer: Signer,
  { record, ...lines }: Lines & { record: ImportRecord },
): Promise<string[]> {
  const { newsletter_id: newsletterId, id } = record
  const { rows } = await sql<{ normalised: string[] }>`
    with rows as materialized (${rowsOf(record, lines)}),
    letter as materialized (${letterOf(record)}),
    added as (
      insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, source, created_at, asked_at, confirmed_at,
        left_at, left_reason, paused_until, pace, fields)
      select n.id, r.subscriber_id, r.email, r.email_normalised, r.name, coalesce(r.language, n.language), r.status,
        coalesce(r.source, 'import'), coalesce(r.created_at, r.joined_at, now()), coalesce(r.created_at, r.joined_at, now()),
        case when r.status = 'active' then coalesce(r.joined_at, now()) else r.joined_at end,
        case when r.status in ('active', 'pending') then null else coalesce(r.left_at, now()) end,
        case when r.status in ('bounced', 'complained') then r.status when r.status = 'unsubscribed' then r.left_reason end,
        case when r.status = 'active' then r.paused_until end, coalesce(r.pace, 'every'), r.fields
      from rows r cross join letter n
      where not exists (select from suppression x where x.newsletter_id = ${newsletterId} and x.email_normalised = r.email_normalised)
        and not ${rowWasErased(signer, record)}
      order by r.line
      on conflict (newsletter_id, email_normalised) do nothing
      returning id, status
    ),
    -- A full join is never made by comparing each with each, whatever the planner believes.
    tried as materialized (
      select r.subscriber_id, r.line, r.email_normalised, r.tags, a.status,
        case a.status when 'active' then 'given' when 'pending' then 'asked' else 'withdrawn' end as act,
        case a.status when 'active' then r.joined_at when 'pending' then coalesce(r.created_at, r.joined_at) else r.left_at end as dated
      from rows r full join added a on a.id = r.subscriber_id
    ),
    changed as materialized (select * from tried where status is not null),
    were_here as (
      update ${stagedRows(id)} r set here = true from tried t
      where t.status is null and r.line = t.line and r.line > ${lines.after} and r.line <= ${lines.to}
    ),
    receipts as materialized (${receiptsOf(record, 'changed')}),
    written as (${insertReceipts(sql.ref('act'), 'receipts')}),
    suppressions as (
      insert into suppression (newsletter_id, email_normalised, reason, detail)
      select ${newsletterId}, email_normalised, status, ${suppressedBy(id)} from changed where status in ('bounced', 'complained')
      on conflict do nothing
    ),
    tags as (
      insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
      select ${newsletterId}, t.id, c.subscriber_id from changed c cross join unnest(c.tags) as given_tag (name)
      join tag t on t.newsletter_id = ${newsletterId} and lower(t.name) = lower(given_tag.name)
      on conflict do nothing
    )
    select coalesce(array_agg(email_normalised), '{}') as normalised from changed`.execute(tx)
  return rows[0]?.normalised ?? []
}

/**
 * Subscribers who were here already: what they lack is filled in, or what the file says takes its place; tags are added. Whoever had not
 * confirmed yet counts from now on, with a receipt. Whoever left, bounced, complained or is suppressed stays as they are.
 */
async function updateBatch(tx: Db, record: ImportRecord, lines: Lines): Promise<void> {
  const { newsletter_id: newsletterId } = record
  const replaces = choicesOf(record).existing === 'replace'
  await sql`
    with rows as materialized (${rowsOf(record, lines)} and here),
    letter as materialized (${letterOf(record)}),
    -- Locked in one order, so that two processes with the same people wait for each other and do not deadlock.
    here as materialized (
      select s.id as subscriber_id, r.line, r.joined_at, r.tags, s.status in ('pending', 'campaign_only') and r.status = 'active' as confirms,
        ${replaces ? sql`coalesce(r.name, s.name)` : sql`coalesce(s.name, r.name)`} as name,
        ${replaces ? sql`coalesce(r.language, s.language)` : sql`s.language`} as language,
        ${replaces ? sql`s.fields || r.fields` : sql`r.fields || s.fields`} as fields
      from rows r join subscriber s on s.newsletter_id = ${newsletterId} and s.email_normalised = r.email_normalised
      where s.id <> r.subscriber_id and s.status in ('active', 'pending', 'campaign_only')
        and not exists (select from suppression x where x.newsletter_id = ${newsletterId} and x.email_normalised = r.email_normalised)
      order by s.id for no key update of s
    ),
    updated as (
      update subscriber s set name = h.name, language = h.language, fields = h.fields,
        status = case when h.confirms then 'active' else s.status end,
        confirmed_at = case when h.confirms then now() else s.confirmed_at end
      from here h where s.newsletter_id = ${newsletterId} and s.id = h.subscriber_id
        and (h.confirms or (s.name, s.language, s.fields) is distinct from (h.name, h.language, h.fields))
    ),
    changed as (select subscriber_id, line, 'active' as status, 'given' as act, joined_at as dated from here where confirms),
    receipts as materialized (${receiptsOf(record, 'changed')}),
    given as (${insertReceipts('given', 'receipts')}),
    asked as (
      delete from confirmation_mail m using changed c where m.newsletter_id = ${newsletterId} and m.subscriber_id = c.subscriber_id
    ),
    -- The tags that each of them does not have yet, after those that they have.
    more_tags as materialized (
      select h.subscriber_id, h.line, t.id, t.name, row_number() over (partition by h.subscriber_id order by given_tag.place) + (
        select count(*) from subscriber_tag g where g.newsletter_id = ${newsletterId} and g.subscriber_id = h.subscriber_id) as nth
      from here h cross join unnest(h.tags) with ordinality as given_tag (name, place)
      join tag t on t.newsletter_id = ${newsletterId} and lower(t.name) = lower(given_tag.name)
      where not exists (select from subscriber_tag g
        where g.newsletter_id = ${newsletterId} and g.tag_id = t.id and g.subscriber_id = h.subscriber_id)
    ),
    too_many as materialized (
      select distinct on (line) line, name from more_tags where nth > ${segmentLimits.tagsOfSubscriber} order by line, nth
    ),
    noted as (
      update ${stagedRows(record.id)} r set confirms = h.confirms,
        notes = case when m.line is null or r.notes @> '[{"reason": "too_many_tags"}]' then r.notes
          else coalesce(r.notes, '[]') || jsonb_build_object('reason', 'too_many_tags', 'cell', left(m.name, 200)) end
      from here h left join too_many m on m.line = h.line
      where r.line = h.line and r.line > ${lines.after} and r.line <= ${lines.to} and (h.confirms or m.line is not null)
    )
    insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
    select ${newsletterId}, id, subscriber_id from more_tags where nth <= ${segmentLimits.tagsOfSubscriber}
    on conflict do nothing`.execute(tx)
}

/** The tags and custom fields that the file names and the newsletter does not have yet. */
async function makeTagsAndFields({ db }: ImportWork, record: ImportRecord): Promise<void> {
  const { newsletter_id: newsletterId, id } = record
  await sql`
    insert into tag (newsletter_id, name)
    select distinct on (lower(tag)) ${newsletterId}, tag from ${stagedRows(id)} r cross join unnest(r.tags) tag
    where r.refusal is null and r.twin_of is null order by lower(tag), line
    on conflict do nothing`.execute(db)
  const { newFields } = choicesOf(record)
  if (newFields.length === 0) return
  await db.transaction().execute(async (tx) => {
    const known = await tx.selectFrom('custom_field').select('key').where('newsletter_id', '=', newsletterId).execute()
    for (const { key, label, kind } of newFields) {
      if (known.some((field) => field.key === key)) continue
      await requireRoom(tx, newsletterId, 'custom_field')
      await tx.insertInto('custom_field').values({ newsletter_id: newsletterId, key, label, kind }).execute()
    }
  })
}
