import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { on, type PageRequest, page, type Route } from '../http/routes.ts'
import { noticePage } from '../newsletters/branded-page.tsx'
import { sendPage } from '../page/send.ts'
import { translator } from '../translator.ts'
import { ClickAnnouncer } from './announcer.ts'
import { describeClick, type Link } from './click.ts'
import { ClickLog } from './click-log.ts'
import { closing } from './closing.ts'
import { createShortLink, listShortLinks } from './contract.ts'
import { addLink, locationOf, pageOfLinks } from './link.ts'
import { LinkCache } from './link-cache.ts'
import { measureClicks } from './metrics.ts'
import { openRoutes } from './opens.ts'
import { announceClicks, insertClicks } from './queries.ts'

export function linkRoutes(context: Context): Route[] {
  const { db, listener, log, now } = context
  const links = new LinkCache(db, listener)
  const announcer = new ClickAnnouncer((newsletterIds) => announceClicks(db, newsletterIds))
  const clickLog = new ClickLog({
    log,
    insert: async (clicks) => {
      for (const newsletterId of await insertClicks(db, clicks)) announcer.changed(newsletterId)
    },
  })

  measureClicks(clickLog, context.metrics)

  const redirect = async (request: PageRequest<'/r/:shortLinkId'>, reply: FastifyReply) => {
    const { shortLinkId } = request.params
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
    const link = links.known(shortLinkId) ?? (await find(shortLinkId))
    if (link === 'away') return explain('away', request, reply.header('retry-after', 30))
    if (!link) return explain('unknown', request, reply)
    if (link.expiresAt && link.expiresAt <= now()) return explain('expired', request, reply)
    await clickLog.add(describeClick(link, request, now()))
    return reply.code(302).header('location', locationOf(link.target)).send()
  }

  const find = (id: string): Promise<Link | null | 'away'> =>
    links.find(id).catch((error: unknown) => {
      log.warn({ err: error }, 'a short link could not be looked up')
      return 'away'
    })

  const stop = async () => {
    announcer.stop()
    await clickLog.stop()
  }
  return [
    closing(page('GET /r/:shortLinkId', redirect), stop),
    page('GET /redirect/:shortLinkId', redirect),
    ...openRoutes(context),
    on(createShortLink, ({ newsletterId, body }) => addLink(context, newsletterId, body)),
    on(listShortLinks, ({ newsletterId, query }) => pageOfLinks(context, newsletterId, query)),
  ]
}

const statuses = { unknown: 404, expired: 410, away: 503 } as const

function explain(why: keyof typeof statuses, request: FastifyRequest, reply: FastifyReply) {
  const t = translator(request.language)
  const words = { title: t(`links.page.${why}.title`), text: t(`links.page.${why}.text`) }
  return sendPage(reply, noticePage(null, request.language, words), {
    status: statuses[why],
    cacheControl: 'no-store',
  })
}
