import type { CSSProperties, ReactElement } from 'react'
import { holdMarks } from '../../i18n/french-spaces.ts'
import type { Language } from '../languages.ts'
import { type BrandStyle, day } from '../page/brand-style.ts'
import type { Translate } from '../translator.ts'
import { Lines, Logo, PostalAddress, Sheet } from './frame.email.tsx'
import { buttonStyle, gutter, layout, mailFont, smallStyle, textStyle } from './tokens.ts'

/** A short mail with one thing to do: confirm, reset, sign in, accept an invitation. */
export interface SystemMailProps {
  t: Translate
  language: Language
  style: BrandStyle
  /** Who writes: the newsletter's name, or Tirage. */
  from: string
  /** The newsletter's logo, in place of its name. */
  logo?: string | null
  title: string
  /** What inboxes show beside the subject. */
  preheader: string
  paragraphs: string[]
  /** Another way on, in words after the paragraphs. */
  link?: { label: string; address: string } | null
  action?: { label: string; address: string } | null
  /** Small print under the button. By default it says that nothing happens when the mail is ignored. */
  after?: string[]
  postalAddress?: string | null
}

export function SystemMailEmail(props: SystemMailProps): ReactElement {
  const { t, language, style, logo, title, preheader, paragraphs, link, action, postalAddress } = props
  const from = holdMarks(props.from)
  const heading: CSSProperties = {
    margin: 0,
    fontFamily: mailFont(style.display),
    fontSize: 32,
    lineHeight: '37px',
    fontWeight: 500,
    letterSpacing: '-.5px',
    color: day.ink,
  }
  const name: CSSProperties = { ...heading, fontSize: 21, lineHeight: '27px', letterSpacing: '-.2px' }
  return (
    <Sheet language={language} title={title} preheader={preheader} style={style}>
      <tr>
        <td className="px tx" style={{ padding: `26px ${gutter}px 0`, ...name }}>
          {logo ? <Logo src={logo} name={from} style={style} /> : from}
        </td>
      </tr>
      <tr>
        <td className="px tx" style={{ padding: `26px ${gutter}px 14px` }}>
          <h1 className="h1" style={heading}>
            {title}
          </h1>
        </td>
      </tr>
      {paragraphs.map((paragraph) => (
        <tr key={paragraph}>
          <td className="px tx" style={{ padding: `0 ${gutter}px 16px`, ...textStyle(style) }}>
            <Lines lines={paragraph.split('\n')} />
          </td>
        </tr>
      ))}
      {link ? (
        <tr>
          <td className="px tx" style={{ padding: `0 ${gutter}px 16px`, ...textStyle(style) }}>
            <a className="tx" href={link.address} style={{ color: day.ink }}>
              {link.label}
            </a>
          </td>
        </tr>
      ) : null}
      {action ? <Action {...action} style={style} /> : null}
      <tr>
        <td className="px mu" style={{ padding: `10px ${gutter}px 34px`, ...smallStyle(style) }}>
          {smallPrint(props).map((line) => (
            <p key={line} style={{ margin: '0 0 8px' }}>
              {line}
            </p>
          ))}
          {action ? (
            <p style={{ margin: 0 }}>
              {t('email.copyAddress')} {/* Whole, for whoever copies it into another program. */}
              <a className="mu" href={action.address} style={{ color: day.ink2, wordBreak: 'break-all' }}>
                {action.address}
              </a>
            </p>
          ) : null}
          {postalAddress ? (
            <p style={{ margin: '16px 0 0' }}>
              <PostalAddress address={postalAddress} />
            </p>
          ) : null}
        </td>
      </tr>
    </Sheet>
  )
}

export const smallPrint = ({ after, action, t }: Pick<SystemMailProps, 'after' | 'action' | 't'>): string[] =>
  after ?? (action ? [t('email.ignore')] : [])

function Action({ label, address, style }: { label: string; address: string; style: BrandStyle }): ReactElement {
  const link: CSSProperties = {
    display: 'inline-block',
    padding: '14px 26px',
    fontFamily: mailFont(style.ui),
    fontSize: 16,
    lineHeight: '20px',
    fontWeight: 600,
    color: style.onAccent,
    textDecoration: 'none',
  }
  return (
    <tr>
      <td className="px" style={{ padding: `8px ${gutter}px 22px` }}>
        <table {...layout} width={undefined}>
          <tbody>
            <tr>
              <td className="btn" bgcolor={style.accent} style={buttonStyle(style)}>
                <a href={address} style={link}>
                  {label}
                </a>
              </td>
            </tr>
          </tbody>
        </table>
      </td>
    </tr>
  )
}
