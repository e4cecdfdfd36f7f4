import type { ReactElement, ReactNode } from 'react'
import { holdMarks } from '../../i18n/french-spaces.ts'
import { type Language, languageLabel, locales, otherLanguages } from '../languages.ts'
import { postalLine } from '../postal-lines.ts'
import type { Translate } from '../translator.ts'
import type { BrandStyle } from './brand-style.ts'

interface PageLink {
  label: string
  href: string
  /** The page the reader is on. */
  current?: boolean
  /** Drawn as a button. */
  button?: boolean
  /** Left out on phones. */
  optional?: boolean
}

export interface PageProps {
  t: Translate
  language: Language
  title: string
  description?: string | null
  style: BrandStyle
  /** The newsletter's name and first page; its header is left out with `bare`. */
  newsletter?: { name: string; href: string | null; logo?: string | null } | null
  bare?: boolean
  /** Above everything: that what the page sells is a test. */
  band?: string | null
  links?: PageLink[]
  /** The page's own address, for search engines. Left out on personal pages. */
  canonical?: string | null
  /** Its absolute address in each language, and for readers of other languages. Left out where it exists in one only. */
  alternates?: { hrefLang: string; href: string }[] | null
  /** Personal pages are for nobody else. */
  noIndex?: boolean
  /** The address of the same page in another language. */
  hrefIn?: ((language: Language) => string) | null
  /** Where one unsubscribes, on a subscriber's own page. */
  leaveHref?: string | null
  /** What the newsletter sells to its readers. */
  plansHref?: string | null
  dataHref?: string | null
  postalAddress?: string | null
  feed?: { title: string; rss: string; json: string } | null
  /** For cards on other sites: a picture 1,200 pixels wide. */
  picture?: string | null
  kind?: 'website' | 'article'
  /** The rules of this page alone; those of the frame come before them. Made by `stylesheet` and `documentStyle`. */
  css?: string
  /** The address of the page's one script; null or left out on pages without, which are nearly all. */
  script?: string | null
  /** JSON-LD. */
  data?: Record<string, unknown> | null
  /** `main` and what belongs beside it. */
  children?: ReactNode
}

interface FrameProps extends PageProps {
  sheet: string
  preload: string[]
}

/** The whole HTML document of a public page. No script inside; its one style element is let through by its hash. */
export function Frame(props: FrameProps): ReactElement {
  const { t, language, bare, band, newsletter, children } = props
  return (
    <html lang={language}>
      <Head {...props} />
      <body>
        {band ? (
          <p className="test-band" role="note">
            {band}
          </p>
        ) : null}
        {bare || !newsletter ? null : (
          <>
            <a className="skip-link" href="#main">
              {t('page.skip')}
            </a>
            <Top {...props} newsletter={newsletter} />
          </>
        )}
        {children}
        <Foot {...props} />
      </body>
    </html>
  )
}

/** Whether a title says the newsletter's name as a word of its own: a browser's tab would show it twice. */
const isNamedIn = (title: string, { name }: { name: string }): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, 'u').test(title)

function Head(props: FrameProps): ReactElement {
  const { description, style, newsletter, canonical, alternates, noIndex, feed } = props
  const title = holdMarks(props.title)
  const whole = newsletter && !isNamedIn(title, newsletter) ? `${title} · ${newsletter.name}` : title
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <title>{whole}</title>
      {description ? <meta name="description" content={description} /> : null}
      {noIndex ? <meta name="robots" content="noindex,nofollow" /> : null}
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content={style.accent} />
      {props.preload.map((href) => (
        <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="" />
      ))}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our stylesheet and checked colours; a style element needs them raw */}
      <style dangerouslySetInnerHTML={{ __html: props.sheet }} />
      {canonical ? <link rel="canonical" href={canonical} /> : null}
      {noIndex
        ? null
        : alternates?.map(({ hrefLang, href }) => (
            <link key={hrefLang} rel="alternate" hrefLang={hrefLang} href={href} />
          ))}
      {feed ? <link rel="alternate" type="application/rss+xml" title={feed.title} href={feed.rss} /> : null}
      {feed ? <link rel="alternate" type="application/feed+json" title={feed.title} href={feed.json} /> : null}
      {noIndex ? null : <Card {...props} />}
      {props.script ? <script type="module" src={props.script} /> : null}
    </head>
  )
}

/** How the page looks when somebody shares it: Open Graph and JSON-LD. */
function Card({ title, description, newsletter, canonical, picture, kind, language, data }: FrameProps): ReactElement {
  return (
    <>
      <meta property="og:title" content={title} />
      <meta property="og:type" content={kind ?? 'website'} />
      <meta property="og:locale" content={locales[language].replace('-', '_')} />
      {description ? <meta property="og:description" content={description} /> : null}
      {newsletter ? <meta property="og:site_name" content={newsletter.name} /> : null}
      {canonical ? <meta property="og:url" content={canonical} /> : null}
      {picture ? <meta property="og:image" content={picture} /> : null}
      {picture ? <meta name="twitter:card" content="summary_large_image" /> : null}
      {data ? (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every `<` escaped cannot end its element
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonLd(data) }} />
      ) : null}
    </>
  )
}

const jsonLd = (data: Record<string, unknown>): string => JSON.stringify(data).replaceAll('<', '\\u003c')

function Top({ t, newsletter, links = [] }: FrameProps & { newsletter: NonNullable<PageProps['newsletter']> }) {
  const { name, href, logo } = newsletter
  return (
    <header className="page-header">
      <a className="newsletter-name" href={href ?? undefined}>
        {logo ? <img src={logo} alt={name} /> : name}
      </a>
      {links.length > 0 ? (
        <nav aria-label={t('page.navigation', { newsletter: name })}>
          {links.map((link) => (
            <a
              key={link.href}
              href={link.href}
              className={link.button ? 'button button-small' : link.optional ? 'hidden-on-phones' : undefined}
              aria-current={link.current ? 'page' : undefined}
            >
              {link.label}
            </a>
          ))}
        </nav>
      ) : null}
    </header>
  )
}

function Foot({ t, language, postalAddress, leaveHref, plansHref, dataHref, hrefIn }: FrameProps): ReactElement {
  return (
    <footer className="page-footer">
      {postalAddress ? <span>{postalLine(postalAddress)}</span> : null}
      {leaveHref ? <a href={leaveHref}>{t('page.leave')}</a> : null}
      {plansHref ? <a href={plansHref}>{t('page.plans')}</a> : null}
      {dataHref ? <a href={dataHref}>{t('page.yourData')}</a> : null}
      {hrefIn
        ? otherLanguages(language).map((other) => (
            <a key={other} href={hrefIn(other)} lang={other} hrefLang={other}>
              {languageLabel(other)}
            </a>
          ))
        : null}
      <span className="footer-space" />
      <span className="printed-with">
        <Mark /> {t('page.printedWith')}
      </span>
    </footer>
  )
}

/** A roller and the stack of copies under it. */
const Mark = () => (
  <svg width="13" height="13" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <path d="M2 2.5h20v5H2zM8.5 9.5h7v3.200h-7zM8.5 14.200h7v2.400h-7zM8.5 18.100h7v1.700h-7zM8.5 21.200h7v1h-7z" />
  </svg>
)
