import { createElement } from 'react'
import type { ThreadJob } from '../jobs/threads.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import { staticMarkup } from '../page/static-markup.ts'
import { translator } from '../translator.ts'
import type { FeedEntry } from './archive.ts'
import { excerpt } from './document/document-text.ts'
import { strangersAccess } from './document/visible.ts'
import { RestInFeed } from './paywall.tsx'
import { publicationUrl } from './present.ts'
import { parsed, renderBody, type Site } from './rendering.ts'

export const feedJob: ThreadJob<{ site: Site; entries: FeedEntry[] }, string> = {
  name: 'feed',
  run: ({ site, entries }) => renderFeed(site, entries),
}

/** RSS 2.0 with whole texts (`content:encoded`), as far as strangers may read them, and absolute addresses. */
function renderFeed(site: Site, entries: FeedEntry[]): string {
  const { config, newsletter } = site
  const home = `${config.publicUrl}/n/${nameInAddress(newsletter)}`
  const items = entries.map((entry) => item(site, entry))
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

function item(site: Site, entry: FeedEntry): string {
  const { config, newsletter } = site
  const address = publicationUrl(config, newsletter, entry) ?? ''
  const { document, cut, language } = parsed(entry, strangersAccess)
  const { body } = renderBody(site, { document, language }, 'feed')
  const rest = cut
    ? staticMarkup(createElement(RestInFeed, { address, cut, test: newsletter.card_test, t: translator(language) }))
    : ''
  return [
    '<item>',
    element('title', entry.title),
    element('link', address),
    // The address may be changed by its author; this never does, so no reader shows a publication twice.
    `<guid isPermaLink="false">${escapeXml(`tirage:${newsletter.id}:${entry.id}`)}</guid>`,
    element('pubDate', entry.published_at.toUTCString()),
    element('description', entry.subtitle || excerpt(document)),
    element('content:encoded', staticMarkup(body) + rest),
    '</item>',
  ].join('\n')
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML 1.0 cannot hold, escaped or not, are left out. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those that XML forbids
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
