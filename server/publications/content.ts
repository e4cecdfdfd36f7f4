import { AppError } from '../errors.ts'
import type { ThreadJob } from '../jobs/threads.ts'
import type { Language } from '../languages.ts'
import { type Translate, translator } from '../translator.ts'
import { documentText } from './document/document-text.ts'
import type { DocumentNode, PublicationDocument } from './document/schema.ts'
import { type DocumentProblem, parseDocument } from './document/validate.ts'
import { strangersAccess, visibleTo } from './document/visible.ts'

export const emptyDocument: PublicationDocument = { type: 'doc', content: [{ type: 'paragraph' }] }

/** The text of a document for the search. */
interface SearchableText {
  /** What strangers may read on the web. */
  text: string
  /** All of it; null when strangers may read it all on the web. */
  wholeText: string | null
}

/** A document that was checked: as JSON, and its text. */
export interface CheckedDocument extends SearchableText {
  content: string
}

export function searchableText(document: PublicationDocument): SearchableText {
  const text = documentText(visibleTo(document, strangersAccess, 'web').document)
  const whole = documentText(document)
  return { text, wholeText: whole === text ? null : whole }
}

/** `json` is an object whose `content` is the document. The language is that of the sentences about what does not fit. */
export const documentJob: ThreadJob<{ json: string; language: Language }, CheckedDocument> = {
  name: 'document',
  run({ json, language }) {
    const document = checkedDocument(JSON.parse(json).content, translator(language))
    return { content: JSON.stringify(document), ...searchableText(document) }
  },
}

/** A stored document: it was checked before it was stored, which the type of a JSON column cannot say. */
export const storedDocument = (content: unknown): PublicationDocument => content as PublicationDocument

/**
 * Checks a document before it is stored.
 *
 * @throws AppError document_invalid with a sentence for each place that fits no schema
 */
export function checkedDocument(json: unknown, t: Translate): PublicationDocument {
  const parsed = parseDocument(json)
  if (parsed.ok) return parsed.document
  const fields = Object.fromEntries(
    parsed.problems.map((problem) => [
      problem.path ? `content.${problem.path}` : 'content',
      {
        said: t(`publications.problem.${problem.code}`, { ...problem.params, defaultValue: t('errors.fields.wrong') }),
      },
    ]),
  )
  throw new AppError('document_invalid', { fields, params: { place: placeOf(parsed.problems[0], t) } })
}

/** People count blocks from one; the exact path is in `fields`. */
function placeOf(problem: DocumentProblem | undefined, t: Translate): string {
  const block = /^content\[(\d+)\]/.exec(problem?.path ?? '')?.[1]
  return block ? t('publications.block', { number: Number(block) + 1 }) : t('publications.wholeText')
}

/** The columns in which searches look: that of the archive in `words` alone, that of members in both. */
export const searchColumns = (title: string, subtitle: string, { text, wholeText }: SearchableText) => {
  const words = (text: string) => [title, subtitle, text].filter(Boolean).join('\n').slice(0, 200_000)
  return { words: words(text), whole_words: wholeText === null ? null : words(wholeText) }
}

const visibleBlocks = new Set(['image', 'video', 'table'])

/** Whether the document has no text and no visible block. A button without an address is shown to nobody. */
export function isEmptyDocument(document: PublicationDocument): boolean {
  const isVisible = (node: DocumentNode): boolean =>
    visibleBlocks.has(node.type) ||
    (node.type === 'button' && Boolean(node.attrs?.href)) ||
    Boolean(node.text?.trim()) ||
    (node.content ?? []).some(isVisible)
  return !isVisible(document)
}
