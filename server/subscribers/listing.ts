import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { fitsMoreThan } from '../segments/count.ts'
import type { Filter } from '../segments/filter/contract.ts'
import { tagsOfMany } from '../segments/tags.ts'
import { narrowed, type SubscriberRow, searched, subscribersMatching, type Wanted } from './queries.ts'
import { type Order, type Position, sqlOf } from './sort.ts'
import { countByStatus } from './subscriber-count.ts'

export interface ListedRow extends SubscriberRow {
  /** Their value in the order of the list, as text. */
  sorted_by: string
  tags: { id: number; name: string }[]
}

interface Page {
  order: Order
  /** It begins after the position where the one before ended. */
  after: Position | null
  limit: number
}

interface Listed<Row> {
  rows: Row[]
  /** How many there are; `more` says that there are even more. */
  total: number
  more: boolean
}

/** Of a search: how many match it, and how many of those fit the rest. */
interface Counted {
  matches: number
  total: number
}

type Found = Listed<Omit<ListedRow, 'tags'>>

/** Matches are counted up to here: a part of nearly all addresses would have all of them read. */
const MOST_COUNTED = 10_000

/** A page of the subscribers who fit, in an order, with their tags by name, and how many fit. */
export async function listSubscribers(
  db: Db,
  newsletterId: string,
  { wanted, page }: { wanted: Wanted; page: Page },
): Promise<Listed<ListedRow>> {
  const found =
    (wanted.search &&
      ((await pageOfMatches(db, newsletterId, { wanted, page })) ??
        (await pageOfManyMatches(db, newsletterId, { wanted, page })))) ||
    (await pageOfMany(db, newsletterId, { wanted, page }))
  const ids = found.rows.map(({ id }) => id)
  const tags = await tagsOfMany(db, newsletterId, ids)
  return { ...found, rows: found.rows.map((row) => ({ ...row, tags: tags.get(row.id) ?? [] })) }
}

type Asked = { wanted: Wanted; page: Page }

/**
 * A page of a search: whom the index finds is put in order, and everything else is asked of them alone. Null when it finds more than are
 * counted.
 */
async function pageOfMatches(db: Db, newsletterId: string, { wanted, page }: Asked): Promise<Found | null> {
  const { order, after, limit } = page
  const by = sqlOf(order)
  const among = sqlOf(order, sql`s.key`)
  const rest = sql.join([sql`true`, ...narrowed(newsletterId, wanted, 'few')], sql` and `)
  const { rows } = await sql<Counted & (Found['rows'][number] | { id: null })>`
    with matching as materialized (
      select s.id, ${by.key} as key, coalesce(${rest}, false) as fits from subscriber s
      where s.newsletter_id = ${newsletterId} and ${searched(wanted.search ?? '')} limit ${MOST_COUNTED + 1}
    )
    select counted.matches, counted.total, s.*, ${by.value} as sorted_by from (
      select count(*)::integer as matches, count(*) filter (where s.fits)::integer as total, array(
        select s.id from matching s where s.fits and ${after === null ? sql`true` : among.after(after)} order by ${among.orderBy} limit ${limit}
      ) as ids from matching s
    ) counted left join lateral unnest(counted.ids) with ordinality as place (id, nth) on true
    left join subscriber s on s.newsletter_id = ${newsletterId} and s.id = place.id
    order by place.nth`.execute(db)
  const [{ matches, total } = { matches: 0, total: 0 }] = rows
  if (matches > MOST_COUNTED) return null
  return { rows: rows.flatMap((row) => (row.id === null ? [] : [row])), total, more: false }
}

/** So many subscribers are read for each row of a page before all matches are put in order. */
const READ_FOR_A_ROW = 200

/** A page of a search that more match than are counted. */
async function pageOfManyMatches(db: Db, newsletterId: string, asked: Asked): Promise<Found> {
  const { search, ...others } = asked.wanted
  const isSearchAlone = narrowed(newsletterId, others).length === 0
  const [rows, counted] = await Promise.all([
    rowsOfManyMatches(db, newsletterId, asked),
    isSearchAlone ? { total: MOST_COUNTED, more: true } : countSubscribers(db, newsletterId, asked.wanted),
  ])
  return { rows, ...counted }
}

/**
 * They are read in their order when that soon fills the page. Else all are found first: those whose name has an *n* come late in the order
 * of names.
 */
async function rowsOfManyMatches(db: Db, newsletterId: string, { wanted, page }: Asked): Promise<Found['rows']> {
  const { order, after, limit } = page
  const [by, among] = [sqlOf(order), sqlOf(order, sql`s.key`)]
  const follows = (position: typeof by) => (after === null ? sql`true` : position.after(after))
  const matches = (asked: 'few' | 'many') =>
    sql.join([searched(wanted.search ?? ''), ...narrowed(newsletterId, wanted, asked)], sql` and `)
  const soon = await sql<Found['rows'][number]>`
    select s.*, ${by.value} as sorted_by from (
      select s.* from subscriber s where s.newsletter_id = ${newsletterId} and ${follows(by)}
      order by ${by.orderBy} limit ${limit * READ_FOR_A_ROW}
    ) s where ${matches('few')} order by ${by.orderBy} limit ${limit}`.execute(db)
  if (soon.rows.length === limit) return soon.rows
  const all = await sql<Found['rows'][number]>`
    with matching as materialized (
      select s.id, ${by.key} as key from subscriber s where s.newsletter_id = ${newsletterId} and ${matches('many')}
    )
    select s.*, ${by.value} as sorted_by
    from (select s.id from matching s where ${follows(among)} order by ${among.orderBy} limit ${limit}) page
    join subscriber s on s.newsletter_id = ${newsletterId} and s.id = page.id
    order by ${by.orderBy}`.execute(db)
  return all.rows
}

/** A page that is read in its order, from an index, until it is full. */
async function pageOfMany(db: Db, newsletterId: string, { wanted, page }: Asked): Promise<Found> {
  const by = sqlOf(page.order)
  const { after, limit } = page
  const isMore = await areMany(db, newsletterId, wanted)
  const list = subscribersMatching(db, newsletterId, wanted, isMore ? 'few' : 'many')
    .selectAll('s')
    .select(by.value.as('sorted_by'))
    .$if(after !== null, (query) => (after ? query.where(by.after(after)) : query))
    .orderBy(by.orderBy)
    .limit(limit)
  const counting = isMore ? { total: MOST_COUNTED, more: true } : countSubscribers(db, newsletterId, wanted)
  const [rows, counted] = await Promise.all([list.execute(), counting])
  return { rows, ...counted }
}

/** Whether those who were drawn of a large newsletter show that more fit a segment than are counted. */
async function areMany(db: Db, newsletterId: string, { filter, ids, ...wanted }: Wanted): Promise<boolean> {
  const { status, language, pace, source, tagId } = wanted
  if (ids || !filter || status === 'campaign_only') return false
  const others: Filter[] = [
    ...(status ? [{ on: 'status' as const, op: 'is' as const, value: status }] : []),
    ...(language ? [{ on: 'language' as const, op: 'is' as const, value: language }] : []),
    ...(pace ? [{ on: 'pace' as const, op: 'is' as const, value: pace }] : []),
    ...(source ? [{ on: 'source' as const, op: 'is' as const, value: source }] : []),
    ...(tagId === undefined ? [] : [{ on: 'tag' as const, op: 'has' as const, tag: tagId }]),
  ]
  return fitsMoreThan(db, newsletterId, { filter: { all: [filter, ...others] }, most: MOST_COUNTED })
}

async function countSubscribers(
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
