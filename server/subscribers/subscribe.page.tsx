import { holdMarks } from '../../i18n/french-spaces.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { type Language, languageName, languages } from '../languages.ts'
import { brandedPage, CaughtMail, nameInAddress, noticePage, publicationAddress } from '../newsletters/branded-page.tsx'
import columnSource from '../page/column.css?raw'
import formSource from '../page/form.css?raw'
import { inLanguage, pageAddresses } from '../page/language.ts'
import { type RenderedPage, renderPage } from '../page/render.ts'
import { coverAddress } from '../page/routes.ts'
import { scriptAddress } from '../page/scripts.ts'
import { stylesheet } from '../page/stylesheet.ts'
import { typeset } from '../publications/document/typography.ts'
import { translator } from '../translator.ts'
import { consentWording } from './consent.ts'
import { EmailField, emailFault } from './email-field.tsx'
import { Honeypot } from './honeypot.tsx'
import { ProofField } from './proof-field.tsx'
import type { Recent } from './queries.ts'
import { Sentence } from './sentence.tsx'
import subscribeSource from './subscribe.page.css?raw'

/** Beside the field that it is about. */
type FieldProblem = 'email' | 'consent' | 'typo' | 'role' | 'disposable'
/** Above the whole form. */
type FormProblem = 'limit' | 'away' | 'notYet' | 'proof'
const addressProblems = ['email', 'role', 'disposable'] as const
const formProblems: readonly FormProblem[] = ['limit', 'away', 'notYet', 'proof']

/** The submitted form, to be shown again with its problem. */
export interface SubmittedForm {
  email: string
  language: Language
  consent: boolean
  problem: FieldProblem | FormProblem | null
  /** What was probably meant by the address, when it looks mistyped. */
  meant?: string
}

export interface SubscribePageProps {
  publicUrl: string
  newsletter: NewsletterRow
  language: Language
  /** The language that the address names, or null where the page follows the browser. */
  chosen: Language | null
  recent: Recent[]
  /** Whether each request needs a proof of work now. */
  pressed: boolean
  /** Where the visitor said to come from (`?from=`), which a change of language keeps. */
  from: string | null
  /** Whether anybody can subscribe: not while the newsletter may not mail. */
  open: boolean
  submitted?: SubmittedForm
}

const LONG_NAME = 16
/** So many signs of one word fill a line of a phone in the widest of the faces. */
const LONG_WORD = 9

const isLong = (name: string): boolean =>
  name.length > LONG_NAME || name.split(/\s/).some((word) => word.length > LONG_WORD)

const subscribeStyle = stylesheet(formSource, subscribeSource)
const askedStyle = stylesheet(columnSource)

export function subscribePage(props: SubscribePageProps): RenderedPage {
  const { publicUrl, newsletter, language, chosen, recent, from } = props
  const t = translator(language)
  const name = nameInAddress(newsletter)
  const frame = brandedPage(newsletter, language)
  const drawing = { seed: newsletter.id, inks: frame.style }
  return renderPage(
    {
      ...frame,
      css: subscribeStyle,
      bare: true,
      title: t('subscribers.page.title', { newsletter: newsletter.name }),
      description: newsletter.description || null,
      ...pageAddresses(`${publicUrl}/subscribe/${name}`, { chosen }),
      script: props.pressed ? scriptAddress('prove') : null,
      hrefIn: (other) => `/subscribe/${name}?${new URLSearchParams({ lang: other, ...(from !== null && { from }) })}`,
      picture: `${publicUrl}${coverAddress({ ...drawing, shape: 'wide', format: 'png' })}`,
    },
    <main className="subscribe" id="main">
      <section className="subscribe-text">
        <div className="subscribe-content">
          <h1 className={isLong(newsletter.name) ? 'title long' : 'title'}>{holdMarks(newsletter.name)}</h1>
          <p className="tagline" lang={newsletter.description ? newsletter.language : language}>
            {typeset(newsletter.description, newsletter.language) || t('subscribers.page.tagline')}
          </p>
          {props.open ? <SubscribeForm {...props} /> : <p className="note">{t('subscribers.page.notYet')}</p>}
          {recent.length > 0 ? <RecentList {...{ recent, newsletter, language }} /> : null}
        </div>
      </section>
      <figure className="cover">
        <picture>
          <source media="(max-width:700px)" srcSet={coverAddress({ ...drawing, shape: 'small' })} />
          <img src={coverAddress({ ...drawing, shape: 'tall' })} alt="" />
        </picture>
      </figure>
    </main>,
  )
}

function SubscribeForm({ newsletter, language, pressed, submitted }: SubscribePageProps) {
  const t = translator(language)
  const problem = submitted?.problem ?? null
  const formProblem = formProblems.find((one) => one === problem)
  const addressProblem = addressProblems.find((one) => one === problem)
  const ofAddress = addressProblem || problem === 'typo' ? 'email' : problem
  const lacksConsent = submitted?.consent === false
  const words = { newsletter: newsletter.name }
  const chosen = submitted?.language ?? language
  return (
    <form method="post" noValidate>
      {formProblem ? (
        <p className="note note-problem" role="alert">
          {t(`subscribers.page.problem.${formProblem}`)}
        </p>
      ) : null}
      <EmailField
        language={language}
        typed={submitted?.email ?? ''}
        problem={ofAddress === 'email' ? 'email-problem' : null}
      >
        {problem === 'typo' ? (
          <Meant language={language} typed={submitted?.email ?? ''} meant={submitted?.meant ?? ''} />
        ) : (
          <Problem
            of="email"
            shown={ofAddress === 'email'}
            text={
              addressProblem
                ? t(`subscribers.page.problem.${addressProblem}`, words)
                : emailFault(t, submitted?.email ?? '')
            }
          />
        )}
      </EmailField>
      <fieldset className="language-choices">
        <legend>{aroundLetters(newsletter, language)}</legend>
        {languages.map((one) => (
          <label key={one} className="choice language-choice" lang={one}>
            <input type="radio" name="language" value={one} defaultChecked={chosen === one} />
            {translator(one)('subscribers.page.inThisLanguage')}
          </label>
        ))}
      </fieldset>
      <label className="choice consent">
        <input
          type="checkbox"
          name="consent"
          value="yes"
          defaultChecked={submitted?.consent ?? false}
          required
          {...(lacksConsent && {
            'aria-invalid': true,
            'aria-describedby': 'consent-problem',
            autoFocus: problem === 'consent',
          })}
        />
        <span>{consentWording('yes', newsletter.name, language)}</span>
      </label>
      <Problem of="consent" shown={lacksConsent} text={t('subscribers.page.problem.consent', words)} />
      <Honeypot language={language} />
      {pressed ? <ProofField newsletter={newsletter} language={language} /> : null}
      <button type="submit" className="button subscribe-button">
        {t('subscribers.page.subscribe')}
      </button>
      <p className="small">{promise(newsletter, language)}</p>
    </form>
  )
}

/** What comes first, and what is kept of a subscriber by the newsletter's settings of today. */
function promise({ opt_in, open_privacy: opens, click_privacy: clicks }: NewsletterRow, language: Language): string {
  const t = translator(language)
  return [
    opt_in === 'single' ? '' : t('subscribers.page.promise.double'),
    t('subscribers.page.promise.kept'),
    ...(opens === clicks
      ? [t(`subscribers.page.promise.both.${opens}`)]
      : [t(`own.counted.${opens}`), t(`own.clicked.${clicks}`)]),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Offers the address that was probably meant. Either button sends the form; nothing was stored before. */
function Meant({ language, typed, meant }: { language: Language; typed: string; meant: string }) {
  const t = translator(language)
  return (
    <div className="meant" id="email-problem" role="alert">
      <p>{t('subscribers.page.meant.ask', { address: meant })}</p>
      <button type="submit" name="choice" value="meant" className="button button-outline">
        {t('subscribers.page.meant.yes', { address: meant })}
      </button>
      <button type="submit" name="choice" value="typed" className="button button-outline">
        {t('subscribers.page.meant.no', { address: typed })}
      </button>
    </div>
  )
}

function Problem({ of, shown, text }: { of: 'email' | 'consent'; shown: boolean; text: string }) {
  return shown ? (
    <p className="field-problem" id={`${of}-problem`} role="alert">
      {text}
    </p>
  ) : null
}

function RecentList({ recent, newsletter, language }: Pick<SubscribePageProps, 'recent' | 'newsletter' | 'language'>) {
  const t = translator(language)
  return (
    <div className="recent">
      <h2>{t('subscribers.page.recent')}</h2>
      <ul>
        {recent.map(({ id, slug, number, title, language: its }) => (
          <li key={id}>
            <a href={publicationAddress(newsletter, slug ?? id, language)} lang={its}>
              {number === null ? null : <span lang={language}>{t('subscribers.page.numbered', { number })}</span>}
              {typeset(title, its)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface AskedPageProps {
  language: Language
  /** Its mail is caught on the reader's own machine, so the mail is not in an inbox. */
  caught: boolean
}

/** The page after a request to subscribe. It is the same for known and unknown addresses, so that it reveals nothing. */
export function askedPage(newsletter: NewsletterRow, { language, caught }: AskedPageProps): RenderedPage {
  const t = translator(language)
  const kind = newsletter.opt_in === 'single' ? 'askedAtOnce' : 'asked'
  const waits = caught && kind === 'asked'
  const title = t(waits ? 'page.caught.title' : `subscribers.page.${kind}.title`)
  return renderPage(
    {
      ...brandedPage(newsletter, language),
      css: askedStyle,
      title,
      noIndex: true,
      hrefIn: inLanguage,
    },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      {waits ? null : (
        <p className="lead">
          <Sentence words={(values) => t(`subscribers.page.${kind}.text`, values)} newsletter={newsletter.name} />
        </p>
      )}
      {caught ? <CaughtMail newsletter={newsletter} language={language} /> : null}
      <p className="small">
        {t(`subscribers.page.${waits ? 'askedAtOnce' : kind}.hint`)}{' '}
        <a href={`/subscribe/${nameInAddress(newsletter)}?lang=${language}`}>{t('subscribers.page.asked.again')}</a>
      </p>
    </main>,
  )
}

/** For an unknown newsletter, or one that is closed. */
export function closedPage(language: Language): RenderedPage {
  const t = translator(language)
  return noticePage(null, language, {
    title: t('publications.noNewsletter.title'),
    text: t('publications.noNewsletter.text'),
  })
}

/** Says what the choice of a language is of: letters stay in the language that they are written in. */
export const aroundLetters = (
  { name, language: written }: Pick<NewsletterRow, 'name' | 'language'>,
  language: Language,
) =>
  translator(language)('subscribers.page.aroundLetters', {
    newsletter: name,
    language: languageName(written, language),
  })
