import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, NodeSelection, Plugin, TextSelection, type Transaction } from '@tiptap/pm/state'

const isBlank = (block: Node | null): boolean => block?.type.name === 'paragraph' && block.content.size === 0

/** Puts the caret into an empty paragraph below the selected block: the one that is there, or a new one. Null where no such block is selected. */
function belowSelected({ selection, doc, schema, tr }: EditorState): Transaction | null {
  if (!(selection instanceof NodeSelection && selection.node.isBlock && selection.node.isAtom)) return null
  const below = selection.to
  if (!isBlank(doc.nodeAt(below))) tr.insert(below, schema.node('paragraph'))
  return tr.setSelection(TextSelection.create(tr.doc, below + 1)).scrollIntoView()
}

/** Letters that are typed while a block is selected, and Enter, go below it. Letters would replace it otherwise. */
export const BelowSelected = Extension.create({
  name: 'belowSelected',
  addKeyboardShortcuts: () => ({
    Enter({ editor: { state, view } }) {
      const tr = belowSelected(state)
      if (tr) view.dispatch(tr)
      return tr !== null
    },
  }),
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleTextInput({ state, dispatch }, ...[, , text]) {
          const tr = belowSelected(state)
          if (tr) dispatch(tr.insertText(text))
          return tr !== null
        },
      },
    }),
  ],
})
