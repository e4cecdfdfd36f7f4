import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { SubscriberKey } from '../change.ts'
import { isOfImport } from '../import/proof.ts'
import { clicksOf } from './clicks.ts'
import type { TimelineRow } from './contract.ts'

interface Row extends Omit<TimelineRow, 'at' | 'publication'> {
  at: Date
  /** Of the same moment, in an order that stays: the source and its id. */
  tie: string
  /** With microseconds, which a Date does not have. */
  instant: string
  publicationId: string | null
  number: number | null
  title: string | null
}

/** The columns that a source does not fill. */
const none = {
  means: sql`null::text`,
  publication: sql`null::text`,
  target: sql`null::text`,
  user: sql`null::text`,
  file: sql`null::text`,
  given: sql`'{}'::text[]`,
  taken: sql`'{}'::text[]`,
  fields: sql`'{}'::text[]`,
  reason: sql`null::text`,
}

type Columns = { [Name in keyof typeof none]?: RawBuilder<unknown> }

const rowOf = (own: { at: RawBuilder<unknown>; tie: RawBuilder<unknown>; kind: RawBuilder<unknown> } & Columns) => {
  const { at, tie, kind, means, publication, target, user, file, given, taken, fields, reason } = { ...none, ...own }
  return sql`${at} as at, ${tie} as tie, ${kind} as kind, ${means} as means, ${publication} as publication_id,
    ${target} as target, ${user} as user_id, ${file} as file, ${given} as given, ${taken} as taken, ${fields} as fields,
    ${reason} as reason`
}

/** Everything that can happen to a subscriber, from where it is kept. Each part is found by an index of the subscriber. */
const sourcesOf = (key: SubscriberKey): RawBuilder<unknown>[] => {
  const { newsletterId, subscriberId } = key
  // A change and its receipt have the same time.
  const means = sql`(select c.means from consent c where c.newsletter_id = e.newsletter_id
    and c.subscriber_id = e.subscriber_id and c.at = e.at limit 1)`
  const told = { means, publication: sql`e.publication_id`, reason: sql`e.reason` }
  const event = { at: sql`e.at`, tie: sql`'e' || e.id`, kind: sql`e.kind`, ...told }
  const left = { at: sql`d.changed_at`, tie: sql`'d' || d.publication_id`, kind: sql`d.state` }
  const click = { at: sql`c.at`, tie: sql`'c' || c.id`, kind: sql`'clicked'`, target: sql`c.target` }
  const edit = { at: sql`x.at`, tie: sql`'x' || x.id`, kind: sql`'edited'`, user: sql`x.user_id` }
  const imported = {
    at: sql`c.at`,
    tie: sql`'i' || c.id`,
    kind: sql`'imported'`,
    file: sql`i.file_name`,
    user: sql`i.created_by`,
  }
  const campaign = {
    at: sql`c.at`,
    tie: sql`'k' || c.id`,
    kind: sql`case c.act when 'given' then 'campaign_yes' else 'campaign_no' end`,
    means: sql`c.means`,
  }
  const changed = { given: sql`x.given`, taken: sql`x.taken`, fields: sql`x.fields` }
  return [
    sql`select ${rowOf(event)} from event e where e.newsletter_id = ${newsletterId} and e.subscriber_id = ${subscriberId}`,
    sql`select ${rowOf({ ...left, publication: sql`d.publication_id` })} from publication p
      join delivery d on d.newsletter_id = p.newsletter_id and d.publication_id = p.id
      where p.newsletter_id = ${newsletterId} and d.subscriber_id = ${subscriberId} and d.state in ('accepted', 'caught')`,
    sql`select ${rowOf({ ...click, publication: sql`c.publication_id` })} from (${clicksOf(key)}) c where c.is_human`,
    sql`select ${rowOf({ ...edit, ...changed })} from subscriber_edit x
      where x.newsletter_id = ${newsletterId} and x.subscriber_id = ${subscriberId}`,
    sql`select ${rowOf(imported)} from consent c
      join import i on i.newsletter_id = c.newsletter_id and ${isOfImport}
      where c.newsletter_id = ${newsletterId} and c.subscriber_id = ${subscriberId}`,
    sql`select ${rowOf(campaign)} from consent c
      where c.newsletter_id = ${newsletterId} and c.subscriber_id = ${subscriberId} and c.purpose like 'campaign %'`,
  ]
}

interface Page {
  cursor: string | undefined
  limit: number
}

const INSTANT = `YYYY-MM-DD"T"HH24:MI:SS.US"Z"`
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)~([edcxik][\w-]{1,60})$/

/** A page of what happened to a subscriber, newest first. What happens meanwhile comes before the first page and moves nothing. */
export async function listTimeline(
  db: Db,
  key: SubscriberKey,
  { cursor, limit }: Page,
): Promise<{ rows: Row[]; next: string | null }> {
  const [, at = '', tie = ''] = CURSOR.exec(cursor ?? '') ?? []
  // After what is no cursor there is nothing.
  const begins = z.iso.datetime().safeParse(at).success ? at : '-infinity'
  const before = cursor === undefined ? sql`true` : sql`(at, tie collate "C") < (${begins}::timestamptz, ${tie})`
  const parts = sourcesOf(key).map(
    (source) =>
      sql`(select * from (${source}) s where ${before} order by at desc, tie collate "C" desc limit ${limit})`,
  )
  const { rows } = await sql<Row>`
    select t.at, t.tie, to_char(t.at at time zone 'UTC', ${INSTANT}) as instant, t.kind, t.means, t.target, t.file, t.given, t.taken, t.fields, t.reason,
      t.publication_id as "publicationId", p.number, p.title, u.name as by
    from (select * from (${sql.join(parts, sql` union all `)}) every order by at desc, tie collate "C" desc limit ${limit}) t
    left join publication p on p.newsletter_id = ${key.newsletterId} and p.id = t.publication_id
    left join member m on m.newsletter_id = ${key.newsletterId} and m.user_id = t.user_id
    left join "user" u on u.id = m.user_id
    order by t.at desc, t.tie collate "C" desc`.execute(db)
  const last = rows.length === limit ? rows.at(-1) : undefined
  return { rows, next: last ? `${last.instant}~${last.tie}` : null }
}
