import { besideMarks, NARROW, NO_BREAK, type Rule } from '../../../i18n/french-spaces.ts'
import type { Language } from '../../languages.ts'
import { noteOf } from './note-text.ts'
import type { DocumentNode, PublicationDocument } from './schema.ts'

const lengths = '(?:[kcdmµn]?m[²³]?|ha)'
const weights = '(?:[kmµ]?g|t)'
const volumes = '(?:[hdcm]?[lL])'
const powers = '(?:[kMGT]?(?:W|Wh|V|Hz|J)|k?cal|dB)'
const sizes = '(?:[kMGT]o|[kMGT]B)'
const units = `min|h|s|${lengths}|${weights}|${volumes}|°[CF]?|${powers}|${sizes}|[kM]€|Mds?€`
const measures: Rule[] = [
  [new RegExp(`(?<=\\d) +(?=[%‰€£$]|(?:${units})(?![\\p{L}\\p{N}]))`, 'gu'), NO_BREAK],
  [/(?<=(?:^|\s)[+−–-]) +(?=\d)/gu, NO_BREAK],
]
const rules: Record<Language, Rule[]> = {
  en: measures,
  fr: [
    ...measures,
    // Only groups of three: a year stands before a number too.
    [/(?<=(?<![\p{L}\d])\d{1,3}) +(?=\d{3}(?!\d))/gu, NARROW],
    [/(?<=\d[ \u00a0\u202f]*h) +(?=\d\d(?!\d))/gu, NO_BREAK],
    ...besideMarks,
  ],
}

/** The usual spaces of a text at which no line may break: where each run of them begins, and its length. */
export const heldSpaces = (text: string, language: Language): { at: number; length: number }[] =>
  rules[language].flatMap(([spaces]) =>
    Array.from(text.matchAll(spaces), ({ 0: run, index }) => ({ at: index, length: run.length })),
  )

/** By where a space stands, what is there instead: nothing for the others of a run. */
function changesOf(text: string, language: Language): Map<number, string> {
  const changes = new Map<number, string>()
  for (const [spaces, instead] of rules[language])
    for (const { 0: run, index } of text.matchAll(spaces))
      for (let at = 0; at < run.length; at += 1) changes.set(index + at, at === 0 ? instead : '')
  return changes
}

const changed = (text: string, from: number, changes: ReadonlyMap<number, string>): string =>
  changes.size === 0 ? text : Array.from(text.split(''), (sign, at) => changes.get(from + at) ?? sign).join('')

/**
 * A text as it is shown: no line breaks before `: ; ! ?`, inside « » and inside numbers in French, nor between a number and its unit. Only
 * spaces that were typed become others.
 */
export const typeset = (text: string, language: Language): string => changed(text, 0, changesOf(text, language))

/** The attributes that readers read. What stands for a merge tag is the reader's, and addresses are nobody's words. */
const readable: Readonly<Record<string, readonly string[]>> = {
  image: ['alt', 'caption'],
  video: ['title'],
  button: ['label'],
  sponsor: ['text', 'label'],
}

/** In place of what is no text: a merge tag, a note, code. */
export const OTHER = '\ufffc'

const isWords = ({ type, marks = [] }: DocumentNode): boolean =>
  type === 'text' && !marks.some((mark) => mark.type === 'code')

/** The same for every text of a document, also where its signs have different marks. Code stays as it is. */
export function typesetDocument(document: PublicationDocument, language: Language): PublicationDocument {
  return { ...document, content: children(document.content ?? []) }

  function children(nodes: readonly DocumentNode[]): DocumentNode[] {
    const shown = nodes.map((node) => {
      if (isWords(node)) return node.text ?? ''
      return node.type === 'hardBreak' ? '\n' : OTHER
    })
    const changes = nodes.some(isWords) ? changesOf(shown.join(''), language) : new Map<number, string>()
    let from = 0
    return nodes.map((node, at) => {
      const text = shown[at] ?? ''
      const start = from
      from += text.length
      return isWords(node) ? { ...node, text: changed(text, start, changes) } : inside(node)
    })
  }

  function inside(node: DocumentNode): DocumentNode {
    if (node.type === 'codeBlock') return node
    const { attrs, content } = node
    const names = readable[node.type] ?? []
    const texts = names.flatMap((name) => {
      const text = attrs?.[name]
      return typeof text === 'string' ? [[name, typeset(text, language)] as const] : []
    })
    const note = noteOf(node)
    return {
      ...node,
      ...((texts.length > 0 || note.length > 0) && {
        attrs: { ...attrs, ...Object.fromEntries(texts), ...(note.length > 0 && { note: children(note) }) },
      }),
      ...(content && { content: children(content) }),
    }
  }
}
