import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { brandedPage, nameInAddress, noticePage } from '../../newsletters/branded-page.tsx'
import columnSource from '../../page/column.css?raw'
import formSource from '../../page/form.css?raw'
import { inLanguage } from '../../page/language.ts'
import { type RenderedPage, renderPage } from '../../page/render.ts'
import { stylesheet } from '../../page/stylesheet.ts'
import { translator } from '../../translator.ts'
import addressSource from '../address-form.css?raw'
import { AddressForm, type AddressProblem } from '../address-form.tsx'

const style = stylesheet(columnSource, formSource, addressSource)

interface AskPageProps {
  newsletter: NewsletterRow
  language: Language
  email?: string
  problem?: AddressProblem
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
      <AddressForm {...{ language, email, problem }} limit={t('own.ask.limit')} button={t('own.ask.button')} />
    </main>,
  )
}

/** The page after asking. It is the same for known and unknown addresses, so that it reveals nothing. */
export function sentPage(newsletter: NewsletterRow, language: Language, { caught }: { caught: boolean }): RenderedPage {
  const t = translator(language)
  return noticePage(newsletter, language, {
    title: t('own.sent.title'),
    text: t('own.sent.text', { newsletter: newsletter.name }),
    caught,
    action: { label: t('own.sent.again'), href: `/subscribe/${nameInAddress(newsletter)}/me?lang=${language}` },
    hrefIn: (one) => `?lang=${one}&said=sent`,
  })
}
