import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { brandedPage } from '../../newsletters/branded-page.tsx'
import { brandStyle } from '../../newsletters/branding.ts'
import columnSource from '../../page/column.css?raw'
import formSource from '../../page/form.css?raw'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { scriptAddress } from '../../page/scripts.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { maskAddress } from '../../subscribers/address.ts'
import addressSource from '../../subscribers/address-form.css?raw'
import type { Receipt } from '../../subscribers/consent.ts'
import { EmailField, emailFault } from '../../subscribers/email-field.tsx'
import { Honeypot } from '../../subscribers/honeypot.tsx'
import { ProofField } from '../../subscribers/proof-field.tsx'
import { Sentence } from '../../subscribers/sentence.tsx'
import { translator } from '../../translator.ts'
import { RecommendedForm, recommendedSources } from '../recommendations/recommended.page.tsx'
import type { Recommended } from '../recommendations/recommended.ts'
import optInSource from './opt-in.page.css?raw'
import type { Campaign } from './queries.ts'
import saidSource from './said.page.css?raw'
import { partsRead, passedOn, type WordsIn, whatFollows } from './wording.ts'

const askStyle = stylesheet(formSource, optInSource)
const saidStyle = stylesheet(columnSource, addressSource, saidSource)
const saidAndRecommendedStyle = stylesheet(...recommendedSources, addressSource, saidSource)

export type OptInProblem = 'email' | 'limit' | 'proof' | 'changed' | 'notYet' | 'refused'

export interface OptInPageProps {
  newsletter: NewsletterRow
  campaign: Campaign
  language: Language
  shown: WordsIn
  /** The rest of the address, which a change of language keeps. */
  query: URLSearchParams
}

/** Who presses the button. `typed`: nobody is known, so an address is asked for. */
export type Presser = { kind: 'signed' | 'proven'; email: string } | { kind: 'typed'; email: string; pressed: boolean }

interface AskProps extends OptInPageProps {
  presser: Presser
  problem?: OptInProblem | null
  /** That nothing happens here: a test mail, or a member's preview. */
  band?: string | null
}

const frameOf = ({ newsletter, campaign, language, query }: OptInPageProps, title: string) => ({
  ...brandedPage(newsletter, language),
  style: brandStyle(campaign.accent ?? newsletter.accent, newsletter.pairing),
  title,
  noIndex: true,
  hrefIn: (other: Language) => queryWith(query, { lang: other }),
})

export const queryWith = (query: URLSearchParams, values: Record<string, string>): string =>
  `?${new URLSearchParams({ ...Object.fromEntries(query), ...values })}`

/** Asks. Nothing happens unless somebody presses the button, and nothing is ticked in advance. */
export function askPage({ presser, problem = null, band = null, ...of }: AskProps): RenderedPage {
  const { newsletter, campaign, language, shown, query } = of
  const { words } = shown
  const t = translator(language)
  const isPressed = presser.kind === 'typed' && presser.pressed
  const lang = shown.language === language ? {} : { lang: shown.language }
  return renderPage(
    { ...frameOf(of, words.question), css: askStyle, band, script: isPressed ? scriptAddress('prove') : null },
    <main className="opt-in" id="main">
      <div>
        <h1 className="title" {...lang}>
          {words.question}
        </h1>
        <p className="lead" {...lang}>
          {words.offer}
        </p>
        {problem && problem !== 'email' ? (
          <p className="note note-problem" role="alert">
            {t(`optIn.problem.${problem}`)}
          </p>
        ) : null}
        <form method="post" noValidate>
          <input type="hidden" name="version" value={campaign.version} />
          <input type="hidden" name="words" value={shown.language} />
          {presser.kind === 'typed' ? (
            <>
              <EmailField
                language={language}
                typed={presser.email}
                problem={problem === 'email' ? 'email-problem' : null}
              >
                {problem === 'email' ? (
                  <p className="field-problem" id="email-problem" role="alert">
                    {emailFault(t, presser.email)}
                  </p>
                ) : null}
              </EmailField>
              <Honeypot language={language} />
              {presser.pressed ? (
                <ProofField newsletter={newsletter} language={language} subject={words.question} />
              ) : null}
            </>
          ) : (
            <p className="for-whom">
              <Sentence
                // An address that was typed may be anybody's: whether it reads the newsletter is not told.
                words={(values) => t(presser.kind === 'signed' ? 'optIn.forWhom' : 'optIn.forAddress', values)}
                address={maskAddress(presser.email)}
                newsletter={newsletter.name}
              />{' '}
              {presser.kind === 'signed' ? (
                <a href={queryWith(without(query, 'k'), { lang: language })}>{t('optIn.notYou')}</a>
              ) : null}
            </p>
          )}
          <p id="what-follows">
            {whatFollows(campaign, newsletter.name, { language, joins: presser.kind !== 'signed' })}
          </p>
          <div className="answers">
            <button type="submit" name="act" value="yes" className="button" aria-describedby="what-follows" {...lang}>
              {words.yes}
            </button>
            <a className="button" href={queryWith(query, { lang: language, said: 'no' })}>
              {t('optIn.no')}
            </a>
          </div>
        </form>
        <p className="small">{presser.kind === 'typed' ? t('optIn.nothingYetTyped') : t('optIn.nothingYet')}</p>
      </div>
      <PassedOn {...of} email={presser.kind === 'typed' ? null : presser.email} joins={presser.kind !== 'signed'} />
    </main>,
  )
}

export const without = (query: URLSearchParams, name: string): URLSearchParams => {
  const rest = new URLSearchParams(query)
  rest.delete(name)
  return rest
}

const kept = ['name', 'reading', 'payments'] as const

function PassedOn({
  newsletter,
  campaign,
  language,
  email,
  joins,
}: OptInPageProps & { email: string | null; joins: boolean }) {
  const t = translator(language)
  const isSponsor = campaign.beneficiary === 'sponsor'
  const address =
    email === null ? t('optIn.passed.address') : t('optIn.passed.thisAddress', { address: maskAddress(email) })
  return (
    <aside className="passed-on" aria-label={t('optIn.passed.title')}>
      {campaign.beneficiary === 'newsletter' ? null : (
        <>
          <h2>{t('optIn.passed.title')}</h2>
          <ul>
            <li className="is-passed">
              <span>{address}</span> <span>{t('optIn.passed.yes')}</span>
            </li>
            {kept.map((one) => (
              <li key={one}>
                <span>{t(`optIn.passed.${one}`)}</span> <span>{t('optIn.passed.no')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{t('optIn.whoAndHowLong')}</h2>
      {passedOn(campaign, newsletter.name, { language, joins }).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {isSponsor && campaign.sponsorPrivacy ? (
        <p>
          <a href={campaign.sponsorPrivacy} rel="nofollow noopener">
            {t('optIn.privacy', { who: campaign.sponsorName })}
          </a>
        </p>
      ) : null}
      <h2>{t('optIn.receipt.title')}</h2>
      <p>{t('optIn.receipt.text')}</p>
    </aside>
  )
}

const receiptWords = { sent: 'optIn.said.text', caught: 'optIn.said.caught', read: 'optIn.said.from' } as const

/** Thanks whoever said yes, in the owner's words, with the button that takes it back. */
export function saidPage({
  email,
  read,
  recommended,
  receipt,
  ...of
}: OptInPageProps & {
  email: string
  /** What was read before the yes, as its receipt has it. */
  read: Pick<Receipt, 'wording' | 'language'> | null
  recommended: Recommended | null
  /** Where the receipt is: sent, caught on the reader's own machine, or where they have just come from. */
  receipt: keyof typeof receiptWords
}): RenderedPage {
  const { language, shown, newsletter } = of
  const t = translator(language)
  const title = t('optIn.said.title')
  return renderPage(
    { ...frameOf(of, title), css: recommended ? saidAndRecommendedStyle : saidStyle },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead" {...(shown.language === language ? {} : { lang: shown.language })}>
        {shown.words.afterYes}
      </p>
      <p>
        <Sentence
          words={(values) => t(receiptWords[receipt], values)}
          address={maskAddress(email)}
          newsletter={newsletter.name}
        />
      </p>
      <form method="post">
        <p className="address-button">
          <button type="submit" name="act" value="undo" className="button button-outline full-width-on-phones">
            {t('optIn.said.undo')}
          </button>
        </p>
      </form>
      {read ? (
        <section className="said-to">
          <h2>{t('optIn.said.read')}</h2>
          {partsRead(read.wording).map((paragraph) => (
            <p key={paragraph} {...(read.language === language ? {} : { lang: read.language })}>
              {paragraph}
            </p>
          ))}
        </section>
      ) : null}
      {recommended ? <RecommendedForm newsletter={newsletter} language={language} {...recommended} /> : null}
    </main>,
  )
}
