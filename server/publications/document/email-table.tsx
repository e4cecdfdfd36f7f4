import { createElement, type ReactElement } from 'react'
import { layout, textStyle } from '../../email/tokens.ts'
import { day } from '../../page/brand-style.ts'
import { cellWidth, isHeadRow, numberOf, runsRightToLeft, textOf } from './attributes.ts'
import { type EmailBlock, spaced } from './email-block.tsx'

/** A table of data: unlike the layout tables around it, it has borders and is read out as a table. */
export function table(block: EmailBlock): ReactElement {
  const { role: _, ...attributes } = layout
  return spaced(block, { below: 20 }, (margin) =>
    createElement(
      'table',
      {
        ...attributes,
        dir: textOf(block.node, 'dir') || undefined,
        className: 'rl',
        style: { ...margin, borderCollapse: 'collapse', border: `1px solid ${day.rule}` },
      },
      createElement('tbody', null, ...block.children),
    ),
  )
}

export function cell({ node, children, parents, options }: EmailBlock): ReactElement {
  const { style } = options
  const head = node.type === 'tableHeader'
  const row = parents.at(-1)
  const align = textOf(node, 'align') || (runsRightToLeft(node, parents) ? 'right' : 'left')
  const colspan = numberOf(node, 'colspan', 1)
  const rowspan = numberOf(node, 'rowspan', 1)
  return createElement(
    head ? 'th' : 'td',
    {
      className: head ? 'rl tx box' : 'rl tx',
      scope: head ? (row && isHeadRow(row) ? 'col' : 'row') : undefined,
      colSpan: colspan > 1 ? colspan : undefined,
      rowSpan: rowspan > 1 ? rowspan : undefined,
      width: cellWidth(node) ?? undefined,
      align,
      valign: 'top',
      style: {
        ...textStyle(style),
        fontSize: 16,
        lineHeight: '24px',
        padding: '8px 10px 2px',
        border: `1px solid ${day.rule}`,
        textAlign: align,
        ...(head ? { background: style.wash, fontWeight: 600 } : {}),
      },
    },
    ...children,
  )
}
