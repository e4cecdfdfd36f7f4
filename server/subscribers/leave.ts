import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Language } from '../languages.ts'
import type { SubscriberRow } from './queries.ts'

export const leaveReasons = ['tooMany', 'notForMe', 'neverAsked', 'other'] as const
export type LeaveReason = (typeof leaveReasons)[number]

/** How a withdrawal or a return came about; `wording` is what the person pressed. */
export interface Act {
  means: 'page' | 'one-click' | 'mail' | 'by-hand'
  wording: string
  wordingVersion: string
  language: Language
  network: string | null
  at: Date
}

const UNDO_MS = 7 * 24 * 3600 * 1000

/**
 * Ends a subscription at once, with a receipt and an event, which names the publication whose mail it was asked from.
 * Again changes nothing. @returns whether this call ended it
 */
export async function leave(
  db: Db,
  newsletterId: string,
  subscriberId: string,
  act: Act,
  publicationId: string | null = null,
): Promise<boolean> {
  const { rows } = await sql`
    with departed as (
      update subscriber set status = 'unsubscribed', left_at = ${act.at}, left_reason = null
      where newsletter_id = ${newsletterId} and id = ${subscriberId} and status in ('pending', 'active')
      returning newsletter_id, id
    ),
    receipt as (${receipt('departed', 'withdrawn', act)}),
    happened as (
      insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
      select newsletter_id, ${uuidv7(act.at.getTime())}, ${act.at}::timestamptz, 'unsubscribed', id,
        (select p.id from publication p where p.newsletter_id = d.newsletter_id and p.id = ${publicationId})
      from departed d
    )
    select id from departed`.execute(db)
  return rows.length > 0
}

/** Whether somebody may undo leaving: they had confirmed, and left less than a week ago. */
export const mayReturn = ({ status, confirmed_at, left_at }: SubscriberRow, now: Date): boolean =>
  status === 'unsubscribed' && confirmed_at !== null && left_at !== null && now.getTime() - left_at.getTime() <= UNDO_MS

/** Undoes leaving. Again, too late, or for a suppressed address it changes nothing. */
export async function comeBack(db: Db, newsletterId: string, subscriberId: string, act: Act): Promise<void> {
  await sql`
    with returned as (
      update subscriber s set status = 'active', left_at = null, left_reason = null
      where newsletter_id = ${newsletterId} and id = ${subscriberId} and status = 'unsubscribed'
        and confirmed_at is not null and left_at >= ${new Date(act.at.getTime() - UNDO_MS)}
        and not exists (select from suppression p
          where p.newsletter_id = s.newsletter_id and p.email_normalised = s.email_normalised)
      returning newsletter_id, id
    ),
    receipt as (${receipt('returned', 'given', act)})
    insert into event (newsletter_id, id, at, kind, subscriber_id)
    select newsletter_id, ${uuidv7(act.at.getTime())}, ${act.at}::timestamptz, 'returned', id from returned`.execute(db)
}

const receipt = (changed: 'departed' | 'returned', consent: 'withdrawn' | 'given', act: Act) => sql`
  insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, network, at)
  select newsletter_id, ${uuidv7(act.at.getTime())}, id, ${consent}, ${act.wording}, ${act.wordingVersion}, ${act.language},
    ${act.means}, ${act.network}, ${act.at}::timestamptz from ${sql.table(changed)}`

/** Keeps why somebody left; only while they are gone. */
export async function keepReason(
  db: Db,
  newsletterId: string,
  subscriberId: string,
  reason: LeaveReason,
): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({ left_reason: reason })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriberId)
    .where('status', '=', 'unsubscribed')
    .execute()
}

/** The language that a subscriber's mail is written in from now on. */
export async function chooseLanguage(db: Db, newsletterId: string, subscriberId: string, language: Language) {
  await db
    .updateTable('subscriber')
    .set({ language })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriberId)
    .execute()
}
