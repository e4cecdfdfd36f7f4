import { EndingPlans } from '../../charge/own/subscriptions.page.tsx'
import type { OwnSubscription } from '../../charge/own/subscriptions.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { type Language, languages } from '../../languages.ts'
import { brandedPage, noticePage, outboxOf } from '../../newsletters/branded-page.tsx'
import columnSource from '../../page/column.css?raw'
import formSource from '../../page/form.css?raw'
import { inLanguage } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { translator } from '../../translator.ts'
import { maskAddress } from '../address.ts'
import { dayIn } from '../leave.page.tsx'
import { pauseMonths } from '../leave.ts'
import { offeredPaces, paceOf } from '../pace.ts'
import type { SubscriberRow } from '../queries.ts'
import { Sentence } from '../sentence.tsx'
import { aroundLetters } from '../subscribe.page.tsx'
import { KeptOfYou } from './kept.page.tsx'
import type { Kept } from './kept.ts'
import ownSource from './own.page.css?raw'

const style = stylesheet(columnSource, formSource, ownSource)

/** What the subscriber has just done, or what happened to their link. */
export const ownNotices = [
  'saved',
  'noPace',
  'mailed',
  'moving',
  'sameAddress',
  'notAddress',
  'expired',
  'replaced',
  'cancelled',
  'resumed',
  'resting',
  'stayed',
  'notNow',
  'notPaid',
  'stripeAway',
] as const
export type OwnNotice = (typeof ownNotices)[number]
const problems: readonly OwnNotice[] = [
  'noPace',
  'expired',
  'replaced',
  'sameAddress',
  'notAddress',
  'notNow',
  'notPaid',
  'stripeAway',
]
/** What came of asking for another address: it stands where that is asked. */
const ofMove: readonly OwnNotice[] = ['moving', 'sameAddress', 'notAddress']
/** They announce a mail. */
export const ofMail: readonly OwnNotice[] = ['mailed', 'moving']

export interface OwnPageProps {
  newsletter: NewsletterRow
  subscriber: SubscriberRow
  language: Language
  /** Of the address that the page has. */
  token: string
  /** What is shown to the person alone; null for whoever came by a link that may have been forwarded. */
  kept: Kept | null
  paused: Date | null
  notice: OwnNotice | null
  /** The address that was asked for, with `moving`. */
  movingTo: string
  /** Whether the mail that the notice announces is in the outbox (`Relays.caughtHere`). */
  caught: boolean
}

const frameOf = ({
  newsletter,
  subscriber,
  language,
}: Pick<OwnPageProps, 'newsletter' | 'subscriber' | 'language'>) => {
  const gets = subscriber.status === 'active' || subscriber.status === 'pending'
  return {
    ...brandedPage(newsletter, language),
    css: style,
    noIndex: true,
    hrefIn: inLanguage,
    dataHref: null,
    leaveHref: gets ? `/unsub/${newsletter.id}/${subscriber.id}?lang=${language}` : null,
  }
}

/** A subscriber's own page. Without `kept` it says nothing that the mail with its link does not say. */
export function ownPage(props: OwnPageProps): RenderedPage {
  const { newsletter, subscriber, language, kept, notice } = props
  const t = translator(language)
  const title = t('own.title')
  const said = notice ? <Notice {...props} notice={notice} /> : null
  const isOfMove = kept !== null && subscriber.status === 'active' && notice !== null && ofMove.includes(notice)
  return renderPage(
    { ...frameOf(props), title, band: kept?.subscriptions.some(({ test }) => test) ? t('own.testBand') : null },
    <main className="column own" id="main">
      {isOfMove ? null : said}
      <h1 className="title">{title}</h1>
      <p className="lead">
        <Sentence
          words={(values) => (kept ? t('own.fresh') : t(`own.status.${subscriber.status}`, values))}
          address={maskAddress(subscriber.email)}
          newsletter={newsletter.name}
        />
      </p>
      {subscriber.status === 'unsubscribed' && newsletter.deleted_at === null ? (
        <p>
          <a href={`/subscribe/${newsletter.handle ?? newsletter.id}?lang=${language}`}>{t('own.again')}</a>
        </p>
      ) : null}
      {newsletter.deleted_at === null ? <Preferences {...props} /> : null}
      {kept ? (
        <KeptOfYou {...props} kept={kept} moveNotice={isOfMove ? said : null} />
      ) : (
        <AskForMore language={language} />
      )}
    </main>,
  )
}

function Notice({ newsletter, subscriber, language, notice, movingTo, caught }: OwnPageProps & { notice: OwnNotice }) {
  const t = translator(language)
  return (
    <p className={problems.includes(notice) ? 'note note-problem' : 'note'} role="status">
      {caught ? (
        <>
          {notice === 'moving' ? `${t('own.notice.movingCaught', { to: movingTo })} ` : null}
          {t('page.caught.text')} <a href={outboxOf(newsletter)}>{t('page.caught.read')}</a>
        </>
      ) : (
        t(`own.notice.${notice}`, { address: maskAddress(subscriber.email), to: movingTo })
      )}
    </p>
  )
}

function Preferences({ newsletter, subscriber, language, paused }: OwnPageProps) {
  const t = translator(language)
  const applies = paceOf(subscriber, newsletter)
  // Saving the language alone must not take back a choice that holds again once digests are offered again.
  const chosenBefore = !paused && subscriber.pace !== applies && subscriber.pace !== 'every' ? subscriber.pace : null
  return (
    <section className="part" aria-labelledby="preferences">
      <h2 id="preferences">{t(subscriber.status === 'active' ? 'own.preferences' : 'own.languageAlone')}</h2>
      <form method="post">
        <input type="hidden" name="act" value="preferences" />
        {subscriber.status === 'active' ? (
          <fieldset>
            <legend className="visually-hidden">{t('own.pace')}</legend>
            {paused ? (
              <Pace
                value="keep"
                checked
                title={t('subscribers.page.pause.until', { date: dayIn({ newsletter, language }, paused) })}
                hint={t('subscribers.page.pause.untilHint')}
              />
            ) : null}
            {offeredPaces(newsletter).map((pace) => (
              <Pace
                key={pace}
                value={chosenBefore ? 'keep' : pace}
                checked={!paused && pace === applies}
                title={t(`digests.readersPace.${pace}`)}
                hint={t(chosenBefore ? `digests.choseBefore.${chosenBefore}` : `digests.hint.${pace}`)}
              />
            ))}
            {pauseMonths.map((months) => (
              <Pace
                key={months}
                value={String(months)}
                checked={false}
                title={t('subscribers.page.pause.months', { count: months })}
                hint={t('subscribers.page.pause.hint')}
              />
            ))}
          </fieldset>
        ) : null}
        <div className="pair">
          <fieldset className="languages">
            <legend>{aroundLetters(newsletter, language)}</legend>
            {languages.map((one) => (
              <label key={one} className="choice" lang={one}>
                <input type="radio" name="language" value={one} defaultChecked={subscriber.language === one} />
                {translator(one)('subscribers.page.inThisLanguage')}
              </label>
            ))}
          </fieldset>
          <button type="submit" className="button full-width-on-phones">
            {t('own.save')}
          </button>
        </div>
      </form>
    </section>
  )
}

function Pace({ value, checked, title, hint }: { value: string; checked: boolean; title: string; hint: string }) {
  return (
    <label className="choice pace">
      <input type="radio" name="pace" value={value} defaultChecked={checked} />
      <span>
        <b>{title}</b>
        <span className="small">{hint}</span>
      </span>
    </label>
  )
}

function AskForMore({ language }: { language: Language }) {
  const t = translator(language)
  return (
    <section className="part" aria-labelledby="more">
      <h2 id="more">{t('own.more.title')}</h2>
      <p>{t('own.more.text')}</p>
      <form method="post">
        <button type="submit" name="act" value="mail" className="button button-outline full-width-on-phones">
          {t('own.more.button')}
        </button>
      </form>
    </section>
  )
}

interface EraseAskedProps extends Pick<OwnPageProps, 'newsletter' | 'subscriber' | 'language'> {
  subscriptions: OwnSubscription[]
  hasPaid: boolean
}

/** Asks once more before everything is erased, and says what ends with it. */
export function eraseAskedPage(props: EraseAskedProps): RenderedPage {
  const { newsletter, subscriber, language } = props
  const t = translator(language)
  const title = t('own.erase.title')
  return renderPage(
    { ...frameOf(props), title, hrefIn: null },
    <main className="column own" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead">
        <Sentence
          words={(values) => t('own.erase.text', values)}
          address={subscriber.email}
          newsletter={newsletter.name}
        />
      </p>
      <ul className="consequences">
        <li>{t('own.erase.ends')}</li>
        <EndingPlans {...props} />
        <li>{t('own.erase.stays')}</li>
        {props.hasPaid ? <li>{t('own.erase.paid', { newsletter: newsletter.name })}</li> : null}
        <li>{t('own.erase.fileFirst')}</li>
      </ul>
      <form method="post" className="pair">
        <a href={`?lang=${language}`}>{t('own.erase.keep')}</a>
        <button type="submit" name="act" value="erase" className="button button-danger full-width-on-phones">
          {t('own.erase.button')}
        </button>
      </form>
    </main>,
  )
}

/** Follows the press that erased everything. */
export function erasedPage(language: Language): RenderedPage {
  const t = translator(language)
  return noticePage(null, language, { title: t('own.erase.done'), text: t('own.erase.doneText') })
}
