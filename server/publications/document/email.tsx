import { createElement, type ReactElement, type ReactNode } from 'react'
import { fixedLayout, layout } from '../../email/tokens.ts'
import { textOf } from './attributes.ts'
import type { EmailBlock } from './email-block.tsx'
import { blockquote, button, callout, codeBlock, divider, horizontalRule } from './email-boxes.tsx'
import { emailMarks } from './email-marks.tsx'
import { image, video } from './email-media.tsx'
import { endnotes, noteReference } from './email-notes.tsx'
import { sponsor } from './email-sponsor.tsx'
import { cell, cellsThatBreak, table } from './email-table.tsx'
import { heading, list, listItem, paragraph } from './email-text.tsx'
import { numbered } from './footnotes.ts'
import type { EmailOptions } from './render-options.ts'
import { notGated, type Renderers, renderContent, renderTree } from './render-tree.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

/**
 * The document as mail clients can show it: tables 600 pixels wide, every style inline, nothing that needs a script or a
 * font. It goes into one cell without padding in the frame of the mail, with `darkModeStyle(document, true)` in the head.
 */
export function renderEmailBody(document: PublicationDocument, options: EmailOptions): ReactElement {
  const { document: shown, notes } = numbered(document)
  const renderers = emailRenderers(options, cellsThatBreak(shown))
  const read = notes.map((note) => renderContent(note, renderers, [shown]))
  const rows = [...renderTree(shown, renderers), notes.length > 0 ? endnotes(read, options) : null]
  return createElement('table', { ...layout, style: fixedLayout }, createElement('tbody', null, ...rows))
}

function emailRenderers(options: EmailOptions, breaking: ReadonlySet<DocumentNode>): Renderers<ReactNode> {
  const block =
    (render: (block: EmailBlock) => ReactNode): Renderers<ReactNode>['nodes'][string] =>
    (node, children, parents) =>
      render({ node, children, parents, options })
  return {
    text: (text) => text,
    nodes: {
      paragraph: block(paragraph),
      heading: block(heading),
      blockquote: block(blockquote),
      codeBlock: block(codeBlock),
      bulletList: block((given) => list('ul', given)),
      orderedList: block((given) => list('ol', given)),
      listItem: block(listItem),
      hardBreak: () => <br />,
      horizontalRule: block(horizontalRule),
      divider: block(divider),
      table: block(table),
      tableRow: (_, cells) => createElement('tr', null, ...cells),
      tableCell: block((given) => cell(given, breaking.has(given.node))),
      tableHeader: block((given) => cell(given, breaking.has(given.node))),
      image: block(image),
      video: block(video),
      mergeTag: (node) => options.mergeTag(textOf(node, 'field'), textOf(node, 'fallback')),
      footnote: (node) => noteReference(node, options),
      button: block(button),
      callout: block(callout),
      paywall: notGated,
      onlyFor: notGated,
      sponsorSlot: notGated,
      sponsor: block(sponsor),
    },
    marks: emailMarks(options),
  }
}
