import type { Editor } from '@tiptap/core'

/** What the bar of a selected node gets: its attributes, and how to change one. */
export interface BarProps {
  editor: Editor
  attrs: Record<string, unknown>
  set: (name: string, value: unknown) => void
}
