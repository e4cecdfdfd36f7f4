import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { type Audience, recipientsNow } from '../subscribers/audience.ts'
import type { AudienceSending, Claim, ClaimedRow, PublicationKey, Result, Sending, SystemicStop } from './sending.ts'
import { type DeliveryAct, deliveryActs } from './transitions.ts'

// What changes the state of a delivery; sendings begin and cancel theirs in state.ts. Each statement is guarded by the
// states from which its act is possible: of two that come at once, one changes something and the other changes nothing.

/** As literals, so that PostgreSQL can use the partial indexes. */
export const statesBefore = (act: DeliveryAct) =>
  sql.join(deliveryActs[act].from.map((state) => sql.lit<string>(state)))

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
      attempts = d.attempts + r.tried::integer, gone = r.gone, claimed_by = null, changed_at = now(),
      due_at = now() + r.delay * interval '1 second'
    from sending, unnest(${column('subscriberId')}::uuid[], ${column('state')}::text[], ${column('answer')}::text[],
      ${column('delaySeconds')}::integer[], ${column('tried')}::boolean[], ${column('gone')}::boolean[])
      r (id, state, answer, delay, tried, gone)
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

/**
 * Takes back the refusals of a sending that stopped because they do not seem to be about subscribers: they wait again, as if
 * they had not been tried. What the owner closed stays closed, and nothing waits in a sending that was cancelled meanwhile.
 *
 * A relay that refuses us makes no answer about an address doubtful. Tried again, all these addresses would come together,
 * after everybody else, and look like trouble.
 * @param stop why it stopped
 * @returns how many
 */
export async function takeBackRefusals(
  tx: Db,
  { newsletterId, id }: Pick<Sending, 'newsletterId' | 'id'>,
  stop: SystemicStop,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with open as materialized (
      select 1 from sending where newsletter_id = ${newsletterId} and id = ${id} and state in ('sending', 'paused') for share
    )
    update delivery set state = 'queued', attempts = 0, gone = false, due_at = now(), changed_at = now()
    where newsletter_id = ${newsletterId} and sending_id = ${id} and state in (${statesBefore('takeBack')})
      and answer is distinct from 'closed' and (${stop === 'too_many_refusals'} or not gone)
      and exists (select from open)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Ends the waiting of the addresses of a sending that do not exist, when the sending has shown that its refusals are about
 * subscribers: at least as many copies were accepted, or the owner said so.
 * @returns the subscribers to mark as bounced, with the server's words
 */
export async function settleRefusals(
  tx: Db,
  { newsletterId, id }: Sending,
): Promise<{ subscriberId: string; words: string }[]> {
  const { rows } = await sql<{ subscriberId: string; words: string }>`
    update delivery d set gone = false
    from (
      select s.newsletter_id, s.id from sending s
      join delivery_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
      where s.newsletter_id = ${newsletterId} and s.id = ${id} and s.state in ('sending', 'sent')
        and c.queued + c.claimed = 0 and (s.trusts_refusals or c.accepted >= (select count(*) from delivery g
          where g.newsletter_id = s.newsletter_id and g.sending_id = s.id and g.gone))
      for share of s
    ) proven
    where d.newsletter_id = proven.newsletter_id and d.sending_id = proven.id and d.gone
    returning d.subscriber_id as "subscriberId", coalesce(d.answer, '') as words`.execute(tx)
  return rows
}

/** What proved that an uncertain copy arrived. It becomes the delivery's answer. */
export type Proof =
  | 'proved_by_open'
  | 'proved_by_click'
  | 'proved_by_bounce'
  | 'proved_by_complaint'
  | 'proved_by_leaving'

/**
 * Makes uncertain deliveries accepted, because something happened that shows that they arrived. Cheap when the publications
 * have no uncertain deliveries, as nearly always.
 */
export async function proveDeliveries(
  db: Db,
  proof: Proof,
  deliveries: readonly (PublicationKey & { subscriberId: string })[],
): Promise<void> {
  if (deliveries.length === 0) return
  await sql`
    with proven as materialized (
      select distinct p.* from unnest(${deliveries.map((each) => each.newsletterId)}::text[],
        ${deliveries.map((each) => each.publicationId)}::text[],
        ${deliveries.map((each) => each.subscriberId)}::uuid[]) p (newsletter_id, publication_id, subscriber_id)
      join sending s on s.newsletter_id = p.newsletter_id and s.publication_id = p.publication_id
      join delivery_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id and c.uncertain > 0
    )
    update delivery d set state = 'accepted', answer = ${proof}, changed_at = now() from proven p
    where d.newsletter_id = p.newsletter_id and d.publication_id = p.publication_id and d.subscriber_id = p.subscriber_id
      and d.state in (${statesBefore('prove')})`.execute(db)
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
    .where('state', '=', 'uncertain')
    .$if(subscriberIds !== undefined, (query) => query.where('subscriber_id', 'in', subscriberIds ?? []))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export type AgainState = 'failed' | 'deferred' | 'uncertain'

interface Again {
  state: AgainState
  reason?: string | undefined
  subscriberIds?: string[] | undefined
}

/** Puts deliveries back into the queue whose subscriber still belongs to the audience. Answers how many. */
export async function queueAgain(
  tx: Db,
  { newsletterId, publicationId, id, audience }: Sending & { audience: Audience },
  { state, reason, subscriberIds }: Again,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery d set state = 'queued', attempts = 0, gone = false, claimed_by = null, due_at = now(), changed_at = now()
    from (${recipientsNow(newsletterId, audience)}) recipient
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.sending_id = ${id}
      and d.state = ${state} and d.state in (${statesBefore('resend')})
      and recipient.id = d.subscriber_id and recipient.excluded_by is null
      and (${reason ?? null}::text is null or answer_pattern(d.answer) = ${reason ?? null})
      and (${subscriberIds ?? null}::uuid[] is null or d.subscriber_id = any(${subscriberIds ?? null}))`.execute(tx)
  return Number(numAffectedRows ?? 0)
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
