import { textOf } from './attributes.ts'
import { excerpt } from './document-text.ts'
import type { Gate } from './gate-nodes.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'
import { everyPlan, gateOf, gatesOf, isGate, shownOn, visibleTo } from './visible.ts'

/** A merge tag without a fallback: whoever has no value for its field reads nothing there. */
export interface BareMergeTag {
  field: string
  /** Whoever one of them is shut for never reads it. */
  gates: Gate[]
  /** It is in the line that inboxes show, which has no values of anybody: everybody reads nothing there. */
  inPreheader: boolean
}

/** So many characters of a text are the preheader of a mail without a subtitle. */
export const PREHEADER_LENGTH = 110
/** Stands in an excerpt where a bare tag is. No text has it. */
const MARK = '\u0001'

/** The merge tags of a document’s mails that have no fallback, once for each field and the gates that it is behind. */
export function bareMergeTags(document: PublicationDocument, subtitle: string): BareMergeTag[] {
  const found = new Map<string, BareMergeTag>()
  const add = (tag: BareMergeTag): void => {
    found.set(JSON.stringify(tag), tag)
  }
  const above: Gate[] = []
  for (const node of shownOn(document, 'email').content ?? []) {
    if (node.type === 'paywall') above.push(gateOf(node))
    const gates = isGate(node) && node.type === 'onlyFor' ? [...above, gateOf(node)] : [...above]
    for (const field of bareFields(node)) add({ field, gates, inPreheader: false })
  }
  if (!subtitle) for (const field of inPreheader(document)) add({ field, gates: [], inPreheader: true })
  return [...found.values()]
}

/** How many places of the page on the web have a merge tag without a fallback: a page knows nobody. */
export const countBareOnWeb = (document: PublicationDocument): number => bareFields(shownOn(document, 'web')).length

const isBare = (node: DocumentNode): boolean => node.type === 'mergeTag' && textOf(node, 'fallback').trim() === ''

const bareFields = (node: DocumentNode): string[] =>
  isBare(node) ? [textOf(node, 'field')] : (node.content ?? []).flatMap(bareFields)

function inPreheader(document: PublicationDocument): string[] {
  const { document: read } = visibleTo(document, everyPlan(gatesOf(document)), 'email')
  const shown = excerpt({ ...read, content: (read.content ?? []).map(marked) }, PREHEADER_LENGTH)
  return (read.content ?? []).flatMap(bareFields).slice(0, shown.split(MARK).length - 1)
}

const marked = (node: DocumentNode): DocumentNode => ({
  ...node,
  ...(isBare(node) && { attrs: { ...node.attrs, fallback: MARK } }),
  ...(node.content && { content: node.content.map(marked) }),
})
