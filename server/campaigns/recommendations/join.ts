import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { policyFor } from '../../subscribers/address-kind.ts'
import type { Receipt } from '../../subscribers/consent.ts'
import { isErased } from '../../subscribers/erased-addresses.ts'
import { findByAddress, findSuppression, lockSubscriber, type SubscriberRow } from '../../subscribers/queries.ts'
import { confirmAtOnce, requestSubscriptions } from '../../subscribers/request.ts'
import { countRecommendations } from './counts.ts'
import type { LocalOffer } from './offers.ts'

interface Joining {
  from: NewsletterRow
  offer: LocalOffer
  /** Of the newsletter that recommends. Their address was proven a moment ago. */
  subscriber: SubscriberRow
  receipt: Receipt
  at: Date
}

/**
 * Subscribes somebody to a newsletter that they chose, with a receipt of its own, and counts it. Whoever left it, was suppressed or erased
 * there stays away: a no stays a no. A second time changes nothing.
 */
export const join = (
  { db, signer }: Pick<Context, 'signer'> & { db: Kysely<DB> },
  { from, offer, subscriber, receipt, at }: Joining,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { newsletter } = offer
    const { email, email_normalised: normalised, language } = subscriber
    // Two tabs choose one after the other.
    await lockSubscriber(tx, { newsletterId: from.id, subscriberId: subscriber.id })
    const counted = { newsletterId: from.id, campaignIds: [offer.id], at }
    await countRecommendations(tx, 'chosen', counted)
    if (!(await mayJoin(tx, { signer }, { newsletter, normalised }))) return
    const asked = { newsletterId: newsletter.id, email, normalised, name: null, language, at, receipt, confirms: false }
    await requestSubscriptions(tx, signer, [asked])
    await confirmAtOnce(tx, signer, [asked])
    const joined = await findByAddress(tx, newsletter.id, normalised)
    if (joined?.status !== 'active') return
    await countRecommendations(tx, 'confirmed', counted)
    await tx
      .insertInto('recommendation_yes')
      .values({
        ...{ newsletter_id: newsletter.id, id: uuidv7(at.getTime()), subscriber_id: joined.id, at },
        ...{ from_newsletter_id: from.id, campaign_id: offer.id },
      })
      .execute()
  })

/** Whether an address is new to a newsletter, or only never answered it. */
async function mayJoin(
  tx: Db,
  { signer }: Pick<Context, 'signer'>,
  { newsletter, normalised }: { newsletter: NewsletterRow; normalised: string },
): Promise<boolean> {
  if (policyFor(newsletter, normalised)?.policy === 'refuse') return false
  const known = await findByAddress(tx, newsletter.id, normalised)
  if (known && known.status !== 'pending') return false
  if (await findSuppression(tx, newsletter.id, normalised)) return false
  return !(await isErased(tx, signer, { newsletterId: newsletter.id, normalised }))
}
