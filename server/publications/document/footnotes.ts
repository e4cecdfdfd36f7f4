import { type NotePart, noteOf } from './note-text.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

/** A document whose footnotes have a number instead of a text, and those texts in their order. */
export interface Numbered {
  document: PublicationDocument
  notes: NotePart[][]
}

/**
 * Numbers the notes of what one reader sees, from 1. Notes without words are gone, and no mark lies on one: in a link it would be a
 * link within a link.
 */
export function numbered(document: PublicationDocument): Numbered {
  const notes: NotePart[][] = []
  const visit = (node: DocumentNode): DocumentNode[] => {
    if (node.type !== 'footnote') return [node.content ? { ...node, content: node.content.flatMap(visit) } : node]
    const note = noteOf(node)
    return note.length > 0 ? [{ type: 'footnote', attrs: { number: notes.push(note) } }] : []
  }
  return { document: { ...document, content: (document.content ?? []).flatMap(visit) }, notes }
}

/** The anchors of a note and of its place in the text. */
export const anchorsOf = (number: number) => ({ note: `note-${number}`, place: `note-place-${number}` })
