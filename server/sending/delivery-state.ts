import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { type Audience, recipientsNow } from '../subscribers/audience.ts'
import type { PublicationKey, Sending, SystemicStop } from './sending.ts'
import { type DeliveryAct, deliveryActs } from './transitions.ts'

// What changes the state of a delivery that no worker has claimed; claims.ts has the others, and sendings begin and cancel
// theirs in state.ts. Each statement is guarded by the states from which its act is possible: of two that come at once, one
// changes something and the other changes nothing.

/** As literals, so that PostgreSQL can use the partial indexes. */
export const statesBefore = (act: DeliveryAct) =>
  sql.join(deliveryActs[act].from.map((state) => sql.lit<string>(state)))

/**
 * Takes back the refusals of a sending that stopped because they do not seem to be about subscribers: they wait again, as if
 * they had not been tried. What the owner closed stays closed, who was marked as bounced is not asked again, and nothing waits
 * in a sending that was cancelled meanwhile.
 *
 * A relay that refuses us makes no answer about an address doubtful. Tried again, all these addresses would come together,
 * after everybody else, and look like trouble.
 * @param stop why it stopped
 * @returns how many
 */
export async function takeBackRefusals(
  tx: Db,
  { newsletterId, publicationId, id }: Sending,
  stop: SystemicStop,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with open as materialized (
      select 1 from sending where newsletter_id = ${newsletterId} and id = ${id} and state in ('sending', 'paused') for share
    )
    update delivery d set state = 'queued', attempts = 0, gone = false, due_at = now(), changed_at = now()
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.sending_id = ${id}
      and d.trouble in (${statesBefore('takeBack')}) and d.answer is distinct from 'closed'
      and (${stop === 'too_many_refusals'} or not d.gone) and exists (select from open)
      and not exists (select from subscriber s
        where s.newsletter_id = d.newsletter_id and s.id = d.subscriber_id and s.status = 'bounced')`.execute(tx)
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
        -- In a welcome somebody nearly always waits.
        and (c.queued = 0 or s.welcome) and (s.trusts_refusals or c.accepted >= (select count(*) from delivery g
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
 * Makes uncertain deliveries accepted, because something happened that shows that they arrived. An open or a click does so only where
 * the newsletter keeps whose it was. Cheap when the publications
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
      join newsletter n on n.id = p.newsletter_id and (${proof} <> 'proved_by_open' or n.open_privacy = 'person')
        and (${proof} <> 'proved_by_click' or n.click_privacy = 'person')
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
      due_at: act === 'resend' ? sql`now()` : null,
      changed_at: sql`now()`,
    })
    .where('newsletter_id', '=', newsletterId)
    .where('publication_id', '=', publicationId)
    .where('sending_id', 'in', sendings)
    .where('trouble', '=', 'uncertain')
    .$if(subscriberIds !== undefined, (query) => query.where('subscriber_id', 'in', subscriberIds ?? []))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The states of deliveries that may be sent again. */
export type AgainState = 'failed' | 'deferred' | 'uncertain'

/**
 * Puts deliveries back into the queue whose subscriber still belongs to the audience: all of the state, or those of some
 * subscribers. Answers how many.
 */
export async function queueAgain(
  tx: Db,
  sending: Sending & { audience: Audience },
  { state, subscriberIds = null }: { state: AgainState; subscriberIds?: string[] | null | undefined },
): Promise<number> {
  const { newsletterId, publicationId, id } = sending
  const { numAffectedRows } = await sql`
    update delivery d set state = 'queued', attempts = 0, gone = false, claimed_by = null, due_at = now(), changed_at = now()
    from (${recipientsNow(sending)}) recipient
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.sending_id = ${id}
      and d.trouble = ${state} and d.trouble in (${statesBefore('resend')})
      and recipient.id = d.subscriber_id and recipient.excluded_by is null
      and (${subscriberIds}::uuid[] is null or d.subscriber_id = any(${subscriberIds}))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Removes people from every delivery of a newsletter. Waiting deliveries become suppressed, except one that a worker is about to
 * send: it gets its answer. All still count.
 */
export async function forgetRecipients(
  tx: Db,
  { newsletterId, subscriberIds }: { newsletterId: string; subscriberIds: string[] },
): Promise<void> {
  // New claims wait until this transaction has ended.
  await sql`
    select from sending s join claim_position p on p.newsletter_id = s.newsletter_id and p.sending_id = s.id
    where s.newsletter_id = ${newsletterId} and s.state in ('sending', 'paused') for share of p`.execute(tx)
  const waits = sql`d.state in (${statesBefore('leaveOut')}) and (p.id, d.subscriber_id) not in (select publication_id, subscriber_id from claimed)`
  // Through the publications, so that each delivery is found by its primary key.
  await sql`
    with claimed as (
      select publication_id, subscriber_id from claimed_delivery
      where newsletter_id = ${newsletterId} and subscriber_id = any(${subscriberIds}::uuid[])
    )
    update delivery d set email = '', answer = null, state = case when ${waits} then 'suppressed' else d.state end,
      due_at = case when ${waits} then null else d.due_at end
    from publication p
    where p.newsletter_id = ${newsletterId} and d.newsletter_id = p.newsletter_id and d.publication_id = p.id
      and d.subscriber_id = any(${subscriberIds}::uuid[])`.execute(tx)
}
