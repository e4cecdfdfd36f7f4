import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'

/** Somebody who is never to be written to again, and why. */
export interface Suppressed {
  subscriberId: string
  /** The other server's own words. */
  words: string
}

/**
 * Keeps mail away from addresses for good, ends the subscriptions, and says so in the activity line: because they do not
 * exist, or because their owners called the mail spam. Who has left before has left, and is kept away all the same.
 */
export async function suppress(
  tx: Db,
  { newsletterId, publicationId }: { newsletterId: string; publicationId: string },
  reason: 'bounced' | 'complained',
  suppressed: Suppressed[],
): Promise<void> {
  const ids = suppressed.map(({ subscriberId }) => subscriberId)
  await sql`
    with told as (
      select * from unnest(${ids}::uuid[], ${suppressed.map(({ words }) => words)}::text[],
        ${suppressed.map(() => uuidv7())}::uuid[]) t (id, words, event_id)
    ),
    kept as (
      insert into suppression (newsletter_id, email_normalised, reason, detail)
      select s.newsletter_id, s.email_normalised, ${reason}, t.words
      from told t join subscriber s on s.newsletter_id = ${newsletterId} and s.id = t.id
      on conflict do nothing
    ),
    happened as (
      insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
      select ${newsletterId}, event_id, now(), ${reason}, id, ${publicationId} from told
    )
    update subscriber set status = ${reason}, left_at = now(), left_reason = ${reason}
    where newsletter_id = ${newsletterId} and id = any(${ids}::uuid[]) and status = 'active'`.execute(tx)
}
