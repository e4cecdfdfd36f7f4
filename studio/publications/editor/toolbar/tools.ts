import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconClearFormatting,
  IconCode,
  IconIndentDecrease,
  IconIndentIncrease,
  IconItalic,
  IconList,
  IconListNumbers,
  IconStrikethrough,
  IconSubscript,
  IconSuperscript,
  IconUnderline,
} from '@tabler/icons-react'
import type { ChainedCommands, Editor } from '@tiptap/core'

export type ToolName =
  | 'undo'
  | 'redo'
  | 'bold'
  | 'italic'
  | 'underline'
  | 'strike'
  | 'subscript'
  | 'superscript'
  | 'orderedList'
  | 'bulletList'
  | 'outdent'
  | 'indent'
  | 'blockquote'
  | 'codeBlock'
  | 'clean'

/** A control of the toolbar that does one thing when it is pressed. */
export interface Tool {
  name: ToolName
  icon: typeof IconBold
  /** As TipTap writes it: `Mod-Shift-x`. */
  shortcut?: string
  run: (chain: ChainedCommands) => ChainedCommands
  /** Whether the selection has it; absent for what is no state. */
  active?: (editor: Editor) => boolean
}

const toggle = (name: ToolName, icon: Tool['icon'], shortcut: string, run: Tool['run']): Tool => ({
  name,
  icon,
  shortcut,
  run,
  active: (editor) => editor.isActive(name),
})

export const historyTools: Tool[] = [
  { name: 'undo', icon: IconArrowBackUp, shortcut: 'Mod-z', run: (chain) => chain.undo() },
  { name: 'redo', icon: IconArrowForwardUp, shortcut: 'Mod-Shift-z', run: (chain) => chain.redo() },
]

export const characterTools: Tool[] = [
  toggle('bold', IconBold, 'Mod-b', (chain) => chain.toggleBold()),
  toggle('italic', IconItalic, 'Mod-i', (chain) => chain.toggleItalic()),
  toggle('underline', IconUnderline, 'Mod-u', (chain) => chain.toggleUnderline()),
  toggle('strike', IconStrikethrough, 'Mod-Shift-s', (chain) => chain.toggleStrike()),
  toggle('subscript', IconSubscript, 'Mod-,', (chain) => chain.unsetSuperscript().toggleSubscript()),
  toggle('superscript', IconSuperscript, 'Mod-.', (chain) => chain.unsetSubscript().toggleSuperscript()),
]

export const listTools: Tool[] = [
  toggle('orderedList', IconListNumbers, 'Mod-Shift-7', (chain) => chain.toggleOrderedList()),
  toggle('bulletList', IconList, 'Mod-Shift-8', (chain) => chain.toggleBulletList()),
  { name: 'outdent', icon: IconIndentDecrease, shortcut: 'Mod-[', run: (chain) => chain.outdent() },
  { name: 'indent', icon: IconIndentIncrease, shortcut: 'Mod-]', run: (chain) => chain.indent() },
]

export const blockTools: Tool[] = [
  toggle('blockquote', IconBlockquote, 'Mod-Shift-b', (chain) => chain.toggleBlockquote()),
  toggle('codeBlock', IconCode, 'Mod-Alt-c', (chain) => chain.toggleCodeBlock()),
]

/** Back to plain paragraphs: no marks, no block style, no alignment, direction or margin. */
const clear = (chain: ChainedCommands): ChainedCommands =>
  chain.unsetAllMarks().clearNodes().updateAttributes('paragraph', { textAlign: null, dir: null, indent: 0 })

export const clearFormatting: Tool = { name: 'clean', icon: IconClearFormatting, shortcut: 'Mod-\\', run: clear }

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** A shortcut as the keyboard in front of the writer shows it: `⌘⇧S` or `Ctrl+Shift+S`. */
export function shortcutLabel(shortcut: string): string {
  const keys = shortcut.split(/-(?!$)/).map((key) => (key.length === 1 ? key.toUpperCase() : key))
  const names: Record<string, string> = isMac
    ? { Mod: '⌘', Shift: '⇧', Alt: '⌥' }
    : { Mod: 'Ctrl', Shift: 'Shift', Alt: 'Alt' }
  return keys.map((key) => names[key] ?? key).join(isMac ? '' : '+')
}

/** The same, as `aria-keyshortcuts` wants it. */
export const ariaShortcut = (shortcut: string): string =>
  shortcut
    .split(/-(?!$)/)
    .map((key) => (key === 'Mod' ? (isMac ? 'Meta' : 'Control') : key.length === 1 ? key.toUpperCase() : key))
    .join('+')
