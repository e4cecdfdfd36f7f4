import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { containing } from '../database/containing.ts'
import type { Publication as PublicationTable } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { SentTo } from '../segments/contract.ts'
import type { Filling, SponsorSlot } from './document/sponsor-slots.ts'
import type { Planned } from './going-out.ts'
import type { Status } from './publication-status.ts'

/** What is written and what is on the web, without its document, which can have thousands of blocks, and the words of it. */
export type StoredPublication = Omit<
  Selectable<PublicationTable>,
  'content' | 'words' | 'whole_words' | 'sponsors' | 'sponsor_slots' | 'planned_day' | 'last_audience'
>

/** What its owner is told of its way to the inboxes. */
interface StatusFields {
  status: Status
  stopped_by: string | null
  stopped_answer: string | null
  started_at: Date | null
  finished_at: Date | null
  audience: z.infer<typeof SentTo> | null
  /** Seconds in which it can be taken back; null when nobody sent it now. */
  take_back_seconds: number | null
  /** Its sending is over, and no relay took any of it. */
  caught: boolean
}

export type PublicationRow = StoredPublication & StatusFields
export type WholePublicationRow = PublicationRow &
  Pick<Selectable<PublicationTable>, 'content'> &
  Pick<Planned, 'planned_day'> &
  SaverFields

/** Who saved its newest revision. */
interface SaverFields {
  saved_by: string | null
  saver_name: string | null
  saved_by_key: string | null
  saver_key_name: string | null
}

const statusColumns = ['s.status', 's.stopped_by', 's.stopped_answer', 's.started_at', 's.finished_at'] as const

/** Of the sending that gives the publication its status, or of the planned one; of a draft that was taken back, whom it was to go to. */
const audienceColumn = sql<StatusFields['audience']>`(
  select case x.audience ->> 'kind' when 'segment'
    then jsonb_build_object('kind', 'segment', 'segmentId', x.audience -> 'segmentId', 'name', x.audience -> 'name')
    when 'plan' then x.audience
    when 'digest' then x.audience
    else jsonb_build_object('kind', 'everyone') end
  from (
    select sending.audience, sending.state = 'planned' as later from sending
    where sending.newsletter_id = p.newsletter_id and sending.publication_id = p.id
      and (sending.id = s.sending_id or sending.state = 'planned')
    union all select p.last_audience, true where p.state = 'draft' and p.last_audience is not null
  ) x order by x.later limit 1)`.as('audience')

// The clock of the database says when it leaves, so it says how long that is; the browser’s may be wrong.
const takeBackColumn = sql<number | null>`
  case when p.leaving then greatest(extract(epoch from p.scheduled_at - now()), 0)::double precision end`.as(
  'take_back_seconds',
)

/** `studio/sending/delivery-states.ts` says the same of counts. */
const isCaught = sql<boolean>`(s.status = 'sent' and exists (select from publication_count c
  where c.newsletter_id = p.newsletter_id and c.publication_id = p.id and c.caught > 0 and c.accepted = 0))`

/** `fewRetries` in `studio/sending/delivery-states.ts` says the same of counts. */
const isRetrying = sql<boolean>`(s.status = 'sending' and exists (select from publication_count c
  where c.newsletter_id = p.newsletter_id and c.publication_id = p.id and c.queued = 0 and c.deferred > 0
    and (c.deferred + c.claimed) * 4 <= c.intended))`

const statusCounting = (retrying: 'sent' | undefined) =>
  retrying ? sql<Status>`case when ${isRetrying} then 'sent' else s.status end` : sql<Status>`s.status`

const hasMissed = sql<boolean>`(s.status = 'draft' and s.stopped_by is not null)`

const withStatus = (db: Db) =>
  db
    .selectFrom('publication as p')
    .innerJoin('publication_status as s', (join) =>
      join.onRef('s.newsletter_id', '=', 'p.newsletter_id').onRef('s.publication_id', '=', 'p.id'),
    )

const summaryColumns = [
  'p.id',
  'p.newsletter_id',
  'p.number',
  'p.slug',
  'p.title',
  'p.subtitle',
  'p.language',
  'p.channel',
  'p.digest',
  'p.edited_at',
  'p.scheduled_at',
  'p.published_at',
  'p.off_web_at',
] as const
/** All but its document and the words of it. */
const publicationColumns = [
  ...summaryColumns,
  'p.author_id',
  'p.cover_media_id',
  'p.draws_cover',
  'p.created_at',
  'p.media_ids',
  'p.revision',
  'p.state',
  'p.subject',
  'p.leaving',
  'p.unscheduled_by',
] as const
type Unprefixed<Name> = Name extends `p.${infer Column}` ? Column : never
export type SummaryRow = Pick<StoredPublication, Unprefixed<(typeof summaryColumns)[number]>> & StatusFields

const plannedDay = (table: 'p' | 'publication') => sql<string | null>`${sql.ref(`${table}.planned_day`)}::text`

/** @throws AppError publication_not_found, publication_deleted */
export async function findPublication(db: Db, newsletterId: string, id: string): Promise<PublicationRow> {
  const row = await onePublication(db, newsletterId, id).executeTakeFirst()
  if (!row) throw await whyMissing(db, newsletterId, id)
  return row
}

/** @throws AppError publication_not_found, publication_deleted */
export async function findWholePublication(db: Db, newsletterId: string, id: string): Promise<WholePublicationRow> {
  const row = await onePublication(db, newsletterId, id)
    .leftJoin('publication_revision as r', (join) =>
      join
        .onRef('r.newsletter_id', '=', 'p.newsletter_id')
        .onRef('r.publication_id', '=', 'p.id')
        .onRef('r.revision', '=', 'p.revision'),
    )
    .leftJoin('user as u', 'u.id', 'r.saved_by')
    .leftJoin('api_key as k', (join) =>
      join.onRef('k.newsletter_id', '=', 'p.newsletter_id').onRef('k.id', '=', 'r.saved_by_key'),
    )
    .select(['p.content', plannedDay('p').as('planned_day')])
    .select(['r.saved_by', 'u.name as saver_name', 'r.saved_by_key', 'k.name as saver_key_name'])
    .executeTakeFirst()
  if (!row) throw await whyMissing(db, newsletterId, id)
  return row
}

/** Whoever has it open is told that it can be restored. */
async function whyMissing(db: Db, newsletterId: string, id: string): Promise<AppError> {
  const deleted = await db
    .selectFrom('deleted_publication')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .executeTakeFirst()
  return new AppError(deleted ? 'publication_deleted' : 'publication_not_found')
}

const onePublication = (db: Db, newsletterId: string, id: string) =>
  withStatus(db)
    .select(publicationColumns)
    .select(statusColumns)
    .select([audienceColumn, takeBackColumn, isCaught.as('caught')])
    .$narrowType<{ status: Status }>()
    .where('p.newsletter_id', '=', newsletterId)
    .where('p.id', '=', id)

/** What is rendered, with its document as JSON. @throws AppError publication_not_found, publication_deleted */
export async function findRenderable(db: Db, newsletterId: string, id: string) {
  const row = await db
    .selectFrom('publication')
    .select([
      'id',
      'number',
      'slug',
      'title',
      'subtitle',
      'subject',
      'language',
      'published_at',
      'off_web_at',
      'cover_media_id',
      'draws_cover',
      'digest',
    ])
    .select(sql<string>`content::text`.as('content'))
    .select(sql<SponsorSlot[]>`sponsor_slots`.as('sponsor_slots'))
    .select(sql<Filling | null>`sponsors`.as('sponsors'))
    .select(['scheduled_at', plannedDay('publication').as('planned_day')])
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw await whyMissing(db, newsletterId, id)
  return row
}

/** When another publication was mailed last, or is to be: at the time that was chosen for it. Null when there is none. */
export async function lastMailAt(db: Db, newsletterId: string, besides: string): Promise<string | null> {
  const at = sql<Date>`coalesce(scheduled_at, published_at)`
  const last = await db
    .selectFrom('publication')
    .select(at.as('at'))
    .where('newsletter_id', '=', newsletterId)
    .where('id', '<>', besides)
    .where('channel', '=', 'everywhere')
    .where('state', 'in', ['scheduled', 'published'])
    .orderBy(at, 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.at.toISOString() ?? null
}

interface ListQuery {
  status?: Status | undefined
  channel?: PublicationRow['channel'] | undefined
  caught?: boolean | undefined
  missed?: boolean | undefined
  offWeb?: boolean | undefined
  retrying?: 'sent' | undefined
  search?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** When it went out, else when it was last edited. */
const newestAt = sql<Date>`coalesce(p.published_at, p.edited_at)`

/** Newest first; the cursor is that time of the last row, and its id. */
export async function listPublicationRows(db: Db, newsletterId: string, asked: ListQuery) {
  const { status, channel, caught, missed, offWeb, retrying, search, cursor, limit } = asked
  let query = withStatus(db)
    .select([...summaryColumns, ...statusColumns])
    .select([audienceColumn, takeBackColumn, isCaught.as('caught')])
    .select(sql<string>`to_char(${newestAt} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('position'))
    .where('p.newsletter_id', '=', newsletterId)
  if (status) query = query.where(statusCounting(retrying), '=', status)
  if (channel) query = query.where('p.channel', '=', channel)
  if (caught !== undefined) query = query.where(isCaught, '=', caught)
  if (missed !== undefined) query = query.where(hasMissed, '=', missed)
  if (offWeb !== undefined) query = query.where('p.off_web_at', offWeb ? 'is not' : 'is', null)
  if (search) query = query.where(matches(search))
  const [at, id] = (cursor ?? '').split('~')
  if (at && id && !Number.isNaN(Date.parse(at))) {
    query = query.where(sql<boolean>`(${newestAt}, p.id) < (${at}::timestamptz, ${id})`)
  }
  const rows = await query
    .orderBy(newestAt, 'desc')
    .orderBy('p.id', 'desc')
    .limit(limit + 1)
    .$narrowType<{ status: Status }>()
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next: rows.length > limit && last ? `${last.position}~${last.id}` : null }
}

/** How many there are in each status, sent to the web only, off the web, caught, and mailed, for the same search. */
export async function countByStatus(
  db: Db,
  newsletterId: string,
  { retrying, search }: Pick<ListQuery, 'retrying' | 'search'>,
) {
  let query = withStatus(db)
    .select([
      statusCounting(retrying).as('status'),
      sql<number>`count(*)::integer`.as('count'),
      sql<number>`count(*) filter (where p.channel = 'web' and p.off_web_at is null)::integer`.as('web'),
      sql<number>`count(*) filter (where p.off_web_at is not null)::integer`.as('off'),
      sql<number>`count(*) filter (where p.channel = 'everywhere' and ${isCaught})::integer`.as('caught'),
      sql<number>`count(*) filter (where p.channel = 'everywhere' and not ${isCaught})::integer`.as('mailed'),
    ])
    .$narrowType<{ status: Status }>()
    .where('p.newsletter_id', '=', newsletterId)
    .groupBy(statusCounting(retrying))
  if (search) query = query.where(matches(search))
  const totals: Record<Status, number> = { draft: 0, scheduled: 0, sending: 0, paused: 0, sent: 0, cancelled: 0 }
  let webOnly = 0
  let offWeb = 0
  let allCaught = 0
  let allMailed = 0
  for (const { status, count, web, off, caught, mailed } of await query.execute()) {
    totals[status] = count
    offWeb += off
    if (status === 'sent') [webOnly, allCaught, allMailed] = [web, caught, mailed]
  }
  return { totals, webOnly, offWeb, caught: allCaught, mailed: allMailed }
}

/** Those with a part of their title or subtitle, or with this number, last edited first. Their words are not read. */
export function findByTitle(db: Db, newsletterId: string, { search, limit }: { search: string; limit: number }) {
  const pattern = containing(search)
  return withStatus(db)
    .select(['p.id', 'p.number', 'p.title', 'p.language', 'p.channel', 's.status', isCaught.as('caught')])
    .$narrowType<{ status: Status }>()
    .where('p.newsletter_id', '=', newsletterId)
    .where(sql<boolean>`(p.title ~* ${pattern} or p.subtitle ~* ${pattern} or p.number::text = ${search})`)
    .orderBy('p.edited_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(limit)
    .execute()
}

/** Whether a publication `p`, or a deleted one, has these words. */
export const matches = (search: string) => {
  const pattern = containing(search)
  return sql<boolean>`(p.title ~* ${pattern} or p.words ~* ${pattern} or p.whole_words ~* ${pattern})`
}

/** Makes every process draw the newsletter's public pages anew. */
export const touchNewsletter = (db: Db, newsletterId: string) =>
  db.updateTable('newsletter').set({ version: sql`version + 1` }).where('id', '=', newsletterId).execute()
