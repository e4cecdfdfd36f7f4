import { textOf } from './attributes.ts'
import { noteOf, wordsOfNote } from './note-text.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'
import { wordsIn } from './words-in.ts'

const wordsPerMinute = 230

const blocks: ReadonlySet<string> = new Set([
  'paragraph',
  'heading',
  'codeBlock',
  'listItem',
  'tableCell',
  'tableHeader',
  'tableRow',
  'image',
  'video',
  'button',
  'hardBreak',
])

/** Stands for a merge tag without a fallback until its gap is closed: the character for an object within a text. */
const GAP = '\ufffc'

const ownText = (node: DocumentNode): string => {
  if (node.type === 'text') return node.text ?? ''
  if (node.type === 'mergeTag') return textOf(node, 'fallback').trim() ? textOf(node, 'fallback') : GAP
  if (node.type === 'image') return String(node.attrs?.caption || node.attrs?.alt || '')
  if (node.type === 'video') return String(node.attrs?.title ?? '')
  // Readers get no button that leads nowhere.
  return node.type === 'button' && node.attrs?.href ? String(node.attrs.label ?? '') : ''
}

/** The text of a document, one line a block, then its notes: for search and counting. */
export function documentText(document: PublicationDocument): string {
  const notes: string[] = []
  const visit = (node: DocumentNode): void => {
    if (node.type === 'footnote') notes.push(wordsOfNote(noteOf(node)))
    node.content?.forEach(visit)
  }
  visit(document)
  return tidy([textWithoutNotes(document), ...notes].join('\n'))
}

function textWithoutNotes(document: PublicationDocument): string {
  const parts: string[] = []
  const visit = (node: DocumentNode): void => {
    parts.push(ownText(node))
    node.content?.forEach(visit)
    if (blocks.has(node.type)) parts.push('\n')
  }
  visit(document)
  return tidy(parts.join(''))
}

const tidy = (text: string): string =>
  text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ *\n[\s]*/g, '\n')
    // “Dear ▢, hello” becomes “Dear, hello”, “Hello, ▢!” becomes “Hello!”, and “▢, hello” only “hello”. A run is read once, from its
    // beginning: a long one would be read from each of its characters.
    .replaceAll(/^[\s\ufffc]*\ufffc[\s,;:.!?]*/gm, '')
    .replaceAll(/(?<![,\s])[,\s]*\ufffc/g, '')
    .trim()

export const wordCount = (document: PublicationDocument): number => wordsIn(documentText(document))

/** Minutes it takes to read so many words, whole, at least one. */
export const minutesFor = (words: number): number => Math.max(1, Math.round(words / wordsPerMinute))

/** The same, or 0 for words that take less than one. */
export const wholeMinutesFor = (words: number): number => (words < wordsPerMinute ? 0 : minutesFor(words))

export const readingMinutes = (document: PublicationDocument): number => minutesFor(wordCount(document))

/** The beginning of a document in at most `length` characters and an ellipsis, cut at a word. */
export function excerpt(document: PublicationDocument, length = 180): string {
  const text = textWithoutNotes(document).replaceAll('\n', ' ')
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length - 30)).trimEnd()}…`
}
