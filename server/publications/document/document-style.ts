import { night } from '../../page/brand-style.ts'
import { inkOn, readableOn } from '../../page/color.ts'
import { cellWidth, lookOf, type TextLook } from './attributes.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

type Inks = Pick<TextLook, 'color' | 'background'>

/** The class that carries a colour and a background; null for text in neither. */
export const inkClass = ({ color, background }: Inks): string | null =>
  color || background
    ? ['color', color?.slice(1), background && `on-${background.slice(1)}`].filter(Boolean).join('-')
    : null

/** The colour of text on an author's background: theirs, else the ink that can be read there by day and by night. */
export const textColor = ({ color, background }: Inks): string | null =>
  color ?? (background ? inkOn(background) : null)

/** A colour chosen on white paper, made readable on black. */
const nightColor = ({ color, background }: Inks): string | null =>
  color && !background ? readableOn(color, night.paper) : null

/** Class and colours for everything an author coloured, each pair once. */
function inksOf(document: PublicationDocument): Map<string, Inks> {
  const found = new Map<string, Inks>()
  const visit = (node: DocumentNode): void => {
    for (const mark of node.marks ?? []) {
      const name = mark.type === 'textStyle' ? inkClass(lookOf(mark)) : null
      if (name) found.set(name, lookOf(mark))
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
  const inks = [...inksOf(document)]
  const byDay = inks.map(([name, each]) => {
    const ground = each.background ? `background-color:${each.background};` : ''
    return `.${name}{${ground}color:${textColor(each)}}`
  })
  const widths = [...widthsOf(document)].map((width) => `.width-${width}{width:${width}px}`)
  const byNight = nightStyle(document)
  return [...byDay, ...widths, byNight].join('')
}

/** The colours of a document by night; in mail they must outrank the inline ones. */
export function nightStyle(document: PublicationDocument, important = false): string {
  const rules = [...inksOf(document)].flatMap(([name, each]) => {
    const color = nightColor(each)
    return color ? [`.${name}{color:${color}${important ? '!important' : ''}}`] : []
  })
  return rules.length > 0 ? `@media(prefers-color-scheme:dark){${rules.join('')}}` : ''
}
