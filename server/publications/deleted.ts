import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import type { PublicationKey } from '../sending/sending.ts'
import type { Translate } from '../translator.ts'
import { refuseWelcome } from '../welcomes/end.ts'
import { KEPT_DELETED_DAYS } from './contract.ts'
import { deletable } from './publication-status.ts'
import { findPublication, findWholePublication, matches, type PublicationRow, touchNewsletter } from './queries.ts'
import { lockPublication, refuseTakenSlug, wrongStatus } from './save.ts'

/** What is kept of a deleted publication: what its writer made, and nothing of how it went out. */
const kept = sql.raw(
  'newsletter_id, id, title, subtitle, subject, language, content, words, whole_words, draws_cover, revision, author_id, planned_day, created_at, edited_at',
)
const keptOfRevision = sql.raw(
  'newsletter_id, publication_id, revision, title, subtitle, content, saved_by, saved_by_key, saved_at, kept',
)

/**
 * Deletes what nobody has received. It can be restored for 30 days.
 *
 * @throws AppError publication_not_found, publication_deleted, wrong_status, is_welcome
 */
export async function deleteUnsent(tx: Db, key: PublicationKey, t: Translate): Promise<void> {
  const { newsletterId, publicationId } = key
  refuseUndeletable(await findPublication(tx, newsletterId, publicationId))
  const publication = await lockPublication(tx, key)
  refuseUndeletable(publication)
  await refuseWelcome(tx, newsletterId, publicationId)
  const received = await tx
    .selectFrom('publication_count')
    .select('intended')
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where(sql<SqlBool>`accepted + caught + claimed + uncertain > 0`)
    .executeTakeFirst()
  if (received) throw wrongStatus(publication, t)
  await sql`
    insert into deleted_publication (${kept}, slug, cover_media_id) select ${kept}, slug, cover_media_id from publication
    where newsletter_id = ${newsletterId} and id = ${publicationId}`.execute(tx)
  await sql`
    insert into deleted_publication_revision (${keptOfRevision}) select ${keptOfRevision} from publication_revision
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId}`.execute(tx)
  await tx.deleteFrom('publication').where('newsletter_id', '=', newsletterId).where('id', '=', publicationId).execute()
  if (publication.published_at) await touchNewsletter(tx, newsletterId)

  function refuseUndeletable(row: PublicationRow): void {
    if (!deletable.includes(row.status)) throw wrongStatus(row, t)
  }
}

/**
 * Makes a deleted publication a draft again, at the revision that it had. Of two who ask at once the second finds it restored.
 *
 * @throws AppError publication_not_found, slug_taken when its address was taken in the same moment
 */
export async function restoreDeleted(tx: Db, { newsletterId, publicationId }: PublicationKey) {
  const deleted = await tx
    .selectFrom('deleted_publication')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .forUpdate()
    .executeTakeFirst()
  if (!deleted) return findWholePublication(tx, newsletterId, publicationId)
  await sql`
    insert into publication (${kept}, slug, cover_media_id)
    select ${kept},
      (select d.slug where not exists (select from publication p where p.newsletter_id = d.newsletter_id and p.slug = d.slug)),
      (select m.id from media m where m.newsletter_id = d.newsletter_id and m.id = d.cover_media_id)
    from deleted_publication d where newsletter_id = ${newsletterId} and id = ${publicationId}`
    .execute(tx)
    .catch(refuseTakenSlug)
  await sql`
    insert into publication_revision (${keptOfRevision}) select ${keptOfRevision} from deleted_publication_revision
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId}`.execute(tx)
  await removeDeleted(tx, { newsletterId, publicationId })
  return findWholePublication(tx, newsletterId, publicationId)
}

/** Removes a deleted publication for good. @throws AppError publication_not_found */
export async function removeDeleted(db: Db, { newsletterId, publicationId }: PublicationKey): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('deleted_publication')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('publication_not_found')
}

/** Gives a deleted publication another id, so that its own can be used again. */
export const freeId = (tx: Db, { newsletterId, publicationId }: PublicationKey) =>
  tx
    .updateTable('deleted_publication')
    .set({ id: publicId() })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .execute()

/** Last deleted first; the cursor is the last row's deletion and id. */
export async function listDeletedRows(
  db: Db,
  newsletterId: string,
  { search, cursor, limit }: { search?: string | undefined; cursor?: string | undefined; limit: number },
) {
  let found = db.selectFrom('deleted_publication as p').where('p.newsletter_id', '=', newsletterId)
  if (search) found = found.where(matches(search))
  const { total } = await found.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow()
  const [at, id] = (cursor ?? '').split('~')
  if (at && id && !Number.isNaN(Date.parse(at)))
    found = found.where(sql<boolean>`(p.deleted_at, p.id) < (${at}::timestamptz, ${id})`)
  const rows = await found
    .select(['p.id', 'p.title', 'p.subtitle', 'p.language', 'p.deleted_at'])
    .select(sql<Date>`p.deleted_at + make_interval(days => ${KEPT_DELETED_DAYS})`.as('kept_until'))
    .select(sql<string>`to_char(p.deleted_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('position'))
    .orderBy('p.deleted_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    total,
    rows: page.map(({ id, title, subtitle, language, deleted_at, kept_until }) => ({
      id,
      title,
      subtitle,
      language,
      deletedAt: deleted_at.toISOString(),
      keptUntil: kept_until.toISOString(),
    })),
    next: rows.length > limit && last ? `${last.position}~${last.id}` : null,
  }
}
