import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'

/** A browser tells a moment after a click where the caret is. What is pressed sooner would act on what was selected before. This one asks first. */
export const SelectionAtOnce = Extension.create({
  name: 'selectionAtOnce',
  addProseMirrorPlugins: () => [
    new Plugin({
      view: ({ dom }) => {
        const tell = ({ isComposing }: KeyboardEvent) => {
          if (!isComposing) dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
        }
        // Before all others that listen to keys.
        dom.addEventListener('keydown', tell, { capture: true })
        return { destroy: () => dom.removeEventListener('keydown', tell, { capture: true }) }
      },
    }),
  ],
})
