import type { Db } from '../../database/client.ts'
import { lockSubscriber } from '../../subscribers/queries.ts'
import { countRecommendations } from './counts.ts'

interface Choice {
  newsletterId: string
  /** Of the newsletter that recommends. */
  subscriberId: string
  campaignId: string
  /** When the page with the recommendations was shown. */
  since: Date
  at: Date
}

/**
 * Keeps which newsletter a reader chose, and counts it the first time.
 * @returns false for a choice of the same page that was made already. Nothing may follow from it.
 */
export async function keepChoice(
  tx: Db,
  { newsletterId, subscriberId, campaignId, since, at }: Choice,
): Promise<boolean> {
  // Forms that are posted at the same moment are read one after the other.
  await lockSubscriber(tx, { newsletterId, subscriberId })
  const before = await tx
    .selectFrom('recommendation_choice')
    .select('at')
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', '=', subscriberId)
    .where('campaign_id', '=', campaignId)
    .executeTakeFirst()
  if (before && before.at >= since) return false
  await tx
    .insertInto('recommendation_choice')
    .values({ newsletter_id: newsletterId, subscriber_id: subscriberId, campaign_id: campaignId, at })
    .onConflict((conflict) => conflict.columns(['newsletter_id', 'subscriber_id', 'campaign_id']).doUpdateSet({ at }))
    .execute()
  if (!before) await countRecommendations(tx, 'chosen', { newsletterId, campaignIds: [campaignId], at })
  return true
}

/** A form is read for an hour, so that who chose what is needed no longer after some days. */
export async function forgetChoices(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('recommendation_choice').where('at', '<', before).execute()
}
