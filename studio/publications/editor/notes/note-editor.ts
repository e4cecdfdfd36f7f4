import { type AnyExtension, Extension, type JSONContent, Node } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import StarterKit from '@tiptap/starter-kit'
import type { Language } from '../../../../server/languages.ts'
import { isNoteText, type NotePart } from '../../../../server/publications/document/note-text.ts'
import { documentExtensions } from '../../../../server/publications/document/schema.ts'
import { Corrections } from '../text/corrections.ts'
import { FocusAtOnce } from '../text/focus-at-once.ts'
import { HeldSpaces } from '../text/held-spaces.ts'

/** A note is one line of words. */
const OneLine = Node.create({ name: 'doc', topNode: true, content: 'paragraph' })

/** What would make it longer than a note can be is not taken, and somebody is told. */
const fittingNote = (refused: () => void) =>
  Extension.create({
    name: 'fittingNote',
    addProseMirrorPlugins: () => [
      new Plugin({
        filterTransaction: ({ docChanged, doc }) => {
          const fits = !docChanged || isNoteText(noteOfEditor(doc.toJSON()))
          if (!fits) refused()
          return fits
        },
      }),
    ],
  })

const off = {
  blockquote: false,
  bulletList: false,
  code: false,
  codeBlock: false,
  document: false,
  dropcursor: false,
  gapcursor: false,
  hardBreak: false,
  heading: false,
  horizontalRule: false,
  link: false,
  listItem: false,
  listKeymap: false,
  orderedList: false,
  strike: false,
  trailingNode: false,
  underline: false,
  undoRedo: false,
} as const

/** A text of bold and italic words and links. What is taken back is taken back in the publication, which the note is a part of. */
export const noteExtensions = (language: Language, refused: () => void): AnyExtension[] => [
  OneLine,
  StarterKit.configure(off),
  ...documentExtensions.filter(({ name }) => name === 'link'),
  fittingNote(refused),
  FocusAtOnce,
  Corrections.configure({ language: () => language }),
  HeldSpaces.configure({ language: () => language }),
]

export const editorOfNote = (note: NotePart[]): JSONContent => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: note }],
})

/** The note that stands in the editor, as documents keep it. */
export const noteOfEditor = ({ content: [line] = [] }: JSONContent): NotePart[] =>
  (line?.content ?? []).map(({ text = '', marks = [] }) => ({
    type: 'text',
    text,
    ...(marks.length > 0 && { marks: marks.map(({ type, attrs }) => kept(type, attrs)) }),
  }))

const kept = (type: string, attrs: JSONContent['attrs']) =>
  type === 'link' ? { type, attrs: { href: attrs?.href } } : { type }
