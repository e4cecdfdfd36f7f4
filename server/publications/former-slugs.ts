import type { Db } from '../database/client.ts'
import type { PublicationKey } from '../sending/sending.ts'

/** How many earlier addresses of a publication go on working. */
const FORMER_KEPT = 10

/**
 * Lets the address that a publication has given up lead to the one that it has now, in the transaction of the change. Of two publications
 * that had the same one after the other, it leads to the last.
 */
export async function keepFormerSlug(
  tx: Db,
  { newsletterId, publicationId }: PublicationKey,
  { before, now }: { before: string; now: string },
): Promise<void> {
  const own = { newsletter_id: newsletterId, publication_id: publicationId }
  await tx
    .deleteFrom('former_slug')
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('slug', '=', now)
    .execute()
  await tx
    .insertInto('former_slug')
    .values({ ...own, slug: before })
    .onConflict((conflict) =>
      conflict
        .columns(['newsletter_id', 'slug'])
        .doUpdateSet((e) => ({ publication_id: publicationId, given_up_at: e.fn('now') })),
    )
    .execute()
  const kept = tx
    .selectFrom('former_slug')
    .select('slug')
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
  await tx
    .deleteFrom('former_slug')
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('slug', 'not in', kept.orderBy('given_up_at', 'desc').orderBy('slug').limit(FORMER_KEPT))
    .execute()
}

/** Every address of a newsletter's publications that somebody may have: those that they have, and those that lead to them. */
export async function slugsInUse(db: Db, newsletterId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('publication')
    .select('slug')
    .where('newsletter_id', '=', newsletterId)
    .where('slug', 'is not', null)
    .unionAll(db.selectFrom('former_slug').select('slug').where('newsletter_id', '=', newsletterId))
    .execute()
  return new Set(rows.map(({ slug }) => slug ?? ''))
}
