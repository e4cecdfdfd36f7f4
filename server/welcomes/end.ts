import { type Kysely, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { AppError } from '../errors.ts'
import type { Sending } from '../sending/sending.ts'
import { cancelSendings } from '../sending/state.ts'

interface WelcomeKey {
  newsletterId: string
  id: number
}

/** What a welcome sends, and what it sent before another publication was chosen, as far as somebody may wait for it. */
export async function sendingsOf(tx: Db, { newsletterId, id }: WelcomeKey): Promise<Sending[]> {
  const { rows } = await sql<Sending>`
    select newsletter_id as "newsletterId", publication_id as "publicationId", id from sending
    where newsletter_id = ${newsletterId} and welcome_id = ${id} and state in ('sending', 'paused')
    order by publication_id, id`.execute(tx)
  return rows
}

/** Ends a welcome: who waits for it does not get it. @returns what it was. @throws AppError welcome_not_found */
export const endWelcome = (
  db: Kysely<DB>,
  { newsletterId, welcomeId }: { newsletterId: string; welcomeId: number },
): Promise<{ publicationId: string }> =>
  db.transaction().execute(async (tx) => {
    const query = tx.deleteFrom('welcome').where('newsletter_id', '=', newsletterId).where('id', '=', welcomeId)
    const gone = await query.returning('publication_id as publicationId').executeTakeFirst()
    if (!gone) throw new AppError('welcome_not_found')
    await cancelAll(tx, { newsletterId, id: welcomeId })
    return gone
  })

/** Ends the welcome of a segment, if it has one. */
export async function endWelcomeOf(
  tx: Db,
  { newsletterId, segmentId }: { newsletterId: string; segmentId: number },
): Promise<void> {
  const query = tx.deleteFrom('welcome').where('newsletter_id', '=', newsletterId).where('segment_id', '=', segmentId)
  const gone = await query.returning('id').executeTakeFirst()
  if (gone) await cancelAll(tx, { newsletterId, id: gone.id })
}

async function cancelAll(tx: Db, welcome: WelcomeKey): Promise<void> {
  for (const sending of await sendingsOf(tx, welcome)) await cancelSendings(tx, sending)
}

/** Refuses to delete a publication that is a welcome, or that somebody still waits for as one. @throws AppError is_welcome */
export async function refuseWelcome(tx: Db, newsletterId: string, publicationId: string): Promise<void> {
  const { rows } = await sql`
    select from sending s join welcome w on w.newsletter_id = s.newsletter_id and w.id = s.welcome_id
    left join delivery_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
    where s.newsletter_id = ${newsletterId} and s.publication_id = ${publicationId} and s.state in ('sending', 'paused')
      and (s.id = w.sending_id or c.queued + c.deferred > 0)
    limit 1`.execute(tx)
  if (rows.length > 0) throw new AppError('is_welcome')
}
