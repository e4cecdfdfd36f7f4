import { Extension } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, TextSelection } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'

/** Where the slash stands in the document. Null while no list is open. */
const slashKey = new PluginKey<number | null>('slash')

/** An open list: where its slash stands, and what was typed behind it. */
export interface Slash {
  from: number
  query: string
}

/** The open list, or null. */
export function slashIn(state: EditorState): Slash | null {
  const from = slashKey.getState(state) ?? null
  const query = from === null ? null : queryBehind(state, from)
  return from === null || query === null ? null : { from, query }
}

/**
 * The text between the slash and the caret. Null once the caret left the paragraph, the slash is gone, or a space behind it says that it was
 * a word of the text.
 */
function queryBehind({ doc, selection }: EditorState, from: number): string | null {
  const { $from } = selection
  if (!(selection instanceof TextSelection) || !selection.empty || from < $from.start() || from >= $from.pos)
    return null
  const typed = doc.textBetween(from, $from.pos)
  return /^\/(?!\s)/.test(typed) ? typed.slice(1) : null
}

/** Closes the list. What was typed stays. */
export function closeSlash(view: EditorView): void {
  if (slashIn(view.state)) view.dispatch(view.state.tr.setMeta(slashKey, 'close'))
}

/**
 * Removes the slash and what was typed behind it, and closes the list. To take back what is inserted then does not bring
 * the slash back.
 *
 * @param options.andSpace also removes the space in front of it: what is inserted belongs to the word before
 */
export function removeSlash(view: EditorView, { andSpace }: { andSpace: boolean }): void {
  const slash = slashIn(view.state)
  if (!slash) return
  const before = textBefore(view.state.doc, slash.from)
  const spaces = andSpace ? before.length - before.trimEnd().length : 0
  const tr = view.state.tr.delete(slash.from - spaces, slash.from + 1 + slash.query.length)
  view.dispatch(closeHistory(tr).setMeta('addToHistory', false).setMeta(slashKey, 'close'))
}

/** The text of the paragraph in front of a place; what is no text counts as a sign. */
function textBefore(doc: Node, at: number): string {
  const $at = doc.resolve(at)
  return $at.parent.textBetween(0, $at.parentOffset, null, '\ufffc')
}

interface SlashOptions {
  /** What an empty editor says on its first line. */
  hint: string
}

/**
 * Opens a list when somebody types a slash where a word begins, and shows a hint in an empty editor that says so. A slash inside a word, as
 * in 1/2 or an address, opens nothing.
 */
export const SlashCommand = Extension.create<SlashOptions>({
  name: 'slash',
  addOptions: () => ({ hint: '' }),
  addProseMirrorPlugins() {
    return [slashPlugin(), hintPlugin(this.options.hint, () => this.editor.isEditable)]
  },
})

const slashPlugin = () =>
  new Plugin<number | null>({
    key: slashKey,
    state: {
      init: () => null,
      apply(tr, before, ...[, state]) {
        const asked: unknown = tr.getMeta(slashKey)
        if (asked === 'close') return null
        const from = asked === 'open' ? tr.selection.from - 1 : before === null ? null : tr.mapping.map(before, -1)
        return from !== null && queryBehind(state, from) !== null ? from : null
      },
    },
    props: {
      handleTextInput(view, from, ...[to, text]) {
        const { tr } = view.state
        const { parent } = tr.doc.resolve(from)
        const isInWord = /\S$/.test(textBefore(tr.doc, from))
        if (text !== '/' || from !== to || parent.type.name !== 'paragraph' || isInWord) return false
        view.dispatch(closeHistory(tr.insertText('/', from)).setMeta(slashKey, 'open').scrollIntoView())
        return true
      },
      handleDOMEvents: { blur: (view) => closeSlash(view) },
    },
  })

/** A paragraph without words. */
const isBlank = ({ type, content }: Node): boolean => type.name === 'paragraph' && content.size === 0

/** Also where only sponsor slots stand. The hint is drawn by the style sheet, so that it is no part of the document. */
const hintPlugin = (hint: string, isEditable: () => boolean) => {
  const isEmpty = ({ doc }: EditorState): boolean =>
    doc.children.some(isBlank) && doc.children.every((block) => isBlank(block) || block.type.name === 'sponsorSlot')
  const hintAt = (doc: Node): Decoration => {
    const first = doc.children.findIndex(isBlank)
    const from = doc.children.slice(0, first).reduce((size, { nodeSize }) => size + nodeSize, 0)
    return Decoration.node(from, from + doc.child(first).nodeSize, { 'data-hint': hint })
  }
  return new Plugin({
    props: {
      attributes: (state): Record<string, string> =>
        isEditable() && isEmpty(state) ? { 'aria-placeholder': hint } : {},
      decorations: (state) =>
        isEditable() && isEmpty(state) ? DecorationSet.create(state.doc, [hintAt(state.doc)]) : null,
    },
  })
}
