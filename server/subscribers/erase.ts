import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../database/types.ts'
import { removeSubscriber } from './change.ts'

/**
 * Erases a person: the subscriber with its receipts, and every mention elsewhere. Deliveries, bounces, clicks and events
 * stay as numbers without a name; a suppression stays, since it is what keeps mail away from the address.
 * @returns whether there was such a subscriber
 */
export function erase(db: Kysely<DB>, newsletterId: string, subscriberId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await removeSubscriber(tx, { newsletterId, subscriberId }))) return false
    await tx
      .updateTable('delivery')
      // Through the publications, so that each delivery is found by its primary key.
      .from('publication')
      .whereRef('publication.newsletter_id', '=', 'delivery.newsletter_id')
      .whereRef('publication.id', '=', 'delivery.publication_id')
      .where('publication.newsletter_id', '=', newsletterId)
      .set({
        email: '',
        answer: null,
        state: sql`case when state in ('queued', 'deferred') then 'suppressed' else state end`,
      })
      .where('delivery.newsletter_id', '=', newsletterId)
      .where('delivery.subscriber_id', '=', subscriberId)
      .execute()
    await tx
      .updateTable('feedback')
      .set({ words: '' })
      .where('newsletter_id', '=', newsletterId)
      .where('subscriber_id', '=', subscriberId)
      .execute()
    await tx
      .updateTable('click')
      .set({ subscriber_id: null })
      .where('newsletter_id', '=', newsletterId)
      .where('subscriber_id', '=', subscriberId)
      .execute()
    await tx
      .updateTable('event')
      .set({ subscriber_id: null })
      .where('newsletter_id', '=', newsletterId)
      .where('subscriber_id', '=', subscriberId)
      .execute()
    return true
  })
}
