import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { isReserved } from '../http/reserved-slugs.ts'
import { slugsInUse } from './former-slugs.ts'
import { type StoredPublication, touchNewsletter } from './queries.ts'
import { freeSlug, slugOf } from './slug.ts'

/** The number is taken and the address chosen under the newsletter's row lock: no two publications get the same. */
export async function nameAndNumber(
  tx: Db,
  {
    newsletter_id,
    id,
    number,
    slug,
    title,
  }: Pick<StoredPublication, 'newsletter_id' | 'id' | 'number' | 'slug' | 'title'>,
): Promise<void> {
  if (number !== null && slug !== null) return touchNewsletter(tx, newsletter_id).then(() => {})
  const { last_number } = await tx
    .updateTable('newsletter')
    .set({ last_number: sql`last_number + ${number === null ? 1 : 0}`, version: sql`version + 1` })
    .where('id', '=', newsletter_id)
    .returning('last_number')
    .executeTakeFirstOrThrow()
  const taken = await slugsInUse(tx, newsletter_id)
  await tx
    .updateTable('publication')
    .set({
      number: number ?? last_number,
      slug: slug ?? freeSlug(isReserved(slugOf(title)) ? `on ${title}` : title, taken),
    })
    .where('newsletter_id', '=', newsletter_id)
    .where('id', '=', id)
    .execute()
}
