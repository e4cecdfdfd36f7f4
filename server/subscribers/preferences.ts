import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Event } from '../database/types.ts'
import type { Language } from '../languages.ts'
import { type SubscriberKey, updateOf } from './change.ts'
import type { Pace } from './contract.ts'

// What a subscriber chooses for themselves and that is no consent: each takes effect at once and needs no receipt.

/**
 * Sends a subscriber nothing until then, or with null everything again, and notes in what happened to them that a pause began or ended. Only who is
 * subscribed can pause.
 */
export async function pauseSubscriber(
  db: Db,
  { newsletterId, subscriberId }: SubscriberKey,
  until: Date | null,
): Promise<void> {
  const kind: Event['kind'] = until ? 'paused' : 'resumed'
  await sql`
    with earlier as (
      select id, coalesce(paused_until > now(), false) as paused from subscriber
      where newsletter_id = ${newsletterId} and id = ${subscriberId} and status = 'active' and paused_until is distinct from ${until}
      for no key update
    ),
    changed as (
      update subscriber s set paused_until = ${until} from earlier e where s.newsletter_id = ${newsletterId} and s.id = e.id
    )
    insert into event (newsletter_id, id, at, kind, subscriber_id)
    select ${newsletterId}, ${uuidv7()}, now(), ${kind}, id from earlier where paused <> ${until !== null}`.execute(db)
}

/**
 * Sets how often a subscriber gets mail from now on, and notes it in what happened to them. It ends a pause. What waits for a digest of
 * theirs goes with the next one, whatever they choose.
 */
export async function choosePace(db: Db, key: SubscriberKey, pace: Pace): Promise<void> {
  const { newsletterId, subscriberId } = key
  const { numAffectedRows } = await sql`
    with changed as (
      update subscriber set pace = ${pace}, pace_at = now(), paused_until = null
      where newsletter_id = ${newsletterId} and id = ${subscriberId} and status in ('active', 'pending') and pace <> ${pace}
      returning id
    )
    insert into event (newsletter_id, id, at, kind, subscriber_id)
    select ${newsletterId}, ${uuidv7()}, now(), ${`chose_${pace}` satisfies Event['kind']}, id from changed`.execute(db)
  if (!numAffectedRows) await pauseSubscriber(db, key, null)
}

/** Sets the language of a subscriber's mail from now on. */
export async function chooseLanguage(db: Db, key: SubscriberKey, language: Language): Promise<void> {
  await updateOf(db, key).set({ language }).execute()
}
