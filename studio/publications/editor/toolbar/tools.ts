import type { ChainedCommands, Editor } from '@tiptap/core'
import {
  type Icon,
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
} from '../../../ui/icons.ts'

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

/** A toolbar button that runs one command. */
export interface Tool {
  name: ToolName
  icon: Icon
  /** In TipTap's notation: `Mod-Shift-x`. */
  shortcut?: string
  run: (chain: ChainedCommands) => ChainedCommands
  /** Whether the selection has this format. Absent for commands without a state, such as undo. */
  active?: (editor: Editor) => boolean
}

/** A tool that switches a mark or a block on and off. */
const toggle = (tool: Omit<Tool, 'active'>): Tool => ({ ...tool, active: (editor) => editor.isActive(tool.name) })

export const historyTools: Tool[] = [
  { name: 'undo', icon: IconArrowBackUp, shortcut: 'Mod-z', run: (chain) => chain.undo() },
  { name: 'redo', icon: IconArrowForwardUp, shortcut: 'Mod-Shift-z', run: (chain) => chain.redo() },
]

export const characterTools: Tool[] = [
  toggle({ name: 'bold', icon: IconBold, shortcut: 'Mod-b', run: (chain) => chain.toggleBold() }),
  toggle({ name: 'italic', icon: IconItalic, shortcut: 'Mod-i', run: (chain) => chain.toggleItalic() }),
  toggle({ name: 'underline', icon: IconUnderline, shortcut: 'Mod-u', run: (chain) => chain.toggleUnderline() }),
  toggle({ name: 'strike', icon: IconStrikethrough, shortcut: 'Mod-Shift-s', run: (chain) => chain.toggleStrike() }),
  toggle({
    name: 'subscript',
    icon: IconSubscript,
    shortcut: 'Mod-,',
    run: (chain) => chain.unsetSuperscript().toggleSubscript(),
  }),
  toggle({
    name: 'superscript',
    icon: IconSuperscript,
    shortcut: 'Mod-.',
    run: (chain) => chain.unsetSubscript().toggleSuperscript(),
  }),
]

export const listTools: Tool[] = [
  toggle({
    name: 'orderedList',
    icon: IconListNumbers,
    shortcut: 'Mod-Shift-7',
    run: (chain) => chain.toggleOrderedList(),
  }),
  toggle({ name: 'bulletList', icon: IconList, shortcut: 'Mod-Shift-8', run: (chain) => chain.toggleBulletList() }),
  { name: 'outdent', icon: IconIndentDecrease, shortcut: 'Mod-[', run: (chain) => chain.outdent() },
  { name: 'indent', icon: IconIndentIncrease, shortcut: 'Mod-]', run: (chain) => chain.indent() },
]

export const blockTools: Tool[] = [
  toggle({
    name: 'blockquote',
    icon: IconBlockquote,
    shortcut: 'Mod-Shift-b',
    run: (chain) => chain.toggleBlockquote(),
  }),
  toggle({ name: 'codeBlock', icon: IconCode, shortcut: 'Mod-Alt-c', run: (chain) => chain.toggleCodeBlock() }),
]

/** Turns the selection into plain paragraphs: no marks, block style, alignment, direction or indent. */
const clear = (chain: ChainedCommands): ChainedCommands =>
  chain.unsetAllMarks().clearNodes().updateAttributes('paragraph', { textAlign: null, dir: null, indent: 0 })

export const clearFormatting: Tool = { name: 'clean', icon: IconClearFormatting, shortcut: 'Mod-\\', run: clear }
