import { createElement, type ReactElement, type ReactNode } from 'react'
import { fixedLayout, gutter, layout, smallStyle } from '../../email/tokens.ts'
import { day } from '../../page/brand-style.ts'
import { numberOf } from './attributes.ts'
import { anchorsOf } from './footnotes.ts'
import type { EmailOptions } from './render-options.ts'
import type { DocumentNode } from './schema.ts'
import { BACK } from './web-notes.tsx'

/** With `lineHeight: 0` it does not push lines apart. */
const raised = { fontSize: '70%', lineHeight: 0 }

/** Where a link within a mail leads. Gmail and Outlook know an empty anchor with a name, and no `id`. */
const Anchor = ({ name }: { name: string }) => createElement('a', { name })

/** The number of a note in the text. It leads there in programs that keep anchors; in the others it is a number all the same. */
export function noteReference(node: DocumentNode, { style, t }: EmailOptions): ReactElement {
  const number = numberOf(node, 'number')
  const { note, place } = anchorsOf(number)
  return (
    <sup style={raised}>
      <Anchor name={place} />
      <a
        href={`#${note}`}
        role="doc-noteref"
        aria-label={t('document.noteAt', { number })}
        style={{ color: style.accent }}
      >
        {number}
      </a>
    </sup>
  )
}

/** The notes as the last row of a mail. Their numbers are written out, for lists look different in every program. */
export const endnotes = (notes: ReactNode[][], { style, t }: EmailOptions): ReactElement => (
  <tr>
    <td className="px" style={{ padding: `0 ${gutter}px 22px` }}>
      <table {...layout} style={fixedLayout}>
        <tbody>
          <tr>
            <td className="rl mu" style={{ ...smallStyle(style), borderTop: `1px solid ${day.rule}`, paddingTop: 14 }}>
              <div role="doc-endnotes" aria-label={t('document.notes')}>
                {notes.map((words, index) => noteLine(words, index + 1, { style, t }))}
              </div>
            </td>
          </tr>
        </tbody>
      </table>
    </td>
  </tr>
)

function noteLine(words: ReactNode[], number: number, { style, t }: Pick<EmailOptions, 'style' | 't'>): ReactElement {
  const { note, place } = anchorsOf(number)
  return createElement(
    'p',
    { key: note, style: { margin: '0 0 6px' } },
    <Anchor key="anchor" name={note} />,
    `${number}. `,
    ...words,
    ' ',
    <a
      key="back"
      href={`#${place}`}
      role="doc-backlink"
      aria-label={t('document.backToText', { number })}
      style={{ color: style.accent, textDecoration: 'none' }}
    >
      {BACK}
    </a>,
  )
}
