import { createElement, type ReactElement } from 'react'
import { staticMarkup } from '../page/static-markup.ts'
import { postalLines } from '../postal-lines.ts'
import { dateline, PublicationMail, type PublicationMailProps } from './frame.email.tsx'
import { withOutlook } from './outlook.ts'
import { columns, wrap } from './plain-lines.ts'
import { SystemMailEmail, type SystemMailProps, smallPrint } from './system-mail.email.tsx'
import { mailWidth } from './tokens.ts'

export interface RenderedMail {
  html: string
  /** The same as plain text. */
  text: string
}

const lineWidth = 76

const underline = (title: string): string => '='.repeat(Math.max(...wrap(title, lineWidth).map(columns)))

const doctype = '<!doctype html>\n'

/** The whole message as HTML. Each table row is on a line of its own, so that people can read the source. */
const mailMarkup = (mail: ReactElement): string =>
  doctype + withOutlook(staticMarkup(mail), mailWidth).replaceAll('</tr><tr>', '</tr>\n<tr>')

/** A publication with its frame; `bodyText` is what `renderText` made of the same document. */
export function renderPublicationMail(props: PublicationMailProps, bodyText: string): RenderedMail {
  return { html: mailMarkup(createElement(PublicationMail, props)), text: publicationText(props, bodyText) }
}

function publicationText(props: PublicationMailProps, bodyText: string): string {
  const {
    t,
    newsletter,
    title,
    standfirst,
    webAddress,
    unsubscribeAddress,
    dataAddress,
    postalAddress,
    reason,
    paywall,
  } = props
  const head = [
    newsletter,
    dateline(props),
    ...(webAddress ? [t('email.named', { name: t('email.readOnWeb'), value: webAddress })] : []),
    '',
    ...wrap(title, lineWidth),
    underline(title),
    ...(standfirst ? ['', ...wrap(standfirst, lineWidth)] : []),
  ]
  const rest = paywall
    ? [
        '',
        '-'.repeat(40),
        ...wrap(`${t('paywall.title')}. ${t('paywall.text', { count: paywall.minutes })}`, lineWidth),
        t('email.named', { name: t('paywall.readOn'), value: paywall.address }),
        ...(paywall.test ? wrap(t('readers.testBand'), lineWidth) : []),
      ]
    : []
  const foot = [
    '-- ',
    ...wrap(reason ?? t('email.reason', { newsletter }), lineWidth),
    t('email.named', { name: t('email.unsubscribe'), value: unsubscribeAddress }),
    ...(dataAddress ? [t('email.named', { name: t('email.yourData'), value: dataAddress })] : []),
    ...(postalAddress ? ['', ...postalLines(postalAddress)] : []),
  ]
  return `${[...head, '', bodyText.trimEnd(), ...rest, '', ...foot].join('\n')}\n`
}

/** A short mail with one thing to do. */
export function renderSystemMail(props: SystemMailProps): RenderedMail {
  return { html: mailMarkup(createElement(SystemMailEmail, props)), text: systemText(props) }
}

function systemText(props: SystemMailProps): string {
  const { t, from, title, paragraphs, link, action, postalAddress } = props
  return `${[
    from,
    '',
    ...wrap(title, lineWidth),
    underline(title),
    ...paragraphs.flatMap((paragraph) => ['', ...wrap(paragraph, lineWidth)]),
    ...[link, action].flatMap((way) =>
      way ? ['', t('email.named', { name: way.label, value: '' }).trimEnd(), way.address] : [],
    ),
    '',
    ...smallPrint(props).flatMap((line) => wrap(line, lineWidth)),
    ...(postalAddress ? ['', ...postalLines(postalAddress)] : []),
  ].join('\n')}\n`
}
