import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { ThreadJob } from '../jobs/threads.ts'
import type { PublicationKey } from '../sending/sending.ts'
import { storedDocument } from './content.ts'
import { wordCount } from './document/document-text.ts'

const KEPT = 200
const WINDOW_SECONDS = 300
const READ_TOGETHER = 10

/** Who saves: a person, an API key by its id, or neither, when the server changes it by itself. */
export interface Saver {
  userId: string | null
  keyId: string | null
}

/**
 * Keeps the publication as it stands now as a revision. Autosave would make hundreds of an afternoon, so of one author's
 * saves within the same five minutes only the last is kept; the first revision, what was ever sent, and what stood before an earlier
 * version was brought back always are.
 */
export async function keepRevision(
  db: Db,
  { newsletterId, publicationId }: PublicationKey,
  { userId, keyId }: Saver,
): Promise<void> {
  await sql`
    delete from publication_revision r using publication p
    where r.newsletter_id = ${newsletterId} and r.publication_id = ${publicationId}
      and p.newsletter_id = r.newsletter_id and p.id = r.publication_id
      and r.revision > 1 and r.revision < p.revision and not r.kept and r.saved_by is not distinct from ${userId} and r.saved_by_key is not distinct from ${keyId}
      and r.saved_at > coalesce(p.published_at, '-infinity')
      and floor(extract(epoch from r.saved_at) / ${WINDOW_SECONDS}) = floor(extract(epoch from now()) / ${WINDOW_SECONDS})
    `.execute(db)
  await sql`
    insert into publication_revision (newsletter_id, publication_id, revision, title, subtitle, content, saved_by, saved_by_key)
    select newsletter_id, id, revision, title, subtitle, content, ${userId}, ${keyId} from publication
    where newsletter_id = ${newsletterId} and id = ${publicationId}
    on conflict do nothing`.execute(db)
  await sql`
    delete from publication_revision where (newsletter_id, publication_id, revision) in (
      select newsletter_id, publication_id, revision from publication_revision
      where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and revision > 1
      order by revision desc offset ${KEPT - 1})`.execute(db)
}

/** Keeps the publication as it stands before an earlier version takes its place, whoever saves and how soon. */
export async function keepForGood(db: Db, key: PublicationKey, saver: Saver): Promise<void> {
  await keepRevision(db, key, saver)
  await sql`
    update publication_revision r set kept = true from publication p
    where p.newsletter_id = ${key.newsletterId} and p.id = ${key.publicationId}
      and r.newsletter_id = p.newsletter_id and r.publication_id = p.id and r.revision = p.revision`.execute(db)
}

/** How many words each of these documents has. They are JSON. */
export const wordsJob: ThreadJob<string[], number[]> = {
  name: 'words',
  run: (documents) => documents.map((content) => wordCount(storedDocument(JSON.parse(content)))),
}

export async function listRevisionRows(
  { db, threads }: Pick<Context, 'db' | 'threads'>,
  { newsletterId, publicationId }: PublicationKey,
) {
  const rows = await db
    .selectFrom('publication_revision as r')
    .leftJoin('user', 'user.id', 'r.saved_by')
    .select(['r.revision', 'r.title', 'r.saved_at', 'user.name'])
    .where('r.newsletter_id', '=', newsletterId)
    .where('r.publication_id', '=', publicationId)
    .orderBy('r.revision', 'desc')
    .execute()
  const words = new Map<number, number>()
  // A few documents at a time: two hundred long ones would not fit into memory together.
  for (let from = 0; from < rows.length; from += READ_TOGETHER) {
    const some = await db
      .selectFrom('publication_revision')
      .select(['revision', sql<string>`content::text`.as('content')])
      .where('newsletter_id', '=', newsletterId)
      .where('publication_id', '=', publicationId)
      .where(
        'revision',
        'in',
        rows.slice(from, from + READ_TOGETHER).map(({ revision }) => revision),
      )
      .execute()
    const documents = some.map(({ content }) => content)
    const counts = await threads.run(wordsJob, documents, documents.join('').length)
    for (const [index, { revision }] of some.entries()) words.set(revision, counts[index] ?? 0)
  }
  return rows.map(({ revision, title, saved_at, name }) => ({
    revision,
    title,
    savedAt: saved_at.toISOString(),
    savedBy: name,
    words: words.get(revision) ?? 0,
  }))
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
