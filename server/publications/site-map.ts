import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { nameInAddress } from '../newsletters/branded-page.tsx'
import { published } from './archive.ts'
import { escapeXml } from './feed.ts'

/** So many addresses a site map may have (www.sitemaps.org/protocol.html). */
const MOST = 50_000

/** What a search engine may keep of this server, and where it finds it (RFC 9309). */
export const robotsTxt = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  [
    'User-agent: *',
    // Addresses that count, that do something, or that are somebody's own.
    ...['/api/', '/r/', '/redirect/', '/o/', '/confirm/', '/unsub/', '/booking/', '/report/'].map(
      (path) => `Disallow: ${path}`,
    ),
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')

interface Address {
  href: string
  changed: Date | null
}

/** The newsletters that have published something, each with its own site map. */
export async function siteIndex(db: Db, { publicUrl }: Pick<Config, 'publicUrl'>): Promise<string> {
  const newsletters = await db
    .selectFrom('newsletter as n')
    .select(['n.id', 'n.handle'])
    .select((e) =>
      e
        .selectFrom('publication as p')
        .whereRef('p.newsletter_id', '=', 'n.id')
        .where('p.slug', 'is not', null)
        .where('p.off_web_at', 'is', null)
        .select((of) => of.fn.max('p.published_at').as('at'))
        .as('changed'),
    )
    .where('n.deleted_at', 'is', null)
    .orderBy('n.id')
    .limit(MOST)
    .execute()
  const shown = newsletters.filter(({ changed }) => changed !== null)
  const addresses = shown.map((each) => ({
    href: `${publicUrl}/n/${nameInAddress(each)}/sitemap.xml`,
    changed: each.changed,
  }))
  return document('sitemapindex', 'sitemap', addresses)
}

/** What is public of a newsletter: its archive, its publications, where people subscribe and, when it is listed, the page for sponsors. */
export async function newsletterMap(
  db: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  newsletter: NewsletterRow,
): Promise<string> {
  const name = nameInAddress(newsletter)
  const publications = await published(db, newsletter.id)
    .select(['slug', 'published_at as changed'])
    .orderBy('published_at', 'desc')
    .limit(MOST - 3)
    .execute()
  const listed = newsletter.sponsor_page === 'listed' ? [`${publicUrl}/sponsor/${name}`] : []
  return document('urlset', 'url', [
    { href: `${publicUrl}/n/${name}`, changed: publications[0]?.changed ?? null },
    ...publications.map(({ slug, changed }) => ({ href: `${publicUrl}/n/${name}/${slug}`, changed })),
    ...[`${publicUrl}/subscribe/${name}`, ...listed].map((href) => ({ href, changed: null })),
  ])
}

const document = (root: string, entry: string, addresses: Address[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...addresses.map(({ href, changed }) => {
      const when = changed ? `<lastmod>${changed.toISOString()}</lastmod>` : ''
      return `<${entry}><loc>${escapeXml(href)}</loc>${when}</${entry}>`
    }),
    `</${root}>`,
    '',
  ].join('\n')
