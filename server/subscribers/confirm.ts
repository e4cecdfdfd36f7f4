import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { isUuid, uuidv7 } from '../database/ids.ts'
import type { Signer } from '../http/signing.ts'
import type { Language } from '../languages.ts'
import { findSubscriber, type SubscriberRow } from './queries.ts'

const VALID_MS = 30 * 24 * 3600 * 1000

/** The token of a confirmation mail; it needs no row, and is worth something for 30 days after it was asked for. */
export const confirmToken = (
  signer: Signer,
  { newsletter_id, id }: Pick<SubscriberRow, 'newsletter_id' | 'id'>,
): string => signer.sign('confirm', `${newsletter_id}.${id}`)

/** The newsletter and subscriber that a token was made for, or null. */
export function openConfirmToken(signer: Signer, token: string): { newsletterId: string; subscriberId: string } | null {
  const [newsletterId = '', subscriberId = ''] = signer.open('confirm', token)?.split('.') ?? []
  return isUuid(subscriberId) ? { newsletterId, subscriberId } : null
}

export type Confirmation = 'open' | 'confirmed' | 'expired'

/** Whether a subscriber may still confirm. Whoever left may again only after asking again. */
export function confirmationState(subscriber: SubscriberRow | null, now: Date): Confirmation {
  if (!subscriber) return 'expired'
  if (subscriber.status === 'active') return 'confirmed'
  const asked = subscriber.asked_at.getTime()
  const awaited =
    subscriber.status === 'pending' ||
    (subscriber.status === 'unsubscribed' && asked > (subscriber.left_at?.getTime() ?? 0))
  return awaited && now.getTime() - asked <= VALID_MS ? 'open' : 'expired'
}

export interface Proof {
  wording: string
  wordingVersion: string
  language: Language
  network: string
  at: Date
}

/**
 * Makes a subscriber active, with a receipt and an event. Again changes nothing; suppressed addresses stay out.
 * @returns what the subscriber's confirmation is now
 */
export async function confirm(db: Db, newsletterId: string, subscriberId: string, proof: Proof): Promise<Confirmation> {
  const subscriber = await findSubscriber(db, newsletterId, subscriberId)
  const state = confirmationState(subscriber, proof.at)
  if (state !== 'open') return state
  const { rows } = await sql`
    with confirmed as (
      update subscriber s set status = 'active', confirmed_at = ${proof.at}, left_at = null, left_reason = null
      where newsletter_id = ${newsletterId} and id = ${subscriberId} and status in ('pending', 'unsubscribed')
        and not exists (select from suppression p
          where p.newsletter_id = s.newsletter_id and p.email_normalised = s.email_normalised)
      returning newsletter_id, id
    ),
    receipt as (
      insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, network, at)
      select newsletter_id, ${uuidv7(proof.at.getTime())}, id, 'given', ${proof.wording}, ${proof.wordingVersion}, ${proof.language},
        'confirmation', ${proof.network}, ${proof.at}::timestamptz from confirmed
    ),
    happened as (
      insert into event (newsletter_id, id, at, kind, subscriber_id)
      select newsletter_id, ${uuidv7(proof.at.getTime())}, ${proof.at}::timestamptz, 'confirmed', id from confirmed
    )
    select id from confirmed`.execute(db)
  if (rows.length > 0) return 'confirmed'
  return confirmationState(await findSubscriber(db, newsletterId, subscriberId), proof.at) === 'confirmed'
    ? 'confirmed'
    : 'expired'
}
