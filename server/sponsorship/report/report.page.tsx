import type { NewsletterRow } from '../../http/scope.ts'
import { type Language, locales } from '../../languages.ts'
import { brandedPage } from '../../newsletters/branded-page.tsx'
import { inLanguage } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { type Translate, translator } from '../../translator.ts'
import { placementNameIn, writtenDay } from '../public/words.ts'
import type { Report } from './contract.ts'
import { Counted, type Counting, Shares, Yes } from './counted.tsx'
import { HowCounted } from './how-counted.tsx'
import pageSource from './report.page.css?raw'
import { timesIn } from './time.ts'

const style = stylesheet(pageSource)

interface Props {
  newsletter: NewsletterRow
  language: Language
  report: Report
  /** The path of the page itself, under which its file is. */
  path: string
  now: Date
}

/** What a sponsor reads of what they booked, and prints. Whoever has its address reads it. */
export function reportPage({ newsletter, language, report, path, now }: Props): RenderedPage {
  const t = translator(language)
  const counter = new Intl.NumberFormat(locales[language])
  const counting: Counting = {
    ...{ report, t, language, times: timesIn(language, newsletter.timezone), now },
    number: (count) => counter.format(count),
  }
  const title = titleOf(report, language, t)
  return renderPage(
    {
      ...brandedPage(newsletter, language),
      ...{ dataHref: null, css: style, title, noIndex: true, hrefIn: inLanguage },
    },
    <main className="report" id="main">
      <header className="report-head">
        <div>
          <p className="small">{t('sponsorReport.for', { sponsor: report.sponsor })}</p>
          <h1 className="title">{title}</h1>
          <p className="report-lead">
            <Where report={report} t={t} />{' '}
            {report.publication ? counting.times.moment(report.ranAt) : writtenDay(report.day, language)}
          </p>
        </div>
        <p className="report-acts">
          <a className="button button-outline" href={`${path}/report.csv?lang=${language}&sheet=${language}`}>
            {t('sponsorReport.csv')}
          </a>
        </p>
      </header>
      <Standing {...counting} />
      <Sums {...counting} />
      <div className="report-columns">
        <div>
          {report.clicks ? (
            <Counted {...counting} clicks={report.clicks} />
          ) : (
            <section>
              <h2>{t('sponsorReport.notCounted')}</h2>
              <p>{t(report.publication ? 'sponsorReport.clicksOff' : 'sponsorReport.notCountedText')}</p>
            </section>
          )}
        </div>
        <aside aria-label={t('sponsorReport.beside')}>
          <Stood {...counting} language={report.publication?.language ?? newsletter.language} />
          <Yes {...counting} />
          {report.clicks ? <Shares {...counting} clicks={report.clicks} /> : null}
        </aside>
      </div>
      <HowCounted {...counting} />
    </main>,
  )
}

const titleOf = ({ placement, publication }: Report, language: Language, t: Translate): string => {
  const name = placementNameIn({ words: placement }, language)
  return publication?.number ? t('sponsorReport.title', { placement: name, number: publication.number }) : name
}

function Where({ report: { publication, url }, t }: { report: Report; t: Translate }) {
  if (!publication) return <>{t('sponsorReport.byHand')}</>
  const quoted = t('sponsorReport.quoted', { title: publication.title })
  return <>{url ? <a href={url}>{quoted}</a> : quoted},</>
}

function Standing({ report: { takenAt, finalAt, clicks }, t, times, now }: Counting) {
  // The final figures are drawn up a few minutes after their time.
  const standing = takenAt ? 'final' : now < new Date(finalAt) ? 'live' : 'closing'
  return (
    <p className="report-standing">
      <b>{t(`sponsorReport.${standing}`, { at: times.moment(finalAt) })}</b>{' '}
      {t(`sponsorReport.${standing}Text`, { at: times.moment(now) })}
      {clicks?.interrupted ? ` ${t('sponsorReport.interrupted')}` : null}
    </p>
  )
}

function Sums({ report: { copies, clicks, yes, publication }, t, number, language }: Counting) {
  const unknown = '—'
  const share = (part: number, whole: number) =>
    new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 1 }).format(part / whole)
  return (
    <dl className="report-sums">
      <div>
        <dt>{t('sponsorReport.accepted')}</dt>
        <dd>
          <b>{copies ? number(copies.accepted) : unknown}</b>
          {copies
            ? t('sponsorReport.acceptedOf', { count: copies.intended, n: number(copies.intended) })
            : t(publication ? 'sponsorReport.notMailed' : 'sponsorReport.copiesUnknown')}
        </dd>
      </div>
      <div>
        <dt>{t('sponsorReport.raw')}</dt>
        <dd className="report-raw">
          <b>{clicks ? number(clicks.raw) : unknown}</b>
          {t(clicks ? 'sponsorReport.rawText' : 'sponsorReport.clicksUnknown')}
        </dd>
      </div>
      <div>
        <dt>{t('sponsorReport.human')}</dt>
        <dd className="report-human">
          <b>{clicks ? number(clicks.human) : unknown}</b>
          {clicks && clicks.raw > 0
            ? t('sponsorReport.humanText', { share: share(clicks.human, clicks.raw) })
            : clicks?.interrupted
              ? null
              : t(clicks ? 'sponsorReport.humanNone' : 'sponsorReport.clicksUnknown')}
        </dd>
      </div>
      {yes ? (
        <div>
          <dt>{t('sponsorReport.yes')}</dt>
          <dd>
            <b>{number(yes.said)}</b>
            {t('sponsorReport.yesConfirmed', { count: yes.confirmed, n: number(yes.confirmed) })}
          </dd>
        </div>
      ) : null}
    </dl>
  )
}

/** What readers saw, with the words above it that say what it is. */
function Stood({ report: { creative, placement }, t, language }: Counting) {
  if (!creative) return null
  const disclosure = (placement[language] ?? Object.values(placement)[0])?.disclosure
  return (
    <section>
      <h2>{t('sponsorReport.stood')}</h2>
      <div className="report-creative">
        <p className="small">{disclosure}</p>
        {creative.image ? <img src={`/media/${creative.image.mediaId}?w=600`} alt={creative.image.alt} /> : null}
        <p>
          <b>{creative.name}</b>
        </p>
        <p>{creative.text}</p>
        <p>
          <u>{creative.label}</u>
        </p>
      </div>
    </section>
  )
}
