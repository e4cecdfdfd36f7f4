import { type BrandStyle, day } from '../../page/brand-style.ts'
import { contrast } from '../../page/color.ts'
import { formattingOf, isHeadRow, numberOf } from './attributes.ts'
import { textColor } from './document-style.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

/** Words in a colour that is hard to read on what is under them. */
export interface LowContrast {
  /** The beginning of the first words in these colours. */
  words: string
  color: string
  ground: string
  ratio: number
  /** WCAG 2.2, section 1.4.3: 4.5, and 3 for large letters. */
  needed: number
}

const WORDS_LENGTH = 60
const BOXES: ReadonlySet<string> = new Set(['callout', 'codeBlock', 'sponsor'])
/** Headings of these levels have large letters. */
const LARGE_HEADING = 2

interface Around {
  ground: string
  isLarge: boolean
}

/** Every pair of colours that an author chose and that is hard to read by day, once. By night Tirage chooses a colour that is readable. */
export function lowContrasts(document: PublicationDocument, { accent, wash }: BrandStyle): LowContrast[] {
  const found = new Map<string, LowContrast>()
  const visit = (node: DocumentNode, around: Around): void => {
    const inside = aroundOf(node, around, wash)
    const low = node.type === 'text' ? lowContrastOf(node, inside, accent) : null
    const known = low && found.get(`${low.color} ${low.ground}`)
    if (low && (!known || known.needed < low.needed)) found.set(`${low.color} ${low.ground}`, low)
    const within = isHeadRow(node) ? { ...inside, ground: wash } : inside
    for (const child of node.content ?? []) visit(child, within)
  }
  visit(document, { ground: day.paper, isLarge: false })
  return [...found.values()]
}

function aroundOf(node: DocumentNode, around: Around, wash: string): Around {
  if (BOXES.has(node.type)) return { ...around, ground: wash }
  return node.type === 'heading' ? { ...around, isLarge: numberOf(node, 'level', 1) <= LARGE_HEADING } : around
}

function lowContrastOf({ marks = [], text = '' }: DocumentNode, around: Around, accent: string): LowContrast | null {
  const style = marks.find(({ type }) => type === 'textStyle')
  if (!style || !text.trim()) return null
  const { size, ...colors } = formattingOf(style)
  const isLink = marks.some(({ type }) => type === 'link')
  const color = colors.color ?? (isLink && colors.background ? accent : textColor(colors))
  if (!color) return null
  const ground = colors.background ?? around.ground
  const needed = size === 'large' || size === 'huge' || (size === null && around.isLarge) ? 3 : 4.5
  const ratio = contrast(color, ground)
  if (ratio >= needed) return null
  const words = text.trim().slice(0, WORDS_LENGTH)
  return {
    words,
    color: color.toLowerCase(),
    ground: ground.toLowerCase(),
    ratio: Math.floor(ratio * 100) / 100,
    needed,
  }
}
