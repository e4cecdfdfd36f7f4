import { type CSSProperties, createElement, type ReactElement, type ReactNode } from 'react'
import { buttonStyle, buttonText, layout, mailFont } from '../../email/tokens.ts'
import { day } from '../../page/brand-style.ts'
import { choiceOf, runsRightToLeft, textOf, toneOf } from './attributes.ts'
import { boxed, type EmailBlock, spaced } from './email-block.tsx'
import { buttonAligns, dividerKinds } from './publication-nodes.ts'

export function blockquote(block: EmailBlock): ReactElement {
  const edge = `3px solid ${block.options.style.accent}`
  const style: CSSProperties = runsRightToLeft(block.node, block.parents)
    ? { borderRight: edge, padding: '2px 18px 0 0' }
    : { borderLeft: edge, padding: '2px 0 0 18px' }
  const inner = createElement('blockquote', { style: { margin: 0 } }, ...block.children)
  return boxed(block, { style: { ...style, fontStyle: 'italic' }, className: 'tx qt' }, [inner])
}

export function codeBlock(block: EmailBlock): ReactElement {
  const font: CSSProperties = { fontFamily: mailFont('geist-mono'), fontSize: 14, lineHeight: '21px' }
  const pre = createElement(
    'pre',
    { style: { margin: 0, ...font, whiteSpace: 'pre-wrap', wordWrap: 'break-word', textAlign: 'left' }, dir: 'ltr' },
    createElement('code', { style: font }, ...block.children),
  )
  const style = { ...font, background: block.options.style.wash, padding: '14px 16px' }
  return boxed(block, { style, className: 'tx box' }, [pre])
}

export function callout(block: EmailBlock): ReactElement {
  const { style, t } = block.options
  const label = (
    <p key="label" style={{ margin: '0 0 4px', fontFamily: mailFont(style.ui), fontSize: 14, lineHeight: '20px' }}>
      <b>{t(`document.${toneOf(block.node)}`)}</b>
    </p>
  )
  const box: CSSProperties = { background: style.wash, padding: '18px 22px' }
  return boxed(block, { style: box, className: 'tx box' }, [label, ...block.children])
}

/** Nothing for a button without an address. */
export function button(block: EmailBlock): ReactNode {
  const { style, link } = block.options
  const href = textOf(block.node, 'href')
  if (!href) return null
  const align = choiceOf(block.node, 'align', buttonAligns) ?? 'center'
  const anchor: CSSProperties = { display: 'inline-block', padding: '14px 26px', ...buttonText(style) }
  return spaced(block, { below: 22 }, (margin) => (
    <table {...layout} width={undefined} align={align} style={align === 'center' ? { margin: '0 auto' } : margin}>
      <tbody>
        <tr>
          <td className="btn" bgcolor={style.accent} style={buttonStyle(style)}>
            <a href={link(href)} style={anchor}>
              {textOf(block.node, 'label') || href}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  ))
}

export function horizontalRule(block: EmailBlock): ReactElement {
  const line: CSSProperties = { borderTop: `1px solid ${day.rule}`, fontSize: 0, lineHeight: 0, paddingTop: 8 }
  return spaced(block, { below: 26 }, (margin) => (
    <table {...layout} style={margin}>
      <tbody>
        <tr>
          <td className="rl" style={line}>
            {' '}
          </td>
        </tr>
      </tbody>
    </table>
  ))
}

const dividerText = { stars: '* * *', dots: '· · ·', space: ' ' } as const

export function divider(block: EmailBlock): ReactElement {
  const kind = choiceOf(block.node, 'kind', dividerKinds) ?? 'stars'
  return spaced(block, { below: 24 }, (margin) => (
    <p style={{ ...margin, textAlign: 'center', letterSpacing: '4px' }}>{dividerText[kind]}</p>
  ))
}
