import { listCampaigns } from '../campaigns/opt-in/queries.ts'
import { campaignReceipt, wordsIn } from '../campaigns/opt-in/wording.ts'
import type { Db } from '../database/client.ts'
import { addCampaignReceipt } from '../subscribers/campaign-consent.ts'

/** The receipt of each yes to a campaign, and of each that was taken back, as the page of the campaign writes them. */
export async function insertYesReceipts(
  db: Db,
  { newsletterId, newsletterName }: { newsletterId: string; newsletterName: string },
): Promise<void> {
  const campaigns = new Map((await listCampaigns(db, newsletterId)).map((campaign) => [campaign.id, campaign]))
  const yeses = await db
    .selectFrom('opt_in')
    .select(['campaign_id', 'subscriber_id', 'language', 'confirmed_at', 'undone_at'])
    .where('newsletter_id', '=', newsletterId)
    .orderBy('confirmed_at')
    .execute()
  for (const { campaign_id: campaignId, subscriber_id: subscriberId, language, ...yes } of yeses) {
    const campaign = campaigns.get(campaignId)
    const shown = campaign && wordsIn(campaign, language)
    if (!campaign || !shown || subscriberId === null) continue
    const said = { campaign, shown, newsletterName, means: 'campaign', joins: false, network: null } as const
    const key = { newsletterId, subscriberId, campaignId }
    await addCampaignReceipt(db, 'given', {
      ...{ ...key, at: yes.confirmed_at },
      receipt: campaignReceipt('given', { ...said, proof: `signed link of a mail for campaign ${campaignId}` }),
    })
    if (!yes.undone_at) continue
    await addCampaignReceipt(db, 'withdrawn', {
      ...{ ...key, at: yes.undone_at },
      receipt: campaignReceipt('withdrawn', { ...said, proof: `campaign ${campaignId}` }),
    })
  }
}
