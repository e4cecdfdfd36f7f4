import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { ErrorCode } from '../errors.ts'
import type { Recipient } from './compile.ts'

export interface Sending {
  newsletterId: string
  publicationId: string
}

export interface Claimed extends Recipient {
  attempts: number
}

export type StopCode = Extract<ErrorCode, 'relay_refused' | 'relay_unreachable'>

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
 * the sum is fixed; who joins later gets the next one.
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
      .returning('id')
      .executeTakeFirst()
    if (!begun) return false
    await sql`
      insert into delivery (newsletter_id, publication_id, subscriber_id, email, state, answer)
      select s.newsletter_id, ${publicationId}, s.id, s.email,
        case when x.email_normalised is null then 'queued' else 'suppressed' end, x.reason
      from subscriber s
      left join suppression x using (newsletter_id, email_normalised)
      where s.newsletter_id = ${newsletterId} and s.status = 'active'
      order by s.id`.execute(tx)
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
      select due.subscriber_id, s.name,
        case when s.id is null then 'erased' when x.email_normalised is not null then x.reason
          when s.status <> 'active' then s.status end as gone
      from due
      left join subscriber s on s.newsletter_id = ${newsletterId} and s.id = due.subscriber_id
      left join suppression x on x.newsletter_id = ${newsletterId} and x.email_normalised = s.email_normalised
    )
    update delivery d set
      state = case when r.gone is null then 'claimed' else 'suppressed' end,
      answer = coalesce(r.gone, d.answer), claimed_by = ${worker}, changed_at = now(),
      due_at = now() + ${leaseSeconds} * interval '1 second'
    from reader r
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = r.subscriber_id
    returning d.subscriber_id as "subscriberId", d.email, r.name, d.attempts, d.state`.execute(db)
  return { looked: rows.length, claimed: rows.filter(({ state }) => state === 'claimed') }
}

/** Keeps a worker's claims its own while it is alive. */
export const renew = (db: Db, { newsletterId, publicationId }: Sending, worker: string, leaseSeconds: number) =>
  sql`
    update delivery set due_at = now() + ${leaseSeconds} * interval '1 second'
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and state = 'claimed'
      and claimed_by = ${worker}`.execute(db)

/**
 * Claims whose worker has not been heard of: it may have handed the message over before it died, so nobody knows.
 * Returns how many.
 */
export async function expireClaims(db: Db, { newsletterId, publicationId }: Sending): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery set state = 'uncertain', answer = 'lease_expired', changed_at = now()
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and state = 'claimed' and due_at < now()
    `.execute(db)
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
    if (bounced.length > 0) await suppressBounced(tx, sending, bounced)
  })
}

/** An address that does not exist is never written to again. */
async function suppressBounced(tx: Db, { newsletterId, publicationId }: Sending, bounced: Result[]): Promise<void> {
  const ids = bounced.map(({ subscriberId }) => subscriberId)
  await sql`
    with answered as (
      select * from unnest(${ids}::uuid[], ${bounced.map(({ answer }) => answer ?? '')}::text[],
        ${bounced.map(() => uuidv7())}::uuid[]) a (id, answer, event_id)
    ),
    kept as (
      insert into suppression (newsletter_id, email_normalised, reason, detail)
      select s.newsletter_id, s.email_normalised, 'bounced', a.answer
      from answered a join subscriber s on s.newsletter_id = ${newsletterId} and s.id = a.id
      on conflict do nothing
    ),
    happened as (
      insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
      select ${newsletterId}, event_id, now(), 'bounced', id, ${publicationId} from answered
    )
    update subscriber set status = 'bounced', left_at = now(), left_reason = 'bounced'
    where newsletter_id = ${newsletterId} and id = any(${ids}::uuid[]) and status = 'active'`.execute(tx)
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

/** When the next delivery may be tried, or null. */
export async function nextDue(db: Db, { newsletterId, publicationId }: Sending): Promise<Date | null> {
  const row = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.min('due_at').as('at'))
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('state', 'in', ['queued', 'deferred', 'claimed'])
    .executeTakeFirst()
  return row?.at ?? null
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
export const stopBy = (db: Db, { newsletterId, publicationId }: Sending, code: StopCode, answer: string) =>
  db
    .updateTable('publication')
    .set({ status: 'paused', stopped_by: code, stopped_answer: answer })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', publicationId)
    .where('status', '=', 'sending')
    .execute()

/** Sendings that nobody works on though there is something to do: what a killed process leaves behind. */
export async function findAbandoned(db: Db): Promise<Sending[]> {
  const { rows } = await sql<Sending>`
    select p.newsletter_id as "newsletterId", p.id as "publicationId" from publication p
    where p.status in ('sending', 'paused', 'cancelled')
      and (p.status = 'sending' or exists (select from delivery d where d.newsletter_id = p.newsletter_id
        and d.publication_id = p.id and d.state = 'claimed' and d.due_at < now()))
      and not exists (select from delivery d where d.newsletter_id = p.newsletter_id and d.publication_id = p.id
        and d.state = 'claimed' and d.due_at >= now())
      and (p.started_at is null
        or exists (select from delivery d where d.newsletter_id = p.newsletter_id and d.publication_id = p.id
          and d.state in ('queued', 'deferred', 'claimed') and d.due_at <= now())
        or not exists (select from delivery d where d.newsletter_id = p.newsletter_id and d.publication_id = p.id
          and d.state in ('queued', 'deferred', 'claimed')))`.execute(db)
  return rows
}
