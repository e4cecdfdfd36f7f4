import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'

/** What somebody was welcomed to, or no longer can be: a segment, or with null the newsletter itself. */
interface WelcomeOf {
  newsletterId: string
  segmentId: number | null
}

/** In the table, where the newsletter itself has this number. */
const OF_NEWSLETTER = 0

/** Notes that those no longer concern a welcome whose ids the SQL `who` finds. */
export const noteWelcomed = (
  tx: Db,
  { newsletterId, segmentId }: WelcomeOf,
  who: RawBuilder<unknown>,
): Promise<unknown> =>
  sql`
    insert into welcomed (newsletter_id, subscriber_id, segment_id)
    select ${newsletterId}, w.id, ${segmentId ?? OF_NEWSLETTER} from (${who}) w order by w.id
    on conflict do nothing`.execute(tx)

/**
 * SQL that is true for a row `r` of a subscriber whom a welcome still concerns. Because of the offset each is looked up by the primary
 * key: while a million are written, the statistics say that there are few, and a plan for few compares each with each.
 */
export const notWelcomed = ({ newsletterId, segmentId }: WelcomeOf) =>
  sql<SqlBool>`not exists (select from welcomed x where x.newsletter_id = ${newsletterId} and x.subscriber_id = r.id
    and x.segment_id = ${segmentId ?? OF_NEWSLETTER} offset 0)`
