import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Signer } from '../http/signing.ts'
import { policyFor } from './address-kind.ts'
import { isErased } from './erased-addresses.ts'
import { findByAddress, findSuppression } from './queries.ts'

/**
 * Whether an address may be added to a newsletter by a yes that was said on the page of another one: it is new there, or never answered. Whoever
 * left, bounced, complained, was suppressed or was erased there stays away, and so do addresses that its owner does not take.
 */
export async function mayJoin(
  tx: Db,
  signer: Signer,
  { newsletter, normalised }: { newsletter: NewsletterRow; normalised: string },
): Promise<boolean> {
  if (policyFor(newsletter, normalised)?.policy === 'refuse') return false
  const known = await findByAddress(tx, newsletter.id, normalised)
  if (known && known.status !== 'pending' && known.status !== 'campaign_only') return false
  if (await findSuppression(tx, newsletter.id, normalised)) return false
  return !(await isErased(tx, signer, { newsletterId: newsletter.id, normalised }))
}
