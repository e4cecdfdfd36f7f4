import { type CSSProperties, createElement, type ReactElement } from 'react'
import { mailFont } from '../../email/tokens.ts'
import { day } from '../../page/brand-style.ts'
import { choiceOf, numberOf, runsRightToLeft, textOf } from './attributes.ts'
import { alignments } from './block-format.ts'
import { type EmailBlock, indented, indentStep, spaced } from './email-block.tsx'

/** Font size and line height in CSS pixels, by level. */
const headingSizes: Readonly<Record<number, readonly [size: number, line: number]>> = {
  1: [34, 39],
  2: [26, 32],
  3: [22, 28],
  4: [19, 26],
  5: [17, 25],
  6: [16, 24],
}

/** `dir` and `align`, as attributes for old clients and as a style for the others. */
function flow({ node, parents }: EmailBlock) {
  const align = choiceOf(node, 'textAlign', alignments) ?? (runsRightToLeft(node, parents) ? 'right' : undefined)
  const style: CSSProperties = align ? { textAlign: align } : {}
  return { attributes: { dir: textOf(node, 'dir') || undefined, align }, style }
}

/** CSS pixels below a paragraph: less in list items and cells, none at the end of another block. */
function spaceBelow({ node, parents }: EmailBlock): number {
  const parent = parents.at(-1)
  if (['listItem', 'tableCell', 'tableHeader'].includes(parent?.type ?? '')) return 6
  return parents.length > 1 && parent?.content?.at(-1) === node ? 0 : 18
}

export function paragraph(block: EmailBlock): ReactElement {
  const { attributes, style } = flow(block)
  const content = block.children.length > 0 ? block.children : [<br key="line" />]
  return spaced(block, { below: spaceBelow(block) }, (margin) =>
    indented(block, createElement('p', { ...attributes, style: { ...margin, ...style } }, ...content)),
  )
}

export function heading(block: EmailBlock): ReactElement {
  const { style: brand } = block.options
  const level = numberOf(block.node, 'level', 1)
  const [fontSize, line] = headingSizes[level] ?? [16, 24]
  const { attributes, style } = flow(block)
  const headingStyle: CSSProperties = {
    margin: '14px 0 0',
    fontFamily: mailFont(level < 4 ? brand.display : brand.ui),
    fontSize,
    lineHeight: `${line}px`,
    fontWeight: level < 4 ? 500 : 600,
    color: day.ink,
    ...style,
  }
  return spaced(block, { below: 10 }, () =>
    indented(
      block,
      createElement(`h${level}`, { ...attributes, className: 'tx', style: headingStyle }, ...block.children),
    ),
  )
}

export function list(tag: 'ul' | 'ol', block: EmailBlock): ReactElement {
  const { node, parents, children } = block
  const padding = runsRightToLeft(node, parents) ? '0 28px 0 0' : '0 0 0 28px'
  const start = numberOf(node, 'start', 1)
  const attributes = {
    dir: textOf(node, 'dir') || undefined,
    ...(tag === 'ol' && { start: start === 1 ? undefined : start, type: textOf(node, 'type') || undefined }),
  }
  const nested = parents.some((parent) => parent.type === 'listItem')
  return spaced(block, { below: nested ? 0 : 12 }, (margin) =>
    createElement(tag, { ...attributes, style: { ...margin, padding } }, ...children),
  )
}

export function listItem({ node, children, parents }: EmailBlock): ReactElement {
  const steps = numberOf(node, 'indent')
  const side = runsRightToLeft(node, parents) ? 'marginRight' : 'marginLeft'
  const style = { margin: 0, ...(steps > 0 ? { [side]: steps * indentStep } : {}) }
  return createElement('li', { dir: textOf(node, 'dir') || undefined, style }, ...children)
}
