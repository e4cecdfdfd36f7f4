import type { Mark, Node } from '@tiptap/pm/model'
import { NodeSelection, type Selection, TextSelection } from '@tiptap/pm/state'
import { isNoteText, noteOf } from '../../../../server/publications/document/note-text.ts'
import type { ProblemPlace } from '../../problem-place.ts'

/** What to select of a text so that its problem is seen; null when it is there no more. */
export function findProblem(doc: Node, place: ProblemPlace): Selection | null {
  const holds = test(place)
  let found: Selection | null = null
  doc.descendants((node, position) => {
    if (!found && holds(node)) found = selected(doc, node, position)
    return !found
  })
  return found
}

function test(place: ProblemPlace): (node: Node) => boolean {
  switch (place.at) {
    case 'words':
      return ({ text }) => text?.trim().startsWith(place.words) ?? false
    case 'address':
      return ({ attrs, marks }) =>
        [attrs.href, attrs.src, attrs.url, ...marks.map(linked), ...linkedInNote(attrs.note)].includes(place.address)
    case 'mergeTag':
      return ({ type, attrs }) =>
        type.name === 'mergeTag' &&
        (place.field === undefined || attrs.field === place.field) &&
        !String(attrs.fallback ?? '').trim()
    case 'image':
      return ({ type, attrs }) => type.name === 'image' && !String(attrs.alt ?? '').trim()
    case 'button':
      return ({ type, attrs }) => type.name === 'button' && !String(attrs.href ?? '').trim()
    case 'note':
      return ({ type, attrs }) => type.name === 'footnote' && noteOf({ type: type.name, attrs }).length === 0
    case 'heading':
      return leavesLevelOut()
    case 'paywall':
      return ({ type }) => type.name === 'paywall'
    case 'details':
      return () => false
  }
}

const linked = ({ type, attrs }: Mark): unknown => type.name === 'link' && attrs.href

const linkedInNote = (note: unknown): unknown[] =>
  isNoteText(note) ? note.flatMap(({ marks = [] }) => marks.map(({ attrs }) => attrs?.href)) : []

/** The title is of level 1. */
function leavesLevelOut(): (node: Node) => boolean {
  let level = 1
  return ({ type, attrs }) => {
    if (type.name !== 'heading') return false
    const before = level
    level = Number(attrs.level)
    return level > before + 1
  }
}

function selected(doc: Node, node: Node, position: number): Selection {
  if (node.isText) return TextSelection.create(doc, position, position + node.nodeSize)
  if (node.isTextblock) return TextSelection.create(doc, position + 1, position + 1 + node.content.size)
  return NodeSelection.create(doc, position)
}
