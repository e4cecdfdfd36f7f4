import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { wrongStatus } from '../publications/save.ts'
import type { Translate } from '../translator.ts'
import { reopen, type Sending } from './deliveries.ts'

/**
 * The owner decides about messages whose answer nobody heard: they go back to the queue and are sent once more, or are
 * closed and count as failed: all of them, or those that are named. Answers how many there were.
 *
 * @throws AppError publication_not_found, wrong_status for sending what was cancelled
 */
export async function decideUncertain(
  db: Db,
  sending: Sending,
  { act, subscriberIds }: { act: 'resend' | 'close'; subscriberIds?: string[] | undefined },
  t: Translate,
): Promise<number> {
  const { newsletterId, publicationId } = sending
  return db.transaction().execute(async (tx) => {
    // Locked, so that no cancellation comes between and leaves somebody waiting for ever.
    const publication = await tx
      .selectFrom('publication')
      .select('status')
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', publicationId)
      .forUpdate()
      .executeTakeFirst()
    if (!publication) throw new AppError('publication_not_found')
    if (act === 'resend' && publication.status === 'cancelled') throw wrongStatus({ status: 'cancelled' }, t)
    const decided = await tx
      .updateTable('delivery')
      .set({
        ...(act === 'resend' ? { state: 'queued', answer: null } : { state: 'failed', answer: 'closed' }),
        claimed_by: null,
        due_at: sql`now()`,
        changed_at: sql`now()`,
      })
      .where('newsletter_id', '=', newsletterId)
      .where('publication_id', '=', publicationId)
      .where('state', '=', 'uncertain')
      .$if(subscriberIds !== undefined, (query) => query.where('subscriber_id', 'in', subscriberIds ?? []))
      .executeTakeFirst()
    if (act === 'resend' && decided.numUpdatedRows > 0) await reopen(tx, sending)
    return Number(decided.numUpdatedRows)
  })
}
