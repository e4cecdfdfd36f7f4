import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Event } from '../database/types.ts'
import type { Language } from '../languages.ts'
import { type SubscriberKey, updateOf } from './change.ts'
import type { Pace } from './contract.ts'

// What a subscriber chooses for themselves and that is no consent: each takes effect at once and needs no receipt.

/** Sends a subscriber nothing until then, or with null everything again. Only who is subscribed can pause. */
export async function pauseSubscriber(db: Db, key: SubscriberKey, until: Date | null): Promise<void> {
  await updateOf(db, key).set({ paused_until: until }).where('status', '=', 'active').execute()
}

/**
 * Sets how often a subscriber gets mail from now on, and notes it in what happened to them. It ends a pause. What waits for a digest of
 * theirs goes with the next one, whatever they choose.
 */
export async function choosePace(db: Db, key: SubscriberKey, pace: Pace): Promise<void> {
  const { newsletterId, subscriberId } = key
  await pauseSubscriber(db, key, null)
  await sql`
    with changed as (
      update subscriber set pace = ${pace}, pace_at = now()
      where newsletter_id = ${newsletterId} and id = ${subscriberId} and status in ('active', 'pending') and pace <> ${pace}
      returning id
    )
    insert into event (newsletter_id, id, at, kind, subscriber_id)
    select ${newsletterId}, ${uuidv7()}, now(), ${`chose_${pace}` satisfies Event['kind']}, id from changed`.execute(db)
}

/** Sets the language of a subscriber's mail from now on. */
export async function chooseLanguage(db: Db, key: SubscriberKey, language: Language): Promise<void> {
  await updateOf(db, key).set({ language }).execute()
}
