import type { Db } from '../database/client.ts'
import { shortenLinks } from '../links/shorten.ts'
import { documentText } from '../publications/document/document-text.ts'
import { collectLinks } from '../publications/document/links.ts'
import type { DocumentNode, PublicationDocument } from '../publications/document/schema.ts'
import { parseDocument } from '../publications/document/validate.ts'
import type { Chance } from './chance.ts'
import type { Piece } from './pieces/piece.ts'
import { french, setFrench } from './write.ts'

const HOUR = 3_600_000

/** A piece with its place in the calendar. Times are milliseconds. */
export interface Printed {
  id: string
  piece: Piece
  number: number | null
  status: 'sent' | 'scheduled' | 'draft'
  /** When it was or will be sent; when a draft was last touched. */
  at: number
}

/** Ids of the pictures that were drawn, by scene. */
export type Pictures = ReadonlyMap<string, string>

export function inOrder(
  chance: Chance,
  pieces: { sent: Piece[]; next: Piece[]; drafts: Piece[] },
  lastDay: number,
  now: number,
): Printed[] {
  const week = 7 * 24 * HOUR
  const print =
    (status: Printed['status'], at: (piece: Piece, index: number) => number) =>
    (piece: Piece, index: number): Printed => ({
      id: chance.base58(10),
      piece,
      number: null,
      status,
      at: at(piece, index),
    })
  const nextDay = lastDay + Math.ceil((now + 24 * HOUR - lastDay) / week) * week
  const sent = pieces.sent.map(print('sent', ({ weeksAgo = 0 }) => lastDay - weeksAgo * week))
  sent.sort((one, other) => one.at - other.at)
  return [
    ...sent.map((printed, index) => ({ ...printed, number: index + 1 })),
    ...pieces.next.map(print('scheduled', (_, index) => nextDay + index * week)),
    ...pieces.drafts.map(print('draft', (_, index) => now - (index * 19 + 0.25) * HOUR)),
  ]
}

/** Writes publications with one version each, and the short links of those that were sent. */
export async function printArchive(
  db: Db,
  newsletterId: string,
  authorId: string,
  printed: Printed[],
  pictures: Pictures,
): Promise<void> {
  for (const publication of printed) {
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
      await shortenLinks(db, newsletterId, row.id, collectLinks(checked(publication.piece, pictures)))
  }
}

function rowOf({ id, piece, number, status, at }: Printed, pictures: Pictures) {
  const set = piece.language === 'fr' ? setFrench : (text: string) => text
  const content = checked(piece, pictures)
  const [title, subtitle] = [set(piece.title), set(piece.subtitle)]
  const edited = status === 'draft' ? at : Math.min(at, Date.now()) - 14 * HOUR
  return {
    id,
    number,
    slug: status === 'sent' ? piece.slug : null,
    title,
    subtitle,
    subject: set(piece.subject ?? ''),
    language: piece.language,
    content: JSON.stringify(content),
    words: [title, subtitle, documentText(content)].join('\n'),
    cover_media_id: (piece.cover && pictures.get(piece.cover)) ?? null,
    channel: piece.webOnly ? ('web' as const) : ('everywhere' as const),
    // What is on its way is scheduled once there are readers, as an owner would.
    status: status === 'sent' ? status : ('draft' as const),
    created_at: new Date(edited - 52 * HOUR),
    edited_at: new Date(edited),
    scheduled_at: status === 'sent' ? new Date(at) : null,
    started_at: status === 'sent' ? new Date(at) : null,
    finished_at: status === 'sent' ? new Date(at + 5 * 60_000) : null,
    published_at: status === 'sent' ? new Date(at) : null,
  }
}

/** The piece as the editor would have saved it, with the ids of its pictures. */
function checked(piece: Piece, pictures: Pictures): PublicationDocument {
  const written = piece.language === 'fr' ? french(piece.content) : piece.content
  const result = parseDocument(withPictures(written, pictures))
  if (!result.ok) throw new Error(`“${piece.title}” fits no schema: ${JSON.stringify(result.problems[0])}`)
  return result.document
}

const withPictures = (node: DocumentNode, pictures: Pictures): DocumentNode => ({
  ...node,
  ...(node.type === 'image' && {
    attrs: { ...node.attrs, mediaId: pictures.get(String(node.attrs?.mediaId)) ?? null },
  }),
  ...(node.content && { content: node.content.map((child) => withPictures(child, pictures)) }),
})
