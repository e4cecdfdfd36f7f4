import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import type { Language } from '../../../../server/languages.ts'
import { heldSpaces, OTHER } from '../../../../server/publications/document/typography.ts'

/** From the sign before a space to the end of the space. */
interface Held {
  from: number
  to: number
}

/** The words of a block, one character for each place in it: code and what is no text are signs that stand for something else. */
export function wordsOf(block: Node): string {
  let text = ''
  block.forEach((node) => {
    if (node.type.name === 'hardBreak') text += '\n'
    else text += node.text && !node.marks.some(({ type }) => type.spec.code) ? node.text : OTHER.repeat(node.nodeSize)
  })
  return text
}

/** Where no line of a block may break, from the begin of its text. */
function heldIn(block: Node, language: Language): Held[] {
  // Safari breaks before a space that stands alone in an element.
  return heldSpaces(wordsOf(block), language).map(({ at, length }) => ({ from: at - 1, to: at + length }))
}

/** Where no line of a document may break, though the writer typed usual spaces. */
export function heldOf(doc: Node, language: Language, known?: WeakMap<Node, Held[]>): Held[] {
  const found: Held[] = []
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true
    const held = known?.get(node) ?? (node.type.spec.code ? [] : heldIn(node, language))
    known?.set(node, held)
    for (const { from, to } of held) found.push({ from: position + 1 + from, to: position + 1 + to })
    return false
  })
  return found
}

/** Lines break while writing where those of readers do. The text keeps the spaces that were typed. */
export const HeldSpaces = Extension.create<{ language: () => Language }>({
  name: 'heldSpaces',
  addOptions: () => ({ language: () => 'en' }),
  addProseMirrorPlugins() {
    const { language } = this.options
    let of = language()
    let known = new WeakMap<Node, Held[]>()
    const shown = (doc: Node) => {
      if (of !== language()) known = new WeakMap()
      of = language()
      const held = heldOf(doc, of, known)
      return DecorationSet.create(
        doc,
        held.map(({ from, to }) => Decoration.inline(from, to, { style: 'white-space: pre' })),
      )
    }
    const plugin: Plugin<DecorationSet> = new Plugin({
      state: { init: (_, { doc }) => shown(doc), apply: (tr, before) => (tr.docChanged ? shown(tr.doc) : before) },
      props: { decorations: (state) => plugin.getState(state) },
    })
    return [plugin]
  },
})
