import { sql } from 'kysely'
import { heldOfSubscriber } from '../personal-data/holding.ts'

export const sendingSubscriberData = [
  heldOfSubscriber({
    table: 'delivery',
    person: 'subscriber_id',
    // Each delivery is found by its primary key, which names the publication.
    find: ({ newsletterId, subscriberId }) => sql`subscriber_id = ${subscriberId}
      and publication_id in (select id from publication where newsletter_id = ${newsletterId})`,
    exported: ['publication_id', 'email', 'state', 'answer', 'changed_at', 'opened_at'],
    erase: (tx, { newsletterId, subscriberId }) =>
      sql`
      update delivery d set email = '', answer = null,
        state = case when state in ('queued', 'deferred') then 'suppressed' else state end
      from publication p
      where p.newsletter_id = ${newsletterId} and d.newsletter_id = p.newsletter_id and d.publication_id = p.id
        and d.subscriber_id = ${subscriberId}`.execute(tx),
  }),
]
