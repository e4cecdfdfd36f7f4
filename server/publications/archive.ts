import { setImmediate } from 'node:timers/promises'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { containing } from '../database/containing.ts'
import type { DB } from '../database/types.ts'
import { minutesFor } from './document/document-text.ts'
import { wordsIn } from './document/words-in.ts'
import type { StoredPublication } from './queries.ts'
import type { RenderableText } from './rendering.ts'

interface Published {
  published_at: Date
  slug: string
}

/** A line of the archive. */
export type ArchiveEntry = Pick<
  StoredPublication,
  'id' | 'number' | 'title' | 'subtitle' | 'language' | 'cover_media_id' | 'draws_cover'
> &
  Published & { minutes: number }

/** A publication in the feed, with its document as JSON. */
export type FeedEntry = RenderableText & Published

const shownColumns = [
  'id',
  'number',
  'slug',
  'title',
  'subtitle',
  'language',
  'published_at',
  'off_web_at',
  'cover_media_id',
  'draws_cover',
  'digest',
] as const

/** What is on the web, newest first. Documents stay in the database: thirty long ones would take seconds to read. */
export async function listPublished(
  db: Db,
  newsletterId: string,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<ArchiveEntry[]> {
  const query = published(db, newsletterId)
    .where(search ? speaksOf(search) : sql<boolean>`true`)
    .select([...shownColumns, 'words'])
    .$narrowType<Published>()
  const rows = await query.orderBy('published_at', 'desc').orderBy('id').limit(limit).offset(offset).execute()
  const entries: ArchiveEntry[] = []
  for (const { words, ...row } of rows) {
    const text = words.slice([row.title, row.subtitle].filter(Boolean).join('\n').length)
    entries.push({ ...row, minutes: minutesFor(wordsIn(text)) })
    // Others are answered between long ones.
    if (text.length > LONG) await setImmediate()
  }
  return entries
}

const LONG = 20_000

/** How many of what is on the web have these words. */
export async function countFound(db: Db, newsletterId: string, search: string): Promise<number> {
  const { count } = await published(db, newsletterId)
    .where(speaksOf(search))
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function speaksOf(search: string) {
  const pattern = containing(search)
  return sql<boolean>`(title ~* ${pattern} or words ~* ${pattern})`
}

/** The newest on the web, whole. */
export const listForFeed = (db: Db, newsletterId: string, limit: number): Promise<FeedEntry[]> =>
  published(db, newsletterId)
    .select([...shownColumns, sql<string>`content::text`.as('content')])
    .$narrowType<Published>()
    .orderBy('published_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

/** What has an address on the web, and was not taken off it. */
export const published = (db: Db, newsletterId: string) =>
  db
    .selectFrom('publication')
    .where('newsletter_id', '=', newsletterId)
    .where('published_at', 'is not', null)
    .where('off_web_at', 'is', null)
    .where('slug', 'is not', null)

/**
 * Without its document, which is read only when the page has to be rendered. With an address that it had before, it is found too, and its `slug` is another.
 */
export async function findPublished(db: Db, newsletterId: string, slug: string) {
  const row = await published(db, newsletterId)
    .select([...shownColumns, 'revision'])
    .where(isAt(newsletterId, slug))
    .executeTakeFirst()
  return row ?? null
}

/** Whether the publication at an address is this one. What one has counts before what another had, also while it is off the web. */
const isAt = (newsletterId: string, slug: string) => (e: ExpressionBuilder<DB, 'publication'>) =>
  e.or([
    e('publication.slug', '=', slug),
    e(
      'publication.id',
      '=',
      e
        .selectFrom('former_slug as f')
        .select('f.publication_id')
        .where('f.newsletter_id', '=', newsletterId)
        .where('f.slug', '=', slug)
        .where((of) =>
          of.not(
            of.exists(
              of
                .selectFrom('publication as p')
                .select('p.id')
                .where('p.newsletter_id', '=', newsletterId)
                .where('p.slug', '=', slug)
                .where('p.published_at', 'is not', null),
            ),
          ),
        ),
    ),
  ])

/** Whether the publication at this address, which it has or had, was taken off the web. */
export async function isOffWeb(db: Db, newsletterId: string, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('publication')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .where(isAt(newsletterId, slug))
    .where('off_web_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
