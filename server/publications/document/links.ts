import type { DocumentNode, PublicationDocument } from './schema.ts'

/** Every address that somebody can follow from a document, in the order of the text, each once. */
export function collectLinks(document: PublicationDocument): string[] {
  const found = new Set<string>()
  const visit = (node: DocumentNode): void => {
    for (const href of addressesOf(node)) if (typeof href === 'string' && href !== '') found.add(href)
    node.content?.forEach(visit)
  }
  visit(document)
  return [...found]
}

function addressesOf(node: DocumentNode): unknown[] {
  if (node.type === 'button' || node.type === 'image') return [node.attrs?.href]
  if (node.type === 'video') return [node.attrs?.url]
  return (node.marks ?? []).filter((mark) => mark.type === 'link').map((mark) => mark.attrs?.href)
}
