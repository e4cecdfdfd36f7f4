import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { NodeSelection, Plugin, TextSelection } from '@tiptap/pm/state'

const kept = new Set(['image', 'video', 'button', 'divider', 'horizontalRule', 'paywall'])

const isBlank = (block: Node | null): boolean => block?.type.name === 'paragraph' && block.content.size === 0

/** Letters that are typed while a block is selected go below it. They would replace it otherwise. */
export const BelowSelected = Extension.create({
  name: 'belowSelected',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleTextInput({ state, dispatch }, _from, ...[, text]) {
          const { selection, schema } = state
          if (!(selection instanceof NodeSelection) || !kept.has(selection.node.type.name)) return false
          const below = selection.to
          const paragraph = schema.nodes.paragraph?.create(null, schema.text(text))
          if (!paragraph) return false
          const tr = isBlank(state.doc.nodeAt(below))
            ? state.tr.insertText(text, below + 1)
            : state.tr.insert(below, paragraph)
          dispatch(tr.setSelection(TextSelection.create(tr.doc, below + 1 + text.length)).scrollIntoView())
          return true
        },
      },
    }),
  ],
})
