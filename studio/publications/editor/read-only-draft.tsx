import { EditorContent, useEditor } from '@tiptap/react'
import { useTranslation } from 'react-i18next'
import { shownTitle } from '../../ui/shown-title.ts'
import type { Draft } from './draft.ts'
import './text/text.css'
import { editorExtensions, viewSentences } from './blocks/block-views.ts'
import { Planning } from './blocks/planning.ts'
import { NoteList } from './notes/note-list.tsx'
import classes from './read-only-draft.module.css'

/** A version to read: title, subtitle and text look as in the editor. */
export function ReadOnlyDraft({ draft, className = '' }: { draft: Draft; className?: string | undefined }) {
  const { t } = useTranslation()
  const editor = useEditor({
    editable: false,
    injectCSS: false,
    extensions: editorExtensions(viewSentences(t)),
    content: draft.content,
    editorProps: { attributes: { role: 'document', 'aria-label': shownTitle(draft.title, t) } },
  })
  return (
    <div className={`${classes.draft} ${className}`}>
      <p className={classes.title}>{shownTitle(draft.title, t)}</p>
      {draft.subtitle && <p className={classes.subtitle}>{draft.subtitle}</p>}
      <Planning value={{ plan: null }}>
        <EditorContent editor={editor} />
      </Planning>
      <NoteList document={draft.content} />
    </div>
  )
}
