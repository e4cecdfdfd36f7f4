import type { Kysely } from 'kysely'
import { isUuid } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import type { Signer } from '../http/signing.ts'
import { type ConsentChange, changeByConsent, type SubscriberKey } from './change.ts'
import { lockSubscriber, type SubscriberRow } from './queries.ts'

const VALID_MS = 30 * 24 * 3600 * 1000

/** The token of a confirmation mail. It is signed and stored nowhere. It is valid for 30 days after the request. */
export const confirmToken = (
  signer: Signer,
  { newsletter_id, id }: Pick<SubscriberRow, 'newsletter_id' | 'id'>,
): string => signer.sign('confirm', `${newsletter_id}.${id}`)

/** The newsletter and subscriber that a token was made for, or null. */
export function openConfirmToken(signer: Signer, token: string): SubscriberKey | null {
  const [newsletterId = '', subscriberId = ''] = signer.open('confirm', token)?.split('.') ?? []
  return isUuid(subscriberId) ? { newsletterId, subscriberId } : null
}

export type Confirmation = 'open' | 'confirmed' | 'expired'

/** Whether a subscriber may still confirm. Who left, bounced or complained may confirm only after a new request. */
export function confirmationState(
  subscriber: Pick<SubscriberRow, 'status' | 'asked_at' | 'left_at'> | null,
  now: Date,
): Confirmation {
  if (!subscriber) return 'expired'
  if (subscriber.status === 'active') return 'confirmed'
  const asked = subscriber.asked_at.getTime()
  const requested = subscriber.status === 'pending' || asked > (subscriber.left_at?.getTime() ?? 0)
  return requested && now.getTime() - asked <= VALID_MS ? 'open' : 'expired'
}

/**
 * Makes a subscriber active who may still confirm, also one who had bounced or complained before they asked again. A second
 * time changes nothing.
 * @returns `expired` when they stay inactive
 */
export function confirm(db: Kysely<DB>, change: ConsentChange): Promise<'confirmed' | 'expired'> {
  return db.transaction().execute(async (tx) => {
    // A complaint that comes at this moment waits, or is seen.
    const subscriber = await lockSubscriber(tx, change)
    const state = confirmationState(subscriber, change.at)
    if (state !== 'open') return state
    const changed = await changeByConsent(tx, 'confirmed', [change])
    return changed.length > 0 ? 'confirmed' : 'expired'
  })
}
