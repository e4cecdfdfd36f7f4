import { sql } from 'kysely'

/**
 * Notes that those shall be welcomed who are in the common table expression `from`, whose columns are `newsletter_id` and
 * `subscriber_id`. Where nobody is welcomed nothing is written. `welcomes/enrol.ts` does the rest.
 */
export const addNewcomers = (from: string) => sql`
  insert into newcomer (newsletter_id, subscriber_id) select c.newsletter_id, c.subscriber_id from ${sql.table(from)} c
  where exists (select from welcome w where w.newsletter_id = c.newsletter_id and w.segment_id is null)
  on conflict do nothing`
