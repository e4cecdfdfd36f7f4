import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { ErrorCode } from '../errors.ts'
import { everyone, recipientsNow, recipientsToPlan } from '../subscribers/audience.ts'
import { suppress } from '../subscribers/change.ts'
import type { Recipient } from './compile.ts'

export interface Sending {
  newsletterId: string
  publicationId: string
}

export interface Claimed extends Recipient {
  attempts: number
}

export type StopCode = Extract<ErrorCode, 'relay_refused' | 'relay_unreachable' | 'internal'>

export interface Result {
  subscriberId: string
  state: 'accepted' | 'deferred' | 'failed' | 'uncertain' | 'queued'
  answer: string | null
  /** Until it may be tried again. */
  delaySeconds: number
  tried: boolean
  hardBounce: boolean
}

/**
 * Writes down who shall receive a publication, once: every active subscriber, suppressed addresses as such. From here on
 * the sum is fixed; who joins later gets the next one. A worker that finds another at it does not wait.
 */
export async function plan(db: Db, { newsletterId, publicationId }: Sending): Promise<void> {
  const planned = await db.transaction().execute(async (tx) => {
    const begun = await tx
      .updateTable('publication')
      .set({ started_at: sql`now()` })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', publicationId)
      .where('status', '=', 'sending')
      .where('started_at', 'is', null)
      .where('id', 'in', (open) =>
        open
          .selectFrom('publication')
          .select('id')
          .where('newsletter_id', '=', newsletterId)
          .where('id', '=', publicationId)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .executeTakeFirst()
    if (!begun) return false
    await sql`
      insert into delivery (newsletter_id, publication_id, subscriber_id, email, state, answer)
      select ${newsletterId}, ${publicationId}, id, email,
        case when suppressed_by is null then 'queued' else 'suppressed' end, suppressed_by
      from (${recipientsToPlan(newsletterId, everyone)}) recipients
      order by id`.execute(tx)
    return true
  })
  // A table that grew within a second looks empty to the planner, which then reads all of it for every row of a claim.
  if (planned) await sql`analyze delivery`.execute(db)
}

/**
 * Takes up to `limit` due deliveries for one worker until its lease ends; other workers pass over them. Whoever left
 * since the plan is left out here. Nothing is taken unless the publication is being sent: the share lock makes a pause
 * or a cancellation wait for this statement, or this statement for them.
 */
export async function claim(
  db: Db,
  { newsletterId, publicationId }: Sending,
  { worker, limit, leaseSeconds }: { worker: string; limit: number; leaseSeconds: number },
): Promise<{ looked: number; claimed: Claimed[] }> {
  const { rows } = await sql<Claimed & { state: string }>`
    with press as materialized (
      select 1 from publication where newsletter_id = ${newsletterId} and id = ${publicationId} and status = 'sending'
      for share
    ),
    due as (
      select d.subscriber_id from delivery d
      where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId}
        and d.state in ('queued', 'deferred') and d.due_at <= now() and exists (select from press)
      order by d.due_at limit ${limit}
      for update skip locked
    ),
    reader as (
      select due.subscriber_id, n.name, n.language,
        case when n.id is null then 'erased' else n.excluded_by end as gone
      from due left join (${recipientsNow(newsletterId, everyone)}) n on n.id = due.subscriber_id
    )
    update delivery d set
      state = case when r.gone is null then 'claimed' else 'suppressed' end,
      answer = coalesce(r.gone, d.answer), claimed_by = ${worker}, changed_at = now(),
      due_at = now() + ${leaseSeconds} * interval '1 second'
    from reader r
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = r.subscriber_id
    returning d.subscriber_id as "subscriberId", d.email, r.name, r.language, d.attempts, d.state`.execute(db)
  return { looked: rows.length, claimed: rows.filter(({ state }) => state === 'claimed') }
}

/** Keeps a worker's claims its own while it is alive. */
export const renew = (db: Db, { newsletterId, publicationId }: Sending, workers: string[], leaseSeconds: number) =>
  sql`
    update delivery set due_at = now() + ${leaseSeconds} * interval '1 second'
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and state = 'claimed'
      and claimed_by = any(${workers})`.execute(db)

/** After its lease a dead worker's journal, read where it lies, may still tell what became of its claims. */
const JOURNAL_CHANCE_SECONDS = 60

/**
 * Claims whose worker has not been heard of: it may have handed the message over before it died, so nobody knows.
 * Returns how many.
 */
export async function expireClaims(
  db: Db,
  { newsletterId, publicationId }: Sending,
  chanceSeconds = JOURNAL_CHANCE_SECONDS,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery set state = 'uncertain', answer = 'lease_expired', changed_at = now()
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and state = 'claimed'
      and due_at < now() - ${chanceSeconds} * interval '1 second'`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Writes what became of a worker's claims; what was written before changes nothing. A claim that was given up as uncertain
 * meanwhile is settled by the answer that came after all. What would go back to the queue of a cancelled publication is left out instead.
 */
export async function record(db: Db, sending: Sending, worker: string, results: Result[]): Promise<void> {
  if (results.length === 0) return
  const { newsletterId, publicationId } = sending
  const column = <Key extends keyof Result>(key: Key) => results.map((result) => result[key])
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      with press as materialized (
        select status from publication where newsletter_id = ${newsletterId} and id = ${publicationId} for share
      )
      update delivery d set
        state = case when r.state in ('queued', 'deferred') and press.status = 'cancelled' then 'suppressed' else r.state end,
        answer = case when r.state = 'queued' and press.status = 'cancelled' then 'cancelled'
          else coalesce(r.answer, d.answer) end,
        attempts = d.attempts + r.tried::integer, claimed_by = null, changed_at = now(),
        due_at = now() + r.delay * interval '1 second'
      from press, unnest(${column('subscriberId')}::uuid[], ${column('state')}::text[], ${column('answer')}::text[],
        ${column('delaySeconds')}::integer[], ${column('tried')}::boolean[]) r (id, state, answer, delay, tried)
      where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = r.id
        and d.claimed_by = ${worker} and d.state in ('claimed', 'uncertain')
      returning d.subscriber_id as id`.execute(tx)
    const settled = new Set(rows.map(({ id }) => id))
    const bounced = results.filter(({ subscriberId, hardBounce }) => hardBounce && settled.has(subscriberId))
    if (bounced.length === 0) return
    // An address that does not exist is never written to again.
    const suppressed = bounced.map(({ subscriberId, answer }) => ({ ...sending, subscriberId, words: answer ?? '' }))
    await suppress(tx, 'bounced', suppressed)
  })
}

/** Ends the sending when nobody waits any more; true when it is ended. */
export async function finish(db: Db, { newsletterId, publicationId }: Sending): Promise<boolean> {
  const { rows } = await sql`
    update publication p set status = 'sent', finished_at = now()
    where newsletter_id = ${newsletterId} and id = ${publicationId} and status = 'sending' and started_at is not null
      and not exists (select from delivery d where d.newsletter_id = p.newsletter_id and d.publication_id = p.id
        and d.state in ('queued', 'claimed', 'deferred'))
    returning id`.execute(db)
  return rows.length > 0
}

/** Who a worker still holds, or held when its time was up. */
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

/** Begins an ended sending again when somebody waits after all. */
export const reopen = (db: Db, { newsletterId, publicationId }: Sending) =>
  sql`
    update publication p set status = 'sending', finished_at = null
    where newsletter_id = ${newsletterId} and id = ${publicationId} and status = 'sent' and started_at is not null
      and exists (select from delivery d where d.newsletter_id = p.newsletter_id and d.publication_id = p.id
        and d.state in ('queued', 'deferred'))`.execute(db)

/** Stops the press by itself, and says why: a code of the error table, and the relay's own words. */
export const stopBy = (db: Db, { newsletterId, publicationId }: Sending, code: StopCode, answer: string | null) =>
  db
    .updateTable('publication')
    .set({ status: 'paused', stopped_by: code, stopped_answer: answer?.slice(0, 500) ?? null })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .where('status', '=', 'sending')
    .execute()

export interface SendingNow extends Sending {
  /** Somebody may be written to now, or it is not planned yet. */
  due: boolean
  /** Somebody is to be written to, now or later. */
  waiting: boolean
}

/** Every publication that is being sent, whoever works on it. */
export async function findSendings(db: Db): Promise<SendingNow[]> {
  const { rows } = await sql<SendingNow>`
    select p.newsletter_id as "newsletterId", p.id as "publicationId",
      p.started_at is null or exists (select from delivery d where d.newsletter_id = p.newsletter_id
        and d.publication_id = p.id and d.state in ('queued', 'deferred') and d.due_at <= now()) as due,
      p.started_at is null or exists (select from delivery d where d.newsletter_id = p.newsletter_id
        and d.publication_id = p.id and d.state in ('queued', 'deferred', 'claimed')) as waiting
    from publication p where p.status = 'sending'`.execute(db)
  return rows
}

/** Publications of which a worker holds claims though its time was up long enough for its journal to be read. */
export async function findExpired(db: Db): Promise<Sending[]> {
  const { rows } = await sql<Sending>`
    select p.newsletter_id as "newsletterId", p.id as "publicationId" from publication p
    where p.status in ('sending', 'paused', 'cancelled') and exists (select from delivery d
      where d.newsletter_id = p.newsletter_id and d.publication_id = p.id and d.state = 'claimed'
        and d.due_at < now() - ${JOURNAL_CHANCE_SECONDS} * interval '1 second')`.execute(db)
  return rows
}
