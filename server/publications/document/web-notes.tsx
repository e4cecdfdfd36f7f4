import { createElement, type ReactElement, type ReactNode } from 'react'
import { numberOf } from './attributes.ts'
import { anchorsOf } from './footnotes.ts'
import type { WebOptions } from './render-options.ts'
import type { DocumentNode } from './schema.ts'

/** The number of a note in the text, a link to it (DPUB-ARIA 1.0). */
export function noteReference(node: DocumentNode, { t, notesAt }: WebOptions): ReactElement {
  const number = numberOf(node, 'number')
  const { note, place } = anchorsOf(number)
  return (
    <sup>
      <a
        {...here(place, notesAt)}
        href={`${notesAt ?? ''}#${note}`}
        role="doc-noteref"
        aria-label={t('document.noteAt', { number })}
      >
        {number}
      </a>
    </sup>
  )
}

/** The notes at the end of a document, each with a link back. */
export const endnotes = (notes: ReactNode[][], { t, notesAt }: WebOptions): ReactElement => (
  <section className="notes" role="doc-endnotes" aria-label={t('document.notes')}>
    <ol>
      {notes.map((words, index) => {
        const number = index + 1
        const { note, place } = anchorsOf(number)
        return (
          <li key={note} {...here(note, notesAt)}>
            {createElement('span', null, ...words)}{' '}
            <a href={`${notesAt ?? ''}#${place}`} role="doc-backlink" aria-label={t('document.backToText', { number })}>
              {BACK}
            </a>
          </li>
        )
      })}
    </ol>
  </section>
)

const here = (id: string, notesAt: WebOptions['notesAt']) => (notesAt ? {} : { id })

/** An arrow back up, which no program draws as a coloured picture. */
export const BACK = '↩\u{FE0E}'
