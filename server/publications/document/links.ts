import { textOf } from './attributes.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

/** Every address on the web that somebody can follow from a document, in the order of the text, each once: they can be short links. */
export function collectLinks(document: PublicationDocument): string[] {
  const found = new Set<string>()
  const visit = (node: DocumentNode): void => {
    for (const href of addressesOf(node)) if (typeof href === 'string' && /^https?:\/\//i.test(href)) found.add(href)
    node.content?.forEach(visit)
  }
  visit(document)
  return [...found]
}

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
