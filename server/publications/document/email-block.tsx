import { type CSSProperties, createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import { fixedLayout, gutter, layout, textStyle } from '../../email/tokens.ts'
import { numberOf, runsRightToLeft, textOf } from './attributes.ts'
import type { EmailOptions } from './render-options.ts'
import type { Parents } from './render-tree.ts'
import type { DocumentNode } from './schema.ts'

/** A node on its way into a mail. */
export interface EmailBlock {
  node: DocumentNode
  children: ReactNode[]
  parents: Parents
  options: EmailOptions
}

/** CSS pixels of one step of indentation. */
export const indentStep = 32

export const isTopLevel = ({ parents }: EmailBlock): boolean => parents.length === 1

/** Distances in CSS pixels: `below` the block, and at its `sides` when it is at the top level. */
interface Spacing {
  below: number
  sides?: number
}

/**
 * A block with its distance to the next. At the top level of a document it is a table row with the gutters of the mail;
 * inside another block it is the content itself, with a margin.
 */
export function spaced(
  block: EmailBlock,
  { below, sides = gutter }: Spacing,
  content: (margin: CSSProperties) => ReactNode,
): ReactElement {
  if (!isTopLevel(block)) return <Fragment>{content({ margin: `0 0 ${below}px` })}</Fragment>
  return (
    <tr>
      <td
        className={sides > 0 ? 'px tx' : 'tx'}
        style={{ padding: `0 ${sides}px ${below}px`, ...textStyle(block.options.style) }}
      >
        {content({ margin: 0 })}
      </td>
    </tr>
  )
}

/** Some clients ignore padding on anything but a cell, so an indented block is put into a cell. */
export function indented({ node, parents, options }: EmailBlock, inner: ReactElement): ReactElement {
  const steps = numberOf(node, 'indent')
  if (steps === 0) return inner
  const side = runsRightToLeft(node, parents) ? 'paddingRight' : 'paddingLeft'
  return (
    <table {...layout} style={fixedLayout}>
      <tbody>
        <tr>
          <td className="tx" style={{ ...textStyle(options.style), [side]: steps * indentStep }}>
            {inner}
          </td>
        </tr>
      </tbody>
    </table>
  )
}

/** A block in a cell of its own, for a background or a border. */
export function boxed(
  block: EmailBlock,
  { style, className }: { style: CSSProperties; className: string },
  children: ReactNode[],
): ReactElement {
  const cellStyle = { ...textStyle(block.options.style), ...style }
  const cell = createElement('td', { className, style: cellStyle }, ...children)
  return spaced(block, { below: 18 }, (margin) => (
    <table {...layout} dir={textOf(block.node, 'dir') || undefined} style={{ ...fixedLayout, ...margin }}>
      <tbody>
        <tr>{cell}</tr>
      </tbody>
    </table>
  ))
}
