import type { Editor } from '@tiptap/core'

/** What the settings of a selected block get: its attributes, and how to change one. */
export interface SettingsProps {
  editor: Editor
  attrs: Record<string, unknown>
  set: (name: string, value: unknown) => void
}
