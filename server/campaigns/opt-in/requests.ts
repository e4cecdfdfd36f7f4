import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { Signer } from '../../http/signing.ts'

interface Asked {
  newsletterId: string
  campaignId: string
  normalised: string
}

/** A keyed hash: it says nothing to whoever has the database alone. */
const hashOf = (signer: Signer, { campaignId, normalised }: Asked): Buffer =>
  signer.mac('opt-in request', `${campaignId} ${normalised}`)

/** Counts an address that was typed. One that is asked again counts once. */
export async function noteRequest(
  db: Db,
  signer: Signer,
  { shortLinkId, at, ...asked }: Asked & { shortLinkId: string; at: Date },
): Promise<void> {
  await sql`
    insert into opt_in_request (newsletter_id, campaign_id, address, short_link_id, asked_at)
    values (${asked.newsletterId}, ${asked.campaignId}, ${hashOf(signer, asked)}, ${shortLinkId}, ${at}::timestamptz)
    on conflict (newsletter_id, campaign_id, address) do update set asked_at = excluded.asked_at`.execute(db)
}

/** Whoever typed it said yes, and counts by that. */
export const forgetRequest = (db: Db, signer: Signer, asked: Asked) =>
  db
    .deleteFrom('opt_in_request')
    .where('newsletter_id', '=', asked.newsletterId)
    .where('campaign_id', '=', asked.campaignId)
    .where('address', '=', hashOf(signer, asked))
    .execute()
