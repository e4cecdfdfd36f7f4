import { sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { listCampaignOffers } from './contract.ts'
import { type Campaign, listOffers, stateOf } from './queries.ts'

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
  return {
    offers: campaigns.flatMap((campaign) => {
      const { id, name, words, acceptedAt } = campaign
      const asker = askers.get(id)
      if (!asker) return []
      const { passed, name: from } = asker
      const waits = waitsForAnswer(campaign, now())
      return [{ campaignId: id, name, from, words, acceptedAt: acceptedAt?.toISOString() ?? null, waits, passed }]
    }),
  }
}

/** Nobody is asked about a draft, nor about what is over. */
function waitsForAnswer(campaign: Campaign, now: Date): boolean {
  const { acceptedAt, declinedAt, words } = campaign
  const state = stateOf(campaign, now)
  return !acceptedAt && !declinedAt && Object.keys(words).length > 0 && (state === 'waiting' || state === 'scheduled')
}

/** Says yes or no to a campaign of another newsletter. @throws AppError campaign_not_found */
export async function answerOffer(
  { db, now }: Pick<Context, 'db' | 'now'>,
  newsletterId: string,
  { campaignId, accepts }: { campaignId: string; accepts: boolean },
): Promise<void> {
  const { rows } = await sql`
    update opt_in_campaign o set accepted_at = ${accepts ? sql`coalesce(accepted_at, ${now()}::timestamptz)` : sql`null`},
      declined_at = ${accepts ? sql`null` : sql`coalesce(declined_at, ${now()}::timestamptz)`}
    where to_newsletter_id = ${newsletterId} and id = ${campaignId} and beneficiary = 'other_newsletter' returning id`.execute(
    db,
  )
  if (rows.length === 0) throw new AppError('campaign_not_found')
}
