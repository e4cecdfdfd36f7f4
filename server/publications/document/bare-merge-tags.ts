import { textOf } from './attributes.ts'
import type { Gate } from './gate-nodes.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'
import { gateOf, isGate, shownOn } from './visible.ts'

/** A merge tag without a fallback: whoever has no value for its field reads nothing there. */
export interface BareMergeTag {
  field: string
  /** Whoever one of them is shut for never reads it. */
  gates: Gate[]
}

/** The merge tags of a document’s mails that have no fallback, once for each field and the gates that it is behind. */
export function bareMergeTags(document: PublicationDocument): BareMergeTag[] {
  const found = new Map<string, BareMergeTag>()
  const add = (tag: BareMergeTag): void => {
    found.set(JSON.stringify(tag), tag)
  }
  const above: Gate[] = []
  for (const node of shownOn(document, 'email').content ?? []) {
    if (node.type === 'paywall') above.push(gateOf(node))
    const gates = isGate(node) && node.type === 'onlyFor' ? [...above, gateOf(node)] : [...above]
    for (const field of bareFields(node)) add({ field, gates })
  }
  return [...found.values()]
}

/** How many places of the page on the web have a merge tag without a fallback: a page knows nobody. */
export const countBareOnWeb = (document: PublicationDocument): number => bareFields(shownOn(document, 'web')).length

const isBare = (node: DocumentNode): boolean => node.type === 'mergeTag' && textOf(node, 'fallback').trim() === ''

const bareFields = (node: DocumentNode): string[] =>
  isBare(node) ? [textOf(node, 'field')] : (node.content ?? []).flatMap(bareFields)
