import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Subscriber } from '../database/types.ts'
import type { Language } from '../languages.ts'
import { conditionOf } from '../segments/condition.ts'
import type { Filter } from '../segments/contract.ts'
import { tagsOfMany } from '../segments/tags.ts'
import type { Pace } from './contract.ts'
import { type Order, type Position, sqlOf } from './sort.ts'
import { countByStatus } from './subscriber-count.ts'

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
 * them begins here.
 */
export function subscribersMatching(db: Db, newsletterId: string, wanted: Wanted) {
  const { status, search, filter, tagId, language, pace, source, ids } = wanted
  let query = db.selectFrom('subscriber as s').where('s.newsletter_id', '=', newsletterId)
  if (ids) query = query.where(sql<SqlBool>`s.id = any(string_to_array(${ids.join(',')}, ',')::uuid[])`)
  if (status) query = query.where('s.status', '=', status)
  if (language) query = query.where('s.language', '=', language)
  if (pace) query = query.where('s.pace', '=', pace)
  if (source) query = query.where('s.source', '=', source)
  if (search) {
    const pattern = `%${search
      .toLowerCase()
      .replaceAll(/\p{Cc}/gu, ' ')
      .replace(/[\\%_]/g, '\\$&')}%`
    // The index `subscriber_search` is over this expression.
    query = query.where(sql<SqlBool>`subscriber_words(s.email, s.email_normalised, s.name) like ${pattern}`)
  }
  const asOf = sql<Date>`now()`
  if (filter) query = query.where(conditionOf(filter, { newsletterId, asOf }))
  if (tagId !== undefined)
    query = query.where(conditionOf({ on: 'tag', op: 'has', tag: tagId }, { newsletterId, asOf }))
  return query
}

export interface ListedRow extends SubscriberRow {
  /** Their value in the order of the list, as text. */
  sorted_by: string
  tags: { id: number; name: string }[]
}

interface Page {
  order: Order
  after: Position | null
  limit: number
}

/** A page of subscribers in an order, with their tags by name. It begins after the position where the one before ended. */
export async function listSubscriberRows(
  db: Db,
  newsletterId: string,
  { order, after, limit, ...wanted }: Wanted & Page,
): Promise<ListedRow[]> {
  const by = sqlOf(order)
  const rows = await subscribersMatching(db, newsletterId, wanted)
    .selectAll('s')
    .select(by.value.as('sorted_by'))
    .$if(after !== null, (query) => (after ? query.where(by.after(after)) : query))
    .orderBy(by.orderBy)
    .limit(limit)
    .execute()
  const tags = await tagsOfMany(
    db,
    newsletterId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, tags: tags.get(row.id) ?? [] }))
}

/** The different origins, each found without reading those who have it. */
export async function listSources(db: Db, newsletterId: string): Promise<string[]> {
  const { rows } = await sql<{ source: string }>`
    with recursive found as (
      select min(source) as source from subscriber where newsletter_id = ${newsletterId}
      union all
      select (select min(s.source) from subscriber s where s.newsletter_id = ${newsletterId} and s.source > found.source)
      from found where found.source is not null
    )
    select source from found where source is not null limit 100`.execute(db)
  return rows.map(({ source }) => source)
}

/** Matches are counted up to here: a part of nearly all addresses would have all of them read. A segment says how many it has. */
const MOST_COUNTED = 10_000

/** How many there are; `more` says that there are even more. */
export async function countSubscribers(
  db: Db,
  newsletterId: string,
  wanted: Wanted,
): Promise<{ total: number; more: boolean }> {
  const { status, search, ...others } = wanted
  if (!search && !Object.values(others).some((one) => one !== undefined))
    return { total: await countByStatus(db, newsletterId, status), more: false }
  const matching = subscribersMatching(db, newsletterId, wanted).select(sql`1`.as('one'))
  const capped = search || !wanted.filter
  const some = capped ? matching.limit(MOST_COUNTED + 1) : matching
  const query = db.selectFrom(some.as('some')).select(({ fn }) => fn.countAll<number>().as('total'))
  const { total } = await query.executeTakeFirstOrThrow()
  if (!capped) return { total, more: false }
  return { total: Math.min(total, MOST_COUNTED), more: total > MOST_COUNTED }
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
    .select(['c.network', 'c.at', 'r.position'])
    .where('c.newsletter_id', '=', newsletterId)
    .where('c.subscriber_id', '=', subscriberId)
    .orderBy('c.at', 'desc')
    .orderBy('c.id', 'desc')
    .execute()
}

/** The newest 100 deliveries of one subscriber, with their human clicks. */
export function listDeliveriesOf(db: Db, newsletterId: string, subscriberId: string) {
  return db
    .selectFrom('delivery as d')
    .innerJoin('publication as p', (join) =>
      join.onRef('p.newsletter_id', '=', 'd.newsletter_id').onRef('p.id', '=', 'd.publication_id'),
    )
    .select(['d.publication_id as publicationId', 'p.title', 'd.state', 'd.answer', 'd.changed_at as at'])
    .select('d.opened_at as openedAt')
    .select((e) =>
      e
        .selectFrom('click as c')
        .whereRef('c.newsletter_id', '=', 'd.newsletter_id')
        .whereRef('c.publication_id', '=', 'd.publication_id')
        .whereRef('c.subscriber_id', '=', 'd.subscriber_id')
        .where('c.excluded_by', 'is', null)
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('clicks'),
    )
    .where('d.newsletter_id', '=', newsletterId)
    .where('d.subscriber_id', '=', subscriberId)
    .orderBy('d.changed_at', 'desc')
    .limit(100)
    .execute()
}

export interface Recent {
  id: string
  number: number | null
  slug: string | null
  title: string
}

/** The last publications on the web, for somebody who wonders whether to subscribe. */
export function listRecent(db: Db, newsletterId: string, limit = 3): Promise<Recent[]> {
  return db
    .selectFrom('publication')
    .select(['id', 'number', 'slug', 'title'])
    .where('newsletter_id', '=', newsletterId)
    .where('published_at', 'is not', null)
    .orderBy('published_at', 'desc')
    .limit(limit)
    .execute()
}
