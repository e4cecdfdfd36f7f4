import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { isUuid } from '../database/ids.ts'
import type { listDeliveries } from './contract.ts'

type Query = z.output<typeof listDeliveries.query>
type Reply = z.input<typeof listDeliveries.reply>

const waiting = new Set(['queued', 'deferred'])

/** Recipients in the order in which they subscribed; the cursor is the last one's id. */
export async function listDeliveryRows(
  db: Db,
  newsletterId: string,
  publicationId: string,
  { state, search, cursor, limit }: Query,
): Promise<Reply> {
  let query = db
    .selectFrom('delivery')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
  if (state) query = query.where('state', '=', state)
  if (search) query = query.where(sql<boolean>`position(lower(${search}) in lower(email)) > 0`)
  if (cursor && isUuid(cursor)) query = query.where('subscriber_id', '>', cursor)
  const found = await query
    .orderBy('subscriber_id')
    .limit(limit + 1)
    .execute()
  const page = found.slice(0, limit)
  const rows = page.map((row) => ({
    subscriberId: row.subscriber_id,
    email: row.email,
    state: row.state as Reply['rows'][number]['state'],
    attempts: row.attempts,
    dueAt: waiting.has(row.state) ? row.due_at.toISOString() : null,
    answer: row.answer,
    changedAt: row.changed_at.toISOString(),
    openedAt: row.opened_at?.toISOString() ?? null,
  }))
  return { rows, next: found.length > limit ? (page.at(-1)?.subscriber_id ?? null) : null }
}
