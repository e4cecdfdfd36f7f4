import { Extension } from '@tiptap/core'
import { cleaning } from './tools.ts'

export interface Commands {
  link: () => void
  toolbar: () => void
  save: () => void
}

/** The keys the schema's own extensions do not bind: indent, clean formatting, link, save, and the way to the toolbar. */
export const Shortcuts = Extension.create<Commands>({
  name: 'shortcuts',
  addOptions: () => ({ link: () => {}, toolbar: () => {}, save: () => {} }),
  addKeyboardShortcuts() {
    const then = (act: () => void) => () => {
      act()
      return true
    }
    return {
      'Mod-]': ({ editor }) => editor.commands.indent() || true,
      'Mod-[': ({ editor }) => editor.commands.outdent() || true,
      'Mod-\\': ({ editor }) => cleaning.run(editor.chain()).run(),
      'Mod-k': then(() => this.options.link()),
      'Mod-s': then(() => this.options.save()),
      'Alt-F10': then(() => this.options.toolbar()),
    }
  },
})
