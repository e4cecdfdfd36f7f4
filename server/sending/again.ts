import type { Kysely } from 'kysely'
import type { DB } from '../database/types.ts'
import { findPublication } from '../publications/queries.ts'
import { wrongStatus } from '../publications/save.ts'
import type { Translate } from '../translator.ts'
import { type AgainState, queueAgain } from './delivery-state.ts'
import type { PublicationKey } from './sending.ts'
import { lockSendings, reopenSending } from './state.ts'

interface Again {
  state: AgainState
  reason?: string | undefined
  subscriberIds?: string[] | undefined
  t: Translate
}

/**
 * Puts deliveries back into the queue that were refused, wait for another attempt or are uncertain: all of them, those with
 * one reason, or those of some subscribers. A paused sending stays paused.
 *
 * @returns how many there were
 * @throws AppError publication_not_found; wrong_status when nothing of it was sent, or it was cancelled
 */
export function sendAgain(db: Kysely<DB>, publication: PublicationKey, { t, ...which }: Again): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const all = await lockSendings(tx, publication)
    const { status } = await findPublication(tx, publication.newsletterId, publication.publicationId)
    const open = all.filter(({ state }) => state === 'sending' || state === 'paused' || state === 'sent')
    if (open.length === 0 || status === 'cancelled') throw wrongStatus({ status }, t)
    let queued = 0
    for (const { id, audience } of open) {
      const count = await queueAgain(tx, { ...publication, id, audience }, which)
      if (count > 0) await reopenSending(tx, { ...publication, id })
      queued += count
    }
    return queued
  })
}
