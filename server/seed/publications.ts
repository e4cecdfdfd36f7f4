import type { Db } from '../database/client.ts'
import { shortenLinks } from '../links/shorten.ts'
import { searchableText, searchColumns } from '../publications/content.ts'
import { collectLinks } from '../publications/document/links.ts'
import type { DocumentNode, PublicationDocument } from '../publications/document/schema.ts'
import { parseDocument } from '../publications/document/validate.ts'
import { frenchTypography, withFrenchTypography } from './document-builder.ts'
import type { Random } from './random.ts'
import type { SamplePublication } from './samples/sample.ts'
import type { UsualTimes } from './usual-times.ts'

const HOUR = 3_600_000

/** A sample publication with its place in the calendar. Times are milliseconds since 1970. */
export interface DatedPublication {
  id: string
  sample: SamplePublication
  number: number | null
  status: 'sent' | 'scheduled' | 'draft'
  /** When it was or will be sent; for a draft, when it was last edited. */
  at: number
}

/** Media ids of the drawn pictures, by scene. */
export type Pictures = ReadonlyMap<string, string>

export interface Samples {
  sent: SamplePublication[]
  scheduled: SamplePublication[]
  drafts: SamplePublication[]
}

/** Dates the samples: weeks apart, back from the last usual time and forward from the next. */
export function datePublications(
  random: Random,
  samples: Samples,
  { past, coming, now }: UsualTimes & { now: number },
): DatedPublication[] {
  const dated =
    (status: DatedPublication['status'], at: (sample: SamplePublication, index: number) => number) =>
    (sample: SamplePublication, index: number): DatedPublication => ({
      id: random.base58(10),
      sample,
      number: null,
      status,
      at: at(sample, index),
    })
  const sent = samples.sent.map(dated('sent', ({ weeksAgo = 0 }) => past(weeksAgo)))
  sent.sort((one, other) => one.at - other.at)
  return [
    ...sent.map((publication, index) => ({ ...publication, number: index + 1 })),
    ...samples.scheduled.map(dated('scheduled', (_, index) => coming(index))),
    ...samples.drafts.map(dated('draft', (_, index) => now - (index * 19 + 0.25) * HOUR)),
  ]
}

/** Inserts publications with one revision each, and the short links of those that were sent. */
export async function insertPublications(
  db: Db,
  { newsletterId, authorId }: { newsletterId: string; authorId: string },
  { publications, pictures }: { publications: DatedPublication[]; pictures: Pictures },
): Promise<void> {
  for (const publication of publications) {
    const row = rowOf(publication, pictures)
    await db
      .insertInto('publication')
      .values({ newsletter_id: newsletterId, author_id: authorId, ...row })
      .execute()
    await db
      .insertInto('publication_revision')
      .values({
        newsletter_id: newsletterId,
        publication_id: row.id,
        revision: 1,
        title: row.title,
        subtitle: row.subtitle,
        content: row.content,
        saved_by: authorId,
        saved_at: row.edited_at,
      })
      .execute()
    if (publication.status === 'sent')
      await shortenLinks(db, {
        newsletterId,
        publicationId: row.id,
        targets: collectLinks(documentOf(publication.sample, pictures)),
      })
  }
}

function rowOf({ id, sample, number, status, at }: DatedPublication, pictures: Pictures) {
  const typeset = sample.language === 'fr' ? frenchTypography : (text: string) => text
  const content = documentOf(sample, pictures)
  const [title, subtitle] = [typeset(sample.title), typeset(sample.subtitle)]
  const edited = status === 'draft' ? at : Math.min(at, Date.now()) - 14 * HOUR
  return {
    id,
    number,
    slug: status === 'sent' ? sample.slug : null,
    title,
    subtitle,
    subject: typeset(sample.subject ?? ''),
    language: sample.language,
    content: JSON.stringify(content),
    ...searchColumns(title, subtitle, searchableText(content)),
    cover_media_id: (sample.cover && pictures.get(sample.cover)) ?? null,
    channel: sample.webOnly ? ('web' as const) : ('everywhere' as const),
    created_at: new Date(edited - 52 * HOUR),
    edited_at: new Date(edited),
    scheduled_at: status === 'sent' ? new Date(at) : null,
    published_at: status === 'sent' ? new Date(at) : null,
  }
}

/**
 * The document of a sample as the editor would save it, with the ids of its pictures.
 *
 * @throws Error when it does not fit the schema
 */
function documentOf(sample: SamplePublication, pictures: Pictures): PublicationDocument {
  const written = sample.language === 'fr' ? withFrenchTypography(sample.content) : sample.content
  const result = parseDocument(withPictures(written, pictures))
  if (!result.ok) throw new Error(`“${sample.title}” does not fit the schema: ${JSON.stringify(result.problems[0])}`)
  return result.document
}

const withPictures = (node: DocumentNode, pictures: Pictures): DocumentNode => ({
  ...node,
  ...(node.type === 'image' && {
    attrs: { ...node.attrs, mediaId: pictures.get(String(node.attrs?.mediaId)) ?? null },
  }),
  ...(node.content && { content: node.content.map((child) => withPictures(child, pictures)) }),
})
