import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Receipt } from '../../subscribers/consent.ts'
import { mayJoin } from '../../subscribers/may-join.ts'
import { findByAddress, type SubscriberRow } from '../../subscribers/queries.ts'
import { confirmAtOnce, requestSubscriptions } from '../../subscribers/request.ts'
import { keepAsked, noteJoined } from './asked.ts'
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
 * Subscribes somebody to a newsletter that they chose, with a receipt of its own. Whoever left it, was suppressed or erased there stays away:
 * a no stays a no.
 */
export async function join(
  tx: Db,
  signer: Context['signer'],
  { from, offer, subscriber, proven, receipt, at }: Joining,
): Promise<void> {
  const { newsletter } = offer
  const { email, email_normalised: normalised, language } = subscriber
  if (!(await mayJoin(tx, signer, { newsletter, normalised }))) return
  const asked = { newsletterId: newsletter.id, email, normalised, name: null, language, at, receipt, confirms: !proven }
  const by = { fromNewsletterId: from.id, campaignId: offer.id }
  await requestSubscriptions(tx, signer, [asked])
  if (!proven) return keepAsked(tx, asked, by)
  await confirmAtOnce(tx, signer, [asked])
  const joined = await findByAddress(tx, newsletter.id, normalised)
  if (joined?.status !== 'active') return
  await noteJoined(tx, { newsletterId: newsletter.id, subscriberId: joined.id, at }, by)
}
