import type { CSSProperties, ReactElement } from 'react'
import type { BrandStyle } from '../page/brand-style.ts'
import type { Translate } from '../translator.ts'
import { buttonStyle, buttonText, fixedLayout, gutter, layout, mailFont, textStyle } from './tokens.ts'

interface MailPaywallProps {
  t: Translate
  style: BrandStyle
  /** The language of its words, when that is not the mail's. */
  lang: string | undefined
  /** To read the rest. */
  minutes: number
  /** Where the rest is. */
  address: string
  /** Whether what is offered can only be tried, and no money moves. */
  test: boolean
}

/** The row of a mail where its body ends for those who may not read on. */
export function MailPaywall({ t, style, lang, minutes, address, test }: MailPaywallProps): ReactElement {
  const heading: CSSProperties = {
    margin: '0 0 8px',
    fontFamily: mailFont(style.display),
    fontSize: 26,
    lineHeight: '31px',
    fontWeight: 500,
  }
  const anchor: CSSProperties = { display: 'inline-block', padding: '14px 26px', ...buttonText(style) }
  return (
    <tr>
      <td className="px" lang={lang} style={{ padding: `8px ${gutter}px 10px` }}>
        <table {...layout} style={fixedLayout}>
          <tbody>
            <tr>
              <td
                className="tx box"
                align="center"
                style={{ ...textStyle(style), background: style.wash, padding: '26px 22px 28px', textAlign: 'center' }}
              >
                <h2 style={heading}>{t('paywall.title')}</h2>
                <p style={{ margin: '0 0 20px' }}>{t('paywall.text', { count: minutes })}</p>
                <table {...layout} width={undefined} align="center" style={{ margin: '0 auto' }}>
                  <tbody>
                    <tr>
                      <td className="btn" bgcolor={style.accent} style={buttonStyle(style)}>
                        <a href={address} style={anchor}>
                          {t('paywall.readOn')}
                        </a>
                      </td>
                    </tr>
                  </tbody>
                </table>
                {test ? (
                  <p style={{ margin: '18px 0 0', fontSize: 13, lineHeight: '19px' }}>{t('readers.testBand')}</p>
                ) : null}
              </td>
            </tr>
          </tbody>
        </table>
      </td>
    </tr>
  )
}
