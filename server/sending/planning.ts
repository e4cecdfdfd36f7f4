import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { PublicationKey, Sending } from './sending.ts'

/** SQL that is true when this transaction may write deliveries of the publication, and no other may before it has ended. */
export const planningLock = ({ newsletterId, publicationId }: PublicationKey) =>
  sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${`${newsletterId} ${publicationId}`}, 0))`

/**
 * SQL that is true for recipients who are in no sending of the publication, and did not get it in a digest. A nested loop would search the rows that the
 * statement itself writes, once for each row, and PostgreSQL chooses one while its statistics say that the table is empty.
 */
export async function inNoSendingYet(tx: Db, { newsletterId, publicationId }: Sending) {
  const { rows } = await sql`
    (select from delivery where newsletter_id = ${newsletterId} and publication_id = ${publicationId} limit 1) union all
    (select from digest_item where newsletter_id = ${newsletterId} and publication_id = ${publicationId} limit 1)`.execute(
    tx,
  )
  if (rows.length === 0) return sql`true`
  await sql`set local enable_nestloop = off`.execute(tx)
  return sql`not exists (select from delivery d where d.newsletter_id = ${newsletterId}
    and d.publication_id = ${publicationId} and d.subscriber_id = recipients.id)
    and not exists (select from digest_item i where i.newsletter_id = ${newsletterId}
    and i.publication_id = ${publicationId} and i.subscriber_id = recipients.id)`
}
