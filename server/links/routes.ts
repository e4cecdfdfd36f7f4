import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { callerOf } from '../audit/lines.ts'
import { unlessSame } from '../audit/unless-same.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { asFile } from '../http/as-file.ts'
import { on, type PageRequest, page, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { noticePage } from '../newsletters/branded-page.tsx'
import type { PublicNewsletters } from '../newsletters/public-newsletters.ts'
import { sendPage } from '../page/send.ts'
import { translator } from '../translator.ts'
import type { Link } from './click.ts'
import type { Clicks } from './clicks.ts'
import { closing } from './closing.ts'
import * as contract from './contract.ts'
import { linkCsv, readLinkFigures, sourcesCsv } from './figures.ts'
import { addLink, addressOf, locationOf, pageOfLinks, requireLink, updateLink } from './link.ts'
import type { LinkCache } from './link-cache.ts'
import { openRoutes } from './opens.ts'
import { qrCode } from './qr-code.ts'
import { redirectHeaders, targetOf } from './redirect.ts'
import { beginReplay, readClickRules } from './replay.job.ts'
import { changeTemplate, keepTemplate, listTemplates, removeTemplate } from './utm-templates.ts'

export function linkRoutes(
  context: Context,
  { links, clicks, newsletters }: { links: LinkCache; clicks: Clicks; newsletters: PublicNewsletters },
): Route[] {
  const { db, config, log } = context

  const redirect = async (request: PageRequest<'/r/:shortLinkId'>, reply: FastifyReply) => {
    const { shortLinkId } = request.params
    reply.headers(redirectHeaders)
    const link = links.known(shortLinkId) ?? (await find(shortLinkId))
    if (link === 'away') return explain('away', reply.header('retry-after', 30))
    if (!link) return explain('unknown', reply)
    const at = context.now()
    await clicks.add(link, request, at)
    const over = endOf(link, at)
    // A link that is known explains itself while the database is away, if only without a name.
    if (over && link.fallback === null)
      return explain(over, reply, await newsletters.find(link.newsletterId).catch(() => null))
    return reply
      .code(302)
      .header('location', over ? locationOf(link.fallback ?? '') : targetOf(link, request.query, config))
      .send()
  }

  const find = (id: string): Promise<Link | null | 'away'> =>
    links.find(id).catch((error: unknown) => {
      log.warn({ err: error }, 'a short link could not be looked up')
      return 'away'
    })

  return [
    closing(page('GET /r/:shortLinkId', redirect), () => clicks.stop()),
    page('GET /redirect/:shortLinkId', redirect),
    ...openRoutes(context),
    on(contract.createShortLink, ({ newsletterId, body, request }) => {
      if (body.expiresAt && new Date(body.expiresAt) <= context.now())
        throw new AppError('invalid', { fields: { expiresAt: 'link_ended' } })
      return addLink(context, callerOf({ newsletterId, request }), body)
    }),
    on(contract.updateShortLink, async ({ params, newsletterId, body, auditLine }) => {
      const changed = await unlessSame(
        auditLine,
        () => requireLink(context, newsletterId, params.linkId),
        () => updateLink(context, { ...params, newsletterId }, body),
      )
      links.forget(changed.id)
      if (body.utm !== undefined) auditLine?.note({ target: changed.target })
      return changed
    }),
    on(contract.listShortLinks, ({ newsletterId, query }) => pageOfLinks(context, newsletterId, query)),
    on(contract.getShortLink, async ({ newsletter, params, query }) => {
      const figures = await readLinkFigures(context, { newsletter, linkId: params.linkId }, query)
      // What was counted while there was a database is still known.
      const hasSome = figures.countries.some(({ value }) => value !== '')
      return { ...figures, countriesKnown: hasSome || context.config.countryDatabase !== null }
    }),
    on(contract.exportLinkClicks, async ({ newsletter, params, query, reply }) => {
      const { linkId } = params
      const csv = await linkCsv(context, { newsletter, linkId }, query)
      asFile(reply, `clicks-${linkId}.csv`).type('text/csv; charset=utf-8')
      return Readable.from([csv])
    }),
    on(contract.exportLinkSources, async ({ newsletter, params: { linkId }, query, reply }) => {
      const csv = await sourcesCsv(context, { newsletter, linkId }, query.sheet)
      asFile(reply, `sources-${linkId}.csv`).type('text/csv; charset=utf-8')
      return Readable.from([csv])
    }),
    on(contract.drawQrCode, async ({ newsletterId, params, query, reply }) => {
      const { id } = await requireLink(context, newsletterId, params.linkId)
      const { format, pixels } = query
      const drawn = await qrCode(addressOf(context.config, id), format, pixels)
      asFile(reply, `${id}.${format}`).type(format === 'png' ? 'image/png' : 'image/svg+xml')
      return Readable.from([drawn])
    }),
    on(contract.listUtmTemplates, async ({ newsletterId }) => ({ templates: await listTemplates(db, newsletterId) })),
    on(contract.keepUtmTemplate, ({ newsletterId, body }) => keepTemplate(db, newsletterId, body)),
    on(contract.changeUtmTemplate, ({ newsletterId, params, body }) =>
      changeTemplate(context.db, { newsletterId, templateId: params.templateId }, body),
    ),
    on(contract.removeUtmTemplate, async ({ newsletterId, params }) => {
      await removeTemplate(db, newsletterId, params.templateId)
      return { done: true as const }
    }),
    on(contract.getClickRules, ({ newsletterId }) => readClickRules(db, newsletterId)),
    on(contract.replayClickRules, ({ newsletterId }) => beginReplay(context, newsletterId)),
  ]
}

/** Why a link leads to its target no more. */
const endOf = ({ disabledAt, expiresAt }: Link, at: Date): 'disabled' | 'expired' | null =>
  disabledAt ? 'disabled' : expiresAt && expiresAt <= at ? 'expired' : null

const statuses = { unknown: 404, expired: 410, disabled: 410, away: 503 } as const

/** Says so under the name of the newsletter whose link it was, where one is known. */
function explain(why: keyof typeof statuses, reply: FastifyReply, newsletter: NewsletterRow | null = null) {
  const { language } = reply.request
  const t = translator(language)
  const words = { title: t(`links.page.${why}.title`), text: t(`links.page.${why}.text`) }
  return sendPage(reply, noticePage(newsletter, language, words), {
    status: statuses[why],
    cacheControl: 'no-store',
  })
}
