import type { DocumentMark, DocumentNode, PublicationDocument } from '../publications/document/schema.ts'

/** Text with simple markup: `**bold** *italic* __underline__ ~~strike~~ `code` [link](https://…) ^{up} _{down} {name|you}`. */
type Words = string | (string | DocumentNode)[]

const markup =
  /\*\*(.+?)\*\*|\*(.+?)\*|__(.+?)__|~~(.+?)~~|`(.+?)`|\[(.+?)\]\(([^)\s]+)\)|\^\{(.+?)\}|_\{(.+?)\}|\{([a-z]+)\|([^}]*)\}/
const marks = ['bold', 'italic', 'underline', 'strike', 'code'] as const

function inline(text: string, outer: DocumentMark[] = []): DocumentNode[] {
  const found = markup.exec(text)
  if (!found) return text ? [{ type: 'text', text, ...(outer.length > 0 && { marks: outer }) }] : []
  const before = inline(text.slice(0, found.index), outer)
  const after = inline(text.slice(found.index + found[0].length), outer)
  return [...before, ...marked(found, outer), ...after]
}

function marked(found: RegExpExecArray, outer: DocumentMark[]): DocumentNode[] {
  const [, , , , , , label, href, up, down, field, fallback] = found
  if (field) return [{ type: 'mergeTag', attrs: { field, fallback: fallback ?? '' } }]
  if (label && href) return inline(label, [...outer, { type: 'link', attrs: { href } }])
  if (up) return inline(up, [...outer, { type: 'superscript' }])
  if (down) return inline(down, [...outer, { type: 'subscript' }])
  const at = marks.findIndex((_, index) => found[index + 1])
  return inline(found[at + 1] ?? '', [...outer, { type: marks[at] ?? 'bold' }])
}

const run = (words: Words): DocumentNode[] =>
  typeof words === 'string' ? inline(words) : words.flatMap((part) => (typeof part === 'string' ? inline(part) : part))

const block = (type: string, content: DocumentNode[], attrs?: DocumentNode['attrs']): DocumentNode => ({
  type,
  ...(attrs && { attrs }),
  ...(content.length > 0 && { content }),
})

export const doc = (...content: DocumentNode[]): PublicationDocument => ({ type: 'doc', content })
export const p = (words: Words, attrs?: DocumentNode['attrs']) => block('paragraph', run(words), attrs)
export const h = (level: 1 | 2 | 3 | 4 | 5 | 6, words: Words, attrs?: DocumentNode['attrs']) =>
  block('heading', run(words), { level, ...attrs })
/** From here on for those who pay. */
export const paywall = (): DocumentNode => ({ type: 'paywall' })
export const quote = (...paragraphs: Words[]) =>
  block(
    'blockquote',
    paragraphs.map((words) => p(words)),
  )
export const code = (language: string, text: string): DocumentNode =>
  block('codeBlock', [{ type: 'text', text }], { language })

const item = (entry: Words | DocumentNode[]) => block('listItem', isBlocks(entry) ? entry : [p(entry)])
const isBlocks = (entry: Words | DocumentNode[]): entry is DocumentNode[] =>
  Array.isArray(entry) && typeof entry[0] === 'object' && entry[0].type === 'paragraph'
export const bullets = (...entries: (Words | DocumentNode[])[]) => block('bulletList', entries.map(item))
export const steps = (...entries: (Words | DocumentNode[])[]) => block('orderedList', entries.map(item))

const row = (type: 'tableCell' | 'tableHeader', cells: Words[]) =>
  block(
    'tableRow',
    cells.map((words) => block(type, [p(words)])),
  )
export const table = (head: Words[], ...rows: Words[][]) =>
  block('table', [row('tableHeader', head), ...rows.map((cells) => row('tableCell', cells))])

/** Text with its own size, colour, background or font. */
export const styled = (
  text: string,
  attrs: { size?: string; color?: string; backgroundColor?: string; font?: string },
): DocumentNode => ({ type: 'text', text, marks: [{ type: 'textStyle', attrs }] })

export const callout = (tone: 'note' | 'tip' | 'warning', ...paragraphs: Words[]) =>
  block(
    'callout',
    paragraphs.map((words) => p(words)),
    { tone },
  )
export const button = (label: string, href: string) => block('button', [], { label, href, align: 'center' })
export const divider = (kind: 'stars' | 'dots' | 'space' = 'stars') => block('divider', [], { kind })
export const video = (url: string, title: string) => block('video', [], { url, provider: 'file', title })
interface PictureText {
  alt: string
  caption: string
  width?: 'normal' | 'wide'
}

/** The seed draws `scene` and puts the id of the stored picture in its place. */
export const picture = (scene: string, { alt, caption, width = 'normal' }: PictureText) =>
  block('image', [], { mediaId: scene, alt, caption, width })

/** All French text of a document with `frenchTypography`. */
export function withFrenchTypography(node: PublicationDocument): PublicationDocument {
  return JSON.parse(JSON.stringify(node), (key, value) =>
    ['text', 'alt', 'caption', 'label', 'title', 'fallback'].includes(key) && typeof value === 'string'
      ? frenchTypography(value)
      : value,
  )
}

/** No-break spaces before `;`, `!`, `?`, `:` and inside quotation marks, and the typographic apostrophe. */
export const frenchTypography = (text: string) =>
  text
    .replaceAll("'", '’')
    .replaceAll(/ ([;!?])/g, '\u202f$1')
    .replaceAll(/ ([:»%])/g, '\u00a0$1')
    .replaceAll('« ', '«\u00a0')
