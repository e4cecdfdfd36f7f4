import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { SubscriberKey } from '../change.ts'
import { clicksOf } from './clicks.ts'

/** The newest 100 deliveries of one subscriber, with their human clicks and what came back of them. */
export function listDeliveriesOf(db: Db, key: SubscriberKey) {
  const { newsletterId, subscriberId } = key
  const clicks = sql<number>`(select count(*) from (${clicksOf(key)}) c
    where c.publication_id = d.publication_id and c.is_human)`
  const returned = sql<'hard' | 'soft' | 'complaint' | null>`(select f.kind from feedback f
    where f.newsletter_id = d.newsletter_id and f.publication_id = d.publication_id and f.subscriber_id = d.subscriber_id
    order by f.at desc limit 1)`
  return db
    .selectFrom('delivery as d')
    .innerJoin('publication as p', (join) =>
      join.onRef('p.newsletter_id', '=', 'd.newsletter_id').onRef('p.id', '=', 'd.publication_id'),
    )
    .select(['d.publication_id as publicationId', 'p.title', 'd.state', 'd.answer', 'd.changed_at as at'])
    .select(['d.opened_at as openedAt', clicks.as('clicks'), returned.as('returned')])
    .where('d.newsletter_id', '=', newsletterId)
    .where('d.subscriber_id', '=', subscriberId)
    .orderBy('d.changed_at', 'desc')
    .limit(100)
    .execute()
}
