import { sql } from 'kysely'
import type { DeliveryKey } from '../mail/return-path.ts'
import type { TestNewsletter } from './newsletter.ts'
import { addPublication } from './publication.ts'

/** A sent publication: a relay accepted the delivery to each of these subscribers. */
export async function addAcceptedDeliveries(
  { context: { db }, newsletterId }: Pick<TestNewsletter, 'context' | 'newsletterId'>,
  subscriberIds: string[],
  status: 'sending' | 'sent' = 'sent',
): Promise<DeliveryKey[]> {
  const publicationId = await addPublication(db, { newsletterId, state: status })
  await sql`
    insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, attempts)
    select ${newsletterId}, ${publicationId}, ${publicationId}, to_whom.id, coalesce(s.email, 'nobody@example.org'), 'accepted', 1
    from unnest(${subscriberIds}::uuid[]) as to_whom (id)
    left join subscriber s on s.newsletter_id = ${newsletterId} and s.id = to_whom.id`.execute(db)
  return subscriberIds.map((subscriberId) => ({ newsletterId, publicationId, subscriberId }))
}
