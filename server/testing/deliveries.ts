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
  const deliveries = subscriberIds.map((subscriber_id, index) => ({
    newsletter_id: newsletterId,
    publication_id: publicationId,
    sending_id: publicationId,
    subscriber_id,
    email: `reader${index}@example.com`,
    state: 'accepted' as const,
    attempts: 1,
  }))
  await db.insertInto('delivery').values(deliveries).execute()
  return subscriberIds.map((subscriberId) => ({ newsletterId, publicationId, subscriberId }))
}
