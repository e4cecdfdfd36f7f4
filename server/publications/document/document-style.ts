import { night } from '../../page/brand-style.ts'
import { inkOn, readableOn } from '../../page/color.ts'
import { cellWidth, formattingOf, type TextFormatting } from './attributes.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

type Colors = Pick<TextFormatting, 'color' | 'background'>

/** The class for a colour and a background; null for text that has neither. */
export const colorClass = ({ color, background }: Colors): string | null =>
  color || background
    ? ['color', color?.slice(1), background && `on-${background.slice(1)}`].filter(Boolean).join('-')
    : null

/** The colour of text: its own, else one that is readable on its background in light and dark mode; null when it has neither. */
export const textColor = ({ color, background }: Colors): string | null =>
  color ?? (background ? inkOn(background) : null)

/** A colour that was chosen on white, made readable on black; null when it needs no change. */
const darkModeColor = ({ color, background }: Colors): string | null =>
  color && !background ? readableOn(color, night.paper) : null

/** Colours by their class, for all coloured text of a document. */
function colorsOf(document: PublicationDocument): Map<string, Colors> {
  const found = new Map<string, Colors>()
  const visit = (node: DocumentNode): void => {
    for (const mark of node.marks ?? []) {
      const name = mark.type === 'textStyle' ? colorClass(formattingOf(mark)) : null
      if (name) found.set(name, formattingOf(mark))
    }
    node.content?.forEach(visit)
  }
  visit(document)
  return found
}

function widthsOf(document: PublicationDocument): Set<number> {
  const found = new Set<number>()
  const visit = (node: DocumentNode): void => {
    const width = cellWidth(node)
    if (width !== null) found.add(width)
    node.content?.forEach(visit)
  }
  visit(document)
  return found
}

/**
 * CSS rules for the colours and column widths of a document on the web. Style attributes would need a
 * Content-Security-Policy with `unsafe-inline`; a style element needs only its hash.
 */
export function documentStyle(document: PublicationDocument): string {
  const colors = [...colorsOf(document)].map(([name, each]) => {
    const background = each.background ? `background-color:${each.background};` : ''
    return `.${name}{${background}color:${textColor(each)}}`
  })
  const widths = [...widthsOf(document)].map((width) => `.width-${width}{width:${width}px}`)
  return [...colors, ...widths, darkModeStyle(document)].join('')
}

/** CSS rules for the colours of a document in dark mode. In mail they must be `important`, to outrank inline styles. */
export function darkModeStyle(document: PublicationDocument, important = false): string {
  const rules = [...colorsOf(document)].flatMap(([name, each]) => {
    const color = darkModeColor(each)
    return color ? [`.${name}{color:${color}${important ? ' !important' : ''}}`] : []
  })
  return rules.length > 0 ? `@media(prefers-color-scheme:dark){${rules.join('')}}` : ''
}
