import { AppError } from '../errors.ts'
import type { Translate } from '../translator.ts'
import { documentText } from './document/document-text.ts'
import type { DocumentNode, PublicationDocument } from './document/schema.ts'
import { type DocumentProblem, parseDocument } from './document/validate.ts'

export const emptyDocument: PublicationDocument = { type: 'doc', content: [{ type: 'paragraph' }] }

/** A stored document: it was checked before it was stored, which the type of a JSON column cannot say. */
export const storedDocument = (content: unknown): PublicationDocument => content as PublicationDocument

/**
 * The document as it may be stored.
 *
 * @throws AppError document_invalid with a sentence for each place that fits no schema
 */
export function checkedDocument(json: unknown, t: Translate): PublicationDocument {
  const parsed = parseDocument(json)
  if (parsed.ok) return parsed.document
  const fields = Object.fromEntries(
    parsed.problems.map((problem) => [
      problem.path ? `content.${problem.path}` : 'content',
      t(`publications.problem.${problem.code}`, { ...problem.params, defaultValue: t('errors.fields.wrong') }),
    ]),
  )
  throw new AppError('document_invalid', { fields, params: { place: placeOf(parsed.problems[0], t) } })
}

/** People count blocks from one; the exact path is in `fields`. */
function placeOf(problem: DocumentProblem | undefined, t: Translate): string {
  const block = /^content\[(\d+)\]/.exec(problem?.path ?? '')?.[1]
  return block ? t('publications.block', { number: Number(block) + 1 }) : t('publications.wholeText')
}

/** What the list's search looks through. */
export const searchWords = (title: string, subtitle: string, document: PublicationDocument): string =>
  [title, subtitle, documentText(document)].filter(Boolean).join('\n').slice(0, 200_000)

const speaking = new Set(['image', 'video', 'button', 'table'])

/** Whether there is nothing to read or see. */
export function isEmpty(document: PublicationDocument): boolean {
  const speaks = (node: DocumentNode): boolean =>
    speaking.has(node.type) || Boolean(node.text?.trim()) || (node.content ?? []).some(speaks)
  return !speaks(document)
}
