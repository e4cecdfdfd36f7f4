import { sql } from 'kysely'
import { listCampaigns } from '../campaigns/opt-in/queries.ts'
import { undoReceipt, wordsIn, yesReceipt } from '../campaigns/opt-in/wording.ts'
import type { Db } from '../database/client.ts'
import type { Language } from '../languages.ts'
import { addCampaignReceipt } from '../subscribers/campaign-consent.ts'
import { sampleCampaigns, sampleForOther } from './samples/campaigns.ts'

const MINUTE = 60_000
const placesInMails = [...sampleCampaigns, sampleForOther].flatMap(({ places }) =>
  places.flatMap(({ by, link }) => (by === 'mail' ? [link] : [])),
)

interface Yes {
  campaignId: string
  subscriberId: string
  language: Language
  confirmedAt: Date
  undoneAt: Date | null
  /** Whether they came by a mail of ours, whose link says who they are. Others typed their address, and confirmed it by a mail. */
  byMail: boolean
}

/** The receipt of each yes to a campaign, and of each that was taken back, as the page of the campaign writes them. */
export async function insertYesReceipts(
  db: Db,
  { newsletterId, newsletterName }: { newsletterId: string; newsletterName: string },
): Promise<void> {
  const campaigns = new Map((await listCampaigns(db, newsletterId)).map((campaign) => [campaign.id, campaign]))
  const { rows } = await sql<Yes>`
    select o.campaign_id as "campaignId", o.subscriber_id as "subscriberId", o.language, o.confirmed_at as "confirmedAt",
      o.undone_at as "undoneAt", l.publication_id is not null or l.id = any(${placesInMails}::text[]) as "byMail"
    from opt_in o join short_link l on l.newsletter_id = o.newsletter_id and l.id = o.short_link_id
    where o.newsletter_id = ${newsletterId} and o.subscriber_id is not null order by o.confirmed_at`.execute(db)
  for (const { campaignId, subscriberId, language, confirmedAt, undoneAt, byMail } of rows) {
    const campaign = campaigns.get(campaignId)
    const shown = campaign && wordsIn(campaign, language)
    if (!campaign || !shown) continue
    const said = { campaign, shown, newsletterName, network: null }
    const key = { newsletterId, subscriberId, campaignId }
    const asked = new Date(confirmedAt.getTime() - 2 * MINUTE)
    const yes = yesReceipt({
      ...{ ...said, joins: !byMail, means: byMail ? 'campaign' : 'confirmation' },
      proof: byMail
        ? `signed link of a mail for campaign ${campaignId}`
        : `encrypted link of the mail asked for at ${asked.toISOString()}`,
    })
    await addCampaignReceipt(db, 'given', { ...key, at: confirmedAt, receipt: yes })
    if (!undoneAt) continue
    const receipt = undoReceipt(yes, { ...said, proof: `campaign ${campaignId}` })
    await addCampaignReceipt(db, 'withdrawn', { ...key, at: undoneAt, receipt })
  }
}
