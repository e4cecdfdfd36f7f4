import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { brandedPage, nameInAddress, noticePage } from '../../newsletters/branded-page.tsx'
import columnSource from '../../page/column.css?raw'
import formSource from '../../page/form.css?raw'
import { inLanguage } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { translator } from '../../translator.ts'
import { EmailField } from '../email-field.tsx'
import { HONEYPOT } from '../subscribe.page.tsx'
import askSource from './ask.page.css?raw'

const style = stylesheet(columnSource, formSource, askSource)

export type AskProblem = 'email' | 'limit'

interface AskPageProps {
  newsletter: NewsletterRow
  language: Language
  email?: string
  problem?: AskProblem
}

/** Asks for the address to which the link of its own page is sent. */
export function askPage({ newsletter, language, email = '', problem }: AskPageProps): RenderedPage {
  const t = translator(language)
  const title = t('own.ask.title')
  return renderPage(
    { ...brandedPage(newsletter, language), css: style, title, noIndex: true, hrefIn: inLanguage },
    <main className="column" id="main">
      <h1 className="title">{title}</h1>
      <p className="lead">{t('own.ask.text', { newsletter: newsletter.name })}</p>
      <form method="post" noValidate>
        {problem === 'limit' ? (
          <p className="note note-problem" role="alert">
            {t('own.ask.limit')}
          </p>
        ) : null}
        <EmailField language={language} typed={email} problem={problem === 'email' ? 'email-problem' : null}>
          {problem === 'email' ? (
            <p className="field-problem" id="email-problem" role="alert">
              {t('subscribers.page.problem.email')}
            </p>
          ) : null}
        </EmailField>
        <div className="hidden-field" aria-hidden="true">
          <label>
            {t('subscribers.page.leaveEmpty')}
            <input type="text" name={HONEYPOT} tabIndex={-1} autoComplete="off" />
          </label>
        </div>
        <p className="ask-button">
          <button type="submit" className="button full-width-on-phones">
            {t('own.ask.button')}
          </button>
        </p>
      </form>
    </main>,
  )
}

/** The page after asking. It is the same for known and unknown addresses, so that it reveals nothing. */
export function sentPage(newsletter: NewsletterRow, language: Language): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('own.sent.title'),
    text: t('own.sent.text', { newsletter: newsletter.name }),
    action: { label: t('own.sent.again'), href: `/subscribe/${nameInAddress(newsletter)}/me?lang=${language}` },
  })
}
