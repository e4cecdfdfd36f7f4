import { night } from '../../page/brand-style.ts'
import { inkOn, readableOn } from '../../page/color.ts'
import { cellWidth, formattingOf, type TextFormatting } from './attributes.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

type Colors = Pick<TextFormatting, 'color' | 'background'>

/** The class that carries a colour and a background; null for text in neither. */
export const colorClass = ({ color, background }: Colors): string | null =>
  color || background
    ? ['color', color?.slice(1), background && `on-${background.slice(1)}`].filter(Boolean).join('-')
    : null

/** The colour of text on an author's background: theirs, else the ink that can be read there by day and by night. */
export const textColor = ({ color, background }: Colors): string | null =>
  color ?? (background ? inkOn(background) : null)

/** A colour chosen on white paper, made readable on black. */
const darkModeColor = ({ color, background }: Colors): string | null =>
  color && !background ? readableOn(color, night.paper) : null

/** Class and colours for everything an author coloured, each pair once. */
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
 * The rules a document adds to a page: its author's colours and column widths. Style attributes would need a
 * Content-Security-Policy with `unsafe-inline`; a style element with these rules needs only its hash.
 */
export function documentStyle(document: PublicationDocument): string {
  const inks = [...colorsOf(document)]
  const byDay = inks.map(([name, each]) => {
    const ground = each.background ? `background-color:${each.background};` : ''
    return `.${name}{${ground}color:${textColor(each)}}`
  })
  const widths = [...widthsOf(document)].map((width) => `.width-${width}{width:${width}px}`)
  const byNight = darkModeStyle(document)
  return [...byDay, ...widths, byNight].join('')
}

/** The colours of a document by night; in mail they must outrank the inline ones. */
export function darkModeStyle(document: PublicationDocument, important = false): string {
  const rules = [...colorsOf(document)].flatMap(([name, each]) => {
    const color = darkModeColor(each)
    return color ? [`.${name}{color:${color}${important ? '!important' : ''}}`] : []
  })
  return rules.length > 0 ? `@media(prefers-color-scheme:dark){${rules.join('')}}` : ''
}
