import type { Editor } from '@tiptap/core'

/** What the settings of a selected block get: its attributes, and how to change one. */
export interface SettingsProps {
  editor: Editor
  attrs: Record<string, unknown>
  set: (name: string, value: unknown) => void
  unfinished: Unfinished
}

/** What was typed for a block and cannot be in the document yet. It is kept while the block stays as it is. */
export interface Unfinished {
  read: (name: string) => string | undefined
  /** Null: it is finished. */
  keep: (name: string, text: string | null) => void
}
