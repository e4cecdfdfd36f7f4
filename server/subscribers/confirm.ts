import type { Kysely } from 'kysely'
import { isUuid } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import type { Signer } from '../http/signing.ts'
import { type ConsentChange, changeByConsent, type SubscriberKey } from './change.ts'
import { lockSubscriber, type SubscriberRow } from './queries.ts'

const VALID_MS = 30 * 24 * 3600 * 1000

/**
 * The token of a confirmation mail. It is signed and stored nowhere. It is valid for 30 days after the request.
 * It is for the address that it is mailed to: whoever reads the mail of an address from which the subscriber has moved confirms nothing.
 */
export const confirmToken = (
  signer: Signer,
  { newsletter_id, id, email }: Pick<SubscriberRow, 'newsletter_id' | 'id' | 'email'>,
): string => signer.sign('confirm', `${newsletter_id}.${id}.${markOf(signer, email)}`)

/** The newsletter and subscriber that a token was made for, or null. */
export function openConfirmToken(signer: Signer, token: string): OpenedConfirmation | null {
  const [newsletterId = '', subscriberId = '', mark = null] = signer.open('confirm', token)?.split('.') ?? []
  return isUuid(subscriberId) ? { newsletterId, subscriberId, mark } : null
}

interface OpenedConfirmation extends SubscriberKey {
  /** Of the address. Null in a mail from before there was one. */
  mark: string | null
}

/** Whether a token went to the address that the subscriber has now. */
export const isForAddress = (signer: Signer, { mark }: OpenedConfirmation, { email }: SubscriberRow): boolean =>
  mark === null || mark === markOf(signer, email)

const markOf = (signer: Signer, email: string): string =>
  signer.mac('confirm address', email).subarray(0, 9).toString('base64url')

export type Confirmation = 'open' | 'confirmed' | 'expired'

/** Whether a subscriber may still confirm. Who left, bounced or complained may confirm only after a new request. */
export function confirmationState(
  subscriber: Pick<SubscriberRow, 'status' | 'asked_at' | 'left_at'> | null,
  now: Date,
): Confirmation {
  if (!subscriber || subscriber.status === 'campaign_only') return 'expired'
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
