import { type CSSProperties, createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { gutter, layout, mailFont, mailWidth, textStyle } from '../../email/tokens.ts'
import { type BrandStyle, day } from '../../page/brand-style.ts'
import { numberOf, runsRightToLeft, textOf } from './attributes.ts'
import { emailMarks } from './email-marks.tsx'
import { emailPicture, emailVideo } from './email-media.tsx'
import type { EmailOptions } from './email-options.ts'
import { emailCell, emailTable } from './email-table.tsx'
import { fold, type Parents, type Rendering } from './fold.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

const headingSizes: Readonly<Record<number, readonly [size: number, line: number]>> = {
  1: [34, 39],
  2: [26, 32],
  3: [22, 28],
  4: [19, 26],
  5: [17, 25],
  6: [16, 24],
}

const indentStep = 32

/**
 * The document as mail clients can show it: tables 600 pixels wide, every style inline, nothing that needs a script or a
 * font. Goes into one cell of the mail's frame without padding; `nightStyle(document, true)` belongs in its head.
 */
export function renderEmailBody(document: PublicationDocument, options: EmailOptions): ReactElement {
  const rows = fold(document, emailRendering(options))
  return createElement('table', layout, createElement('tbody', null, ...rows))
}

const atTop = (parents: Parents): boolean => parents.length === 1

/** A block: a row of its own with the sheet's gutters at the top of a document, else as it is, with its margin below. */
function placed(
  parents: Parents,
  style: BrandStyle,
  below: number,
  content: (margin: CSSProperties) => ReactNode,
  sideways = gutter,
): ReactElement {
  if (!atTop(parents)) return <Fragment>{content({ margin: `0 0 ${below}px` })}</Fragment>
  return (
    <tr>
      <td
        className={sideways > 0 ? 'px tx' : 'tx'}
        style={{ padding: `0 ${sideways}px ${below}px`, ...textStyle(style) }}
      >
        {content({ margin: 0 })}
      </td>
    </tr>
  )
}

/** Padding on anything but a cell is lost in some clients, so an indented block stands in a cell. */
function indented(node: DocumentNode, parents: Parents, style: BrandStyle, inner: ReactElement): ReactElement {
  const steps = numberOf(node, 'indent')
  if (steps === 0) return inner
  const side = runsRightToLeft(node, parents) ? 'paddingRight' : 'paddingLeft'
  return (
    <table {...layout}>
      <tbody>
        <tr>
          <td className="tx" style={{ ...textStyle(style), [side]: steps * indentStep }}>
            {inner}
          </td>
        </tr>
      </tbody>
    </table>
  )
}

type Align = 'left' | 'center' | 'right' | 'justify' | undefined

/** `dir` and `align`, as attributes for old clients and as a style for the others. */
function flow(node: DocumentNode, parents: Parents) {
  const align = (textOf(node, 'textAlign') || (runsRightToLeft(node, parents) ? 'right' : '')) as Align | ''
  return {
    dir: textOf(node, 'dir') || undefined,
    align: align || undefined,
    style: align ? ({ textAlign: align } satisfies CSSProperties) : {},
  }
}

function paragraph(node: DocumentNode, children: ReactNode[], parents: Parents, style: BrandStyle): ReactElement {
  const { style: aligned, ...attributes } = flow(node, parents)
  const last = parents.length > 1 && parents.at(-1)?.content?.at(-1) === node
  const inItem = ['listItem', 'tableCell', 'tableHeader'].includes(parents.at(-1)?.type ?? '')
  const content = children.length > 0 ? children : [<br key="line" />]
  return placed(parents, style, inItem ? 6 : last ? 0 : 18, (margin) =>
    indented(node, parents, style, createElement('p', { ...attributes, style: { ...margin, ...aligned } }, ...content)),
  )
}

function heading(node: DocumentNode, children: ReactNode[], parents: Parents, style: BrandStyle): ReactElement {
  const level = numberOf(node, 'level', 1)
  const [fontSize, line] = headingSizes[level] ?? [16, 24]
  const { style: aligned, ...attributes } = flow(node, parents)
  const look: CSSProperties = {
    fontFamily: mailFont(level < 4 ? style.display : style.ui),
    fontSize,
    lineHeight: `${line}px`,
    fontWeight: level < 4 ? 500 : 600,
    color: day.ink,
    ...aligned,
  }
  return placed(parents, style, 10, () =>
    indented(
      node,
      parents,
      style,
      createElement(
        `h${level}`,
        { ...attributes, className: 'tx', style: { margin: '14px 0 0', ...look } },
        ...children,
      ),
    ),
  )
}

function list(tag: 'ul' | 'ol', node: DocumentNode, items: ReactNode[], parents: Parents, style: BrandStyle) {
  const side = runsRightToLeft(node, parents) ? '0 28px 0 0' : '0 0 0 28px'
  const start = numberOf(node, 'start', 1)
  const props = {
    dir: textOf(node, 'dir') || undefined,
    ...(tag === 'ol' ? { start: start === 1 ? undefined : start, type: textOf(node, 'type') || undefined } : {}),
  }
  const nested = parents.some((parent) => parent.type === 'listItem')
  return placed(parents, style, nested ? 0 : 12, (margin) =>
    createElement(tag, { ...props, style: { ...margin, padding: side } }, ...items),
  )
}

function listItem(node: DocumentNode, children: ReactNode[], parents: Parents): ReactElement {
  const steps = numberOf(node, 'indent')
  const side = runsRightToLeft(node, parents) ? 'marginRight' : 'marginLeft'
  const style = { margin: 0, ...(steps > 0 ? { [side]: steps * indentStep } : {}) }
  return createElement('li', { dir: textOf(node, 'dir') || undefined, style }, ...children)
}

/** A cell with a ground or an edge of its own: quotation, code, callout. */
function boxed(
  node: DocumentNode,
  parents: Parents,
  style: BrandStyle,
  look: CSSProperties,
  className: string,
  children: ReactNode[],
): ReactElement {
  const cell = createElement('td', { className, style: { ...textStyle(style), ...look } }, ...children)
  return placed(parents, style, 18, (margin) => (
    <table {...layout} dir={textOf(node, 'dir') || undefined} style={margin}>
      <tbody>
        <tr>{cell}</tr>
      </tbody>
    </table>
  ))
}

function blockquote(node: DocumentNode, children: ReactNode[], parents: Parents, style: BrandStyle): ReactElement {
  const edge = `3px solid ${style.accent}`
  const look: CSSProperties = runsRightToLeft(node, parents)
    ? { borderRight: edge, padding: '2px 18px 0 0' }
    : { borderLeft: edge, padding: '2px 0 0 18px' }
  const inner = createElement('blockquote', { style: { margin: 0 } }, ...children)
  return boxed(node, parents, style, { ...look, fontStyle: 'italic' }, 'tx', [inner])
}

function codeBlock(node: DocumentNode, children: ReactNode[], parents: Parents, style: BrandStyle): ReactElement {
  const look: CSSProperties = { fontFamily: mailFont('geist-mono'), fontSize: 14, lineHeight: '21px' }
  const pre = createElement(
    'pre',
    { style: { margin: 0, ...look, whiteSpace: 'pre-wrap', wordWrap: 'break-word', textAlign: 'left' }, dir: 'ltr' },
    createElement('code', { style: look }, ...children),
  )
  return boxed(node, parents, style, { ...look, background: style.wash, padding: '14px 16px' }, 'tx box', [pre])
}

function callout(node: DocumentNode, children: ReactNode[], parents: Parents, options: EmailOptions): ReactElement {
  const { style, t } = options
  const tone = textOf(node, 'tone') === 'warning' ? 'warning' : textOf(node, 'tone') === 'tip' ? 'tip' : 'note'
  const label = (
    <p key="label" style={{ margin: '0 0 4px', fontFamily: mailFont(style.ui), fontSize: 14, lineHeight: '20px' }}>
      <b>{t(`document.${tone}`)}</b>
    </p>
  )
  const look: CSSProperties = { background: style.wash, padding: '18px 22px' }
  return boxed(node, parents, style, look, 'tx box', [label, ...children])
}

function button(node: DocumentNode, parents: Parents, { style, link }: EmailOptions): ReactNode {
  const href = textOf(node, 'href')
  if (!href) return null
  const align = (textOf(node, 'align') || 'center') as 'left' | 'center' | 'right'
  const anchor: CSSProperties = {
    display: 'inline-block',
    padding: '14px 26px',
    fontFamily: mailFont(style.ui),
    fontSize: 16,
    lineHeight: '20px',
    fontWeight: 600,
    color: style.onAccent,
    textDecoration: 'none',
  }
  return placed(parents, style, 22, (margin) => (
    <table {...layout} width={undefined} align={align} style={align === 'center' ? { margin: '0 auto' } : margin}>
      <tbody>
        <tr>
          <td className="btn" bgcolor={style.accent} style={{ background: style.accent, borderRadius: 4 }}>
            <a href={link(href)} style={anchor}>
              {textOf(node, 'label') || href}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  ))
}

const rule = (parents: Parents, style: BrandStyle): ReactElement =>
  placed(parents, style, 26, (margin) => (
    <table {...layout} style={margin}>
      <tbody>
        <tr>
          <td className="rl" style={{ borderTop: `1px solid ${day.rule}`, fontSize: 0, lineHeight: 0, paddingTop: 8 }}>
            {' '}
          </td>
        </tr>
      </tbody>
    </table>
  ))

const dividerText = { stars: '* * *', dots: '· · ·', space: ' ' } as const

function divider(node: DocumentNode, parents: Parents, style: BrandStyle): ReactElement {
  const kind = textOf(node, 'kind') === 'dots' ? 'dots' : textOf(node, 'kind') === 'space' ? 'space' : 'stars'
  return placed(parents, style, 24, (margin) => (
    <p style={{ ...margin, textAlign: 'center', letterSpacing: '4px' }}>{dividerText[kind]}</p>
  ))
}

function emailRendering(options: EmailOptions): Rendering<ReactNode> {
  const { style, mergeTag } = options
  return {
    text: (text) => text,
    nodes: {
      paragraph: (node, children, parents) => paragraph(node, children, parents, style),
      heading: (node, children, parents) => heading(node, children, parents, style),
      blockquote: (node, children, parents) => blockquote(node, children, parents, style),
      codeBlock: (node, children, parents) => codeBlock(node, children, parents, style),
      bulletList: (node, children, parents) => list('ul', node, children, parents, style),
      orderedList: (node, children, parents) => list('ol', node, children, parents, style),
      listItem,
      hardBreak: () => <br />,
      horizontalRule: (_, __, parents) => rule(parents, style),
      divider: (node, _, parents) => divider(node, parents, style),
      table: (node, rows, parents) => placed(parents, style, 20, (margin) => emailTable(node, rows, margin)),
      tableRow: (_, cells) => createElement('tr', null, ...cells),
      tableCell: (node, children, parents) => emailCell(node, children, parents, style),
      tableHeader: (node, children, parents) => emailCell(node, children, parents, style),
      image: (node, _, parents) => {
        const wide = textOf(node, 'width') === 'wide' && atTop(parents)
        const room = wide ? mailWidth : mailWidth - 2 * gutter
        return placed(parents, style, 22, (margin) => emailPicture(node, room, margin, options), wide ? 0 : gutter)
      },
      video: (node, _, parents) => placed(parents, style, 22, (margin) => emailVideo(node, margin, options)),
      mergeTag: (node) => mergeTag(textOf(node, 'field'), textOf(node, 'fallback')),
      button: (node, _, parents) => button(node, parents, options),
      callout: (node, children, parents) => callout(node, children, parents, options),
    },
    marks: emailMarks(options),
  }
}
