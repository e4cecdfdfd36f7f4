import { isLinkAddress } from './link-address.ts'
import { isStorable } from './storable.ts'

/** Words of a note, as a node of a document has them. */
export interface NotePart {
  type: 'text'
  text: string
  marks?: { type: string; attrs?: Record<string, unknown> }[]
}

/** Of one note. */
export const noteLimits = { characters: 2000, parts: 100 } as const

/** Whether this is the text of a note: words, of which some are bold, italic or a link. */
export const isNoteText = (value: unknown): value is NotePart[] =>
  Array.isArray(value) &&
  value.length <= noteLimits.parts &&
  value.every(isPart) &&
  wordsOfNote(value).length <= noteLimits.characters

function isPart(value: unknown): boolean {
  const { type, text, marks = [], ...rest } = Object(value)
  if (type !== 'text' || typeof text !== 'string' || text === '' || !isStorable(text)) return false
  if (Object.keys(rest).length > 0 || !Array.isArray(marks) || !marks.every(isMark)) return false
  return new Set(marks.map((mark) => mark.type)).size === marks.length
}

function isMark(value: unknown): boolean {
  const { type, attrs, ...rest } = Object(value)
  if (Object.keys(rest).length > 0) return false
  if (type !== 'link') return (type === 'bold' || type === 'italic') && attrs === undefined
  const { href, ...more } = Object(attrs)
  return isLinkAddress(href) && Object.keys(more).length === 0
}

/** The text of a footnote. Of any other node there is none. */
export const noteOf = ({ type, attrs }: { type: string; attrs?: Record<string, unknown> }): NotePart[] =>
  type === 'footnote' && isNoteText(attrs?.note) ? attrs.note : []

/** Only the words of a note. */
export const wordsOfNote = (note: readonly NotePart[]): string => note.map(({ text }) => text).join('')
