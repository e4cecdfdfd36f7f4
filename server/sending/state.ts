import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import {
  type Audience,
  everyone,
  isAnybodyOnDigest,
  recipientsToPlan,
  type SendingAudience,
} from '../subscribers/audience.ts'
import { statesBefore, takeBackRefusals } from './delivery-state.ts'
import { inNoSendingYet, planningLock } from './planning.ts'
import {
  type AudienceSending,
  END,
  type PublicationKey,
  type Sending,
  type StopCode,
  type SystemicStop,
} from './sending.ts'
import { type SendingAct, type SendingState, sendingActs } from './transitions.ts'

// The only file that writes the state of a sending; with delivery-state.ts and claims.ts it writes those of deliveries. Each statement is
// guarded by the states from which its act is possible: of two that come at once, one changes something and the other
// changes nothing. Whoever needs several locks takes them in this order: the publication, its sendings, their deliveries.

type SendingFields = Omit<UpdateObject<DB, 'sending'>, 'state'>

/** The sendings of a publication but for those of welcomes, or the one with the `id`. */
interface Which extends PublicationKey {
  id?: string
  welcomesToo?: true
}

/** Answers the ids of those that it changed. */
async function change(
  db: Db,
  { newsletterId, publicationId, id, welcomesToo }: Which,
  { act, ...fields }: { act: SendingAct } & SendingFields,
): Promise<string[]> {
  const rows = await db
    .updateTable('sending')
    .set({ state: sendingActs[act].to, ...fields })
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('state', 'in', sendingActs[act].from)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(id === undefined && !welcomesToo, (query) => query.where('welcome', '=', false))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

interface NewSending {
  audience: SendingAudience
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
export async function planSending(tx: Db, publication: PublicationKey, plan: { audience: SendingAudience; at: Date }) {
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

/**
 * Begins what is planned, or else a new sending, to an audience that it keeps from now on. A worker writes the deliveries when it
 * takes it up.
 */
export async function beginSending(tx: Db, publication: PublicationKey, audience: SendingAudience): Promise<void> {
  const begun = await change(tx, publication, { act: 'begin', audience: JSON.stringify(audience) })
  if (begun.length === 0) await insert(tx, publication, { audience, state: sendingActs.begin.to })
}

/** Stops new messages; those under way are still sent. Answers whether there was a sending to pause. */
export const pauseSendings = async (db: Db, which: Which): Promise<boolean> =>
  (await change(db, which, { act: 'pause' })).length > 0

export const isSystemic = (code: string | null): code is SystemicStop =>
  code === 'too_many_refusals' || code === 'relay_refused'

/**
 * Goes on. After a stop that says nothing about subscribers, everything that was refused is tried again.
 * @param trust the addresses that the relay says do not exist are believed from now on, however many
 */
export async function resumeSendings(tx: Db, which: Which, trust = false): Promise<boolean> {
  const paused = await lockSendings(tx, which)
  const resumed = await change(tx, which, {
    act: 'resume',
    stopped_by: null,
    ...(trust && { trusts_refusals: true }),
  })
  for (const { id, stopped_by } of paused) {
    if (resumed.includes(id) && isSystemic(stopped_by)) await takeBackRefusals(tx, { ...which, id }, stopped_by)
  }
  return resumed.length > 0
}

/** Pauses without a request of the owner, and keeps the reason: an error code, and the relay's answer or the figures. */
export const stopSendings = (
  db: Db,
  which: Which,
  { code, answer }: { code: StopCode; answer: string | null },
): Promise<string[]> =>
  change(db, which, { act: 'pause', stopped_by: code, stopped_answer: answer?.slice(0, 500) ?? null })

/** Stops for good. Deliveries that wait become suppressed; what a worker has claimed gets its answer. It is in no digest any more. */
export async function cancelSendings(tx: Db, which: Which): Promise<boolean> {
  const cancelled = await change(tx, which, { act: 'cancel', finished_at: sql`now()` })
  if (cancelled.length === 0) return false
  await sql`
    delete from digest_item where newsletter_id = ${which.newsletterId} and sending_id = any(${cancelled})
      and digested_at is null`.execute(tx)
  await sql`
    update delivery set state = 'suppressed', answer = 'cancelled', due_at = null, changed_at = now()
    where newsletter_id = ${which.newsletterId} and publication_id = ${which.publicationId}
      and sending_id = any(${cancelled}) and state in (${statesBefore('leaveOut')})
      and subscriber_id not in (select c.subscriber_id from claimed_delivery c
        where c.newsletter_id = ${which.newsletterId} and c.sending_id = any(${cancelled}))`.execute(tx)
  return true
}

/** Ends a sending when no delivery waits any more. That of a welcome goes on as long as the welcome. */
export const finishSending = (db: Db, { newsletterId, id }: Sending) =>
  sql`
    update sending s set state = ${sendingActs.finish.to}, finished_at = now()
    where newsletter_id = ${newsletterId} and id = ${id} and state = 'sending' and started_at is not null
      and not exists (select from delivery_count c where c.newsletter_id = s.newsletter_id and c.sending_id = s.id
        and c.queued + c.deferred > 0)
      and not exists (select from welcome w where w.newsletter_id = s.newsletter_id and w.sending_id = s.id)`.execute(
    db,
  )

/** Begins an ended sending again when a delivery waits after all. */
export const reopenSending = (db: Db, { newsletterId, id }: Sending) =>
  sql`
    update sending s set state = ${sendingActs.reopen.to}, finished_at = null
    where newsletter_id = ${newsletterId} and id = ${id} and state = 'sent' and started_at is not null
      and exists (select from delivery_count c where c.newsletter_id = s.newsletter_id and c.sending_id = s.id
        and c.queued + c.deferred > 0)`.execute(db)

/** Keeps the states of a publication's sendings as they are until the transaction ends. */
export async function lockSendings(tx: Db, { newsletterId, publicationId }: PublicationKey) {
  const { rows } = await sql<{ id: string; state: SendingState; audience: Audience; stopped_by: string | null }>`
    select id, state, audience, stopped_by from sending where newsletter_id = ${newsletterId} and publication_id = ${publicationId}
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
      select ${planningLock(sending)} as acquired
    )
    update sending set started_at = now()
    where newsletter_id = ${newsletterId} and id = ${id} and state = 'sending' and started_at is null
      and (select acquired from lock)
    returning id`.execute(tx)
  if (begun.length === 0) return false
  const recipients = sql`
    select * from (${recipientsToPlan(newsletterId, audience)}) recipients where ${await inNoSendingYet(tx, sending)}`
  // One statement: somebody who chooses another pace at this moment gets it in one way or the other.
  if (await isAnybodyOnDigest(tx, newsletterId))
    await sql`
      with recipients as (${recipients}),
      items as (
        insert into digest_item (newsletter_id, publication_id, sending_id, subscriber_id)
        select ${newsletterId}, ${publicationId}, ${id}, id from recipients where on_digest
      )
      ${insertDeliveries(sending, sql`select * from recipients where not on_digest`)}`.execute(tx)
  else await insertDeliveries(sending, recipients).execute(tx)
  await insertPosition(tx, sending, '00000000-0000-0000-0000-000000000000')
  return true
}

/** SQL for the deliveries of `recipients`: rows of `id`, `email` and `suppressed_by`. */
const insertDeliveries = ({ newsletterId, publicationId, id }: Sending, recipients: RawBuilder<unknown>) => sql`
    insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, answer)
    select ${newsletterId}, ${publicationId}, ${id}, id, email,
      case when suppressed_by is null then 'queued' else 'suppressed' end, suppressed_by
    from (${recipients}) recipients
    order by id`

/** Begins a sending to which people are added, those of a welcome as they come. @returns its id */
export async function openSending(
  tx: Db,
  { newsletterId, publicationId }: PublicationKey,
  { audience, welcome }: { audience: SendingAudience; welcome: boolean },
): Promise<string> {
  const id = publicId()
  await tx
    .insertInto('sending')
    .values({
      newsletter_id: newsletterId,
      id,
      publication_id: publicationId,
      audience: JSON.stringify(audience),
      state: 'sending',
      started_at: sql`now()`,
      welcome,
    })
    .execute()
  await insertPosition(tx, { newsletterId, publicationId, id }, END)
  return id
}

/**
 * Adds deliveries to an open sending, due after so many days. Whoever has one of the publication already gets no second one.
 *
 * @param recipients SQL for rows of `id`, `email` and `suppressed_by`
 * @returns false when somebody else writes deliveries of the publication at this moment, and nothing was done
 */
export async function addToSending(
  tx: Db,
  { newsletterId, publicationId, id }: Sending,
  { recipients, delayDays }: { recipients: RawBuilder<unknown>; delayDays: number },
): Promise<boolean> {
  const { rows } = await sql<{
    mine: boolean
  }>`select ${planningLock({ newsletterId, publicationId })} as mine`.execute(tx)
  if (!rows[0]?.mine) return false
  await sql`
    insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, answer, due_at)
    select ${newsletterId}, ${publicationId}, ${id}, id, email,
      case when suppressed_by is null then 'queued' else 'suppressed' end, suppressed_by,
      case when suppressed_by is null then now() + ${delayDays} * interval '24 hours' end
    from (${recipients}) recipients
    order by id
    on conflict (newsletter_id, publication_id, subscriber_id) do nothing`.execute(tx)
  return true
}

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
    insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, attempts, answer, changed_at,
      opened_at)
    select ${newsletterId}, ${publicationId}, ${publicationId}, subscriber_id, email, state, (state <> 'suppressed')::int,
      answer, changed_at, opened_at
    from (${deliveries}) past`.execute(tx)
  await insertPosition(tx, { ...publication, id: publicationId }, END)
}

/** Where claims begin. Without it nothing is ever claimed. */
const insertPosition = (tx: Db, { newsletterId, id }: Sending, claimedThrough: string) =>
  sql`
    insert into claim_position (newsletter_id, sending_id, claimed_through)
    values (${newsletterId}, ${id}, ${claimedThrough})`.execute(tx)
