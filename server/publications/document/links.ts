import { textOf } from './attributes.ts'
import { noteOf } from './note-text.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

/** Every address on the web that somebody can follow from a document, in the order of the text, each once: they can be short links. */
export const collectLinks = (document: PublicationDocument): string[] => [...wordsByLink(document).keys()]

/** The same, and those of sponsors, each with the words that lead there first. */
export function linksWithWords(document: PublicationDocument): { address: string; words: string }[] {
  const sponsored = (document.content ?? []).filter(({ type }) => type === 'sponsor')
  const found = new Map([
    ...sponsored.map((node) => [textOf(node, 'target'), textOf(node, 'label') || textOf(node, 'name')] as const),
    ...wordsByLink(document),
  ])
  return [...found].map(([address, words]) => ({ address, words: words.trim().slice(0, WORDS_LENGTH) }))
}

const WORDS_LENGTH = 80

function wordsByLink(document: PublicationDocument): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (node: DocumentNode): void => {
    for (const href of addressesOf(node))
      if (typeof href === 'string' && /^https?:\/\//i.test(href) && !found.has(href)) found.set(href, wordsOf(node))
    noteOf(node).forEach(visit)
    node.content?.forEach(visit)
  }
  visit(document)
  return found
}

const wordsOf = (node: DocumentNode): string =>
  node.text ?? (textOf(node, 'label') || textOf(node, 'title') || textOf(node, 'caption') || textOf(node, 'alt'))

/** Every merge tag of a document, each once: its field and its fallback. */
export function collectMergeTags(document: PublicationDocument): { field: string; fallback: string }[] {
  const found = new Map<string, { field: string; fallback: string }>()
  const visit = (node: DocumentNode): void => {
    if (node.type === 'mergeTag') {
      const tag = { field: textOf(node, 'field'), fallback: textOf(node, 'fallback') }
      found.set(JSON.stringify(tag), tag)
    }
    node.content?.forEach(visit)
  }
  visit(document)
  return [...found.values()]
}

function addressesOf(node: DocumentNode): unknown[] {
  if (node.type === 'button' || node.type === 'image') return [node.attrs?.href]
  if (node.type === 'video') return [node.attrs?.url]
  return (node.marks ?? []).filter((mark) => mark.type === 'link').map((mark) => mark.attrs?.href)
}
