import { callerOf } from '../../audit/lines.ts'
import { unlessSame } from '../../audit/unless-same.ts'
import type { Context } from '../../context.ts'
import { on, type Route } from '../../http/routes.ts'
import { addLink } from '../../links/link.ts'
import { optInAddress } from './address.ts'
import {
  beginCampaign,
  changeCampaign,
  listShown,
  requireCampaign,
  showCampaign,
  withdrawCampaign,
} from './campaign.ts'
import * as contract from './contract.ts'
import { makeListLink, revokeListLink, streamOptIns } from './list-links.ts'
import { answerOffer, showOffers } from './offers.ts'

export function optInRoutes(context: Context): Route[] {
  const { db } = context
  return [
    on(contract.listOptInCampaigns, ({ newsletterId }) => listShown(context, newsletterId)),
    on(contract.createOptInCampaign, async ({ newsletter, body }) =>
      showCampaign(context, newsletter, await beginCampaign(context, newsletter.id, body.name)),
    ),
    on(contract.getOptInCampaign, ({ newsletter, params }) => showCampaign(context, newsletter, params.campaignId)),
    on(contract.updateOptInCampaign, async ({ newsletter, params, body, userId, auditLine }) => {
      const { campaignId } = params
      const read = () => requireCampaign(db, newsletter.id, campaignId)
      await unlessSame(auditLine, read, async ({ startsAt }) => {
        await changeCampaign(context, { newsletterId: newsletter.id, campaignId, userId }, body)
        if (body.startsAt && !startsAt) auditLine?.note({ launched: true })
      })
      const changed = await showCampaign(context, newsletter, campaignId)
      auditLine?.note({ name: changed.name })
      return changed
    }),
    on(contract.withdrawOptInCampaign, async ({ newsletter, params, auditLine }) => {
      await withdrawCampaign(context, newsletter.id, params.campaignId)
      const withdrawn = await showCampaign(context, newsletter, params.campaignId)
      auditLine?.note({ name: withdrawn.name })
      return withdrawn
    }),
    on(contract.addOptInPlace, async ({ newsletter, params, body: { name, slug }, request }) => {
      const { id } = await requireCampaign(db, newsletter.id, params.campaignId)
      const target = optInAddress(context.config, id)
      await addLink(context, callerOf({ newsletterId: newsletter.id, request }), {
        name,
        target,
        ...(slug !== undefined && { slug }),
      })
      return showCampaign(context, newsletter, id)
    }),
    on(contract.exportOptIns, async ({ newsletter, params, query, reply, auditLine }) => {
      const campaign = await requireCampaign(db, newsletter.id, params.campaignId)
      auditLine?.note({ name: campaign.name })
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="opt-ins-${campaign.id}.csv"`,
      })
      return streamOptIns(context, campaign, query.sheet)
    }),
    on(contract.makeOptInListLink, async ({ newsletter, params, body }) => {
      await makeListLink(context, { newsletterId: newsletter.id, id: params.campaignId }, body.days)
      return showCampaign(context, newsletter, params.campaignId)
    }),
    on(contract.revokeOptInListLink, async ({ newsletter, params }) => {
      const campaign = await requireCampaign(db, newsletter.id, params.campaignId)
      await revokeListLink(context, campaign, params.listLinkId)
      return showCampaign(context, newsletter, campaign.id)
    }),
    on(contract.listCampaignOffers, ({ newsletterId }) => showOffers(context, newsletterId)),
    on(contract.acceptCampaignOffer, async ({ newsletterId, params, body }) => {
      await answerOffer(context, newsletterId, { campaignId: params.campaignId, accepts: true, version: body?.version })
      return { done: true as const }
    }),
    on(contract.declineCampaignOffer, async ({ newsletterId, params }) => {
      await answerOffer(context, newsletterId, { campaignId: params.campaignId, accepts: false })
      return { done: true as const }
    }),
  ]
}
