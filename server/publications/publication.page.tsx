import type { Config } from '../config.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { ThreadJob } from '../jobs/threads.ts'
import type { Language } from '../languages.ts'
import { archiveAddress, brandedPage, nameInAddress, pageQuery } from '../newsletters/branded-page.tsx'
import { type RenderedPage, renderPage } from '../page/render.ts'
import { stylesheet } from '../page/stylesheet.ts'
import { translator } from '../translator.ts'
import { Cover, coverOf, hasCover } from './cover.tsx'
import { readingMinutes, wholeMinutesFor, wordCount } from './document/document-text.ts'
import type { Access, Cut } from './document/visible.ts'
import blocksSource from './document/web.css?raw'
import formatsSource from './document/web-formats.css?raw'
import paywallSource from './paywall.css?raw'
import { Paywall, paywallCss, paywalledData, toOf } from './paywall.tsx'
import { publicationUrl } from './present.ts'
import publicationSource from './publication.page.css?raw'
import {
  type Medium,
  parsed,
  type Renderable,
  type RenderableText,
  renderBody,
  type Site,
  summaryOf,
  typesetPublication,
  writtenDate,
} from './rendering.ts'

type Instance = Pick<Config, 'publicUrl'>

/** How wide the cover is: up to 1080 pixels with a margin of 32 on each side, and on phones all of the screen. */
const coverSizes = '(max-width: 700px) 100vw, (max-width: 1080px) calc(100vw - 64px), 1016px'

/** Whether one of these plans opens what is cut off. */
const opensAny = ({ plans }: Cut, open: readonly number[]): boolean =>
  plans.length === 0 ? open.length > 0 : plans.some((id) => open.includes(id))

const style = stylesheet(publicationSource, blocksSource, formatsSource, paywallSource)

interface PageInput {
  site: Site
  publication: RenderableText
  /** Of whoever reads the page. */
  access: Access
}

export const pageJob: ThreadJob<PageInput, Pick<RenderedPage, 'html' | 'policy'>> = {
  name: 'page',
  run({ site, publication, access }) {
    const { html, policy } = publicationPage(site, parsed(publication, access, 'web'))
    return { html, policy }
  },
}

/** A publication on the web, as one kind of reader can read it. */
export function publicationPage(
  site: Site,
  stored: Renderable,
  medium: Exclude<Medium, 'feed'> = 'page',
): RenderedPage {
  const publication = typesetPublication(stored)
  const { config: instance, newsletter } = site
  const { title, subtitle, document, cut } = publication
  const language = site.chosen ?? publication.language
  const t = translator(language)
  // What surrounds the text may be in another language than it.
  const lang = language === publication.language ? undefined : publication.language
  const { body, css } = renderBody(site, publication, medium)
  const address = publicationUrl(instance, newsletter, publication)
  const picture = coverOf(instance, { newsletter, publication }, 'png')
  const description = summaryOf(publication)
  const frame = brandedPage(newsletter, language)
  const minutesRead = wholeMinutesFor(wordCount(document))
  return renderPage(
    {
      ...frame,
      band: cut && newsletter.card_test ? t('readers.testBand') : null,
      links: linksOf(newsletter, language, { isSignedIn: site.isSignedIn ?? false, on: publication }),
      title: title || t('publications.untitled'),
      description,
      canonical: address,
      feed: feedOf(instance, newsletter),
      picture,
      kind: 'article',
      css: style + css + (cut ? paywallCss(cut, minutesRead) : ''),
      data: address ? articleData(newsletter, publication, { address, description, picture }) : null,
    },
    <main id="main">
      <article className="publication">
        <header>
          <p className="small">{datelineOf(newsletter, publication, language)}</p>
          <h1 className={title.length > 60 ? 'title long' : 'title'} lang={lang}>
            {title || translator(publication.language)('publications.untitled')}
          </h1>
          {subtitle ? (
            <p className="subtitle" lang={lang}>
              {subtitle}
            </p>
          ) : null}
          {newsletter.sender_name === newsletter.name ? null : (
            <p className="byline">{t('publications.by', { name: newsletter.sender_name })}</p>
          )}
        </header>
        {hasCover(publication) ? (
          <figure className="cover">
            <Cover instance={instance} newsletter={newsletter} publication={publication} sizes={coverSizes} />
          </figure>
        ) : null}
        <div className="document" lang={lang}>
          {body}
        </div>
        {cut ? (
          <Paywall
            newsletter={newsletter}
            slug={publication.slug}
            cut={cut}
            isForSale={opensAny(cut, site.openPlans ?? [])}
            isSignedIn={site.isSignedIn ?? false}
            minutesRead={minutesRead}
            language={language}
          />
        ) : null}
      </article>
    </main>,
  )
}

/**
 * The links in the header of the page of a publication, or of the archive. Where somebody may read more than
 * everybody does, they show the way in, and whoever is signed in their own page.
 */
export function linksOf(
  newsletter: NewsletterRow,
  language: Language,
  { isSignedIn, on }: { isSignedIn: boolean; on: 'archive' | Pick<Renderable, 'slug'> },
) {
  const t = translator(language)
  const name = nameInAddress(newsletter)
  const isArchive = on === 'archive'
  const archive = {
    ...{ label: t('page.archive'), href: archiveAddress(newsletter, { language }) },
    ...{ current: isArchive, optional: !isArchive },
  }
  const query = pageQuery(newsletter, language)
  if (isSignedIn) return [archive, { label: t('readers.here.link'), href: `/signin/${name}${query}`, button: true }]
  return [
    archive,
    ...(newsletter.has_paid_plans
      ? [
          {
            label: t('readers.signIn.link'),
            href: `/signin/${name}${pageQuery(newsletter, language, isArchive ? {} : toOf(on.slug))}`,
          },
        ]
      : []),
    { label: t('page.subscribe'), href: `/sub/${name}${query}`, button: true },
  ]
}

export const feedOf = ({ publicUrl }: Instance, newsletter: NewsletterRow) => ({
  title: newsletter.name,
  rss: `${publicUrl}/n/${nameInAddress(newsletter)}/feed.xml`,
  json: `${publicUrl}/n/${nameInAddress(newsletter)}/feed.json`,
})

function datelineOf(
  newsletter: NewsletterRow,
  { number, published_at, document }: Renderable,
  language: Language,
): string {
  const t = translator(language)
  const date = writtenDate(published_at ?? new Date(), language, newsletter)
  const minutes = t('publications.minutes', { count: readingMinutes(document) })
  const numbered = number === null ? [] : [t('publications.number', { number })]
  return [...numbered, date, minutes].join(', ')
}

/** schema.org Article. */
const articleData = (
  newsletter: NewsletterRow,
  { title, language, published_at, cut }: Renderable,
  { address, description, picture }: { address: string; description: string; picture: string },
) => ({
  '@context': 'https://schema.org',
  '@type': 'NewsArticle',
  headline: title,
  description,
  inLanguage: language,
  datePublished: published_at?.toISOString(),
  mainEntityOfPage: address,
  image: [picture],
  author: { '@type': 'Organization', name: newsletter.sender_name },
  publisher: { '@type': 'Organization', name: newsletter.name },
  ...(cut && paywalledData),
})
