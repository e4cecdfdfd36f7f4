import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { dateline, PublicationMail, type PublicationMailProps } from './frame.email.tsx'
import { Letter, type LetterProps, smallPrint } from './letter.email.tsx'

export interface RenderedMail {
  html: string
  /** The same for clients and people who prefer plain text. */
  text: string
}

const doctype = '<!doctype html>\n'

/** One line may hold 998 octets (RFC 5322 section 2.1.1): the markup breaks between rows, where space has no meaning. */
export const mailMarkup = (mail: ReactElement): string =>
  doctype + renderToStaticMarkup(mail).replaceAll('</tr><tr>', '</tr>\n<tr>')

/** A publication with its frame; `bodyText` is what `renderText` made of the same document. */
export function renderPublicationMail(props: PublicationMailProps, bodyText: string): RenderedMail {
  return { html: mailMarkup(createElement(PublicationMail, props)), text: publicationText(props, bodyText) }
}

function publicationText(props: PublicationMailProps, bodyText: string): string {
  const { t, newsletter, title, standfirst, webAddress, unsubscribeAddress, dataAddress, postalAddress, reason } = props
  const head = [
    newsletter,
    dateline(props),
    ...(webAddress ? [`${t('email.readOnWeb')}: ${webAddress}`] : []),
    '',
    title,
    '='.repeat(Math.min(76, [...title].length)),
    ...(standfirst ? ['', standfirst] : []),
  ]
  const foot = [
    '-- ',
    reason ?? t('email.reason', { newsletter }),
    `${t('email.unsubscribe')}: ${unsubscribeAddress}`,
    ...(dataAddress ? [`${t('email.yourData')}: ${dataAddress}`] : []),
    ...(postalAddress ? ['', postalAddress] : []),
  ]
  return `${[...head, '', bodyText.trimEnd(), '', ...foot].join('\n')}\n`
}

/** A short mail with one thing to do. */
export function renderLetter(props: LetterProps): RenderedMail {
  return { html: mailMarkup(createElement(Letter, props)), text: letterText(props) }
}

function letterText(props: LetterProps): string {
  const { from, title, paragraphs, action, postalAddress } = props
  return `${[
    from,
    '',
    title,
    '='.repeat(Math.min(76, [...title].length)),
    ...paragraphs.flatMap((paragraph) => ['', paragraph]),
    ...(action ? ['', `${action.label}:`, action.address] : []),
    '',
    ...smallPrint(props),
    ...(postalAddress ? ['', postalAddress] : []),
  ].join('\n')}\n`
}
