import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Consent } from '../database/types.ts'
import { shortNetworkOf } from '../http/limits.ts'
import type { Signer } from '../http/signing.ts'
import type { Language } from '../languages.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { changeByConsent, type SubscriberKey } from './change.ts'
import type { Receipt } from './consent.ts'
import { wasErasedWhileStopped } from './erased-addresses.ts'
import { mayJoin } from './may-join.ts'
import { findByAddress, type SubscriberRow } from './queries.ts'

interface CampaignConsent extends SubscriberKey {
  campaignId: string
  at: Date
  receipt: Receipt
}

/** Writes the receipt of what somebody said to a campaign. It says nothing of whether they want the newsletter. */
export async function addCampaignReceipt(
  tx: Db,
  act: Extract<Consent['act'], 'given' | 'withdrawn'>,
  { newsletterId, subscriberId, campaignId, at, receipt }: CampaignConsent,
): Promise<void> {
  await tx
    .insertInto('consent')
    .values({
      newsletter_id: newsletterId,
      id: uuidv7(at.getTime()),
      subscriber_id: subscriberId,
      purpose: `campaign ${campaignId}`,
      act,
      wording: receipt.wording,
      wording_version: receipt.wordingVersion,
      language: receipt.language,
      means: receipt.means,
      network: receipt.network && shortNetworkOf(receipt.network),
      proof: receipt.proof,
      beneficiary_id: receipt.beneficiary.id,
      beneficiary_name: receipt.beneficiary.name,
      at,
    })
    .execute()
}

interface Given {
  newsletterId: string
  email: string
  normalised: string
  language: Language
  at: Date
}

/**
 * Keeps an address whose owner said yes to a campaign and not to the newsletter. They are no subscriber until they ask to be one.
 *
 * @returns null for an address that is suppressed for good, or that was erased while it was stopped
 */
export async function keepAddress(tx: Db, signer: Signer, given: Given): Promise<SubscriberRow | null> {
  const { newsletterId, email, normalised, language, at } = given
  const address = { newsletterId: sql`w.newsletter_id`, normalised: sql`w.email_normalised` }
  await sql`
    insert into subscriber (newsletter_id, id, email, email_normalised, language, status, source, created_at, asked_at)
    select w.newsletter_id, w.id, w.email, w.email_normalised, ${language}, 'campaign_only', 'campaign', ${at}::timestamptz, ${at}::timestamptz
    from (values (${newsletterId}::text, ${uuidv7(at.getTime())}::uuid, ${email}::text, ${normalised}::text))
      as w (newsletter_id, id, email, email_normalised)
    where not exists (select from suppression x where x.newsletter_id = w.newsletter_id and x.email_normalised = w.email_normalised)
      and not ${wasErasedWhileStopped(signer, address)}
    on conflict (newsletter_id, email_normalised) do nothing`.execute(tx)
  return (await findByAddress(tx, newsletterId, normalised)) ?? null
}

/**
 * Subscribes somebody who said yes to it on the page of another newsletter, unless they may not join.
 *
 * @returns whether they are subscribed now, and whether it was this that subscribed them
 */
export async function joinByCampaign(
  tx: Db,
  signer: Signer,
  { receipt, ...given }: Given & { receipt: Receipt },
): Promise<{ passed: boolean; subscribed: boolean }> {
  const { newsletterId, normalised, at } = given
  const nobody = { passed: false, subscribed: false }
  const known = await findByAddress(tx, newsletterId, normalised)
  if (known?.status === 'active') return { passed: true, subscribed: false }
  const newsletter = await findNewsletter(tx, newsletterId)
  if (!newsletter || !(await mayJoin(tx, signer, { newsletter, normalised }))) return nobody
  const subscriber = await keepAddress(tx, signer, given)
  if (subscriber?.status !== 'pending' && subscriber?.status !== 'campaign_only') return nobody
  const changed = await changeByConsent(tx, 'confirmed', [{ newsletterId, subscriberId: subscriber.id, at, receipt }])
  return changed.length > 0 ? { passed: true, subscribed: true } : nobody
}

/** The newest receipt of somebody's yes to a campaign; null where there is none. */
export const findCampaignYes = async (
  db: Db,
  { newsletterId, campaignId, subscriberId }: Pick<CampaignConsent, 'newsletterId' | 'campaignId' | 'subscriberId'>,
): Promise<Pick<Receipt, 'wording' | 'wordingVersion' | 'language'> | null> =>
  (await db
    .selectFrom('consent')
    .select(['wording', 'wording_version as wordingVersion', 'language'])
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', '=', subscriberId)
    .where('purpose', '=', `campaign ${campaignId}`)
    .where('act', '=', 'given')
    .orderBy('id', 'desc')
    .executeTakeFirst()) ?? null
