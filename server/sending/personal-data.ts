import { sql } from 'kysely'
import { heldOfSubscriber } from '../personal-data/holding.ts'
import { forgetRecipients } from './delivery-state.ts'

export const sendingSubscriberData = [
  heldOfSubscriber({
    table: 'delivery',
    person: 'subscriber_id',
    // Each delivery is found by its primary key, which names the publication.
    find: ({ newsletterId, subscriberId }) => sql`subscriber_id = ${subscriberId}
      and publication_id in (select id from publication where newsletter_id = ${newsletterId})`,
    exported: ['publication_id', 'email', 'state', 'answer', 'changed_at', 'opened_at'],
    erase: forgetRecipients,
  }),
]
