import type { Config } from '../config.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { dateFormat, type Language, locales } from '../languages.ts'
import { archiveAddress, brandedPage, nameInAddress, publicationAddress } from '../newsletters/branded-page.tsx'
import formSource from '../page/form.css?raw'
import { pageAddresses } from '../page/language.ts'
import { type RenderedPage, renderPage } from '../page/render.ts'
import { stylesheet } from '../page/stylesheet.ts'
import { translator } from '../translator.ts'
import archiveSource from './archive.page.css?raw'
import type { ArchiveEntry } from './archive.ts'
import { Cover, hasCover } from './cover.tsx'
import { typeset } from './document/typography.ts'
import { feedOf, linksOf } from './publication.page.tsx'
import { writtenDate } from './rendering.ts'

interface ArchiveList {
  entries: ArchiveEntry[]
  search: string
  /** How many were found on all pages; null where nothing was searched. */
  count: number | null
  page: number
  /** Whether there are older entries. */
  more: boolean
}

type Instance = Pick<Config, 'publicUrl'>

/** The cover of the newest one fills its column, and on phones the screen. */
const coverSizes = '(max-width: 700px) 100vw, (max-width: 900px) calc(100vw - 64px), 560px'

const style = stylesheet(formSource, archiveSource)

/** What a newsletter has published: the newest large, the others as a list. A search and later pages are a list only. */
export function archivePage(
  instance: Instance,
  { newsletter, chosen, isSignedIn }: { newsletter: NewsletterRow; chosen: Language | null; isSignedIn: boolean },
  list: ArchiveList,
): RenderedPage {
  const own = newsletter.language
  const language = chosen ?? own
  const t = translator(language)
  const { entries, search, count, page } = list
  const newest = !search && page === 1 && entries[0]
  const listed = newest ? entries.slice(1) : entries
  // Among none or one there is nothing to look for.
  const isShort = !search && page === 1 && entries.length < 2
  const address = instance.publicUrl + archiveAddress(newsletter, { language: own, page })
  return renderPage(
    {
      ...brandedPage(newsletter, language),
      css: style,
      links: linksOf(newsletter, language, { isSignedIn, on: 'archive' }),
      title: newsletter.name,
      description: newsletter.description || t('publications.archiveOf', { newsletter: newsletter.name }),
      ...(search ? {} : pageAddresses(address, { chosen, own })),
      hrefIn: (one) => archiveAddress(newsletter, { language: one, search, page }),
      noIndex: search !== '',
      feed: feedOf(instance, newsletter),
    },
    <main className="archive" id="main">
      <About newsletter={newsletter} language={language} />
      {newest ? (
        <Newest instance={instance} newsletter={newsletter} language={language} entry={newest} />
      ) : (
        <h1 className="visually-hidden">{t('publications.archiveOf', { newsletter: newsletter.name })}</h1>
      )}
      {newest && isShort ? null : (
        <section className="entries">
          {isShort ? null : <ListHeader {...{ newsletter, language, search, count }} />}
          {entries.length === 0 ? (
            <p className="no-entries">{search ? t('publications.noneFound', { search }) : t('publications.none')}</p>
          ) : null}
          {listed.length > 0 ? (
            <ol>
              {listed.map((entry) => (
                <Entry key={entry.id} newsletter={newsletter} language={language} entry={entry} />
              ))}
            </ol>
          ) : null}
          <Pages newsletter={newsletter} language={language} {...list} />
        </section>
      )}
      {/* Some browsers save a feed as a file, others show its source: nobody who follows a link to one understands what happened. */}
      <details className="small archive-feed">
        <summary>{t('publications.feed')}</summary>
        <p>
          {t('publications.feedText')} <code>{feedOf(instance, newsletter).rss}</code>
        </p>
      </details>
    </main>,
  )
}

/** What the newsletter is. Its name is read here where a logo stands for it above. */
function About({ newsletter, language }: { newsletter: NewsletterRow; language: Language }) {
  const { name, description, logo_media_id: logo } = newsletter
  if (!logo && !description) return null
  return (
    <p className="archive-about" lang={newsletter.language === language ? undefined : newsletter.language}>
      {logo ? <b>{name}</b> : null} {typeset(description, newsletter.language)}
    </p>
  )
}

interface ListHeaderProps extends Pick<ArchiveList, 'search' | 'count'> {
  newsletter: NewsletterRow
  language: Language
}

function ListHeader({ newsletter, language, search, count }: ListHeaderProps) {
  const t = translator(language)
  return (
    <div className="entries-header">
      {count === null ? (
        <h2>{t('publications.every')}</h2>
      ) : (
        <div>
          {count > 0 ? <h2>{t('publications.found', { count, search })}</h2> : null}
          <a className="small" href={archiveAddress(newsletter, { language })}>
            {t('publications.all')}
          </a>
        </div>
      )}
      <search className="search">
        <form action={`/n/${nameInAddress(newsletter)}`}>
          {language === newsletter.language ? null : <input type="hidden" name="lang" value={language} />}
          <label className="visually-hidden" htmlFor="q">
            {t('publications.search')}
          </label>
          <input
            className="field"
            id="q"
            name="q"
            type="search"
            maxLength={200}
            defaultValue={search}
            placeholder={t('publications.search')}
          />
          <button type="submit" className="button">
            {t('publications.searchButton')}
          </button>
        </form>
      </search>
    </div>
  )
}

interface EntryProps {
  newsletter: NewsletterRow
  language: Language
  entry: ArchiveEntry
}

const addressOf = ({ newsletter, language, entry }: EntryProps) => publicationAddress(newsletter, entry.slug, language)

function Newest({ instance, newsletter, language, entry }: EntryProps & { instance: Instance }) {
  const t = translator(language)
  const date = writtenDate(entry.published_at, language, newsletter)
  const number = entry.number === null ? '' : `${t('publications.number', { number: entry.number })}, `
  return (
    <article className="newest">
      {hasCover(entry) ? (
        <Cover instance={instance} newsletter={newsletter} publication={entry} sizes={coverSizes} />
      ) : null}
      <div>
        <p className="small">{number + date}</p>
        <h1 className="title" lang={entry.language}>
          <a href={addressOf({ newsletter, language, entry })}>{typeset(entry.title, entry.language)}</a>
        </h1>
        {entry.subtitle ? (
          <p className="newest-subtitle" lang={entry.language}>
            {typeset(entry.subtitle, entry.language)}
          </p>
        ) : null}
        <p className="small">{t('publications.minutes', { count: entry.minutes })}</p>
      </div>
    </article>
  )
}

function Entry({ newsletter, language, entry }: EntryProps) {
  const t = translator(language)
  const day = dateFormat(locales[language], {
    day: 'numeric',
    month: 'short',
    timeZone: newsletter.timezone,
  })
  return (
    <li>
      <a href={addressOf({ newsletter, language, entry })}>
        <span className="entry-number">
          {entry.number === null ? '' : t('publications.number', { number: entry.number })}
        </span>
        <span className="entry-title" lang={entry.language}>
          <b>{typeset(entry.title, entry.language)}</b>
          {entry.subtitle ? <span>{typeset(entry.subtitle, entry.language)}</span> : null}
        </span>
        <span className="entry-details">
          <span>{t('publications.minutes', { count: entry.minutes })}</span>
          <time dateTime={entry.published_at.toISOString()}>{day.format(entry.published_at)}</time>
        </span>
      </a>
    </li>
  )
}

function Pages({
  newsletter,
  language,
  page,
  more,
  search,
}: ArchiveList & { newsletter: NewsletterRow; language: Language }) {
  const t = translator(language)
  const to = (number: number) => archiveAddress(newsletter, { language, search, page: number })
  if (page === 1 && !more) return null
  return (
    <nav className="older-and-newer" aria-label={t('publications.pages')}>
      {page > 1 ? <a href={to(page - 1)}>{t('publications.newer')}</a> : null}
      {more ? <a href={to(page + 1)}>{t('publications.older')}</a> : null}
    </nav>
  )
}
