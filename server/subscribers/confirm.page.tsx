import { RecommendedForm, recommendedStyle } from '../campaigns/recommendations/recommended.page.tsx'
import type { Recommended } from '../campaigns/recommendations/recommended.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { archiveAddress, brandedPage, nameInAddress, noticePage } from '../newsletters/branded-page.tsx'
import columnSource from '../page/column.css?raw'
import formSource from '../page/form.css?raw'
import { inLanguage } from '../page/language.ts'
import { type RenderedPage, renderPage } from '../page/render.ts'
import { stylesheet } from '../page/stylesheet.ts'
import { translator } from '../translator.ts'
import { maskAddress } from './address.ts'
import { consentWording } from './consent.ts'
import { lostLinkPage } from './leave.page.tsx'
import type { SubscriberRow } from './queries.ts'
import { Sentence } from './sentence.tsx'

const style = stylesheet(columnSource, formSource)

/** Asks for the click that confirms a subscription, and says when a member entered the address. Opening the address alone never confirms it. */
export function confirmPage(
  newsletter: NewsletterRow,
  subscriber: SubscriberRow,
  { language, isAdded }: { language: Language; isAdded: boolean },
): RenderedPage {
  const t = translator(language)
  const title = t('subscribers.page.confirm.title')
  return renderPage(
    {
      ...brandedPage(newsletter, language),
      css: style,
      title,
      noIndex: true,
      hrefIn: inLanguage,
    },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead">
        <Sentence
          words={(values) => t('subscribers.page.confirm.text', values)}
          address={maskAddress(subscriber.email)}
          newsletter={newsletter.name}
        />
      </p>
      {isAdded ? <p>{t('subscribers.page.confirm.added', { newsletter: newsletter.name })}</p> : null}
      <p className="note">{consentWording('yes', newsletter.name, language)}</p>
      <form method="post">
        <button type="submit" className="button full-width-on-phones">
          {t('subscribers.page.confirm.button')}
        </button>
      </form>
    </main>,
  )
}

/** The thanks, and what the newsletter recommends beside itself. A member, who tries it, finds the way back. */
export function confirmedPage(
  newsletter: NewsletterRow,
  subscriber: SubscriberRow,
  { language, recommended, isMember }: { language: Language; recommended: Recommended | null; isMember: boolean },
): RenderedPage {
  const t = translator(language)
  const title = t('subscribers.page.confirmed.title')
  return renderPage(
    {
      ...brandedPage(newsletter, language),
      css: recommended ? recommendedStyle : style,
      title,
      noIndex: true,
      hrefIn: inLanguage,
    },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead">
        <Sentence
          words={(values) => t('subscribers.page.confirmed.text', values)}
          address={maskAddress(subscriber.email)}
          newsletter={newsletter.name}
        />
      </p>
      <p>
        <a className="button button-outline full-width-on-phones" href={archiveAddress(newsletter, { language })}>
          {t('subscribers.page.archive')}
        </a>
      </p>
      {isMember ? (
        <p>
          <a href="/dashboard">{t('shell.backToDashboard')}</a>
        </p>
      ) : null}
      {recommended ? <RecommendedForm newsletter={newsletter} language={language} {...recommended} /> : null}
    </main>,
  )
}

/** For a token that is false or too old, or whose request was withdrawn. */
export function expiredPage(newsletter: NewsletterRow | null, language: Language): RenderedPage {
  if (!newsletter) return lostLinkPage(null, language, 'confirm')
  const t = translator(language)
  const title = t('subscribers.page.expired.title')
  const action = { label: t('subscribers.page.again'), href: `/subscribe/${nameInAddress(newsletter)}` }
  return noticePage(newsletter, language, { title, text: t('subscribers.page.expired.text'), action })
}
