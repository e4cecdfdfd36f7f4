import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { suppress } from '../subscribers/change.ts'
import type { Recipient } from './compile.ts'
import { answerDeliveries, claimDeliveries, expireClaims, settleRefusals } from './delivery-state.ts'
import type { History } from './refusal-watch.ts'
import type { AudienceSending, Claim, Result, Sending } from './sending.ts'
import { startSending } from './state.ts'

export interface Claimed extends Recipient {
  attempts: number
}

/** Writes the deliveries of a sending that has none yet. */
export async function plan(db: Db, sending: AudienceSending): Promise<void> {
  const planned = await db.transaction().execute((tx) => startSending(tx, sending))
  // Tables that grew within a minute look empty to the planner, which then reads all of them for every claim: the
  // deliveries that were just written, and the subscribers of an import.
  if (planned) await sql`analyze delivery, subscriber`.execute(db)
}

/** Claims due deliveries. `examined` also counts those that were due and are suppressed now. */
export async function claim(
  db: Db,
  sending: AudienceSending,
  asked: Claim,
): Promise<{ examined: number; claimed: Claimed[] }> {
  const rows = await claimDeliveries(db, sending, asked)
  return { examined: rows.length, claimed: rows.filter(({ state }) => state === 'claimed') }
}

/** Extends the leases of workers to so many seconds from now. */
export const renew = (db: Db, { newsletterId, id }: Sending, claims: { workers: string[]; leaseSeconds: number }) =>
  sql`
    update delivery set due_at = now() + ${claims.leaseSeconds} * interval '1 second'
    where newsletter_id = ${newsletterId} and sending_id = ${id} and state = 'claimed'
      and claimed_by = any(${claims.workers})`.execute(db)

/** Writes the results of a worker's claims. */
export async function record(
  db: Db,
  sending: Sending,
  { worker, results }: { worker: string; results: Result[] },
): Promise<void> {
  if (results.length > 0) await answerDeliveries(db, sending, { worker, results })
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

/** The subscribers whose deliveries a worker has claimed, those included whose lease has ended. */
export async function heldBy(db: Db, { newsletterId, publicationId }: Sending, worker: string): Promise<string[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('subscriber_id')
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('claimed_by', '=', worker)
    .where('state', 'in', ['claimed', 'uncertain'])
    .execute()
  return rows.map(({ subscriber_id }) => subscriber_id)
}

export interface RunningSending extends AudienceSending {
  /** A delivery is due now, or the sending is not planned yet. */
  due: boolean
  /** A delivery is unfinished, or the sending is not planned yet. */
  waiting: boolean
}

/** Every sending in the state `sending`, in whichever process its senders are. */
export async function findRunning(db: Db): Promise<RunningSending[]> {
  const { rows } = await sql<RunningSending>`
    select s.newsletter_id as "newsletterId", s.publication_id as "publicationId", s.id, s.audience,
      s.trusts_refusals as "trustsRefusals",
      s.started_at is null or exists (select from delivery d where d.newsletter_id = s.newsletter_id
        and d.sending_id = s.id and d.state in ('queued', 'deferred') and d.due_at <= now()) as due,
      s.started_at is null or exists (select from delivery d where d.newsletter_id = s.newsletter_id
        and d.sending_id = s.id and d.state in ('queued', 'deferred', 'claimed')) as waiting
    from sending s where s.state = 'sending'`.execute(db)
  return rows
}

/** The time after a lease in which the journal of a dead worker may still be read. */
const JOURNAL_CHANCE_SECONDS = 60

/** Makes claims uncertain whose lease ended so long ago that no journal for them is expected. */
export async function giveUpLostClaims(db: Db, afterSeconds = JOURNAL_CHANCE_SECONDS): Promise<void> {
  const { rows } = await sql<Sending>`
    select s.newsletter_id as "newsletterId", s.publication_id as "publicationId", s.id from sending s
    where s.state in ('sending', 'paused', 'cancelled') and exists (select from delivery d
      where d.newsletter_id = s.newsletter_id and d.sending_id = s.id and d.state = 'claimed'
        and d.due_at < now() - ${afterSeconds} * interval '1 second')`.execute(db)
  for (const sending of rows) await expireClaims(db, sending, afterSeconds)
}
