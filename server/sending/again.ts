import type { Kysely } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { findPublication } from '../publications/queries.ts'
import { wrongStatus } from '../publications/save.ts'
import type { Translate } from '../translator.ts'
import { type AgainState, queueAgain } from './delivery-state.ts'
import { answersOf, reasonOf } from './reasons.ts'
import type { AudienceSending, PublicationKey } from './sending.ts'
import { lockSendings, reopenSending } from './state.ts'

interface Which {
  state: AgainState
  reason?: string | undefined
  subscriberIds?: string[] | undefined
}

/**
 * Puts deliveries back into the queue that were refused, wait for another attempt or are uncertain: all of them, those with
 * one reason, or those of some subscribers. A paused sending stays paused.
 *
 * @returns how many there were
 * @throws AppError publication_not_found; wrong_status when nothing of it was sent, or it was cancelled
 */
export function sendAgain(
  db: Kysely<DB>,
  publication: PublicationKey,
  { t, ...which }: Which & { t: Translate },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const all = await lockSendings(tx, publication)
    const { status } = await findPublication(tx, publication.newsletterId, publication.publicationId)
    const open = all.filter(({ state }) => state === 'sending' || state === 'paused' || state === 'sent')
    if (open.length === 0 || status === 'cancelled') throw wrongStatus({ status }, t)
    let queued = 0
    for (const { id, audience } of open) {
      const count = await queueThose(tx, { ...publication, id, audience }, which)
      if (count > 0) await reopenSending(tx, { ...publication, id })
      queued += count
    }
    return queued
  })
}

async function queueThose(
  tx: Db,
  sending: Omit<AudienceSending, 'trustsRefusals'>,
  { state, reason, subscriberIds }: Which,
): Promise<number> {
  if (reason === undefined) return queueAgain(tx, sending, { state, subscriberIds })
  const among = subscriberIds && new Set(subscriberIds)
  let queued = 0
  for await (const answers of answersOf(tx, sending, state)) {
    const same = answers.filter(
      ({ answer, subscriberId: id }) => among?.has(id) !== false && reasonOf(answer) === reason,
    )
    const ids = same.map(({ subscriberId }) => subscriberId)
    if (ids.length > 0) queued += await queueAgain(tx, sending, { state, subscriberIds: ids })
  }
  return queued
}
