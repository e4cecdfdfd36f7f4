import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import type { ShownIds } from '../http/shown-ids.ts'
import { readAddress } from '../subscribers/address.ts'
import type { exportDeliveries, listDeliveries } from './contract.ts'
import type { PublicationKey } from './sending.ts'

type Query = z.output<typeof listDeliveries.query>
type Reply = z.input<typeof listDeliveries.reply>
type State = Reply['rows'][number]['state']
type Trouble = Extract<State, 'deferred' | 'failed' | 'suppressed' | 'uncertain'>
export type Which = z.output<typeof exportDeliveries.query>

const inQueue = new Set<Which['state']>(['queued', 'claimed', 'waiting'])
const waiting = new Set<State>(['queued', 'deferred'])

/**
 * Recipients in the order in which they subscribed. The cursor is the last one’s id. Those in the queue come in the
 * opposite order: sending begins with the first, so those who are left are found at the end without reading the others.
 *
 * What goes wrong, and a whole address, is found quickly among a million. A part of an address is compared with one after the other until the page
 * is full, and so are the few that are accepted, are caught or wait among many others: a million take most of a second.
 */
export async function listDeliveryRows(
  { db, shownIds }: Pick<Context, 'db' | 'shownIds'>,
  publication: PublicationKey,
  query: Query,
): Promise<Reply> {
  const cursor = query.cursor && shownIds.read(query.cursor)
  const [found, returned] = await Promise.all([
    selectRows(db, publication, { ...query, cursor }),
    countReturned(db, publication),
  ])
  const page = found.slice(0, query.limit).map((row) => present(shownIds, row))
  const next = found.length > query.limit ? (page.at(-1)?.subscriberId ?? null) : null
  return { rows: page, next, returned }
}

/** The deliveries that are asked for, each with the newest feedback about it. The list and the export share this filter. */
export function selectDeliveries(db: Db, publication: PublicationKey, { state, search }: Which) {
  let query = db
    .selectFrom('delivery')
    .leftJoinLateral(newestFeedback, (join) => join.onTrue())
    .where('newsletter_id', '=', publication.newsletterId)
    .where('publication_id', '=', publication.publicationId)
  if (state) query = query.where(() => isIn(db, publication, state))
  if (search) query = query.where(() => addressed(db, publication, search))
  return query
}

function selectRows(db: Db, publication: PublicationKey, { cursor, limit, ...which }: Query) {
  const backwards = inQueue.has(which.state)
  let query = selectDeliveries(db, publication, which)
    .select(['subscriber_id', 'email', 'attempts', 'due_at', 'answer', 'changed_at', 'opened_at'])
    .select(() => shownState(db, publication).as('state'))
    .select(({ eb }) => eb('sending_id', 'in', welcomeIds(db, publication)).as('asWelcome'))
    .select(['feedback.kind', 'feedback.words', 'feedback.at'])
  if (cursor) query = query.where('subscriber_id', backwards ? '<' : '>', cursor)
  return query
    .orderBy('subscriber_id', backwards ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute()
}

/** A whole address finds its subscriber; anything else is searched for as a part of an address. */
function addressed(db: Db, { newsletterId }: PublicationKey, search: string): Expression<SqlBool> {
  const whole = readAddress(search)
  if (!whole) return sql<SqlBool>`position(${search.replaceAll('\0', '').toLowerCase()} in lower(email)) > 0`
  const subscriber = db
    .selectFrom('subscriber')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('email_normalised', '=', whole.normalised)
  return sql<SqlBool>`subscriber_id = (${subscriber})`
}

/** The state as its reader sees it: what a worker has claimed is no longer only queued. */
export const shownState = (db: Db, publication: PublicationKey) =>
  sql<State>`case when state = 'queued' and subscriber_id in (${claimedIds(db, publication)}) then 'claimed' else state end`

function isIn(db: Db, publication: PublicationKey, state: NonNullable<Which['state']>): Expression<SqlBool> {
  const claimed = sql`subscriber_id in (${claimedIds(db, publication)})`
  switch (state) {
    case 'waiting':
      return sql<SqlBool>`state = 'queued' and ${isAny(publication, 'queued + claimed')}`
    case 'claimed':
      return sql<SqlBool>`state = 'queued' and ${claimed}`
    case 'queued':
      return sql<SqlBool>`state = 'queued' and not ${claimed} and ${isAny(publication, 'queued')}`
    case 'returned':
      return sql<SqlBool>`subscriber_id in (${returnedIds(db, publication)})`
    case 'accepted':
    case 'caught':
      return sql<SqlBool>`state = ${state} and ${isAny(publication, state)}`
    default:
      return sql<SqlBool>`trouble = ${state satisfies Trouble}`
  }
}

/** Asked first of the counts. No index has these states, so everybody would be searched to find nobody. */
const isAny = (
  { newsletterId, publicationId }: PublicationKey,
  count: 'queued' | 'queued + claimed' | 'accepted' | 'caught',
) =>
  sql<SqlBool>`(select ${sql.raw(count)} > 0 from publication_count
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId})`

const claimedIds = (db: Db, { newsletterId, publicationId }: PublicationKey) =>
  db
    .selectFrom('claimed_delivery')
    .select('subscriber_id')
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)

/** The sendings of a publication's welcomes. */
const welcomeIds = (db: Db, { newsletterId, publicationId }: PublicationKey) =>
  db
    .selectFrom('sending')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('welcome', '=', true)

const newestFeedback = (e: ExpressionBuilder<DB, 'delivery'>) =>
  e
    .selectFrom('feedback as f')
    .select(['f.kind', 'f.words', 'f.at'])
    .whereRef('f.newsletter_id', '=', 'delivery.newsletter_id')
    .whereRef('f.publication_id', '=', 'delivery.publication_id')
    .whereRef('f.subscriber_id', '=', 'delivery.subscriber_id')
    .orderBy('f.at', 'desc')
    .limit(1)
    .as('feedback')

const returnedIds = (db: Db, { newsletterId, publicationId }: PublicationKey) =>
  db
    .selectFrom('feedback')
    .select('subscriber_id')
    .distinct()
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)

async function countReturned(db: Db, publication: PublicationKey): Promise<number> {
  const ids = returnedIds(db, publication).as('returned')
  const row = await db
    .selectFrom(ids)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirst()
  return row?.n ?? 0
}

const present = (shownIds: ShownIds, row: Awaited<ReturnType<typeof selectRows>>[number]): Reply['rows'][number] => ({
  subscriberId: shownIds.show(row.subscriber_id),
  email: row.email,
  state: row.state,
  asWelcome: Boolean(row.asWelcome),
  attempts: row.attempts,
  dueAt: waiting.has(row.state) ? (row.due_at?.toISOString() ?? null) : null,
  answer: row.answer && shownIds.hideIn(row.answer),
  changedAt: row.changed_at.toISOString(),
  openedAt: row.opened_at?.toISOString() ?? null,
  feedback: row.at &&
    row.kind && {
      kind: row.kind,
      words: shownIds.hideIn(row.words ?? ''),
      at: row.at.toISOString(),
    },
})
