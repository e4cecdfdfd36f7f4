import { Node } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'
import { isNoteText, wordsOfNote } from './note-text.ts'

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    footnote: {
      /** Puts a note that has no words yet behind what is selected, and selects it. False where no note can stand. */
      setFootnote: () => ReturnType
    }
  }
}

function noteIn(json: string | undefined): unknown {
  try {
    const note: unknown = JSON.parse(json ?? '[]')
    return isNoteText(note) ? note : []
  } catch {
    return []
  }
}

/**
 * A mark in the text with a note, which is read at the end. The note is an attribute, so that what is done to the words around it,
 * such as making them bold, leaves it alone. Its number is its place among the notes that a reader sees.
 */
export const Footnote = Node.create({
  name: 'footnote',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    note: { default: [], parseHTML: (element) => noteIn(element.dataset.footnote), rendered: false },
  }),
  parseHTML: () => [{ tag: 'span[data-footnote]' }],
  renderHTML: ({ node }) => [
    'span',
    { 'data-footnote': JSON.stringify(node.attrs.note) },
    ` [${wordsOfNote(node.attrs.note)}]`,
  ],
  renderText: ({ node }) => ` [${wordsOfNote(node.attrs.note)}]`,
  addCommands() {
    return {
      setFootnote:
        () =>
        ({ tr, dispatch }) => {
          const { $to } = tr.selection
          if (!$to.parent.inlineContent || !$to.parent.contentMatchAt($to.index()).matchType(this.type)) return false
          if (!dispatch) return true
          tr.insert($to.pos, this.type.create())
          tr.setSelection(NodeSelection.create(tr.doc, $to.pos))
          return true
        },
    }
  },
})
