import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { Sheet } from '../../http/endpoint.ts'
import { Limit, networkOf } from '../../http/limits.ts'
import { type PageRequest, page, type Route } from '../../http/routes.ts'
import { textFields } from '../../http/text-fields.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import { pageLanguage } from '../../page/language.ts'
import { sendPage } from '../../page/send.ts'
import { keepAddressSecret } from '../../subscribers/secret-address.ts'
import { openListLink, streamConfirmed, streamUndone } from './list-links.ts'
import { listClosedPage, listPage, unknownPage } from './notices.page.tsx'
import { findPublicCampaign } from './queries.ts'

/** From one network in ten minutes. */
const DOWNLOADS = 60

/** Where a sponsor gets those who confirmed, by a signed address that expires and can be closed. */
export function optInListRoutes(context: Context, newsletters: PublicNewsletters): Route[] {
  const downloads = new Limit(DOWNLOADS, 600)

  const find = async (request: PageRequest) => {
    const { campaignId = '', token = '' } = textFields(request.params)
    const campaign = await findPublicCampaign(context.db, campaignId)
    const newsletter = campaign && (await newsletters.find(campaign.newsletterId))
    const link = campaign && newsletter ? await openListLink(context, campaign.id, token) : null
    if (!campaign || !newsletter || link?.newsletterId !== newsletter.id) return null
    return { campaign, newsletter, link, language: pageLanguage(request, newsletter.language) }
  }

  const refuse = (reply: FastifyReply, found: Awaited<ReturnType<typeof find>>) =>
    found
      ? sendPage(reply, listClosedPage(found), { status: 410, cacheControl: 'no-store' })
      : sendPage(reply, unknownPage(reply.request.language), { status: 404, cacheControl: 'no-store' })

  const show = async (request: PageRequest, reply: FastifyReply) => {
    keepAddressSecret(reply)
    const found = await find(request)
    if (!found?.link.isOpen) return refuse(reply, found)
    const path = request.url.split('?')[0] ?? ''
    return sendPage(reply, listPage({ ...found, until: found.link.expiresAt, path }), { cacheControl: 'no-store' })
  }

  const download =
    (name: string, stream: typeof streamConfirmed) => async (request: PageRequest, reply: FastifyReply) => {
      keepAddressSecret(reply)
      await downloads.take(networkOf(request.ip))
      const found = await find(request)
      if (!found?.link.isOpen) return refuse(reply, found)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}-${found.campaign.id}.csv"`)
        .send(await stream(context, found.campaign, Sheet.safeParse(request.query).data?.sheet))
    }

  return [
    page('GET /optin/:campaignId/list/:token', show),
    page('GET /optin/:campaignId/list/:token/confirmed.csv', download('confirmed', streamConfirmed)),
    page('GET /optin/:campaignId/list/:token/withdrawn.csv', download('withdrawn', streamUndone)),
  ]
}
