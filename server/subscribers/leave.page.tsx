import type { ReactNode } from 'react'
import type { NewsletterRow } from '../http/scope.ts'
import { dateFormat, type Language, languageName, locales, otherLanguages } from '../languages.ts'
import { brandedPage, nameInAddress, noticePage } from '../newsletters/branded-page.tsx'
import columnSource from '../page/column.css?raw'
import formSource from '../page/form.css?raw'
import { type RenderedPage, renderPage } from '../page/render.ts'
import { stylesheet } from '../page/stylesheet.ts'
import { translator } from '../translator.ts'
import { maskAddress } from './address.ts'
import { consentWording } from './consent.ts'
import { leaveReasons } from './contract.ts'
import leaveSource from './leave.page.css?raw'
import { pauseMonths, type WayBack } from './leave.ts'
import { offeredPaces, paceOf } from './pace.ts'
import type { SubscriberRow } from './queries.ts'
import { Sentence } from './sentence.tsx'
import { SubscribeButton } from './subscribe-button.tsx'

const style = stylesheet(columnSource, formSource, leaveSource)

/** What the subscriber has just done; `noReason`: sent the question why without an answer. */
export type Notice = 'thanks' | 'noReason' | 'back' | 'language' | 'paced' | 'paused' | 'resumed' | null

interface LeavePageProps {
  newsletter: NewsletterRow
  subscriber: SubscriberRow
  language: Language
  notice: Notice
  /** The same page in another language. */
  hrefIn: (language: Language) => string
}

/** The page of an unsubscribe address. Unsubscribing comes first and is one button. */
export function leavePage(props: LeavePageProps & { paused: Date | null; address: string }): RenderedPage {
  const { newsletter, subscriber, language, notice } = props
  const stays = staysWords(props)
  if (stays) return stayPage(props, stays)
  const t = translator(language)
  const title = t('subscribers.page.leave.title')
  const words = { address: maskAddress(subscriber.email), newsletter: newsletter.name }
  return renderPage(
    {
      ...brandedPage(newsletter, language),
      css: style,
      title: t('subscribers.page.leave.documentTitle'),
      noIndex: true,
      hrefIn: props.hrefIn,
    },
    <main className="column" id="main">
      {notice === 'language' ? (
        <p className="note" role="status">
          {t('subscribers.page.leave.chosen', { language: languageName(subscriber.language, language) })}
        </p>
      ) : null}
      <h1 className="title">{title}</h1>
      <p className="lead">
        <Sentence words={(values) => t('subscribers.page.leave.text', values)} {...words} />
      </p>
      <form method="post">
        <button type="submit" name="act" value="leave" className="button full-width-on-phones">
          {t('subscribers.page.leave.button')}
        </button>
      </form>
      {newsletter.deleted_at === null ? (
        <section className="further">
          <h2>{t('subscribers.page.leave.or')}</h2>
          {subscriber.status === 'active' ? <Paces {...props} /> : null}
          {subscriber.status === 'active' ? <Pause {...props} /> : null}
          <OtherLanguages subscriber={subscriber} language={language} />
        </section>
      ) : null}
    </main>,
  )
}

/** What somebody reads who has just chosen to stay; null for everybody else. */
function staysWords({ newsletter, subscriber, language, notice, paused }: LeavePageProps & { paused: Date | null }) {
  const t = translator(language)
  if (notice === 'back') {
    const words = { address: maskAddress(subscriber.email), newsletter: newsletter.name }
    const date = paused && dayIn({ newsletter, language }, paused)
    const back = (values: Record<'address' | 'newsletter', string>) => {
      if (newsletter.deleted_at !== null) return t('subscribers.page.back.closed', values)
      return date ? t('subscribers.page.back.paused', { ...values, date }) : t('subscribers.page.back.text', values)
    }
    return <Sentence words={back} {...words} />
  }
  if (notice === 'paced') return t(`digests.chosen.${paceOf(subscriber, newsletter)}`, { newsletter: newsletter.name })
  if (notice === 'paused' && paused)
    return t('subscribers.page.pause.done', {
      newsletter: newsletter.name,
      date: dayIn({ newsletter, language }, paused),
    })
  return notice === 'resumed' && !paused ? t('subscribers.page.pause.resumed', { newsletter: newsletter.name }) : null
}

/** Does not ask again whether somebody leaves who has just chosen to stay. */
function stayPage(
  { newsletter, language, notice, address, hrefIn }: LeavePageProps & { address: string },
  words: ReactNode,
): RenderedPage {
  const t = translator(language)
  const title = t(notice === 'back' ? 'subscribers.page.stay.back' : 'subscribers.page.stay.title')
  return renderPage(
    { ...brandedPage(newsletter, language), css: style, title, noIndex: true, hrefIn },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead" role="status">
        {words}
      </p>
      <p>
        <a className="button button-outline full-width-on-phones" href={address}>
          {t('subscribers.page.stay.other')}
        </a>
      </p>
    </main>,
  )
}

/** The day in the newsletter's timezone. */
export const dayIn = (
  { newsletter, language }: { newsletter: Pick<NewsletterRow, 'timezone'>; language: Language },
  at: Date,
): string => dateFormat(locales[language], { dateStyle: 'long', timeZone: newsletter.timezone }).format(at)

interface ChoiceProps {
  of: { name: string; value: string }
  what: string
  hint: string
  button: string
}

/** The button is named with what it chooses: alone it is called as its neighbours are. */
function Choice({ of: { name, value }, what, hint, button }: ChoiceProps) {
  const id = `${name}-${value}`
  return (
    <li>
      <div>
        <b id={`${id}-what`}>{what}</b>
        <span className="small">{hint}</span>
      </div>
      <button
        type="submit"
        id={id}
        name={name}
        value={value}
        aria-labelledby={`${id} ${id}-what`}
        className="button button-outline"
      >
        {button}
      </button>
    </li>
  )
}

/** Less often without leaving: one mail a week or a month, and back to every publication. */
function Paces({ newsletter, subscriber, language }: LeavePageProps) {
  const t = translator(language)
  const others = offeredPaces(newsletter).filter((pace) => pace !== paceOf(subscriber, newsletter))
  if (others.length === 0) return null
  return (
    <form method="post">
      <input type="hidden" name="act" value="pace" />
      <ul>
        {others.map((pace) => (
          <Choice
            key={pace}
            of={{ name: 'pace', value: pace }}
            what={t(`digests.readersPace.${pace}`)}
            hint={t(`digests.hint.${pace}`)}
            button={t('digests.choose')}
          />
        ))}
      </ul>
    </form>
  )
}

/** Nothing for a time, and an end to it at any moment. */
function Pause(props: LeavePageProps & { paused: Date | null }) {
  const { language, paused } = props
  const t = translator(language)
  return (
    <form method="post">
      <input type="hidden" name="act" value={paused ? 'resume' : 'pause'} />
      <ul>
        {paused ? (
          <li>
            <div>
              <b>{t('subscribers.page.pause.until', { date: dayIn(props, paused) })}</b>
              <span className="small">{t('subscribers.page.pause.untilHint')}</span>
            </div>
            <button type="submit" className="button button-outline">
              {t('subscribers.page.pause.resume')}
            </button>
          </li>
        ) : (
          pauseMonths.map((months) => (
            <Choice
              key={months}
              of={{ name: 'months', value: String(months) }}
              what={t('subscribers.page.pause.months', { count: months })}
              hint={t('subscribers.page.pause.hint')}
              button={t('subscribers.page.pause.button')}
            />
          ))
        )}
      </ul>
    </form>
  )
}

function OtherLanguages({ subscriber, language }: { subscriber: SubscriberRow; language: Language }) {
  const t = translator(language)
  return (
    <form method="post">
      <input type="hidden" name="act" value="language" />
      <ul>
        {otherLanguages(subscriber.language).map((other) => (
          <Choice
            key={other}
            of={{ name: 'language', value: other }}
            what={t('subscribers.page.leave.inLanguage', { language: languageName(other, language) })}
            hint={t('subscribers.page.leave.inLanguageHint', { language: languageName(other, language) })}
            button={t('subscribers.page.leave.choose')}
          />
        ))}
      </ul>
    </form>
  )
}

/** The page after unsubscribing: the way back first, then the question why, which needs no answer. */
export function leftPage(props: LeavePageProps & { way: WayBack }): RenderedPage {
  const { newsletter, subscriber, language, notice, way } = props
  const t = translator(language)
  const title = t('subscribers.page.left.title')
  return renderPage(
    {
      ...brandedPage(newsletter, language),
      css: style,
      title,
      noIndex: true,
      hrefIn: props.hrefIn,
    },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead">
        <Sentence
          words={(values) => t('subscribers.page.left.text', values)}
          address={maskAddress(subscriber.email)}
          newsletter={newsletter.name}
        />
      </p>
      {way === 'undo' ? (
        <form method="post">
          <button type="submit" name="act" value="return" className="button button-outline full-width-on-phones">
            {consentWording('return', newsletter.name, language)}
          </button>
        </form>
      ) : way === 'ask' ? (
        <p>{t('subscribers.page.left.ask', { newsletter: newsletter.name })}</p>
      ) : newsletter.deleted_at === null ? (
        <SubscribeButton {...{ newsletter, language }} label={t('subscribers.page.again')} />
      ) : null}
      {notice === 'thanks' || leaveReasons.some((known) => known === subscriber.left_reason) ? (
        <section className="further">
          <p role="status">{t('subscribers.page.left.thanks')}</p>
        </section>
      ) : (
        <Reasons language={language} isMissing={notice === 'noReason'} />
      )}
    </main>,
  )
}

function Reasons({ language, isMissing }: { language: Language; isMissing: boolean }) {
  const t = translator(language)
  return (
    <section className="further">
      <form method="post">
        <fieldset>
          <legend>
            <h2>{t('subscribers.page.left.why')}</h2>
          </legend>
          {isMissing ? (
            <p className="field-problem" id="reason-problem" role="alert">
              {t('subscribers.page.left.choose')}
            </p>
          ) : null}
          {leaveReasons.map((reason, index) => (
            <label key={reason} className="choice reason">
              <input
                type="radio"
                name="reason"
                value={reason}
                {...(isMissing && { 'aria-describedby': 'reason-problem', autoFocus: index === 0 })}
              />
              {t(`subscribers.page.left.${reason}`)}
            </label>
          ))}
        </fieldset>
        <button type="submit" name="act" value="reason" className="button button-outline">
          {t('subscribers.page.left.send')}
        </button>
      </form>
    </section>
  )
}

/** For a link that is cut, or whose subscriber is unknown or was erased. The page is the same for all, so that it reveals nothing. */
export function lostLinkPage(
  newsletter: NewsletterRow | null,
  language: Language,
  of: 'leave' | 'own' | 'confirm',
): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('subscribers.page.lostLink.title'),
    text: t(`subscribers.page.lostLink.${of}`),
    action: newsletter && {
      label: t('subscribers.page.lostLink.button'),
      href: `/subscribe/${nameInAddress(newsletter)}/me?lang=${language}`,
    },
  })
}

/** For the unsubscribe address in a test mail. */
export function testMailPage(newsletter: NewsletterRow, language: Language): RenderedPage {
  const t = translator(language)
  const words = { title: t('subscribers.page.testMail.title'), text: t('subscribers.page.testMail.text') }
  return noticePage(newsletter, language, words)
}
