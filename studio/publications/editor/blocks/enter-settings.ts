import type { Editor } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'
import { leaveSelected } from './insert-commands.ts'

/** What can be filled in or chosen. Of several to choose from, the chosen one takes the focus. */
const SETTING = 'input:is(:checked, :not([type="radio"], [type="hidden"]))'

/** From the selected block into the first of its settings. False where it has none. */
export function enterSettings({ state: { selection } }: Editor): boolean {
  if (!(selection instanceof NodeSelection)) return false
  const bar = document.querySelector(`#block-settings[data-block="${selection.node.type.name}"]`)
  const setting = bar?.querySelector<HTMLElement>(SETTING)
  setting?.focus()
  return Boolean(setting)
}

/** From the settings back to the block, which stays selected; behind one within words, for the next letter would replace it. */
export function leaveSettings(editor: Editor): void {
  const { selection } = editor.state
  if (selection instanceof NodeSelection && selection.node.isInline) leaveSelected(editor)
  else editor.view.focus()
}
