import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { EventFacts } from './read-event.ts'

export interface ReceivedEvent extends EventFacts {
  newsletterId: string
  /** As it came. */
  body: string
}

/**
 * Stores events in one statement, and with it a notification for those who apply them. One that is stored already stays as it is. They are due
 * at once, whatever the clock of the process says that applies them.
 */
export async function storeEvents(db: Db, events: ReceivedEvent[]): Promise<void> {
  await sql`
    insert into payment_event (newsletter_id, id, type, object_id, customer, stated_at, status, body, due_at)
    select *, '-infinity' from unnest(${events.map(({ newsletterId }) => newsletterId)}::text[], ${events.map(({ id }) => id)}::text[],
      ${events.map(({ type }) => type)}::text[], ${events.map(({ objectId }) => objectId)}::text[],
      ${events.map(({ customer }) => customer)}::text[], ${events.map(({ statedAt }) => statedAt)}::timestamptz[],
      ${events.map(({ status }) => status)}::text[], ${events.map(({ body }) => body)}::text[])
    on conflict do nothing`.execute(db)
}
