import type { Translate } from '../../translator.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

/** A picture as it will be asked for: `mediaId` when it is kept here, else `src`. */
export interface PictureSource {
  mediaId: string | null
  src: string | null
}

export interface Picture {
  src: string
  width: number
  /** Null when nobody knows. */
  height: number | null
}

/** What a rendering needs from outside. All of it is pure: the same document and answers give the same markup. */
export interface RenderOptions {
  /** `en` or `fr`, of the words around the document's own. */
  t: Translate
  /** The address to print for a link: itself on the web, its short link in a delivery. */
  link: (href: string) => string
  /** The picture at least `width` CSS pixels wide. */
  image: (source: PictureSource, width: number) => Picture
  /** What stands for a merge tag: a subscriber's value, a slot, or the fallback. */
  mergeTag: (field: string, fallback: string) => string
}

/** Every address a reader can press, in reading order, each once. */
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
