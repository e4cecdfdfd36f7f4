import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { suppress } from '../subscribers/change.ts'
import type { Recipient } from './compile.ts'
import type { AudienceSending, Claim, Result, Sending } from './sending.ts'
import { answerDeliveries, claimDeliveries, expireClaims, startSending } from './state.ts'

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

/** Writes the results of a worker's claims, and suppresses addresses that do not exist. */
export async function record(
  db: Db,
  sending: Sending,
  { worker, results }: { worker: string; results: Result[] },
): Promise<void> {
  if (results.length === 0) return
  await db.transaction().execute(async (tx) => {
    const changed = await answerDeliveries(tx, sending, { worker, results })
    const bounced = results.filter(({ subscriberId, hardBounce }) => hardBounce && changed.has(subscriberId))
    if (bounced.length === 0) return
    const suppressed = bounced.map(({ subscriberId, answer }) => ({ ...sending, subscriberId, words: answer ?? '' }))
    await suppress(tx, 'bounced', suppressed)
  })
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
