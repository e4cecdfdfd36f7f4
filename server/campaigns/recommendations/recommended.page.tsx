import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { archiveAddress, brandedPage, nameInAddress } from '../../newsletters/branded-page.tsx'
import columnSource from '../../page/column.css?raw'
import formSource from '../../page/form.css?raw'
import { inLanguage } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { consentWording } from '../../subscribers/consent.ts'
import { translator } from '../../translator.ts'
import { isRemote, type Offer, type RemoteOffer } from './offers.ts'
import { reasonIn } from './reasons.ts'
import recommendedSource from './recommended.css?raw'
import type { Recommended } from './recommended.ts'

/** The stylesheets of a page with `RecommendedForm`. */
export const recommendedSources = [columnSource, formSource, recommendedSource]
export const recommendedStyle = stylesheet(...recommendedSources)

interface Of {
  newsletter: NewsletterRow
  language: Language
}

const hostOf = ({ subscribeUrl }: RemoteOffer): string => new URL(subscribeUrl).host

/** The words beside a box, and why: what somebody says yes to by ticking it. */
export function offerWords(offer: Offer, { newsletter, language }: Of) {
  return {
    consent: isRemote(offer)
      ? translator(language)('recommendations.page.elsewhere', { newsletter: offer.name, host: hostOf(offer) })
      : consentWording('yes', offer.name, language),
    reason: reasonIn(offer.reasons, language, newsletter.language),
  }
}

export const RECOMMENDED = '/recommended'
/** The name of the box of a recommendation. */
export const boxOf = ({ id }: Pick<Offer, 'id'>): string => `choice-${id}`

/** What a newsletter recommends, with a box for each, none of them ticked, and one button. */
export function RecommendedForm({
  newsletter,
  language,
  code,
  proven,
  offers,
  problem = false,
}: Of & Recommended & { problem?: boolean }) {
  const t = translator(language)
  return (
    <section className="recommended" aria-labelledby="recommended">
      <h2 id="recommended">{t('recommendations.page.title', { newsletter: newsletter.name })}</h2>
      <p>{t(proven ? 'recommendations.page.text' : 'recommendations.page.textAsked')}</p>
      <form method="post" action={`${RECOMMENDED}?lang=${language}`}>
        <input type="hidden" name="code" value={code} />
        {problem ? (
          <p className="note note-problem" role="alert">
            {t('recommendations.page.none')}
          </p>
        ) : null}
        <ul className="choices">
          {offers.map((offer) => {
            const { consent, reason } = offerWords(offer, { newsletter, language })
            return (
              <li key={offer.id}>
                <label className="choice consent">
                  <input type="checkbox" name={boxOf(offer)} value="yes" />
                  <span>
                    <b>{consent}</b>
                    <span className="reason">{reason}</span>
                  </span>
                </label>
              </li>
            )
          })}
        </ul>
        <button type="submit" className="button full-width-on-phones">
          {t(proven ? 'recommendations.page.yes' : 'recommendations.page.yesAsked')}
        </button>
      </form>
    </section>
  )
}

/** The form alone. `problem`: its button was pressed without a box. */
export function choosePage({
  newsletter,
  language,
  ...recommended
}: Of & Recommended & { problem: boolean }): RenderedPage {
  const t = translator(language)
  const title = t('recommendations.page.heading')
  return renderPage(
    { ...brandedPage(newsletter, language), css: recommendedStyle, title, noIndex: true, hrefIn: inLanguage },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <RecommendedForm newsletter={newsletter} language={language} {...recommended} />
    </main>,
  )
}

export interface Outcome {
  newsletter: NewsletterRow
  /** `not`: its own page is the way to it. `asked`: nobody here is told what is known of the address. */
  became: 'joined' | 'already' | 'not' | 'asked'
}

/** Of a newsletter of another server, where the reader goes by a link. */
export interface RemoteOutcome {
  offer: RemoteOffer
}

/** What became of each newsletter that somebody chose. */
export function chosenPage({
  newsletter,
  language,
  outcomes,
  publicUrl,
}: Of & { outcomes: (Outcome | RemoteOutcome)[]; publicUrl: string }): RenderedPage {
  const t = translator(language)
  const isIn = outcomes.some(
    (outcome) => 'became' in outcome && (outcome.became === 'joined' || outcome.became === 'already'),
  )
  const title = t(isIn ? 'recommendations.page.done' : 'recommendations.page.notDone')
  return renderPage(
    { ...brandedPage(newsletter, language), css: recommendedStyle, title, noIndex: true, hrefIn: inLanguage },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <ul className="outcomes">
        {outcomes.map((outcome) =>
          'became' in outcome ? (
            <LocalLine key={outcome.newsletter.id} {...outcome} language={language} />
          ) : (
            <RemoteLine
              key={outcome.offer.id}
              {...outcome}
              language={language}
              from={`${publicUrl}/${newsletter.id}`}
            />
          ),
        )}
      </ul>
      <p>
        <a className="button button-outline full-width-on-phones" href={archiveAddress(newsletter, { language })}>
          {t('subscribers.page.archive')}
        </a>
      </p>
    </main>,
  )
}

function LocalLine({ newsletter, became, language }: Outcome & { language: Language }) {
  const t = translator(language)
  return (
    <li>
      {t(`recommendations.page.${became}`, { newsletter: newsletter.name })}{' '}
      {became === 'not' ? (
        <a href={`/subscribe/${nameInAddress(newsletter)}?lang=${language}`}>{t('recommendations.page.own')}</a>
      ) : null}
    </li>
  )
}

/** The way to a newsletter of another server. Its address says who recommends it, and nothing of who goes there. */
function RemoteLine({ offer, language, from }: RemoteOutcome & { language: Language; from: string }) {
  const t = translator(language)
  return (
    <li>
      {t('recommendations.page.there', { newsletter: offer.name, host: hostOf(offer) })}{' '}
      <a href={`${offer.subscribeUrl}?from=${encodeURIComponent(from)}`} rel="noreferrer" target="_blank">
        {t('recommendations.page.own')}
      </a>
    </li>
  )
}
