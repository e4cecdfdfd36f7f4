import { Extension } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { type EditorState, Plugin, PluginKey } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import type { Language } from '../../../../server/languages.ts'
import { wordsOf } from './held-spaces.ts'
import { correctionOf } from './typed-signs.ts'

/** What was typed where a correction stands. */
interface Typed {
  from: number
  to: number
  text: string
}

/** Of the correction since which nothing happened. */
const justTyped = new PluginKey<Typed | null>('corrections')

/** Whether what is typed becomes code. */
function isInCode({ selection: { $from }, storedMarks }: EditorState): boolean {
  return Boolean($from.parent.type.spec.code || (storedMarks ?? $from.marks()).some(({ type }) => type.spec.code))
}

/** Puts back what was typed, right after it was corrected. */
function putBack(view: EditorView): boolean {
  const { state } = view
  const typed = justTyped.getState(state)
  if (typed) view.dispatch(closeHistory(state.tr.insertText(typed.text, typed.from, typed.to)))
  return Boolean(typed)
}

/**
 * Quotation marks, apostrophes, ellipses and dashes become those of a printer while they are typed, and only then: what is pasted stays.
 * Undo, and Backspace at once, bring back what was typed.
 */
export const Corrections = Extension.create<{ language: () => Language }>({
  name: 'corrections',
  priority: 200,
  addOptions: () => ({ language: () => 'en' }),
  addProseMirrorPlugins() {
    const { language } = this.options
    return [
      new Plugin<Typed | null>({
        key: justTyped,
        state: {
          init: () => null,
          apply: (tr, before) => tr.getMeta(justTyped) ?? (tr.docChanged || tr.selectionSet ? null : before),
        },
        props: {
          handleKeyDown: (view, { key, ctrlKey, altKey, metaKey }) =>
            key === 'Backspace' && !ctrlKey && !altKey && !metaKey && putBack(view),
          handleTextInput(view, from, ...[to, text]) {
            const { doc } = view.state
            const $from = doc.resolve(from)
            if (text.length !== 1 || view.composing || isInCode(view.state)) return false
            const before = wordsOf($from.parent).slice(0, $from.parentOffset)
            const found = correctionOf(before + text, language())
            if (!found) return false
            // Three steps, so that what is undone is the correction alone.
            view.dispatch(view.state.tr.insertText(text, from, to).scrollIntoView())
            // A note that is full takes no sign.
            if (view.state.doc.eq(doc)) return true
            const start = $from.start() + found.from
            view.dispatch(closeHistory(view.state.tr.insertText(found.by, start, $from.start() + found.to)))
            const typed = {
              from: start,
              to: start + found.by.length,
              text: (before + text).slice(found.from, found.to),
            }
            view.dispatch(closeHistory(view.state.tr).setMeta(justTyped, typed))
            return true
          },
        },
      }),
    ]
  },
})
