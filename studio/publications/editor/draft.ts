import { emptyDocument, type PublicationDocument } from '../../../server/publications/document/schema.ts'
import type { Publication } from '../queries.ts'

/** The parts of a publication that the editor saves by itself. */
export interface Draft {
  title: string
  subtitle: string
  content: PublicationDocument
}

/** The draft of a publication. The server has checked its document. */
export const draftOf = ({ title, subtitle, content }: Pick<Publication, 'title' | 'subtitle' | 'content'>): Draft => ({
  title,
  subtitle,
  content: documentOf(content),
})

/** Content from the API or from TipTap as a document. The server checks documents, so anything else becomes an empty one. */
export const documentOf = (content: { type?: string }): PublicationDocument =>
  isDocument(content) ? content : emptyDocument

const isDocument = (content: { type?: string }): content is PublicationDocument => content.type === 'doc'

/** The draft as the API expects it. */
export const bodyOf = ({ title, subtitle, content }: Draft) => ({ title, subtitle, content: { ...content } })

/** Whether two drafts have the same content, whatever the order of their keys. */
export const sameDraft = (one: Draft, other: Draft): boolean => canonical(one) === canonical(other)

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/**
 * The position of a block, counted from 1, from the path of a problem in a refused document: 4 for
 * `content[3].content[0]`. Null when the path names no block.
 */
export function blockOf(path: string): number | null {
  const index = /^content\[(\d+)\]/.exec(path)?.[1]
  return index === undefined ? null : Number(index) + 1
}
