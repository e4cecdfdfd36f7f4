import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { refuseReserved } from '../http/reserved-slugs.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { requireRoomInNewsletter } from '../identity/limits-by-standing.ts'
import type { Language } from '../languages.ts'
import type { PublicationKey } from '../sending/sending.ts'
import { lockSendings } from '../sending/state.ts'
import type { Translate } from '../translator.ts'
import { type CheckedDocument, emptyDocument, searchableText, searchColumns, storedDocument } from './content.ts'
import type { savePublication } from './contract.ts'
import { keepFormerSlug } from './former-slugs.ts'
import {
  findPublication,
  findWholePublication,
  type PublicationRow,
  touchNewsletter,
  type WholePublicationRow,
} from './queries.ts'
import { keepForGood, keepRevision, type Saver } from './revisions.ts'

interface NewDraft {
  /** Absent: a new one. */
  id?: string
  saver: Saver
  title: string
  subtitle: string
  language?: Language | undefined
  /** Null: an empty one. */
  document: CheckedDocument | null
  subject?: string
  coverMediaId?: string | null
  /** Absent: as the newsletter's newest publication has it. */
  drawsCover?: boolean
  /** For which it is written, as `2026-11-23`. */
  day?: string | undefined
}

/** Begins a draft, in a transaction. @throws AppError too_many_publications, too_many_requests */
export async function beginDraft(
  db: Db,
  newsletter: NewsletterRow,
  {
    id = publicId(),
    saver,
    title,
    subtitle,
    language,
    document,
    subject = '',
    coverMediaId = null,
    drawsCover,
    day,
  }: NewDraft,
): Promise<WholePublicationRow> {
  await requireRoomInNewsletter(db, newsletter.id, 'publications')
  await db
    .insertInto('publication')
    .values({
      newsletter_id: newsletter.id,
      id,
      title,
      subtitle,
      subject,
      language: language ?? newsletter.language,
      content: document?.content ?? JSON.stringify(emptyDocument),
      ...searchColumns(title, subtitle, document ?? searchableText(emptyDocument)),
      cover_media_id: coverMediaId,
      draws_cover: drawsCover ?? (await drewCoverLast(db, newsletter.id)),
      author_id: saver.userId,
      planned_day: day ?? null,
    })
    .execute()
  await keepRevision(db, { newsletterId: newsletter.id, publicationId: id }, saver)
  return findWholePublication(db, newsletter.id, id)
}

/** Who chose no cover once is not asked again with each draft. */
async function drewCoverLast(db: Db, newsletterId: string): Promise<boolean> {
  const newest = await db
    .selectFrom('publication')
    .select('draws_cover')
    .where('newsletter_id', '=', newsletterId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.draws_cover ?? true
}

interface Save {
  edit: Omit<z.output<typeof savePublication.body>, 'content'>
  /** Null: it stays as it is. */
  document: CheckedDocument | null
  saver: Saver
  t: Translate
  /** Makes the `detail` of edited_meanwhile. */
  present: (row: WholePublicationRow) => unknown
}

/** Says for which day a draft is written; null: for none. @throws AppError publication_not_found, wrong_status */
export async function planDay(
  db: Db,
  { newsletterId, publicationId }: PublicationKey,
  { day, t }: { day: string | null; t: Translate },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('publication')
    .set({ planned_day: day })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .where('state', '=', 'draft')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw wrongStatus(await findPublication(db, newsletterId, publicationId), t)
}

/** Mails that have all left with the title as their subject have it under another title too. Those that wait in a pause get the new one. */
const subjectKept = ({ channel, status, subject, title }: PublicationRow): string =>
  subject || (channel === 'everywhere' && status === 'sent' ? title : '')

/**
 * Saves an edit of the newest revision; of two edits of the same revision the second is refused. A publication cannot be saved
 * while it is being sent, but can before, while the sending is paused, and afterwards.
 *
 * @throws AppError edited_meanwhile with the publication as it is now in `detail`, publication_deleted, wrong_status, slug_taken, slug_reserved, media_not_found
 */
export async function save(
  tx: Db,
  key: PublicationKey,
  { edit, document, saver, t, present }: Save,
): Promise<WholePublicationRow> {
  const { newsletterId, publicationId } = key
  // Most refusals need no lock, which might have to wait until a million deliveries are planned.
  await refuseEdit(await findPublication(tx, newsletterId, publicationId))
  const before = await lockPublication(tx, key)
  if (edit.coverMediaId) await requireMedia(tx, newsletterId, edit.coverMediaId)
  await refuseEdit(before)
  if (edit.slug !== undefined && edit.slug !== before.slug) refuseReserved(edit.slug, 'slug')
  const title = edit.title ?? before.title
  const subtitle = edit.subtitle ?? before.subtitle
  const text = document ?? searchableText(storedDocument((await readWhole()).content))
  if (edit.restored) await keepForGood(tx, key, saver)
  await tx
    .updateTable('publication')
    .set({
      title,
      subtitle,
      subject: edit.subject ?? (title === before.title ? before.subject : subjectKept(before)),
      slug: edit.slug ?? before.slug,
      language: edit.language ?? before.language,
      cover_media_id: edit.coverMediaId === undefined ? before.cover_media_id : edit.coverMediaId,
      draws_cover: edit.drawsCover ?? before.draws_cover,
      ...(document && { content: document.content }),
      ...searchColumns(title, subtitle, text),
      revision: sql`revision + 1`,
      edited_at: sql`now()`,
    })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .execute()
    .catch(refuseTakenSlug)
  if (before.published_at && before.slug !== null && edit.slug !== undefined && edit.slug !== before.slug)
    await keepFormerSlug(tx, key, { before: before.slug, now: edit.slug })
  await keepRevision(tx, key, saver)
  if (before.published_at) await touchNewsletter(tx, newsletterId)
  return readWhole()

  function readWhole(): Promise<WholePublicationRow> {
    return findWholePublication(tx, newsletterId, publicationId)
  }

  async function refuseEdit(row: PublicationRow): Promise<void> {
    if (row.revision !== edit.revision) throw new AppError('edited_meanwhile', { detail: present(await readWhole()) })
    if (row.status === 'sending') throw wrongStatus(row, t)
  }
}

/**
 * Reads the publication and locks it until the transaction ends, so that nobody saves, publishes or resumes it. Rows that
 * point at it can still be written, such as a complaint: both would wait for each other otherwise.
 */
export async function lockPublication(
  tx: Db,
  { newsletterId, publicationId }: PublicationKey,
): Promise<PublicationRow> {
  await tx
    .selectFrom('publication')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .forNoKeyUpdate()
    .execute()
  await lockSendings(tx, { newsletterId, publicationId })
  return findPublication(tx, newsletterId, publicationId)
}

export const wrongStatus = ({ status }: Pick<PublicationRow, 'status'>, t: Translate): AppError =>
  new AppError('wrong_status', { params: { status: t(`publications.status.${status}`) } })

/** Says of a unique key that was hurt which one it was. @throws AppError slug_taken */
export function refuseTakenSlug(error: { constraint?: string }): never {
  if (error.constraint === 'publication_slug') throw new AppError('slug_taken', { field: 'slug' })
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
