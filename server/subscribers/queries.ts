import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Subscriber } from '../database/types.ts'
import type { Language } from '../languages.ts'
import { conditionOf } from '../segments/condition.ts'
import type { Filter } from '../segments/filter/contract.ts'
import type { Pace } from './contract.ts'

export type SubscriberRow = Selectable<Subscriber>

export async function findSubscriber(db: Db, newsletterId: string, id: string): Promise<SubscriberRow | null> {
  const query = db.selectFrom('subscriber').selectAll().where('newsletter_id', '=', newsletterId).where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** The subscriber, kept as they are until the transaction ends. */
export async function lockSubscriber(
  tx: Db,
  { newsletterId, subscriberId }: { newsletterId: string; subscriberId: string },
): Promise<SubscriberRow | null> {
  const query = tx.selectFrom('subscriber').selectAll().where('newsletter_id', '=', newsletterId)
  return (await query.where('id', '=', subscriberId).forNoKeyUpdate().executeTakeFirst()) ?? null
}

/** Whether the last request of the subscriber in the row `s` is a member's own entry. */
export const addedByHand = sql<boolean>`coalesce((select c.means = 'by-hand' from consent c
  where c.newsletter_id = s.newsletter_id and c.subscriber_id = s.id and c.act = 'asked' order by c.at desc limit 1), false)`

/** Whether a member entered the address, and nobody has asked for it since. */
export async function wasAddedByHand(db: Db, { newsletter_id, id }: Pick<SubscriberRow, 'newsletter_id' | 'id'>) {
  const { rows } = await sql<{ added: boolean }>`
    select ${addedByHand} as added from subscriber s where s.newsletter_id = ${newsletter_id} and s.id = ${id}`.execute(
    db,
  )
  return rows[0]?.added ?? false
}

export async function findByAddress(db: Db, newsletterId: string, normalised: string): Promise<SubscriberRow | null> {
  const row = await db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('email_normalised', '=', normalised)
    .executeTakeFirst()
  return row ?? null
}

export async function findSuppression(db: Db, newsletterId: string, normalised: string) {
  const query = db
    .selectFrom('suppression')
    .select(['reason', 'detail', 'at'])
    .where('newsletter_id', '=', newsletterId)
  return (await query.where('email_normalised', '=', normalised).executeTakeFirst()) ?? null
}

export interface Wanted {
  status?: SubscriberRow['status'] | undefined
  /** A part of an address or name. */
  search?: string | undefined
  filter?: Filter | undefined
  tagId?: number | undefined
  language?: Language | undefined
  pace?: Pace | undefined
  source?: string | undefined
  ids?: string[] | undefined
}

/**
 * The subscribers `s` of a newsletter who fit everything that is asked: whoever lists, counts, exports or changes a part of
 * them begins here. Who only said yes to a campaign is found by a search, by their status and by their id.
 */
export function subscribersMatching(db: Db, newsletterId: string, ...[wanted, asked]: [Wanted, ('few' | 'many')?]) {
  const query = db.selectFrom('subscriber as s').where('s.newsletter_id', '=', newsletterId)
  const conditions = [...(wanted.search ? [searched(wanted.search)] : []), ...narrowed(newsletterId, wanted, asked)]
  if (!wanted.search && !wanted.status && !wanted.ids) conditions.push(sql`s.status <> 'campaign_only'`)
  return conditions.reduce((fitting, condition) => fitting.where(condition), query)
}

/** What is asked but for the search. `asked`: of how many subscribers, as of conditions of a segment. */
export function narrowed(newsletterId: string, wanted: Wanted, asked: 'few' | 'many' = 'many'): RawBuilder<SqlBool>[] {
  const { status, filter, tagId, language, pace, source, ids } = wanted
  const setting = { newsletterId, asOf: sql<Date>`now()`, asked }
  const conditions: RawBuilder<SqlBool>[] = []
  if (ids) conditions.push(sql`s.id = any(string_to_array(${ids.join(',')}, ',')::uuid[])`)
  if (status) conditions.push(sql`s.status = ${status}`)
  if (language) conditions.push(sql`s.language = ${language}`)
  if (pace) conditions.push(sql`s.pace = ${pace}`)
  if (source) conditions.push(sql`s.source = ${source}`)
  // Who only said yes to a campaign is in no segment.
  if (filter) conditions.push(conditionOf(filter, setting), sql`s.status <> 'campaign_only'`)
  if (tagId !== undefined) conditions.push(conditionOf({ on: 'tag', op: 'has', tag: tagId }, setting))
  return conditions
}

/** The index knows every three letters or digits that follow one another. */
const INDEXED = /[\p{L}\p{N}]{3}/u
const BEGINS_WITH_LETTER = /^[\p{L}\p{N}]/u
const LETTER = /[\p{L}\p{N}]/u
/** What stands before a word. PostgreSQL can use the index only when these are listed. */
const BEFORE_WORD = "(^|[-.@_+' \\n])"

/** Keeps an index from being read from end to end, which takes longer than reading the subscribers. */
const hidden = sql` || ''`

/**
 * Whether a search finds a subscriber `s`: it is a part of their address or name, or of fewer than three letters the beginning of a word
 * of it. The index `subscriber_search` is over this expression; it knows nothing of a search without letters and digits.
 */
export function searched(search: string): RawBuilder<SqlBool> {
  const text = search.replaceAll(/\p{Cc}/gu, ' ')
  const words = sql`subscriber_words(s.email, s.email_normalised, s.name)`
  return BEGINS_WITH_LETTER.test(text) && !INDEXED.test(text)
    ? sql`${words} ~ (${BEFORE_WORD} || folded(${text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')}))`
    : sql`${words}${LETTER.test(text) ? sql`` : hidden} like folded(${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`})`
}

/** The different origins of subscribers, each found without reading all who have it. */
export async function listSources(db: Db, newsletterId: string): Promise<string[]> {
  const { rows } = await sql<{ source: string }>`
    with recursive found as (
      select min(source) as source from subscriber where newsletter_id = ${newsletterId}
      union all
      select (select min(s.source) from subscriber s where s.newsletter_id = ${newsletterId} and s.source > found.source)
      from found where found.source is not null
    )
    select source from found where exists (
      select from subscriber s
      where s.newsletter_id = ${newsletterId} and s.source = found.source and s.status <> 'campaign_only')
    limit 100`.execute(db)
  return rows.map(({ source }) => source)
}

/** How many there are, to the last one. */
export async function countAll(db: Db, newsletterId: string, wanted: Wanted): Promise<number> {
  const query = subscribersMatching(db, newsletterId, wanted).select(({ fn }) => fn.countAll<number>().as('total'))
  return (await query.executeTakeFirstOrThrow()).total
}

/** The receipts of a subscriber, newest first. */
export function listReceipts(db: Db, newsletterId: string, subscriberId: string) {
  return db
    .selectFrom('consent as c')
    .leftJoin('receipt_chain as r', (join) =>
      join.onRef('r.newsletter_id', '=', 'c.newsletter_id').onRef('r.receipt_id', '=', 'c.id'),
    )
    .select(['c.act', 'c.wording', 'c.wording_version', 'c.language', 'c.means', 'c.proof', 'c.beneficiary_name'])
    .select(['c.network', 'c.at', 'r.position', sql<boolean>`c.purpose like 'campaign %'`.as('toCampaign')])
    .where('c.newsletter_id', '=', newsletterId)
    .where('c.subscriber_id', '=', subscriberId)
    .orderBy('c.at', 'desc')
    .orderBy('c.id', 'desc')
    .execute()
}

export interface Recent {
  id: string
  number: number | null
  slug: string | null
  title: string
  language: Language
}

/** The last publications on the web, for somebody who wonders whether to subscribe. */
export function listRecent(db: Db, newsletterId: string, limit = 3): Promise<Recent[]> {
  return db
    .selectFrom('publication')
    .select(['id', 'number', 'slug', 'title', 'language'])
    .where('newsletter_id', '=', newsletterId)
    .where('published_at', 'is not', null)
    .where('off_web_at', 'is', null)
    .orderBy('published_at', 'desc')
    .limit(limit)
    .execute()
}
