import { type CSSProperties, createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { holdMarks } from '../../i18n/french-spaces.ts'
import type { Language } from '../languages.ts'
import { type BrandStyle, day } from '../page/brand-style.ts'
import { postalLines } from '../postal-lines.ts'
import type { Translate } from '../translator.ts'
import { MailPaywall } from './paywall.email.tsx'
import { fixedLayout, gutter, layout, mailFont, mailRules, mailWidth, smallStyle } from './tokens.ts'

export interface SheetProps {
  language: Language
  /** Writing direction of the whole mail; a block may have its own. */
  dir?: 'ltr' | 'rtl'
  title: string
  /** What inboxes show beside the subject; hidden in the mail itself. */
  preheader: string
  style: BrandStyle
  /** Rules to add to the head: `nightStyle(document, true)`. */
  rules?: string
  /** Rows (`tr`) of the sheet. */
  children: ReactNode
}

/** Invisible characters after the preheader, so that inboxes do not fill their preview line with the text of the mail. */
const previewFill = '\u{34F}\u{200C}\u{A0}'.repeat(80)

/**
 * The preheader is hidden by the rule of its class; where rules in the head are removed, it has no height. Spam filters
 * count tiny fonts, and `display:none` in a style attribute.
 */
const hidden: CSSProperties = { maxHeight: 0, overflow: 'hidden', opacity: 0 }

/** `start` would follow the direction by itself, but Yahoo and Outlook for Windows do not know it. */
const sheet = (dir: 'ltr' | 'rtl'): CSSProperties => ({
  ...fixedLayout,
  width: '100%',
  maxWidth: mailWidth,
  background: day.paper,
  textAlign: dir === 'rtl' ? 'right' : 'left',
  wordWrap: 'break-word',
})

/**
 * What every mail has in common: a sheet at most 600 pixels wide, light colours inline, and one media query for dark mode.
 * `withOutlook` makes the sheet 600 pixels wide for Outlook.
 */
export function Sheet({ language, dir = 'ltr', title, preheader, style, rules = '', children }: SheetProps) {
  return (
    <html lang={language} dir={dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,address=no,email=no,date=no" />
        <title>{title}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: built from checked colours, and a style element needs it raw */}
        <style dangerouslySetInnerHTML={{ __html: mailRules(style) + rules }} />
      </head>
      <body className="bg" style={{ margin: 0, padding: 0, background: day.desk }}>
        {preheader ? (
          <div className="pre" style={hidden}>
            {preheader + previewFill}
          </div>
        ) : null}
        <table {...layout} className="bg" style={{ ...fixedLayout, background: day.desk }} lang={language} dir={dir}>
          <tbody>
            <tr>
              <td align="center" style={{ padding: '28px 0 36px' }}>
                {createElement(
                  'sheet',
                  null,
                  <table {...layout} className="wrap" dir={dir} style={sheet(dir)}>
                    <tbody>{children}</tbody>
                  </table>,
                )}
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  )
}

const nameStyle = (style: BrandStyle): CSSProperties => ({
  fontFamily: mailFont(style.display),
  fontSize: 25,
  lineHeight: '30px',
  fontWeight: 500,
  letterSpacing: '-.3px',
  color: day.ink,
})

export interface PublicationMailProps extends Omit<SheetProps, 'children'> {
  /** In the reader's language: the words around the publication, which is in `language`. */
  t: Translate
  readerLanguage?: Language
  newsletter: string
  /** The address of a picture that stands for the name. */
  logo?: string | null
  /** Null for a publication without a number. */
  number: number | null
  /** Formatted in the reader's language and the newsletter's timezone. */
  date: string
  webAddress: string | null
  standfirst: string | null
  /** `night`: for mail programs that are dark, where there is one. */
  cover?: { src: string; night: string | null; alt: string } | null
  /** What `renderEmailBody` made. */
  body: ReactElement
  /** Where the body ends for those who may not read on: how many minutes the rest takes, where it is, and whether it can only be tried. */
  paywall?: { minutes: number; address: string; test: boolean } | null
  /** Why the reader gets this; by default that they said yes. */
  reason?: string
  unsubscribeAddress: string
  dataAddress?: string | null
  postalAddress: string | null
  /** A picture of one pixel; left out where opens are not counted. */
  pixelAddress?: string | null
  /** An address for programs that follow all of them; left out where clicks are not counted for each person. */
  canaryAddress?: string | null
}

/** A publication as a mail: masthead, title, cover, body, and a footer with the unsubscribe link. */
export function PublicationMail(props: PublicationMailProps): ReactElement {
  return (
    <Sheet {...props}>
      <Masthead {...props} />
      <Title {...props} />
      {props.cover ? <Cover cover={props.cover} /> : null}
      <tr>
        <td>{props.body}</td>
      </tr>
      {props.paywall ? <MailPaywall {...props} {...props.paywall} lang={foreign(props)} /> : null}
      <Footer {...props} />
    </Sheet>
  )
}

/**
 * A logo of any form keeps its proportions: only Outlook for Windows, which knows no `max-height`, reads the attribute.
 * Where pictures are blocked, the name shows.
 */
export const Logo = ({ src, name, style }: { src: string; name: string; style: BrandStyle }): ReactElement => (
  <img
    className="tx"
    src={src}
    height={44}
    alt={name}
    style={{
      ...nameStyle(style),
      display: 'block',
      width: 'auto',
      maxWidth: 240,
      height: 'auto',
      maxHeight: 44,
      fontSize: 20,
      lineHeight: '22px',
    }}
  />
)

/** The line beside the newsletter's name: number and date. */
export const dateline = ({ t, number, date }: Pick<PublicationMailProps, 't' | 'number' | 'date'>): string =>
  number === null ? date : t('email.numbered', { number, date })

/** The `lang` of what is not in the publication's language, so that screen readers pronounce it well. */
const foreign = ({ language, readerLanguage = language }: PublicationMailProps): string | undefined =>
  readerLanguage === language ? undefined : readerLanguage

function Masthead(props: PublicationMailProps): ReactElement {
  const { t, newsletter, logo, webAddress, style, dir = 'ltr' } = props
  const name = holdMarks(newsletter)
  return (
    <>
      <tr>
        <td className="px" style={{ padding: `26px ${gutter}px 0` }}>
          <table {...layout} style={fixedLayout}>
            <tbody>
              <tr>
                <td className="tx" width="58%" style={nameStyle(style)}>
                  {logo ? <Logo src={logo} name={name} style={style} /> : name}
                </td>
                <td
                  className="mu"
                  width="42%"
                  align={dir === 'rtl' ? 'left' : 'right'}
                  lang={foreign(props)}
                  style={{ ...smallStyle(style), lineHeight: '20px' }}
                >
                  {dateline(props)}
                  {webAddress ? (
                    <>
                      <br />
                      <a href={webAddress} style={{ color: style.accent }}>
                        {t('email.readOnWeb')}
                      </a>
                    </>
                  ) : null}
                </td>
              </tr>
            </tbody>
          </table>
        </td>
      </tr>
      <tr>
        <td className="px" style={{ padding: `14px ${gutter}px 0` }}>
          <table {...layout}>
            <tbody>
              <tr>
                <td className="rl" style={{ borderTop: `1px solid ${style.accent}`, fontSize: 0, lineHeight: 0 }}>
                  {'\u{A0}'}
                </td>
              </tr>
            </tbody>
          </table>
        </td>
      </tr>
    </>
  )
}

function Title({ title, standfirst, style }: PublicationMailProps): ReactElement {
  const heading: CSSProperties = {
    margin: 0,
    fontFamily: mailFont(style.display),
    fontSize: 46,
    lineHeight: '49px',
    fontWeight: 500,
    letterSpacing: '-1.1px',
    color: day.ink,
  }
  const italic: CSSProperties = {
    fontFamily: mailFont(style.text),
    fontStyle: 'italic',
    fontSize: 20,
    lineHeight: '29px',
  }
  return (
    <>
      <tr>
        <td className="px tx" style={{ padding: `28px ${gutter}px ${standfirst ? 0 : 26}px` }}>
          <h1 className="h1" style={heading}>
            {title}
          </h1>
        </td>
      </tr>
      {standfirst ? (
        <tr>
          <td className="px mu" style={{ padding: `12px ${gutter}px 26px`, ...italic, color: day.ink2 }}>
            {standfirst}
          </td>
        </tr>
      ) : null}
    </>
  )
}

/** Without a height: where pictures are blocked, no empty box stays. */
function Cover({ cover }: { cover: NonNullable<PublicationMailProps['cover']> }): ReactElement {
  const picture = (
    <img
      src={cover.src}
      width={mailWidth}
      alt={cover.alt}
      style={{ display: 'block', width: '100%', maxWidth: mailWidth, height: 'auto', border: 0 }}
    />
  )
  return (
    <tr>
      <td style={{ padding: '0 0 30px' }}>
        {cover.night ? (
          <picture>
            <source srcSet={cover.night} media="(prefers-color-scheme: dark)" />
            {picture}
          </picture>
        ) : (
          picture
        )}
      </td>
    </tr>
  )
}

export const PostalAddress = ({ address }: { address: string }): ReactElement => <Lines lines={postalLines(address)} />

/** Line breaks are elements: mail clients do not keep `white-space`. */
export const Lines = ({ lines }: { lines: string[] }): ReactElement => (
  <>
    {lines.map((line, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line may repeat, and nothing is drawn twice
      <Fragment key={place}>
        {place > 0 ? <br /> : null}
        {line}
      </Fragment>
    ))}
  </>
)

function Footer(props: PublicationMailProps): ReactElement {
  const { t, newsletter, style, reason, unsubscribeAddress, dataAddress, postalAddress, pixelAddress, canaryAddress } =
    props
  const link: CSSProperties = { color: style.accent }
  return (
    <tr>
      <td className="px mu" lang={foreign(props)} style={{ padding: `30px ${gutter}px 34px`, ...smallStyle(style) }}>
        {reason ?? t('email.reason', { newsletter })}
        <br />
        <a href={unsubscribeAddress} style={link}>
          {t('email.unsubscribe')}
        </a>
        {dataAddress ? (
          <>
            {' \u{A0} '}
            <a href={dataAddress} style={link}>
              {t('email.yourData')}
            </a>
          </>
        ) : null}
        {postalAddress ? (
          <>
            <br />
            <br />
            <PostalAddress address={postalAddress} />
          </>
        ) : null}
        {canaryAddress ? (
          // biome-ignore lint/a11y/useAnchorContent: no person is to find it, with eyes or a screen reader.
          <a href={canaryAddress} aria-hidden="true" tabIndex={-1} style={{ display: 'none' }} />
        ) : null}
        {pixelAddress ? (
          <img src={pixelAddress} width={1} height={1} alt="" style={{ display: 'block', border: 0 }} />
        ) : null}
      </td>
    </tr>
  )
}
