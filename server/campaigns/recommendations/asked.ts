import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import { findByAddress } from '../../subscribers/queries.ts'
import { countRecommendations } from './counts.ts'

/** A recommendation, by the newsletter that makes it. */
interface By {
  fromNewsletterId: string
  campaignId: string
}

/** Remembers by which recommendation somebody was asked, until they confirm. The last one counts. */
export async function keepAsked(
  tx: Db,
  { newsletterId, normalised }: { newsletterId: string; normalised: string },
  { fromNewsletterId, campaignId }: By,
): Promise<void> {
  const subscriber = await findByAddress(tx, newsletterId, normalised)
  if (subscriber?.status !== 'pending') return
  const by = { from_newsletter_id: fromNewsletterId, campaign_id: campaignId }
  await tx
    .insertInto('recommendation_asked')
    .values({ newsletter_id: newsletterId, subscriber_id: subscriber.id, ...by })
    .onConflict((conflict) => conflict.columns(['newsletter_id', 'subscriber_id']).doUpdateSet(by))
    .execute()
}

/** Counts a subscriber who confirms for the recommendation by which they were asked, once. */
export async function countAsked(db: Db, { newsletterId, subscriberId }: SubscriberKey, at: Date): Promise<void> {
  const asked = await db
    .deleteFrom('recommendation_asked')
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', '=', subscriberId)
    .returning(['from_newsletter_id as fromNewsletterId', 'campaign_id as campaignId'])
    .executeTakeFirst()
  if (asked) await noteJoined(db, { newsletterId, subscriberId, at }, asked)
}

/** Counts who became a subscriber by a recommendation, and remembers it until their fourteen days are over. */
export async function noteJoined(
  tx: Db,
  { newsletterId, subscriberId, at }: SubscriberKey & { at: Date },
  { fromNewsletterId, campaignId }: By,
): Promise<void> {
  await countRecommendations(tx, 'confirmed', { newsletterId: fromNewsletterId, campaignIds: [campaignId], at })
  await tx
    .insertInto('recommendation_yes')
    .values({
      ...{ newsletter_id: newsletterId, id: uuidv7(at.getTime()), subscriber_id: subscriberId, at },
      ...{ from_newsletter_id: fromNewsletterId, campaign_id: campaignId },
    })
    .execute()
}
