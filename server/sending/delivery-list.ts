import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { isUuid } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { readAddress } from '../subscribers/address.ts'
import type { exportDeliveries, listDeliveries } from './contract.ts'
import type { PublicationKey } from './sending.ts'

type Query = z.output<typeof listDeliveries.query>
type Reply = z.input<typeof listDeliveries.reply>
type State = Reply['rows'][number]['state']
export type Which = z.output<typeof exportDeliveries.query>

const inQueue: State[] = ['queued', 'claimed']
const waiting = new Set<State>(['queued', 'deferred'])

/**
 * Recipients in the order in which they subscribed. The cursor is the last one’s id. Those in the queue come in the
 * opposite order: sending begins with the first, so those who are left are found at the end without reading the others.
 *
 * Any page of any state, and a whole address, is found quickly among a million. A part of an address is compared with one
 * after the other until the page is full: without a match, a million take most of a second.
 */
export async function listDeliveryRows(db: Db, publication: PublicationKey, query: Query): Promise<Reply> {
  const [found, returned] = await Promise.all([selectRows(db, publication, query), countReturned(db, publication)])
  const page = found.slice(0, query.limit)
  const next = found.length > query.limit ? (page.at(-1)?.subscriber_id ?? null) : null
  return { rows: page.map(present), next, returned }
}

/** The answers of the deliveries in one state, most frequent first. */
export async function findReasons(
  db: Db,
  { newsletterId, publicationId }: PublicationKey,
  state: 'failed' | 'deferred' | 'uncertain',
): Promise<{ reason: string; answer: string; count: number }[]> {
  const { rows } = await sql<{ reason: string; answer: string; count: number }>`
    select answer_pattern(answer) as reason, min(answer) as answer, count(*)::integer as count
    from delivery
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and state = ${state} and answer is not null
    group by 1 order by count(*) desc, 1 limit 50`.execute(db)
  return rows
}

/** The deliveries that are asked for, each with the newest feedback about it. The list and the export share this filter. */
export function selectDeliveries(db: Db, publication: PublicationKey, { state, search }: Which) {
  const states = statesOf(state)
  let query = db
    .selectFrom('delivery')
    .leftJoinLateral(newestFeedback, (join) => join.onTrue())
    .where('newsletter_id', '=', publication.newsletterId)
    .where('publication_id', '=', publication.publicationId)
  // PostgreSQL uses the index of failed and uncertain deliveries only for a single state.
  if (states.length > 0) query = query.where((e) => e.or(states.map((state) => e('state', '=', state))))
  if (state === 'returned') query = query.where('subscriber_id', 'in', returnedIds(db, publication))
  if (search) query = query.where(() => addressed(db, publication, search))
  return query
}

function selectRows(db: Db, publication: PublicationKey, { cursor, limit, ...which }: Query) {
  const backwards = statesOf(which.state).some((one) => inQueue.includes(one))
  let query = selectDeliveries(db, publication, which)
    .selectAll('delivery')
    .select(['feedback.kind', 'feedback.words', 'feedback.at'])
  if (cursor && isUuid(cursor)) query = query.where('subscriber_id', backwards ? '<' : '>', cursor)
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

function statesOf(state: Which['state']): State[] {
  if (!state || state === 'returned') return []
  return state === 'waiting' ? inQueue : [state]
}

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

const present = (row: Awaited<ReturnType<typeof selectRows>>[number]): Reply['rows'][number] => ({
  subscriberId: row.subscriber_id,
  email: row.email,
  state: row.state,
  attempts: row.attempts,
  dueAt: waiting.has(row.state) ? row.due_at.toISOString() : null,
  answer: row.answer,
  changedAt: row.changed_at.toISOString(),
  openedAt: row.opened_at?.toISOString() ?? null,
  feedback: row.at &&
    row.kind && {
      kind: row.kind,
      words: row.words ?? '',
      at: row.at.toISOString(),
    },
})
