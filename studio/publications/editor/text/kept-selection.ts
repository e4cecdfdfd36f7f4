import { Extension } from '@tiptap/core'
import { Plugin, TextSelection } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/** Keeps the selected text marked while the focus is in a form, such as the link form. */
export const KeptSelection = Extension.create({
  name: 'keptSelection',
  addProseMirrorPlugins() {
    const { editor } = this
    return [
      new Plugin({
        props: {
          decorations: ({ doc, selection }) => {
            if (editor.isFocused || selection.empty || !(selection instanceof TextSelection)) return null
            return DecorationSet.create(doc, [
              Decoration.inline(selection.from, selection.to, { class: 'kept-selection' }),
            ])
          },
        },
      }),
    ]
  },
})
