import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { suppress } from '../subscribers/change.ts'
import { expireClaims, findLostClaims } from './claims.ts'
import { settleRefusals } from './delivery-state.ts'
import type { History } from './refusal-watch.ts'
import { type AudienceSending, END, type Sending } from './sending.ts'
import { startSending } from './state.ts'

/** Writes the deliveries of a sending that has none yet. */
export async function plan(db: Db, sending: AudienceSending): Promise<void> {
  const planned = await db.transaction().execute((tx) => startSending(tx, sending))
  // Tables that grew within a minute look empty to the planner, which then reads all of them for every claim: the
  // deliveries that were just written, and the subscribers of an import. Only what claims search by is looked at.
  if (planned) {
    await sql`analyze delivery (newsletter_id, publication_id, sending_id, subscriber_id, state),
      subscriber (newsletter_id, id)`.execute(db)
  }
}

/** Subscribers marked in one statement. */
const MARKED_AT_ONCE = 1_000

/**
 * Marks the subscribers as bounced whose addresses do not exist, when the sending has shown that this is so. It waits until
 * nothing of it is queued: what is abnormal shows before.
 */
export async function markBounced(tx: Db, sending: Sending): Promise<void> {
  // In the order in which every other change of suppressions locks subscribers.
  const settled = (await settleRefusals(tx, sending)).sort((a, b) => (a.subscriberId < b.subscriberId ? -1 : 1))
  for (let from = 0; from < settled.length; from += MARKED_AT_ONCE) {
    const marked = settled.slice(from, from + MARKED_AT_ONCE).map((each) => ({ ...sending, ...each }))
    await suppress(tx, 'bounced', marked)
  }
}

/** What the newsletter's earlier sendings were answered, those of the last half year. */
export async function findHistory(db: Db, { newsletterId, id }: Sending): Promise<History> {
  const { rows } = await sql<History>`
    select coalesce(sum(c.accepted), 0)::float as accepted, coalesce(sum(c.failed), 0)::float as refused
    from sending s join delivery_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
    where s.newsletter_id = ${newsletterId} and s.id <> ${id} and s.state = 'sent'
      and s.finished_at > now() - interval '180 days'`.execute(db)
  return rows[0] ?? { accepted: 0, refused: 0 }
}

/** Whether more than half of a sending's copies wait for another attempt. */
export async function mostWait(db: Db, { newsletterId, id }: Sending): Promise<boolean> {
  const { rows } = await sql<{ most: boolean }>`
    select c.deferred * 2 > c.intended as most from delivery_count c
    where c.newsletter_id = ${newsletterId} and c.sending_id = ${id}`.execute(db)
  return rows[0]?.most ?? false
}

export interface RunningSending extends AudienceSending {
  /** A delivery is due now, or the sending is not planned yet. */
  due: boolean
  /** A delivery is unfinished, or the sending is not planned yet. */
  waiting: boolean
  /** Nobody looked at it before it began: a welcome or a digest. */
  isAutomatic: boolean
  /** Its welcome goes on. */
  isOpen: boolean
}

/** Every sending in the state `sending`, in whichever process its senders are. */
export async function findRunning(db: Db): Promise<RunningSending[]> {
  const { rows } = await sql<RunningSending>`
    select s.newsletter_id as "newsletterId", s.publication_id as "publicationId", s.id, s.audience,
      s.trusts_refusals as "trustsRefusals",
      s.started_at is null or coalesce(p.claimed_through <> ${END}, false) or exists (select from delivery d
        where d.newsletter_id = s.newsletter_id and d.sending_id = s.id and d.due_at <= now()) as due,
      s.started_at is null or coalesce(c.queued + c.deferred > 0, false) as waiting, s.welcome or s.audience ->> 'kind' = 'digest' as "isAutomatic",
      exists (select from welcome w where w.newsletter_id = s.newsletter_id and w.sending_id = s.id) as "isOpen"
    from sending s
    -- Nothing is sent for a newsletter that was deleted or that nobody owns.
    join newsletter n on n.id = s.newsletter_id and n.deleted_at is null
    left join claim_position p on p.newsletter_id = s.newsletter_id and p.sending_id = s.id
    left join delivery_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
    where s.state = 'sending'`.execute(db)
  return rows
}

/** The time after a lease in which the journal of a dead worker may still be read. */
const JOURNAL_CHANCE_SECONDS = 60

/** Makes deliveries uncertain whose claim ended so long ago that no journal for them is expected. */
export async function giveUpLostClaims(db: Db, afterSeconds = JOURNAL_CHANCE_SECONDS): Promise<void> {
  for (const sending of await findLostClaims(db, afterSeconds)) await expireClaims(db, sending, afterSeconds)
}
