import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { PublicationKey } from '../sending/sending.ts'
import { storedDocument } from './content.ts'
import { wordCount } from './document/document-text.ts'

const KEPT = 200
const WINDOW_SECONDS = 300
const READ_TOGETHER = 10

/**
 * Keeps the publication as it stands now as a revision. Autosave would make hundreds of an afternoon, so of one author's
 * saves within the same five minutes only the last is kept; the first revision and what was ever sent always are.
 */
export async function keepRevision(
  db: Db,
  { newsletterId, publicationId }: PublicationKey,
  userId: string | null,
): Promise<void> {
  await sql`
    delete from publication_revision r using publication p
    where r.newsletter_id = ${newsletterId} and r.publication_id = ${publicationId}
      and p.newsletter_id = r.newsletter_id and p.id = r.publication_id
      and r.revision > 1 and r.revision < p.revision and r.saved_by is not distinct from ${userId}
      and r.saved_at > coalesce(p.published_at, '-infinity')
      and floor(extract(epoch from r.saved_at) / ${WINDOW_SECONDS}) = floor(extract(epoch from now()) / ${WINDOW_SECONDS})
    `.execute(db)
  await sql`
    insert into publication_revision (newsletter_id, publication_id, revision, title, subtitle, content, saved_by)
    select newsletter_id, id, revision, title, subtitle, content, ${userId} from publication
    where newsletter_id = ${newsletterId} and id = ${publicationId}
    on conflict do nothing`.execute(db)
  await sql`
    delete from publication_revision where (newsletter_id, publication_id, revision) in (
      select newsletter_id, publication_id, revision from publication_revision
      where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and revision > 1
      order by revision desc offset ${KEPT - 1})`.execute(db)
}

export async function listRevisionRows(db: Db, newsletterId: string, publicationId: string) {
  const rows = await db
    .selectFrom('publication_revision as r')
    .leftJoin('user', 'user.id', 'r.saved_by')
    .select(['r.revision', 'r.title', 'r.saved_at', 'user.name'])
    .where('r.newsletter_id', '=', newsletterId)
    .where('r.publication_id', '=', publicationId)
    .orderBy('r.revision', 'desc')
    .execute()
  const words = await countWords(
    db,
    { newsletterId, publicationId },
    rows.map(({ revision }) => revision),
  )
  return rows.map(({ revision, title, saved_at, name }) => ({
    revision,
    title,
    savedAt: saved_at.toISOString(),
    savedBy: name,
    words: words.get(revision) ?? 0,
  }))
}

/** A few documents at a time: two hundred long ones would not fit into memory together. */
async function countWords(db: Db, { newsletterId, publicationId }: PublicationKey, revisions: number[]) {
  const words = new Map<number, number>()
  for (let from = 0; from < revisions.length; from += READ_TOGETHER) {
    const rows = await db
      .selectFrom('publication_revision')
      .select(['revision', 'content'])
      .where('newsletter_id', '=', newsletterId)
      .where('publication_id', '=', publicationId)
      .where('revision', 'in', revisions.slice(from, from + READ_TOGETHER))
      .execute()
    for (const { revision, content } of rows) words.set(revision, wordCount(storedDocument(content)))
  }
  return words
}

/** @throws AppError not_found */
export async function findRevision(db: Db, { newsletterId, publicationId }: PublicationKey, revision: number) {
  const row = await db
    .selectFrom('publication_revision')
    .select(['revision', 'title', 'subtitle', 'content'])
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('revision', '=', revision)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}
