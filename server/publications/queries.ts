import { type Selectable, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Publication as PublicationTable } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { Status } from './publication-status.ts'

export type PublicationRow = Selectable<PublicationTable>

const summaryColumns = [
  'id',
  'newsletter_id',
  'number',
  'slug',
  'title',
  'subtitle',
  'language',
  'channel',
  'status',
  'stopped_by',
  'stopped_answer',
  'edited_at',
  'scheduled_at',
  'started_at',
  'finished_at',
  'published_at',
] as const
export type SummaryRow = Pick<PublicationRow, (typeof summaryColumns)[number]>

/** @throws AppError publication_not_found */
export async function findPublication(db: Db, newsletterId: string, id: string): Promise<PublicationRow> {
  const row = await db
    .selectFrom('publication')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('publication_not_found')
  return row
}

interface ListQuery {
  status?: Status | undefined
  channel?: PublicationRow['channel'] | undefined
  search?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** Last edited first; the cursor is the last row's edit and id. */
export async function listPublicationRows(db: Db, newsletterId: string, asked: ListQuery) {
  const { status, channel, search, cursor, limit } = asked
  let query = db
    .selectFrom('publication')
    .select(summaryColumns)
    .select(sql<string>`to_char(edited_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('position'))
    .where('newsletter_id', '=', newsletterId)
  if (status) query = query.where('status', '=', status)
  if (channel) query = query.where('channel', '=', channel)
  if (search) query = query.where(matches(search))
  const [at, id] = (cursor ?? '').split('~')
  if (at && id && !Number.isNaN(Date.parse(at))) {
    query = query.where(sql<boolean>`(edited_at, id) < (${at}::timestamptz, ${id})`)
  }
  const rows = await query
    .orderBy('edited_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next: rows.length > limit && last ? `${last.position}~${last.id}` : null }
}

/** How many there are in each status, and sent to the web only, for the same search. */
export async function countByStatus(db: Db, newsletterId: string, search: string | undefined) {
  let query = db
    .selectFrom('publication')
    .select([
      'status',
      sql<number>`count(*)::integer`.as('count'),
      sql<number>`count(*) filter (where channel = 'web')::integer`.as('web'),
    ])
    .where('newsletter_id', '=', newsletterId)
    .groupBy('status')
  if (search) query = query.where(matches(search))
  const totals: Record<Status, number> = { draft: 0, scheduled: 0, sending: 0, paused: 0, sent: 0, cancelled: 0 }
  let webOnly = 0
  for (const { status, count, web } of await query.execute()) {
    totals[status] = count
    if (status === 'sent') webOnly = web
  }
  return { totals, webOnly }
}

const matches = (search: string) => {
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(title ilike ${pattern} or words ilike ${pattern})`
}

/** Makes every process draw the newsletter's public pages anew. */
export const touchNewsletter = (db: Db, newsletterId: string) =>
  db.updateTable('newsletter').set({ version: sql`version + 1` }).where('id', '=', newsletterId).execute()
