import { createElement } from 'react'
import type { ThreadJob } from '../jobs/threads.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import { staticMarkup } from '../page/static-markup.ts'
import { translator } from '../translator.ts'
import type { FeedEntry } from './archive.ts'
import { strangersAccess } from './document/visible.ts'
import { RestInFeed } from './paywall.tsx'
import { publicationUrl } from './present.ts'
import { parsed, renderBody, type Site, summaryOf, typesetPublication } from './rendering.ts'

export type FeedFormat = 'rss' | 'json'

export const feedJob: ThreadJob<{ site: Site; entries: FeedEntry[]; format: FeedFormat }, string> = {
  name: 'feed',
  run: ({ site, entries, format }) => formats[format](site, entries),
}

const formats: Record<FeedFormat, (site: Site, entries: FeedEntry[]) => string> = { rss: rssFeed, json: jsonFeed }

/** RSS 2.0 with whole texts (`content:encoded`), as far as strangers may read them, and absolute addresses. */
function rssFeed(site: Site, entries: FeedEntry[]): string {
  const { newsletter } = site
  const home = homeOf(site)
  const items = entries.map((entry) => rssItem(itemOf(site, entry)))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">',
    '<channel>',
    element('title', newsletter.name),
    element('link', home),
    element('description', newsletter.description || newsletter.name),
    element('language', newsletter.language),
    `<atom:link href="${escapeXml(`${home}/feed.xml`)}" rel="self" type="application/rss+xml"/>`,
    ...(entries[0] ? [element('lastBuildDate', entries[0].published_at.toUTCString())] : []),
    element('generator', 'Tirage'),
    ...items,
    '</channel>',
    '</rss>',
    '',
  ].join('\n')
}

const rssItem = ({ id, address, title, at, summary, html }: Item): string =>
  [
    '<item>',
    element('title', title),
    element('link', address),
    `<guid isPermaLink="false">${escapeXml(id)}</guid>`,
    element('pubDate', at.toUTCString()),
    element('description', summary),
    element('content:encoded', html),
    '</item>',
  ].join('\n')

/** The same as JSON Feed 1.1 (www.jsonfeed.org/version/1.1). */
function jsonFeed(site: Site, entries: FeedEntry[]): string {
  const { newsletter } = site
  const home = homeOf(site)
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: newsletter.name,
    home_page_url: home,
    feed_url: `${home}/feed.json`,
    ...(newsletter.description && { description: newsletter.description }),
    language: newsletter.language,
    authors: [{ name: newsletter.sender_name }],
    items: entries
      .map((entry) => itemOf(site, entry))
      .map(({ id, address, title, at, summary, html, language }) => ({
        ...{ id, url: address, title, language, summary },
        content_html: html,
        date_published: at.toISOString(),
      })),
  })
}

interface Item {
  /** The address may be changed by its author; this never does, so no reader shows a publication twice. */
  id: string
  address: string
  title: string
  language: string
  at: Date
  summary: string
  html: string
}

function itemOf(site: Site, entry: FeedEntry): Item {
  const { config, newsletter } = site
  const address = publicationUrl(config, newsletter, entry) ?? ''
  const publication = typesetPublication(parsed(entry, strangersAccess, 'web'))
  const { title, cut, language } = publication
  const { body } = renderBody(site, publication, 'feed')
  const rest = cut
    ? staticMarkup(createElement(RestInFeed, { address, cut, test: newsletter.card_test, t: translator(language) }))
    : ''
  return {
    ...{ id: `tirage:${newsletter.id}:${entry.id}`, address, title, language, at: entry.published_at },
    summary: summaryOf(publication),
    html: staticMarkup(body) + rest,
  }
}

const homeOf = ({ config, newsletter }: Site) => `${config.publicUrl}/n/${nameInAddress(newsletter)}`

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML 1.0 cannot hold, escaped or not, are left out. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those that XML forbids
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
