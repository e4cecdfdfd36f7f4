import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { type Audience, everyone, recipientsNow, recipientsToPlan } from '../subscribers/audience.ts'
import type { AudienceSending, Claim, ClaimedRow, PublicationKey, Result, Sending, StopCode } from './sending.ts'
import { type DeliveryAct, deliveryActs, type SendingAct, type SendingState, sendingActs } from './transitions.ts'

// The only file that writes the state of a sending or of a delivery. Each statement is guarded by the states from which its
// act is possible: of two that come at once, one changes something and the other changes nothing. Whoever needs several
// locks takes them in this order: the publication, its sendings, their deliveries.

/** As literals, so that PostgreSQL can use the partial indexes. */
const statesBefore = (act: DeliveryAct) => sql.join(deliveryActs[act].from.map((state) => sql.lit<string>(state)))

type SendingFields = Omit<UpdateObject<DB, 'sending'>, 'state'>

/** Changes the sendings of a publication, or the one with the `id`. Answers the ids of those that it changed. */
async function change(
  db: Db,
  { newsletterId, publicationId, id }: PublicationKey & { id?: string },
  { act, ...fields }: { act: SendingAct } & SendingFields,
): Promise<string[]> {
  const rows = await db
    .updateTable('sending')
    .set({ state: sendingActs[act].to, ...fields })
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('state', 'in', sendingActs[act].from)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

interface NewSending {
  audience: Audience
  state: SendingState
  at?: Date
}

const insert = (tx: Db, { newsletterId, publicationId }: PublicationKey, { audience, state, at }: NewSending) =>
  tx
    .insertInto('sending')
    .values({
      newsletter_id: newsletterId,
      id: publicId(),
      publication_id: publicationId,
      audience: JSON.stringify(audience),
      state,
      scheduled_at: at ?? null,
    })
    .execute()

/** Plans a sending for a time, in place of what was planned before. Called under the lock of the publication's row. */
export async function planSending(tx: Db, publication: PublicationKey, plan: { audience: Audience; at: Date }) {
  await dropPlanned(tx, publication)
  await insert(tx, publication, { ...plan, state: 'planned' })
}

/** Deletes planned sendings, which have no deliveries yet. */
export const dropPlanned = (tx: Db, { newsletterId, publicationId }: PublicationKey) =>
  tx
    .deleteFrom('sending')
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('state', '=', 'planned')
    .execute()

/** Begins what is planned, or else a new sending. A worker writes the deliveries when it takes it up. */
export async function beginSending(tx: Db, publication: PublicationKey, audience: Audience): Promise<void> {
  const begun = await change(tx, publication, { act: 'begin' })
  if (begun.length === 0) await insert(tx, publication, { audience, state: sendingActs.begin.to })
}

/** Stops new messages; those under way are still sent. Answers whether there was a sending to pause. */
export const pauseSendings = async (db: Db, publication: PublicationKey): Promise<boolean> =>
  (await change(db, publication, { act: 'pause' })).length > 0

export const resumeSendings = async (db: Db, publication: PublicationKey): Promise<boolean> =>
  (await change(db, publication, { act: 'resume', stopped_by: null })).length > 0

/** Pauses without a request of the owner, and keeps the reason: an error code, and the relay's answer or the figures. */
export const stopSendings = (
  db: Db,
  which: PublicationKey & { id?: string },
  { code, answer }: { code: StopCode; answer: string | null },
): Promise<string[]> =>
  change(db, which, { act: 'pause', stopped_by: code, stopped_answer: answer?.slice(0, 500) ?? null })

/** Stops for good. Deliveries that wait become suppressed, so that the counts still add up. */
export async function cancelSendings(tx: Db, publication: PublicationKey): Promise<boolean> {
  const cancelled = await change(tx, publication, { act: 'cancel', finished_at: sql`now()` })
  if (cancelled.length === 0) return false
  await sql`
    update delivery set state = 'suppressed', answer = 'cancelled', changed_at = now()
    where newsletter_id = ${publication.newsletterId} and sending_id = any(${cancelled})
      and state in (${statesBefore('leaveOut')})`.execute(tx)
  return true
}

/** Ends a sending when no delivery waits any more. */
export const finishSending = (db: Db, { newsletterId, id }: Sending) =>
  sql`
    update sending s set state = ${sendingActs.finish.to}, finished_at = now()
    where newsletter_id = ${newsletterId} and id = ${id} and state = 'sending' and started_at is not null
      and not exists (select from delivery d where d.newsletter_id = s.newsletter_id and d.sending_id = s.id
        and d.state in ('queued', 'claimed', 'deferred'))`.execute(db)

/** Begins an ended sending again when a delivery waits after all. */
export const reopenSending = (db: Db, { newsletterId, id }: Sending) =>
  sql`
    update sending s set state = ${sendingActs.reopen.to}, finished_at = null
    where newsletter_id = ${newsletterId} and id = ${id} and state = 'sent' and started_at is not null
      and exists (select from delivery d where d.newsletter_id = s.newsletter_id and d.sending_id = s.id
        and d.state in ('queued', 'deferred'))`.execute(db)

/** Keeps the states of a publication's sendings as they are until the transaction ends. */
export async function lockSendings(tx: Db, { newsletterId, publicationId }: PublicationKey) {
  const { rows } = await sql<{ id: string; state: SendingState }>`
    select id, state from sending where newsletter_id = ${newsletterId} and publication_id = ${publicationId}
    order by id for no key update`.execute(tx)
  return rows
}

/**
 * Writes the deliveries of a sending, once: one for each subscriber of the audience, suppressed where the address is. From then on
 * the number is fixed; later subscribers get the next publication. Subscribers of another sending of the publication are left
 * out. When another worker does it at this moment, this call does nothing and does not wait.
 * @returns whether it was this call that did it
 */
export async function startSending(tx: Db, sending: AudienceSending): Promise<boolean> {
  const { newsletterId, publicationId, id, audience } = sending
  // The sendings of a publication are planned one after the other, so that each sees the deliveries of those before it.
  const { rows: begun } = await sql`
    with lock as materialized (
      select pg_try_advisory_xact_lock(hashtextextended(${`${newsletterId} ${publicationId}`}, 0)) as acquired
    )
    update sending set started_at = now()
    where newsletter_id = ${newsletterId} and id = ${id} and state = 'sending' and started_at is null
      and (select acquired from lock)
    returning id`.execute(tx)
  if (begun.length === 0) return false
  await sql`
    insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, answer)
    select ${newsletterId}, ${publicationId}, ${id}, id, email,
      case when suppressed_by is null then 'queued' else 'suppressed' end, suppressed_by
    from (${recipientsToPlan(newsletterId, audience)}) recipients
    where ${await inNoSendingYet(tx, sending)}
    order by id`.execute(tx)
  return true
}

/**
 * SQL that is true for recipients who are in no sending of the publication. A nested loop would search the rows that the
 * statement itself writes, once for each row, and PostgreSQL chooses one while its statistics say that the table is empty.
 */
async function inNoSendingYet(tx: Db, { newsletterId, publicationId }: Sending) {
  const { rows } = await sql`
    select from delivery where newsletter_id = ${newsletterId} and publication_id = ${publicationId} limit 1`.execute(
    tx,
  )
  if (rows.length === 0) return sql`true`
  await sql`set local enable_nestloop = off`.execute(tx)
  return sql`not exists (select from delivery d where d.newsletter_id = ${newsletterId}
    and d.publication_id = ${publicationId} and d.subscriber_id = recipients.id)`
}

/**
 * Takes up to `limit` due deliveries for one worker until its lease ends; other workers pass over them. Who left since the
 * plan is suppressed here. Nothing is taken unless the sending goes on: a pause waits for this statement, or the reverse.
 */
export async function claimDeliveries(db: Db, sending: AudienceSending, claim: Claim): Promise<ClaimedRow[]> {
  const { newsletterId, publicationId, id, audience } = sending
  const { rows } = await sql<ClaimedRow>`
    with going as materialized (
      select 1 from sending where newsletter_id = ${newsletterId} and id = ${id} and state = 'sending' for share
    ),
    due as (
      select d.subscriber_id from delivery d
      where d.newsletter_id = ${newsletterId} and d.sending_id = ${id}
        and d.state in (${statesBefore('claim')}) and d.due_at <= now() and exists (select from going)
      order by d.due_at limit ${claim.limit}
      for update skip locked
    ),
    recipient as (
      select due.subscriber_id, n.name, n.language,
        case when n.id is null then 'erased' else n.excluded_by end as excluded_by
      from due left join (${recipientsNow(newsletterId, audience)}) n on n.id = due.subscriber_id
    )
    update delivery d set
      state = case when r.excluded_by is null then 'claimed' else 'suppressed' end,
      answer = coalesce(r.excluded_by, d.answer), claimed_by = ${claim.worker}, changed_at = now(),
      due_at = now() + ${claim.leaseSeconds} * interval '1 second'
    from recipient r
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = r.subscriber_id
    returning d.subscriber_id as "subscriberId", d.email, r.name, r.language, d.attempts, d.state`.execute(db)
  return rows
}

/**
 * Writes the results of a worker's claims; to write one again changes nothing. A delivery that would go back to the queue of a
 * cancelled sending becomes suppressed instead.
 * @returns the ids of the subscribers whose delivery it changed
 */
export async function answerDeliveries(
  tx: Db,
  { newsletterId, publicationId, id }: Sending,
  { worker, results }: { worker: string; results: Result[] },
): Promise<Set<string>> {
  const column = <Key extends keyof Result>(key: Key) => results.map((result) => result[key])
  const { rows } = await sql<{ id: string }>`
    with sending as materialized (
      select state from sending where newsletter_id = ${newsletterId} and id = ${id} for share
    )
    update delivery d set
      state = case when r.state in ('queued', 'deferred') and sending.state = 'cancelled' then 'suppressed' else r.state end,
      answer = case when r.state = 'queued' and sending.state = 'cancelled' then 'cancelled'
        else coalesce(r.answer, d.answer) end,
      attempts = d.attempts + r.tried::integer, claimed_by = null, changed_at = now(),
      due_at = now() + r.delay * interval '1 second'
    from sending, unnest(${column('subscriberId')}::uuid[], ${column('state')}::text[], ${column('answer')}::text[],
      ${column('delaySeconds')}::integer[], ${column('tried')}::boolean[]) r (id, state, answer, delay, tried)
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = r.id
      and d.claimed_by = ${worker} and d.state in (${statesBefore('answer')})
    returning d.subscriber_id as id`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

/** Makes claims uncertain that ended so many seconds ago: their message may have been sent. Answers how many. */
export async function expireClaims(db: Db, { newsletterId, id }: Sending, afterSeconds: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery set state = 'uncertain', answer = 'lease_expired', changed_at = now()
    where newsletter_id = ${newsletterId} and sending_id = ${id} and state in (${statesBefore('expire')})
      and due_at < now() - ${afterSeconds} * interval '1 second'`.execute(db)
  return Number(numAffectedRows ?? 0)
}

interface Decision extends PublicationKey {
  sendings: string[]
  act: 'resend' | 'close'
  subscriberIds?: string[] | undefined
}

/** Carries out the owner’s decision about uncertain deliveries of some sendings: all of them, or those of some subscribers. */
export async function decideDeliveries(
  tx: Db,
  { newsletterId, publicationId, sendings, act, subscriberIds }: Decision,
): Promise<number> {
  if (sendings.length === 0) return 0
  const { numUpdatedRows } = await tx
    .updateTable('delivery')
    .set({
      ...(act === 'resend' ? { state: 'queued', answer: null } : { state: 'failed', answer: 'closed' }),
      claimed_by: null,
      due_at: sql`now()`,
      changed_at: sql`now()`,
    })
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('sending_id', 'in', sendings)
    .where('state', 'in', deliveryActs[act].from)
    .$if(subscriberIds !== undefined, (query) => query.where('subscriber_id', 'in', subscriberIds ?? []))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Removes a person from every delivery of a newsletter. Waiting deliveries become suppressed; all still count. */
export const forgetRecipient = (
  tx: Db,
  { newsletterId, subscriberId }: { newsletterId: string; subscriberId: string },
) =>
  // Through the publications, so that each delivery is found by its primary key.
  sql`
    update delivery d set email = '', answer = null,
      state = case when d.state in (${statesBefore('leaveOut')}) then 'suppressed' else d.state end
    from publication p
    where p.newsletter_id = ${newsletterId} and d.newsletter_id = p.newsletter_id and d.publication_id = p.id
      and d.subscriber_id = ${subscriberId}`.execute(tx)

/**
 * Writes a sending of the past, for the demo.
 *
 * @param deliveries SQL for rows of `subscriber_id`, `email`, `state`, `answer`, `changed_at` and `opened_at`
 */
export async function addPastSending(
  tx: Db,
  publication: PublicationKey,
  { startedAt, finishedAt, deliveries }: { startedAt: Date; finishedAt: Date; deliveries: RawBuilder<unknown> },
): Promise<void> {
  const { newsletterId, publicationId } = publication
  await sql`
    insert into sending (newsletter_id, id, publication_id, audience, state, created_at, started_at, finished_at)
    values (${newsletterId}, ${publicationId}, ${publicationId}, ${JSON.stringify(everyone)}, 'sent', ${startedAt}, ${startedAt},
      ${finishedAt})`.execute(tx)
  await sql`
    insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, attempts, due_at, answer,
      changed_at, opened_at)
    select ${newsletterId}, ${publicationId}, ${publicationId}, subscriber_id, email, state, (state <> 'suppressed')::int,
      changed_at, answer, changed_at, opened_at
    from (${deliveries}) past`.execute(tx)
}
