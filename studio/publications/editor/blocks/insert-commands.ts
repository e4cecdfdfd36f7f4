import type { ChainedCommands, Command, Editor } from '@tiptap/core'
import { NodeSelection, Selection, TextSelection } from '@tiptap/pm/state'

/** Runs a command that inserts something, and brings it into view. False where it does not fit. */
export const insert = (editor: Editor, command: (chain: ChainedCommands) => ChainedCommands): boolean =>
  command(editor.chain().focus()).scrollIntoView().run()

/** Inserts a block. Words that are selected stay, and it comes below their paragraph. */
export const insertBelow = (editor: Editor, command: (chain: ChainedCommands) => ChainedCommands): boolean =>
  insert(editor, (chain) => command(chain.command(goBelowWords)))

/** Puts the caret behind selected words, so that nothing is written over them. */
export const goBehindWords: Command = ({ tr }) => {
  const { selection } = tr
  if (!(selection instanceof NodeSelection || selection.empty)) tr.setSelection(Selection.near(selection.$to, -1))
  return true
}

const goBelowWords: Command = (props) => {
  const { tr } = props
  if (tr.selection instanceof NodeSelection || tr.selection.empty) return true
  goBehindWords(props)
  if (tr.selection.$to.parent.isTextblock) tr.setSelection(TextSelection.create(tr.doc, tr.selection.$to.end()))
  return true
}

/** The selected words of one paragraph, if they can be those of a button. */
export function selectedWords({ state: { doc, selection } }: Editor): string | null {
  if (!(selection instanceof TextSelection && selection.$from.sameParent(selection.$to))) return null
  const words = doc.textBetween(selection.from, selection.to).trim()
  return words.length > 0 && words.length <= 200 ? words : null
}

/** Inserts a block that asks for nothing. The caret is below it, because whoever types on would write over it. */
export const insertAbove = (editor: Editor, command: (chain: ChainedCommands) => ChainedCommands): boolean =>
  insertBelow(editor, (chain) => command(chain).command(goBelowSelected))

/** Puts the caret into the text below the selected block, and makes a paragraph where there is none. */
const goBelowSelected: Command = ({ tr, state }) => {
  if (!(tr.selection instanceof NodeSelection)) return true
  const below = tr.selection.to
  const paragraph = state.schema.nodes.paragraph?.create()
  if (!tr.doc.nodeAt(below)?.isTextblock && paragraph) tr.insert(below, paragraph)
  tr.setSelection(TextSelection.near(tr.doc.resolve(below + 1)))
  return true
}

/** From the settings of the selected block back to the text behind it, so that whoever types on writes over nothing. */
export function leaveSelected(editor: Editor): void {
  editor.chain().command(goBehindSelected).run()
  editor.view.focus()
}

const goBehindSelected: Command = (props) => {
  const { selection, doc } = props.tr
  if (!(selection instanceof NodeSelection && selection.node.isInline)) return goBelowSelected(props)
  props.tr.setSelection(TextSelection.create(doc, selection.to))
  return true
}

/** Inserts a block that asks for something, such as a description, and selects it, so that its settings show. */
export function insertSelected(editor: Editor, command: (chain: ChainedCommands) => ChainedCommands): void {
  insertBelow(editor, (chain) => command(chain).command(selectBefore))
}

/** Where the caret went behind the new block, selects the block. */
const selectBefore: Command = ({ tr }) => {
  if (tr.selection instanceof NodeSelection) return true
  const { $from } = tr.selection
  const start = $from.depth > 0 ? $from.before() : $from.pos
  const before = tr.doc.resolve(start).nodeBefore
  if (before?.isAtom) tr.setSelection(NodeSelection.create(tr.doc, start - before.nodeSize))
  return true
}

/** Inserts a paywall. Where there is one already, that one is selected. */
export function insertPaywall(editor: Editor): void {
  if (insertBelow(editor, (chain) => chain.setPaywall())) return
  selectWhere(editor, ({ type }) => type.name === 'paywall')
}

/** Inserts the slot of a placement. Where there is one already, that one is selected. */
export function insertSlot(editor: Editor, slot: { placementId: number; hideFromPaid: boolean }): void {
  if (insertBelow(editor, (chain) => chain.setSponsorSlot(slot))) return
  selectWhere(editor, ({ type, attrs }) => type.name === 'sponsorSlot' && attrs.placementId === slot.placementId)
}

function selectWhere(editor: Editor, isIt: (node: Editor['state']['doc']) => boolean): void {
  editor.state.doc.forEach((node, offset) => {
    if (isIt(node)) editor.chain().focus().setNodeSelection(offset).scrollIntoView().run()
  })
}
