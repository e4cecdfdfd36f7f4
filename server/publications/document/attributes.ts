import { type FaceKey, faceKeys } from '../../page/faces.ts'
import type { Parents } from './fold.ts'
import type { DocumentMark, DocumentNode } from './schema.ts'
import { type TextSize, textSizes } from './text-style.ts'

type Holder = DocumentNode | DocumentMark

/** A text attribute, empty when it is missing. */
export const textOf = (holder: Holder, name: string): string => {
  const value = holder.attrs?.[name]
  return typeof value === 'string' ? value : ''
}

/** A number attribute, `otherwise` when it is missing. */
export const numberOf = (holder: Holder, name: string, otherwise = 0): number => {
  const value = holder.attrs?.[name]
  return typeof value === 'number' ? value : otherwise
}

export interface TextLook {
  size: TextSize | null
  color: string | null
  background: string | null
  font: FaceKey | null
}

export const lookOf = (mark: DocumentMark): TextLook => ({
  size: textSizes.find((size) => size === textOf(mark, 'size')) ?? null,
  color: textOf(mark, 'color').toLowerCase() || null,
  background: textOf(mark, 'backgroundColor').toLowerCase() || null,
  font: faceKeys.find((font) => font === textOf(mark, 'font')) ?? null,
})

/** True when the text of a node runs from right to left because of its own direction or that of a node around it. */
export const runsRightToLeft = (node: DocumentNode, parents: Parents): boolean =>
  [...parents, node].findLast((each) => textOf(each, 'dir') !== '')?.attrs?.dir === 'rtl'

/** True for a table row of headers only, above all others. */
export const isHeadRow = (row: DocumentNode): boolean =>
  (row.content?.length ?? 0) > 0 && (row.content ?? []).every((cell) => cell.type === 'tableHeader')

/** Width of a cell in pixels as the author dragged it, or null. */
export function cellWidth(cell: DocumentNode): number | null {
  const widths = cell.attrs?.colwidth
  if (!Array.isArray(widths) || widths.length === 0 || widths.some((width) => typeof width !== 'number')) return null
  return widths.reduce((sum: number, width: number) => sum + width, 0) || null
}
