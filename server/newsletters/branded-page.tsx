import { holdMarks } from '../../i18n/french-spaces.ts'
import type { Config } from '../config.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { studioPaths } from '../http/studio-paths.ts'
import type { Language } from '../languages.ts'
import { logoAddress } from '../media/address.ts'
import columnSource from '../page/column.css?raw'
import type { PageProps } from '../page/frame.tsx'
import { type RenderedPage, renderPage } from '../page/render.ts'
import { stylesheet } from '../page/stylesheet.ts'
import { translator } from '../translator.ts'
import { brandStyle, defaultAccent } from './branding.ts'

const style = stylesheet(columnSource)

/** The part of public addresses that names a newsletter: its handle, or its id while it has none. */
export const nameInAddress = ({ handle, id }: Pick<NewsletterRow, 'handle' | 'id'>): string => handle ?? id

/** The address of the newsletter’s logo, or null while it has none. */
export const logoOf = (
  instance: Pick<Config, 'publicUrl'>,
  { logo_media_id: id }: Pick<NewsletterRow, 'logo_media_id'>,
): string | null => id && logoAddress(instance, id)

interface Asked {
  language: Language
  search?: string
  page?: number
}

/** The query of a newsletter's public address: what it asks for, and the language where it is not the newsletter's own. */
export function pageQuery(newsletter: NewsletterRow, language: Language, asked: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...asked, ...(language !== newsletter.language && { lang: language }) })
  return query.size > 0 ? `?${query}` : ''
}

/** The address of an archive, of one of its pages or of what is found in it. */
export function archiveAddress(newsletter: NewsletterRow, { language, search = '', page = 1 }: Asked): string {
  const asked = { ...(search && { q: search }), ...(page > 1 && { page: String(page) }) }
  return `/n/${nameInAddress(newsletter)}${pageQuery(newsletter, language, asked)}`
}

/** The address of a publication, with what surrounds its text in this language. */
export const publicationAddress = (newsletter: NewsletterRow, slug: string, language: Language): string =>
  `/n/${nameInAddress(newsletter)}/${slug}${pageQuery(newsletter, language)}`

/** What all public pages of a newsletter have in common. Of a deleted one they lead to none of its others, for those are not there. */
export function brandedPage(newsletter: NewsletterRow, language: Language): Omit<PageProps, 'title'> {
  const t = translator(language)
  const name = nameInAddress(newsletter)
  const isThere = newsletter.deleted_at === null
  const archive = archiveAddress(newsletter, { language })
  return {
    t,
    language,
    style: brandStyle(newsletter.accent, newsletter.pairing),
    newsletter: {
      name: holdMarks(newsletter.name),
      href: isThere ? archive : null,
      logo: logoOf({ publicUrl: '' }, newsletter),
    },
    links: isThere ? [{ label: t('page.archive'), href: archive, optional: true }] : [],
    postalAddress: newsletter.postal_address || null,
    plansHref: isThere && newsletter.shows_plans ? `/plans/${name}?lang=${language}` : null,
    dataHref: isThere ? `/subscribe/${name}/me?lang=${language}` : null,
  }
}

interface Action {
  label: string
  href: string
}

interface Notice {
  title: string
  text: string
  action?: Action | null
  /** What some would rather do. */
  also?: Action | null
  /** That what it is about is a test. */
  band?: string | null
  /** The address of the same page in another language. */
  hrefIn?: ((language: Language) => string) | null
  /** Whether the mail that it announces is in the outbox (`Relays.caughtHere`). */
  caught?: boolean
}

/** A page with one message, in the newsletter’s brand or, without a newsletter, in Tirage’s own. It is not indexed. */
export function noticePage(
  newsletter: NewsletterRow | null,
  language: Language,
  { title, text, action, also, band, hrefIn, caught }: Notice,
): RenderedPage {
  const frame = newsletter ? brandedPage(newsletter, language) : plainPage(language)
  const isCaught = newsletter !== null && caught === true
  const shown = isCaught ? translator(language)('page.caught.title') : title
  return renderPage(
    {
      ...frame,
      css: style,
      title: shown,
      band: band ?? null,
      noIndex: true,
      hrefIn: hrefIn ?? null,
    },
    <main className="column" id="main">
      <h1 className="title">{shown}</h1>
      {isCaught ? <CaughtMail newsletter={newsletter} language={language} /> : <p className="lead">{text}</p>}
      {action ? (
        <p>
          <a className={`button ${caught ? 'button-outline ' : ''}full-width-on-phones`} href={action.href}>
            {action.label}
          </a>
        </p>
      ) : null}
      {also ? (
        <p>
          <a className="button button-outline full-width-on-phones" href={also.href}>
            {also.label}
          </a>
        </p>
      ) : null}
    </main>,
  )
}

/** Where its owner reads what was caught last. */
export const outboxOf = ({ name }: Pick<NewsletterRow, 'name'>): string =>
  `${studioPaths.outbox}?newest=${encodeURIComponent(name)}`

/** In place of the words that announce a mail: where it is, because no relay is set and it reaches no inbox. */
export function CaughtMail({ newsletter, language }: { newsletter: NewsletterRow; language: Language }) {
  const t = translator(language)
  return (
    <>
      <p className="lead">{t('page.caught.text')}</p>
      <p>
        <a className="button full-width-on-phones" href={outboxOf(newsletter)}>
          {t('page.caught.read')}
        </a>
      </p>
    </>
  )
}

const plainPage = (language: Language): Omit<PageProps, 'title'> => ({
  t: translator(language),
  language,
  style: brandStyle(defaultAccent, 'gazette'),
})
