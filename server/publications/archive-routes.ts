import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { plansForSale } from '../charge/plans/plans.ts'
import type { ReaderSessions } from '../charge/readers/sessions.ts'
import type { Context } from '../context.ts'
import { Limit, networkOf } from '../http/limits.ts'
import { type PageRequest, page, type Route } from '../http/routes.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { defaultLanguage, type Language } from '../languages.ts'
import { archiveAddress, nameInAddress, noticePage } from '../newsletters/branded-page.tsx'
import type { PublicNewsletters } from '../newsletters/public-newsletters.ts'
import { chosenLanguage, chosenOr, inLanguage, pageLanguage } from '../page/language.ts'
import { PageCache } from '../page/page-cache.ts'
import { RenderedPage } from '../page/render.ts'
import { sendPage } from '../page/send.ts'
import { translator } from '../translator.ts'
import { archivePage } from './archive.page.tsx'
import { countFound, findPublished, isOffWeb, listForFeed, listPublished } from './archive.ts'
import { type Access, strangersAccess } from './document/visible.ts'
import { feedJob } from './feed.ts'
import { pageJob } from './publication.page.tsx'
import { findRenderable } from './queries.ts'
import { siteOf } from './site.ts'
import { newsletterMap, robotsTxt, siteIndex } from './site-map.ts'

const PAGE_LENGTH = 30
const FEED_LENGTH = 20

/** What the public reads. Drawn again when the newsletter's version changes; a GET changes nothing. */
export function archiveRoutes(
  { db, config, threads }: Context,
  newsletters: PublicNewsletters,
  sessions: ReaderSessions,
): Route[] {
  const pages = new PageCache()
  // A search reads every publication of a newsletter.
  const searches = new Limit(60, 60)
  const files = new LRUCache<string, DrawnFile, { newsletter: NewsletterRow; file: FileName }>({
    max: 200,
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: ({ body }) => body.length,
    // Requests that come at the same time wait for one rendering.
    fetchMethod: (_key, _kept, { context: { newsletter, file } }) => drawFile(newsletter, file),
  })
  const index = new LRUCache<string, string>({
    ...{ max: 1, ttl: 10 * 60_000 },
    fetchMethod: () => siteIndex(db, config),
  })
  const file = (name: FileName) => async (request: PageRequest<'/n/:newsletter'>, reply: FastifyReply) => {
    const newsletter = await newsletters.find(nameIn(request))
    if (!newsletter) return sendPage(reply, missing(request, 'noNewsletter'), { status: 404 })
    const { body, etag } = await files.forceFetch(`${newsletter.id} ${newsletter.version} ${name}`, {
      context: { newsletter, file: name },
    })
    reply.header('etag', etag).header('cache-control', 'no-cache')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type(`${fileTypes[name]}; charset=utf-8`).send(body)
  }
  const missing = (
    request: FastifyRequest,
    what: 'noNewsletter' | 'noPublication',
    newsletter: NewsletterRow | null = null,
  ) => {
    const language = newsletter ? chosenOr(request, newsletter.language) : pageLanguage(request, defaultLanguage)
    const t = translator(language)
    const archive = newsletter && { label: t('page.archive'), href: archiveAddress(newsletter, { language }) }
    return noticePage(newsletter, language, {
      ...{ action: archive, hrefIn: inLanguage },
      title: t(`publications.${what}.title`),
      text: t(`publications.${what}.text`),
    })
  }
  return [
    page('GET /n/:newsletter', async (request, reply) => {
      const newsletter = await newsletters.find(nameIn(request))
      if (!newsletter) return sendPage(reply, missing(request, 'noNewsletter'), { status: 404 })
      const chosen = chosenLanguage(request)
      const { search, number } = askedFor(request)
      if (search) await searches.take(networkOf(request.ip))
      const isSignedIn = (await sessions.find(request, newsletter.id)) !== null
      const draw = async () => {
        const offset = (number - 1) * PAGE_LENGTH
        const found = await listPublished(db, newsletter.id, { search, limit: PAGE_LENGTH + 1, offset })
        const shown = {
          ...{ entries: found.slice(0, PAGE_LENGTH), page: number, more: found.length > PAGE_LENGTH },
          ...{ search, count: search ? await countFound(db, newsletter.id, search) : null },
        }
        return archivePage(config, { newsletter, chosen, isSignedIn }, shown)
      }
      // What people type into the search would push the pages that many read out of memory.
      const key = `${newsletter.id} ${chosen ?? ''} ${number}${isSignedIn ? ' reader' : ''}`
      return sendPage(reply, await (search ? draw() : pages.get(key, newsletter.version, draw)), keptFor(isSignedIn))
    }),
    page('GET /n/:newsletter/feed.xml', file('feed.xml')),
    page('GET /n/:newsletter/feed.json', file('feed.json')),
    page('GET /n/:newsletter/sitemap.xml', file('sitemap.xml')),
    page('GET /sitemap.xml', async (_request, reply) =>
      reply.type('application/xml; charset=utf-8').send(await index.forceFetch('')),
    ),
    page('GET /robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(robotsTxt(config))),
    page('GET /n/:newsletter/:slug', async (request, reply) => {
      const newsletter = await newsletters.find(nameIn(request))
      if (!newsletter) return sendPage(reply, missing(request, 'noNewsletter'), { status: 404 })
      const { slug } = request.params
      const publication = await findPublished(db, newsletter.id, slug)
      if (!publication) {
        if (await isOffWeb(db, newsletter.id, slug)) {
          const isSignedIn = (await sessions.find(request, newsletter.id)) !== null
          return sendOff(request, reply, { newsletter, isSignedIn, others: await hasLetters(newsletter) })
        }
        return sendPage(reply, missing(request, 'noPublication', newsletter), { status: 404 })
      }
      if (publication.slug !== slug)
        return sendMoved(request, reply, `/n/${nameInAddress(newsletter)}/${publication.slug}`)
      const version = `${newsletter.version} ${publication.revision}`
      const access = await sessions.accessOf(request, newsletter.id)
      const isSignedIn = access !== null
      const chosen = chosenLanguage(request)
      const draw = () => drawPage(newsletter, publication.id, { reader: access, chosen })
      const key = `${newsletter.id}/${slug} ${chosen ?? ''} ${access ? `reader ${accessKey(access)}` : ''}`
      return sendPage(reply, await pages.get(key, version, draw), keptFor(isSignedIn))
    }),
  ]

  async function drawPage(
    newsletter: NewsletterRow,
    publicationId: string,
    { reader, chosen }: { reader: Access | null; chosen: Language | null },
  ) {
    const publication = await findRenderable(db, newsletter.id, publicationId)
    const site = {
      ...(await siteOf({ db, config }, newsletter, [publication])),
      ...{ isSignedIn: reader !== null, chosen },
      openPlans: await plansForSale(db, newsletter.id),
    }
    const access = reader ?? strangersAccess
    const { html, policy } = await threads.run(pageJob, { site, publication, access }, publication.content.length)
    return new RenderedPage(html, policy).prepare()
  }

  async function hasLetters({ id }: NewsletterRow): Promise<boolean> {
    return (await listPublished(db, id, { search: '', limit: 1, offset: 0 })).length > 0
  }

  async function drawFile(newsletter: NewsletterRow, name: FileName): Promise<DrawnFile> {
    const body = Buffer.from(await textOf(newsletter, name))
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"` }
  }

  async function textOf(newsletter: NewsletterRow, name: FileName): Promise<string> {
    if (name === 'sitemap.xml') return newsletterMap(db, config, newsletter)
    const entries = await listForFeed(db, newsletter.id, FEED_LENGTH)
    const site = await siteOf({ db, config }, newsletter, entries)
    const size = entries.reduce((sum, { content }) => sum + content.length, 0)
    return threads.run(feedJob, { site, entries, format: name === 'feed.json' ? 'json' : 'rss' }, size)
  }
}

/** In place of a publication that was taken off the web. It may be back at any moment, so nothing keeps the answer. */
function sendOff(
  request: FastifyRequest,
  reply: FastifyReply,
  { newsletter, isSignedIn, others }: { newsletter: NewsletterRow; isSignedIn: boolean; others: boolean },
) {
  const language = chosenOr(request, newsletter.language)
  const t = translator(language)
  const name = nameInAddress(newsletter)
  const own = isSignedIn
    ? { label: t('readers.here.link'), href: `/signin/${name}?lang=${language}` }
    : { label: t('page.subscribe'), href: `/subscribe/${name}?lang=${language}` }
  const archive = { label: t('publications.all'), href: archiveAddress(newsletter, { language }) }
  const notice = noticePage(newsletter, language, {
    title: t('publications.offWeb.title'),
    text: t(others ? 'publications.offWeb.text' : 'publications.offWeb.alone', { newsletter: newsletter.name }),
    ...(others ? { action: archive, also: own } : { action: own }),
    hrefIn: inLanguage,
  })
  return sendPage(reply.header('x-robots-tag', 'noindex'), notice, { status: 410, cacheControl: 'no-store' })
}

/** The address that a publication has now. It may have the earlier one again, so browsers ask each time. */
function sendMoved(request: FastifyRequest, reply: FastifyReply, path: string) {
  const [, query] = request.url.split(/(?=\?)/)
  return reply.header('cache-control', 'no-cache').redirect(`${path}${query ?? ''}`, 301)
}

/** What a reader sees, and what they paid for, is kept by their browser and by nothing on the way to it. */
const keptFor = (isSignedIn: boolean) => (isSignedIn ? { cacheControl: 'private, no-cache' } : {})

/** Readers with the same plans share a page in memory, and nobody else sees it. */
const accessKey = ({ plans }: Access): string => [...plans].sort((a, b) => a - b).join(' ')

/** The files of a newsletter, with their types. */
const fileTypes = {
  'feed.xml': 'application/rss+xml',
  'feed.json': 'application/feed+json',
  'sitemap.xml': 'application/xml',
} as const
type FileName = keyof typeof fileTypes

interface DrawnFile {
  body: Buffer
  etag: string
}

const nameIn = ({ params }: { params: { newsletter: string } }): string => params.newsletter

function askedFor({ query }: PageRequest): { search: string; number: number } {
  const { q, page: number } = query
  const search = typeof q === 'string' ? q.replaceAll('\0', '').trim().slice(0, 200) : ''
  return { search, number: Math.min(10_000, Math.max(1, Number.parseInt(String(number), 10) || 1)) }
}
