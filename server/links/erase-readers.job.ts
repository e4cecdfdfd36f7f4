import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { enqueueAt, type Job } from '../jobs/queue.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    erase_readers: { newsletterId: string; last: boolean }
  }
}

const BATCH = 5_000
/** What was under way when a mode changed is stored by then. */
const AGAIN_MS = 60_000

/**
 * Takes the person off stored clicks and opens where a newsletter no longer keeps who it was: the numbers stay. It runs once more
 * after a minute, for what was being stored meanwhile. A newsletter that keeps persons again is left alone.
 */
export function eraseReadersJob({ db, now }: Pick<Context, 'db' | 'now'>): Job<'erase_readers'> {
  return async ({ newsletterId, last }) => {
    while ((await eraseClickers(db, newsletterId)) === BATCH);
    await eraseOpeners(db, newsletterId)
    if (last) return
    const runAt = new Date(now().getTime() + AGAIN_MS)
    await enqueueAt(db, 'erase_readers', { payload: { newsletterId, last: true }, runAt, key: null })
  }
}

/** @returns how many clicks were somebody's */
async function eraseClickers(db: Db, newsletterId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update click set subscriber_id = null where newsletter_id = ${newsletterId} and id in (
      select c.id from click c join newsletter n on n.id = c.newsletter_id and n.click_privacy <> 'person'
      where c.newsletter_id = ${newsletterId} and c.subscriber_id is not null limit ${BATCH})`.execute(db)
  return Number(numAffectedRows)
}

/** Publication by publication, so that no statement holds the deliveries of many sendings. What proved a delivery says who did it. */
async function eraseOpeners(db: Db, newsletterId: string): Promise<void> {
  const publications = await sql<{ id: string }>`
    select p.id from publication p join newsletter n on n.id = p.newsletter_id
    where p.newsletter_id = ${newsletterId} and (n.click_privacy <> 'person' or n.open_privacy <> 'person')`.execute(db)
  for (const { id } of publications.rows) {
    await sql`
      update delivery d set opened_at = null, answer = case when answer = 'proved_by_open' then null else answer end
      from newsletter n
      where n.id = ${newsletterId} and n.open_privacy <> 'person' and d.newsletter_id = n.id and d.publication_id = ${id}
        and (d.opened_at is not null or d.answer = 'proved_by_open')`.execute(db)
    await sql`
      update delivery d set answer = null from newsletter n
      where n.id = ${newsletterId} and n.click_privacy <> 'person' and d.newsletter_id = n.id and d.publication_id = ${id}
        and d.answer = 'proved_by_click'`.execute(db)
    await sql`
      update event e set subscriber_id = null from newsletter n
      where n.id = ${newsletterId} and n.open_privacy <> 'person' and e.newsletter_id = n.id and e.publication_id = ${id}
        and e.kind = 'opened' and e.subscriber_id is not null`.execute(db)
  }
}
