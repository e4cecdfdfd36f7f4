import type { PublicationDocument } from '../../../server/publications/document/schema.ts'
import type { Publication } from '../queries.ts'

/** What the writer writes. */
export interface Draft {
  title: string
  subtitle: string
  content: PublicationDocument
}

/** The draft in a publication; the server has checked its document. */
export const draftOf = ({ title, subtitle, content }: Pick<Publication, 'title' | 'subtitle' | 'content'>): Draft => ({
  title,
  subtitle,
  content: content as PublicationDocument,
})

/** The draft as the API takes it. */
export const bodyOf = ({ title, subtitle, content }: Draft) => ({ title, subtitle, content: { ...content } })

/** True when both say the same, whatever the order of their keys. */
export const sameDraft = (one: Draft, other: Draft): boolean => canonical(one) === canonical(other)

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/**
 * The place of the first problem of a refused document, such as `content[3].content[0]`, turned into the position of
 * that block among the document's blocks, counted from 1; null when it names none.
 */
export function blockOf(place: string): number | null {
  const index = /^content\[(\d+)\]/.exec(place)?.[1]
  return index === undefined ? null : Number(index) + 1
}
