import { createElement, Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numbered } from '../../../../server/publications/document/footnotes.ts'
import type { NotePart } from '../../../../server/publications/document/note-text.ts'
import type { PublicationDocument } from '../../../../server/publications/document/schema.ts'
import classes from './note-list.module.css'

/** The notes of a document, below its text, where nobody can open them beside it. Their numbers are those in the text. */
export function NoteList({ document }: { document: PublicationDocument }) {
  const { t } = useTranslation()
  const { notes } = numbered(document)
  if (notes.length === 0) return null
  return (
    <ol className={classes.notes} aria-label={t('editor.note.list')}>
      {notes.map((note, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the number of a note is what it is known by
        <li key={index}>{createElement(Fragment, null, ...note.map(drawn))}</li>
      ))}
    </ol>
  )
}

const tags: Record<string, string> = { bold: 'b', italic: 'i', link: 'a' }

const drawn = ({ text, marks = [] }: NotePart): ReactNode =>
  marks.reduce<ReactNode>((words, { type, attrs }) => createElement(tags[type] ?? 'span', attrs ?? null, words), text)
