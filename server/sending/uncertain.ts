import type { Kysely } from 'kysely'
import type { DB } from '../database/types.ts'
import { findPublication } from '../publications/queries.ts'
import { wrongStatus } from '../publications/save.ts'
import type { Translate } from '../translator.ts'
import { decideDeliveries } from './delivery-state.ts'
import type { PublicationKey } from './sending.ts'
import { lockSendings, reopenSending } from './state.ts'

/**
 * Carries out the owner’s decision about uncertain deliveries, all of them or those named: they go back to the queue and
 * are sent once more, or they are closed and count as failed.
 *
 * @returns how many there were
 * @throws AppError publication_not_found, wrong_status for sending again what was cancelled
 */
export async function decideUncertain(
  db: Kysely<DB>,
  publication: PublicationKey,
  { t, ...decision }: { act: 'resend' | 'close'; subscriberIds?: string[] | undefined; t: Translate },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Locked, so that no cancellation comes between and leaves somebody waiting for ever.
    const all = await lockSendings(tx, publication)
    const resend = decision.act === 'resend'
    const { status } = await findPublication(tx, publication.newsletterId, publication.publicationId)
    if (resend && status === 'cancelled') throw wrongStatus({ status }, t)
    const open = all.filter(({ state }) => !resend || state !== 'cancelled').map(({ id }) => id)
    const decided = await decideDeliveries(tx, { ...publication, sendings: open, ...decision })
    if (resend && decided > 0) for (const id of open) await reopenSending(tx, { ...publication, id })
    return decided
  })
}
