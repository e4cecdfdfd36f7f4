import { type FaceKey, faceKeys } from '../../page/faces.ts'
import { knownValue } from './known-value.ts'
import { type CalloutTone, calloutTones } from './publication-nodes.ts'
import type { PictureSource } from './render-options.ts'
import type { Parents } from './render-tree.ts'
import type { DocumentMark, DocumentNode } from './schema.ts'
import { type TextSize, textSizes } from './text-format.ts'

type Holder = DocumentNode | DocumentMark

/** A text attribute; empty when it is missing. */
export const textOf = (holder: Holder, name: string): string => {
  const value = holder.attrs?.[name]
  return typeof value === 'string' ? value : ''
}

/** A number attribute; `fallback` when it is missing. */
export const numberOf = (holder: Holder, name: string, fallback = 0): number => {
  const value = holder.attrs?.[name]
  return typeof value === 'number' ? value : fallback
}

/** An attribute with a fixed list of values; undefined when it is missing or has any other value. */
export const choiceOf = <T extends string>(holder: Holder, name: string, choices: readonly T[]): T | undefined =>
  knownValue(choices, holder.attrs?.[name])

export const toneOf = (callout: DocumentNode): CalloutTone => choiceOf(callout, 'tone', calloutTones) ?? 'note'

export const pictureOf = (image: DocumentNode): PictureSource => ({
  mediaId: textOf(image, 'mediaId') || null,
  src: textOf(image, 'src') || null,
})

/** The picture that a video shows before it plays, or null. */
export const posterOf = (video: DocumentNode): PictureSource | null => {
  const source = { mediaId: textOf(video, 'posterMediaId') || null, src: textOf(video, 'posterSrc') || null }
  return source.mediaId || source.src ? source : null
}

/** Colours are `#rrggbb`. */
export interface TextFormatting {
  size: TextSize | null
  color: string | null
  background: string | null
  font: FaceKey | null
}

export const formattingOf = (mark: DocumentMark): TextFormatting => ({
  size: choiceOf(mark, 'size', textSizes) ?? null,
  color: textOf(mark, 'color').toLowerCase() || null,
  background: textOf(mark, 'backgroundColor').toLowerCase() || null,
  font: choiceOf(mark, 'font', faceKeys) ?? null,
})

/** True when the text of a node runs from right to left because of its own direction or that of a node around it. */
export const runsRightToLeft = (node: DocumentNode, parents: Parents): boolean =>
  [...parents, node].findLast((each) => textOf(each, 'dir') !== '')?.attrs?.dir === 'rtl'

/** True for a table row that holds only header cells. */
export const isHeadRow = (row: DocumentNode): boolean =>
  (row.content?.length ?? 0) > 0 && (row.content ?? []).every((cell) => cell.type === 'tableHeader')

/** Width of a cell in pixels as the author dragged it, or null. */
export function cellWidth(cell: DocumentNode): number | null {
  const widths = cell.attrs?.colwidth
  if (!Array.isArray(widths) || widths.length === 0 || widths.some((width) => typeof width !== 'number')) return null
  return widths.reduce((sum: number, width: number) => sum + width, 0) || null
}
