import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Language } from '../languages.ts'
import type { Translate } from '../translator.ts'
import { checkedDocument, emptyDocument, searchWords } from './content.ts'
import type { savePublication } from './contract.ts'
import type { PublicationDocument } from './document/schema.ts'
import { deletable, editable } from './publication-status.ts'
import { findPublication, type PublicationRow, touchNewsletter } from './queries.ts'
import { keepRevision } from './revisions.ts'

interface Beginning {
  title: string
  subtitle: string
  language?: Language | undefined
  content?: unknown
  subject?: string
  coverMediaId?: string | null
}

/** Begins a draft. @throws AppError document_invalid */
export async function beginDraft(
  db: Db,
  newsletter: NewsletterRow,
  userId: string | null,
  { title, subtitle, language, content, subject = '', coverMediaId = null }: Beginning,
  t: Translate,
): Promise<PublicationRow> {
  const document = content === undefined ? emptyDocument : checkedDocument(content, t)
  const id = publicId()
  await db
    .insertInto('publication')
    .values({
      newsletter_id: newsletter.id,
      id,
      title,
      subtitle,
      subject,
      language: language ?? newsletter.language,
      content: JSON.stringify(document),
      words: searchWords(title, subtitle, document),
      cover_media_id: coverMediaId,
      author_id: userId,
    })
    .execute()
  await keepRevision(db, newsletter.id, id, userId)
  return findPublication(db, newsletter.id, id)
}

type Save = z.output<typeof savePublication.body>

/**
 * Saves over the revision the edit stands on; the guard is in the statement, so of two saves one wins and one is told.
 *
 * @throws AppError edited_meanwhile with the publication as it is now in `detail`, wrong_status, document_invalid,
 *   slug_taken, media_not_found
 */
export async function save(
  db: Db,
  newsletterId: string,
  publicationId: string,
  userId: string | null,
  edit: Save,
  t: Translate,
  present: (row: PublicationRow) => unknown,
): Promise<PublicationRow> {
  const before = await findPublication(db, newsletterId, publicationId)
  const document =
    edit.content === undefined ? (before.content as unknown as PublicationDocument) : checkedDocument(edit.content, t)
  if (edit.coverMediaId) await requireMedia(db, newsletterId, edit.coverMediaId)
  const title = edit.title ?? before.title
  const subtitle = edit.subtitle ?? before.subtitle
  const saved = await db
    .updateTable('publication')
    .set({
      title,
      subtitle,
      subject: edit.subject ?? before.subject,
      slug: edit.slug ?? before.slug,
      language: edit.language ?? before.language,
      cover_media_id: edit.coverMediaId === undefined ? before.cover_media_id : edit.coverMediaId,
      content: JSON.stringify(document),
      words: searchWords(title, subtitle, document),
      revision: sql`revision + 1`,
      edited_at: sql`now()`,
    })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .where('revision', '=', edit.revision)
    .where('status', 'in', editable)
    .returningAll()
    .executeTakeFirst()
    .catch(refuseTakenSlug)
  if (!saved) throw await whyNot(db, newsletterId, publicationId, edit.revision, t, present)
  await keepRevision(db, newsletterId, publicationId, userId)
  if (saved.published_at) await touchNewsletter(db, newsletterId)
  return saved
}

async function whyNot(
  db: Db,
  newsletterId: string,
  publicationId: string,
  revision: number,
  t: Translate,
  present: (row: PublicationRow) => unknown,
): Promise<AppError> {
  const now = await findPublication(db, newsletterId, publicationId)
  if (now.revision !== revision) return new AppError('edited_meanwhile', { detail: present(now) })
  return wrongStatus(now, t)
}

export const wrongStatus = ({ status }: Pick<PublicationRow, 'status'>, t: Translate): AppError =>
  new AppError('wrong_status', { params: { status: t(`publications.status.${status}`) } })

function refuseTakenSlug(error: { constraint?: string }): never {
  if (error.constraint === 'publication_slug') throw new AppError('slug_taken', { fields: { slug: 'slug_taken' } })
  throw error
}

async function requireMedia(db: Db, newsletterId: string, mediaId: string): Promise<void> {
  const found = await db
    .selectFrom('media')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', mediaId)
    .executeTakeFirst()
  if (!found) throw new AppError('media_not_found')
}

/** Deletes what nobody has received. @throws AppError wrong_status */
export async function deleteUnsent(db: Db, newsletterId: string, publicationId: string, t: Translate): Promise<void> {
  const deleted = await db
    .deleteFrom('publication as p')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .where('status', 'in', deletable)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery')
            .select('delivery.state')
            .whereRef('delivery.newsletter_id', '=', 'p.newsletter_id')
            .whereRef('delivery.publication_id', '=', 'p.id')
            .where('delivery.state', 'in', ['accepted', 'claimed', 'uncertain']),
        ),
      ),
    )
    .returning('published_at')
    .executeTakeFirst()
  if (!deleted) throw wrongStatus(await findPublication(db, newsletterId, publicationId), t)
  if (deleted.published_at) await touchNewsletter(db, newsletterId)
}
