import { createElement, type ReactElement } from 'react'
import { layout, phoneCell, phoneGutter, textStyle } from '../../email/tokens.ts'
import { day } from '../../page/brand-style.ts'
import { cellWidth, isHeadRow, numberOf, runsRightToLeft, textOf } from './attributes.ts'
import { type EmailBlock, spaced } from './email-block.tsx'
import type { DocumentNode, PublicationDocument } from './schema.ts'

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

/** @param breaks whether its words may be broken, so that the table fits on a phone */
export function cell({ node, children, parents, options }: EmailBlock, breaks: boolean): ReactElement {
  const { style } = options
  const head = node.type === 'tableHeader'
  const row = parents.at(-1)
  const align = textOf(node, 'align') || (runsRightToLeft(node, parents) ? 'right' : 'left')
  const colspan = numberOf(node, 'colspan', 1)
  const rowspan = numberOf(node, 'rowspan', 1)
  return createElement(
    head ? 'th' : 'td',
    {
      className: head ? 'rl tx dt box' : 'rl tx dt',
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
        ...(breaks ? { wordBreak: 'break-word' } : {}),
        ...(head ? { background: style.wash, fontWeight: 600 } : {}),
      },
    },
    ...children,
  )
}

/** Pixels of one character of a table on a phone, about, and the width of the text there: 390 pixels less its gutters. */
const characterWidth = 7.5
const phoneRoom = 390 - 2 * phoneGutter

/**
 * The cells in which words may be broken, so that each table fits on a phone. Narrow columns keep their words whole: where
 * the longest words of all columns do not fit side by side, those over a length are broken, in the longest columns first.
 */
export function cellsThatBreak(document: PublicationDocument): Set<DocumentNode> {
  const found = new Set<DocumentNode>()
  const visit = (node: DocumentNode): void => {
    if (node.type === 'table') for (const each of breakingCells(node)) found.add(each)
    node.content?.forEach(visit)
  }
  visit(document)
  return found
}

function breakingCells(table: DocumentNode): DocumentNode[] {
  const rows = (table.content ?? []).map((row) =>
    (row.content ?? []).map((each) => ({ each, length: longestWord(each) })),
  )
  const columns: number[] = []
  for (const row of rows) {
    for (const [at, { length }] of row.entries()) columns[at] = Math.max(columns[at] ?? 0, length)
  }
  const room = Math.floor((phoneRoom - columns.length * (2 * phoneCell.side + 1)) / characterWidth)
  const longest = longestWhole(columns, room)
  return rows.flat().flatMap(({ each, length }) => (length > longest ? [each] : []))
}

/** The longest word that every column may keep whole within `room`, in characters. */
function longestWhole(columns: number[], room: number): number {
  let longest = Math.max(0, ...columns)
  while (longest > 0 && columns.reduce((sum, length) => sum + Math.min(length, longest), 0) > room) longest -= 1
  return longest
}

/** Spaces that do not break belong to a word. */
const longestWord = (node: DocumentNode): number =>
  Math.max(
    ...textIn(node)
      .split(/[ \t\n]+/)
      .map((word) => word.length),
  )

const textIn = (node: DocumentNode): string =>
  node.type === 'text' ? (node.text ?? '') : `${(node.content ?? []).map(textIn).join('')} `
