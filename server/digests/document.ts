import type { ThreadJob } from '../jobs/threads.ts'
import type { Language } from '../languages.ts'
import { storedDocument } from '../publications/content.ts'
import { excerpt } from '../publications/document/document-text.ts'
import type { DocumentNode, PublicationDocument } from '../publications/document/schema.ts'
import { strangersAccess, visibleTo } from '../publications/document/visible.ts'
import type { DigestPace } from '../subscribers/contract.ts'
import { type Translate, translator } from '../translator.ts'

/** What a digest says of a publication. */
export interface Listed {
  title: string
  /** Its subtitle, or how it begins. */
  summary: string
  coverMediaId: string | null
  /** On the web. */
  address: string
}

/** A digest lists so many, and says how many more there are. */
const MOST_LISTED = 40

/** What `publication.title` and `subtitle` take. */
const [TITLE_LENGTH, SUBTITLE_LENGTH] = [300, 500]

interface Digest {
  title: string
  subtitle: string
  document: PublicationDocument
}

/** The mail that stands for several publications, in a reader's language: each with its cover, title and summary, as links to its page. */
export function digestOf(
  listed: readonly Listed[],
  {
    pace,
    language,
    newsletter,
    archive,
  }: { pace: DigestPace; language: Language; newsletter: string; archive: string },
): Digest {
  const t = translator(language)
  const shown = listed.slice(0, MOST_LISTED)
  const more = listed.length - shown.length
  const blocks = shown.flatMap((one, at) => [...(at > 0 ? [divider] : []), ...blocksOf(one, { language, t })])
  const rest =
    more > 0 ? [divider, paragraph(linked(t('digests.mail.more', { count: more }), inLanguage(archive, language)))] : []
  return {
    title: cut(t(`digests.mail.${pace}`, { newsletter }), TITLE_LENGTH),
    subtitle: cut(shown.map(({ title }) => title).join(' · '), SUBTITLE_LENGTH),
    document: { type: 'doc', content: [...blocks, ...rest] },
  }
}

function blocksOf(
  { title, summary, coverMediaId, address }: Listed,
  { language, t }: { language: Language; t: Translate },
) {
  const href = inLanguage(address, language)
  const image = { mediaId: coverMediaId, src: null, alt: title, caption: '', width: 'normal', href }
  return [
    ...(coverMediaId ? [{ type: 'image', attrs: image }] : []),
    { type: 'heading', attrs: { level: 2 }, content: [linked(title, href)] },
    ...(summary ? [paragraph({ type: 'text', text: summary })] : []),
    paragraph(linked(t('digests.mail.read'), href)),
  ]
}

const divider: DocumentNode = { type: 'divider', attrs: { kind: 'space' } }
const paragraph = (...content: DocumentNode[]): DocumentNode => ({ type: 'paragraph', content })
const linked = (text: string, href: string): DocumentNode => ({
  type: 'text',
  text,
  marks: [{ type: 'link', attrs: { href } }],
})

/** The words around a publication on its page are in the reader's language too. */
function inLanguage(address: string, language: Language): string {
  const url = new URL(address)
  url.searchParams.set('lang', language)
  return url.href
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`

/** How a publication begins that has no subtitle: of its document as JSON, what strangers read on the web. */
export const summaryJob: ThreadJob<string, string> = {
  name: 'summary',
  run: (content) =>
    excerpt(visibleTo(storedDocument(JSON.parse(content)), strangersAccess, 'web').document, SUMMARY_LENGTH),
}

const SUMMARY_LENGTH = 240
