import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import type { DB } from '../../database/types.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Receipt } from '../../subscribers/consent.ts'
import { mayJoin } from '../../subscribers/may-join.ts'
import { findByAddress, lockSubscriber, type SubscriberRow } from '../../subscribers/queries.ts'
import { confirmAtOnce, requestSubscriptions } from '../../subscribers/request.ts'
import { keepAsked, noteJoined } from './asked.ts'
import { countRecommendations } from './counts.ts'
import type { LocalOffer } from './offers.ts'

interface Joining {
  from: NewsletterRow
  offer: LocalOffer
  /** Of the newsletter that recommends. */
  subscriber: SubscriberRow
  /** Whether their address was proven a moment ago. Else a mail of the newsletter that they chose asks first. */
  proven: boolean
  receipt: Receipt
  at: Date
}

/**
 * Subscribes somebody to a newsletter that they chose, with a receipt of its own, and counts it. Whoever left it, was suppressed or erased
 * there stays away: a no stays a no. A second time changes nothing.
 */
export const join = (
  { db, signer }: Pick<Context, 'signer'> & { db: Kysely<DB> },
  { from, offer, subscriber, proven, receipt, at }: Joining,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { newsletter } = offer
    const { email, email_normalised: normalised, language } = subscriber
    // Two tabs choose one after the other.
    await lockSubscriber(tx, { newsletterId: from.id, subscriberId: subscriber.id })
    const counted = { newsletterId: from.id, campaignIds: [offer.id], at }
    await countRecommendations(tx, 'chosen', counted)
    if (!(await mayJoin(tx, signer, { newsletter, normalised }))) return
    const asked = {
      newsletterId: newsletter.id,
      email,
      normalised,
      name: null,
      language,
      at,
      receipt,
      confirms: !proven,
    }
    await requestSubscriptions(tx, signer, [asked])
    if (!proven) return keepAsked(tx, asked, { fromNewsletterId: from.id, campaignId: offer.id })
    await confirmAtOnce(tx, signer, [asked])
    const joined = await findByAddress(tx, newsletter.id, normalised)
    if (joined?.status !== 'active') return
    const by = { fromNewsletterId: from.id, campaignId: offer.id }
    await noteJoined(tx, { newsletterId: newsletter.id, subscriberId: joined.id, at }, by)
  })
