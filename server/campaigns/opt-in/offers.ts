import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { listCampaignOffers } from './contract.ts'
import {
  type Campaign,
  findPublicCampaign,
  findWords,
  listOffers,
  lockCampaign,
  sameWords,
  type Words,
  waitsForAnswer,
} from './queries.ts'

/** What other newsletters ask a newsletter: to give it subscribers by their campaigns. */
export async function showOffers(
  { db, now }: Pick<Context, 'db' | 'now'>,
  newsletterId: string,
): Promise<z.input<typeof listCampaignOffers.reply>> {
  const campaigns = await listOffers(db, newsletterId)
  const { rows } = await sql<{ id: string; name: string; passed: number }>`
    select o.id, n.name, (select count(*) from opt_in y where y.newsletter_id = o.newsletter_id and y.campaign_id = o.id
      and y.passed_at is not null and y.undone_at is null)::integer as passed
    from opt_in_campaign o join newsletter n on n.id = o.newsletter_id
    where o.to_newsletter_id = ${newsletterId} and o.beneficiary = 'other_newsletter' and n.deleted_at is null`.execute(
    db,
  )
  const askers = new Map(rows.map((row) => [row.id, row]))
  const offers = campaigns.map(async (campaign) => {
    const { id, name, version, words, acceptedAt } = campaign
    const asker = askers.get(id)
    if (!asker) return []
    const { passed, name: from } = asker
    const waits = waitsForAnswer(campaign, now())
    const agreedTo = await earlierWords(db, campaign)
    const answered = { acceptedAt: acceptedAt?.toISOString() ?? null, agreedTo, waits }
    return [{ campaignId: id, name, from, version, words, ...answered, passed }]
  })
  return { offers: (await Promise.all(offers)).flat() }
}

/** What a newsletter agreed to, when it is asked something else by now. */
async function earlierWords(db: Db, campaign: Campaign): Promise<Words | null> {
  const { newsletterId, id: campaignId, acceptedAt, acceptedVersion: version } = campaign
  return acceptedAt || version === null ? null : findWords(db, { newsletterId, campaignId, version })
}

/**
 * Says yes or no to a campaign of another newsletter. A yes is one to its words as they are; `version` says which of them were read.
 *
 * @throws AppError campaign_not_found, offer_changed when there are others by now
 */
export function answerOffer(
  { db, now }: Pick<Context, 'now'> & { db: Kysely<DB> },
  toNewsletterId: string,
  { campaignId, accepts, version }: { campaignId: string; accepts: boolean; version?: number | undefined },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const at = now()
    const offered = (campaign: Campaign | null) =>
      campaign?.toNewsletterId === toNewsletterId && campaign.beneficiary === 'other_newsletter'
    const found = await findPublicCampaign(tx, campaignId)
    // Whoever changes the words holds this lock too.
    const campaign =
      found && offered(found) ? await lockCampaign(tx, { newsletterId: found.newsletterId, campaignId }) : null
    if (!campaign || !offered(campaign)) throw new AppError('campaign_not_found')
    if (accepts && version !== undefined && !(await areWordsOf(tx, campaign, version)))
      throw new AppError('offer_changed')
    const answer = accepts
      ? { accepted_at: campaign.acceptedAt ?? at, accepted_version: campaign.version, declined_at: null }
      : { accepted_at: null, accepted_version: null, declined_at: campaign.declinedAt ?? at }
    await tx
      .updateTable('opt_in_campaign')
      .set(answer)
      .where('newsletter_id', '=', campaign.newsletterId)
      .where('id', '=', campaignId)
      .execute()
  })
}

/** Whether a version has the words that the campaign has now: another colour asks readers nothing else. */
const areWordsOf = async (tx: Db, { newsletterId, id, words }: Campaign, version: number): Promise<boolean> =>
  sameWords(words, await findWords(tx, { newsletterId, campaignId: id, version }))
