import { Extension, resolveFocusPosition } from '@tiptap/core'

/** The command `focus` of TipTap waits until the browser draws again, and what is typed by then is lost. This one does not wait. */
export const FocusAtOnce = Extension.create({
  name: 'focusAtOnce',
  addCommands: () => ({
    focus:
      (position = null, { scrollIntoView = true } = {}) =>
      ({ tr, view, dispatch }) => {
        if (!dispatch || position === false || (position === null && view.hasFocus())) return true
        const selection = resolveFocusPosition(tr.doc, position)
        if (selection) tr.setSelection(selection)
        view.focus()
        if (scrollIntoView) tr.scrollIntoView()
        return true
      },
  }),
})
