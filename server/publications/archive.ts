import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { storedDocument } from './content.ts'
import type { StoredPublication } from './queries.ts'
import type { renderable } from './rendering.ts'

export type ArchiveEntry = ReturnType<typeof renderable> & StoredPublication & { published_at: Date; slug: string }

/** What is on the web, newest first. */
export async function listPublished(
  db: Db,
  newsletterId: string,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<ArchiveEntry[]> {
  let query = db
    .selectFrom('publication')
    .selectAll()
    .$narrowType<{ published_at: Date; slug: string }>()
    .where('newsletter_id', '=', newsletterId)
    .where('published_at', 'is not', null)
    .where('slug', 'is not', null)
  if (search) {
    const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
    query = query.where(sql<boolean>`(title ilike ${pattern} or words ilike ${pattern})`)
  }
  const rows = await query.orderBy('published_at', 'desc').orderBy('id').limit(limit).offset(offset).execute()
  return rows.map((row) => ({ ...row, document: storedDocument(row.content) }))
}

export async function findPublished(db: Db, newsletterId: string, slug: string): Promise<StoredPublication | null> {
  const row = await db
    .selectFrom('publication')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('slug', '=', slug)
    .where('published_at', 'is not', null)
    .executeTakeFirst()
  return row ?? null
}
