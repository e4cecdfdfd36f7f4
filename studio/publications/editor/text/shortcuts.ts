import { Extension } from '@tiptap/core'
import { enterSettings } from '../blocks/enter-settings.ts'
import { clearFormatting } from '../toolbar/tools.ts'

export interface ShortcutOptions {
  link: () => void
  toolbar: () => void
  save: () => void
}

/** Shortcuts that TipTap's extensions do not bind: indent, clear formatting, link, save, and focus the toolbar or the settings of what is selected. */
export const Shortcuts = Extension.create<ShortcutOptions>({
  name: 'shortcuts',
  addOptions: () => ({ link: () => {}, toolbar: () => {}, save: () => {} }),
  addKeyboardShortcuts() {
    const then = (act: () => void) => () => {
      act()
      return true
    }
    return {
      'Mod-Enter': ({ editor }) => enterSettings(editor),
      'Mod-]': ({ editor }) => editor.commands.indent() || true,
      'Mod-[': ({ editor }) => editor.commands.outdent() || true,
      'Mod-\\': ({ editor }) => clearFormatting.run(editor.chain()).run(),
      'Mod-k': then(() => this.options.link()),
      'Mod-s': then(() => this.options.save()),
      'Alt-F10': then(() => this.options.toolbar()),
    }
  },
})
