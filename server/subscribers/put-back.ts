import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import { insertEvents, insertReceipts, receiptArrays, receiptColumns, type SubscriberKey } from './change.ts'
import type { Receipt } from './consent.ts'

/** Somebody whom a member unsubscribed, and how they were before. */
export interface Removed extends SubscriberKey {
  /** When the member unsubscribed them. */
  leftAt: Date
  status: 'pending' | 'active'
  pausedUntil: Date | null
  at: Date
  receipt: Receipt
}

/**
 * Takes back that a member unsubscribed people: each is again as they were, with a receipt that says so. Whoever has left by
 * themselves since, came back and left, or whose mail bounced or was called spam by now stays away. To whom a member stopped the mail was subscribed
 * before, and is again.
 *
 * @returns the ids of those who are back
 */
export async function putBack(db: Db, removed: Removed[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with requested as (
      select r.*, null::text as publication_id from unnest(
        ${removed.map((r) => r.newsletterId)}::text[], ${removed.map((r) => r.subscriberId)}::uuid[],
        ${removed.map((r) => r.at.toISOString())}::timestamptz[], ${removed.map((r) => r.leftAt.toISOString())}::timestamptz[],
        ${removed.map((r) => r.status)}::text[], ${removed.map((r) => r.pausedUntil?.toISOString() ?? null)}::timestamptz[],
        ${removed.map((r) => uuidv7(r.at.getTime()))}::uuid[], ${removed.map((r) => uuidv7(r.at.getTime()))}::uuid[],
        ${receiptArrays(removed)}
      ) as r (newsletter_id, subscriber_id, at, removed_at, earlier, earlier_pause, consent_id, event_id, ${receiptColumns})
    ),
    changed as (
      update subscriber s set status = r.earlier, paused_until = r.earlier_pause, left_at = null, left_reason = null
      from requested r
      where s.newsletter_id = r.newsletter_id and s.id = r.subscriber_id and s.status = 'unsubscribed'
        and s.left_at = r.removed_at and not exists (select from suppression x
          where x.newsletter_id = s.newsletter_id and x.email_normalised = s.email_normalised and x.reason <> 'by_hand')
      returning r.*
    ),
    events as (${insertEvents('returned', 'changed')}),
    active as (select * from changed where earlier = 'active'),
    receipts as (${insertReceipts('given', 'active')}),
    pending as (select * from changed where earlier = 'pending'),
    asked as (${insertReceipts('asked', 'pending')})
    select subscriber_id as id from changed`.execute(db)
  return rows.map(({ id }) => id)
}
