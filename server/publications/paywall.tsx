import type { ReactElement } from 'react'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import { nameInAddress, pageQuery } from '../newsletters/branded-page.tsx'
import { type Translate, translator } from '../translator.ts'
import type { Cut } from './document/visible.ts'

interface PaywallProps {
  newsletter: NewsletterRow
  cut: Cut
  /** Of the publication; null where it is not on the web yet. */
  slug: string | null
  /** Whether somebody can take a plan that opens it. */
  isForSale: boolean
  /** On this device, as somebody whom nothing that is sold opens this to. */
  isSignedIn: boolean
  /** What its reader has read when they come to it, in whole minutes. */
  minutesRead: number
  language: Language
}

/** Leads whoever signs in or takes a plan back to what they were reading. */
export const toOf = (slug: string | null): Record<string, string> => (slug ? { to: slug } : {})

/** Where a page of a publication ends for those who may not read on: what the rest is, and how to get it. */
export const Paywall = ({
  newsletter,
  slug,
  cut: { minutes, pictures },
  isForSale,
  isSignedIn,
  minutesRead,
  language,
}: PaywallProps): ReactElement => {
  const t = translator(language)
  const left = t('paywall.left', { count: minutes })
  const query = pageQuery(newsletter, language, toOf(slug))
  return (
    <section className="paywall" aria-labelledby="paywall-title">
      <div>
        {minutes > 0 ? (
          <>
            <p className="read-so-far" aria-hidden="true" />
            <p className="small read-and-left">
              {minutesRead > 0 ? <b>{t('paywall.read', { count: minutesRead })}</b> : null}
              <span>{pictures > 0 ? t('paywall.leftWithPictures', { left, count: pictures }) : left}</span>
            </p>
          </>
        ) : null}
        <h2 className="title" id="paywall-title">
          {t('paywall.title')}
        </h2>
        <p className="lead">{t('paywall.text', { count: minutes })}</p>
        {isForSale ? (
          <p>
            <a className="button full-width-on-phones" href={`/plans/${nameInAddress(newsletter)}${query}`}>
              {t(newsletter.card_test ? 'stripe.page.tryIt' : 'paywall.subscribe')}
            </a>
          </p>
        ) : (
          <p>{t('paywall.notForSale')}</p>
        )}
        {isSignedIn ? null : (
          <p className="small">
            {t('paywall.paid')} <a href={`/signin/${nameInAddress(newsletter)}${query}`}>{t('readers.signIn.link')}</a>
          </p>
        )}
      </div>
    </section>
  )
}

/** How far somebody has read when they come to a paywall, as a rule for `read-so-far`: a style attribute is not allowed. */
export const paywallCss = ({ minutes }: Cut, minutesRead: number): string =>
  minutes > 0 ? `.read-so-far::before{width:${Math.round((100 * minutesRead) / (minutesRead + minutes))}%}` : ''

interface RestProps {
  address: string
  cut: Cut
  /** Whether what is offered can only be tried. */
  test: boolean
  t: Translate
}

/** What a feed shows in place of the rest. */
export const RestInFeed = ({ address, cut, test, t }: RestProps): ReactElement => (
  <p>
    <strong>{t('paywall.title')}.</strong> {t('paywall.text', { count: cut.minutes })}{' '}
    <a href={address}>{t('paywall.readOn')}</a>
    {test ? <small> {t('readers.testBand')}</small> : null}
  </p>
)

/**
 * What search engines are told of a page that is cut, so that they do not take it for one that shows them more than its readers
 * (developers.google.com/search/docs/appearance/structured-data/paywalled-content).
 */
export const paywalledData = {
  isAccessibleForFree: false,
  hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.paywall' },
}
