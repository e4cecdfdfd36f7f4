import { type Kysely, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { recipientsNow } from '../subscribers/audience.ts'
import { statesBefore } from './delivery-state.ts'
import { type AudienceSending, type Claim, type Claimed, END, type Result, type Sending } from './sending.ts'

// Claims: which worker sends which deliveries, until when, and what came of it. A claim names its deliveries and does not
// change them, so that each is written once, with its answer. Who needs several locks takes them in this order: the sending,
// its position, the claim, the deliveries.

/**
 * The share of a claim that is tried again while others were never tried. So who was asked to wait need not wait for all of them, and
 * those who were refused together do not come together.
 */
const RETRIES = 0.1

interface Taken {
  subscriberId: string
  email: string
  attempts: number
}

/**
 * Takes up to `limit` due deliveries for one worker until its lease ends: those that were never tried, in the order of their
 * subscribers, and some that wait to be tried again. Two workers never take the same one. Who left since the plan is
 * suppressed here. Nothing is taken unless the sending goes on: a pause waits for this transaction, or the reverse.
 *
 * @returns the recipients, and how many deliveries were due, those included that are suppressed now
 */
export const claimDeliveries = (
  db: Kysely<DB>,
  sending: AudienceSending,
  claim: Claim,
): Promise<{ examined: number; claimed: Claimed[] }> =>
  db.transaction().execute(async (tx) => {
    const position = await lockPosition(tx, sending)
    if (position === null) return { examined: 0, claimed: [] }
    const again = await takeDue(tx, sending, Math.ceil(claim.limit * RETRIES))
    const limit = claim.limit - again.length
    const first = position === END ? [] : await findUntried(tx, sending, { position, limit })
    const rest = first.length < limit ? await takeDue(tx, sending, limit - first.length) : []
    const taken = [...again, ...first, ...rest]
    const { claimed, moved, excluded } = await sortOut(tx, sending, { taken, withPlans: claim.withPlans ?? false })
    if (excluded.length > 0) await leaveOut(tx, sending, excluded)
    if (moved.length > 0) await readdress(tx, sending, moved)
    if (claimed.length > 0) await insertClaim(tx, sending, { ...claim, claimed })
    const reached = first.length < limit ? END : (first.at(-1)?.subscriberId ?? position)
    if (reached !== position) await movePosition(tx, sending, reached)
    return { examined: taken.length, claimed }
  })

/** The subscriber up to whom deliveries were claimed before, or null when the sending does not go on. */
async function lockPosition(tx: Db, { newsletterId, id }: Sending): Promise<string | null> {
  const { rows } = await sql<{ position: string }>`
    select p.claimed_through as position from sending s
    join claim_position p on p.newsletter_id = s.newsletter_id and p.sending_id = s.id
    where s.newsletter_id = ${newsletterId} and s.id = ${id} and s.state = 'sending'
    for share of s for update of p`.execute(tx)
  return rows[0]?.position ?? null
}

const movePosition = (tx: Db, { newsletterId, id }: Sending, reached: string) =>
  sql`update claim_position set claimed_through = ${reached} where newsletter_id = ${newsletterId} and sending_id = ${id}`.execute(
    tx,
  )

async function findUntried(
  tx: Db,
  { newsletterId, publicationId, id }: Sending,
  { position, limit }: { position: string; limit: number },
): Promise<Taken[]> {
  // While its statistics are old, the planner may sort all deliveries of the publication instead of reading them in order.
  await sql`set local enable_sort = off`.execute(tx)
  const { rows } = await sql<Taken>`
    select subscriber_id as "subscriberId", email, attempts from delivery
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and subscriber_id > ${position}
      and sending_id = ${id} and state = 'queued'
    order by subscriber_id limit ${limit}`.execute(tx)
  return rows
}

async function takeDue(tx: Db, { newsletterId, publicationId, id }: Sending, limit: number): Promise<Taken[]> {
  const { rows } = await sql<Taken>`
    select subscriber_id as "subscriberId", email, attempts from delivery
    where newsletter_id = ${newsletterId} and sending_id = ${id} and due_at <= now() and state in (${statesBefore('claim')})
    order by due_at limit ${limit} for update skip locked`.execute(tx)
  if (rows.length === 0) return rows
  await sql`
    update delivery set state = 'queued', due_at = null
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId}
      and subscriber_id = any(${rows.map(({ subscriberId }) => subscriberId)})`.execute(tx)
  return rows
}

interface Recipient extends Pick<Claimed, 'email' | 'name' | 'language' | 'plans'> {
  id: string
  excludedBy: string | null
}

interface Excluded {
  subscriberId: string
  reason: string
}

/** Who of them may get the mail now, which of these have another address than when it was planned, and why the others may not. */
async function sortOut(
  tx: Db,
  sending: AudienceSending,
  { taken, withPlans }: { taken: Taken[]; withPlans: boolean },
): Promise<{ claimed: Claimed[]; moved: Claimed[]; excluded: Excluded[] }> {
  const ids = taken.map(({ subscriberId }) => subscriberId).sort()
  if (ids.length === 0) return { claimed: [], moved: [], excluded: [] }
  // The range is redundant, and reads subscribers that follow one another in one go.
  const { rows } = await sql<Recipient>`
    select id, email, name, language, excluded_by as "excludedBy"${withPlans ? sql`, plans` : sql``}
    from (${recipientsNow(sending, { withPlans })}) recipient
    where id between ${ids[0]} and ${ids.at(-1)} and id = any(${ids})`.execute(tx)
  const recipients = new Map(rows.map((row) => [row.id, row]))
  const claimed: Claimed[] = []
  const moved: Claimed[] = []
  const excluded: Excluded[] = []
  for (const { subscriberId, email, attempts } of taken) {
    const recipient = recipients.get(subscriberId)
    if (recipient?.excludedBy === null) {
      const { email: address, name, language, plans } = recipient
      const one = { subscriberId, email: address, attempts, name, language, ...(plans && { plans }) }
      claimed.push(one)
      if (address !== email) moved.push(one)
    } else excluded.push({ subscriberId, reason: recipient?.excludedBy ?? 'erased' })
  }
  return { claimed, moved, excluded }
}

/** A delivery names the address that it goes to, so that a bounce is about that one. */
const readdress = (tx: Db, { newsletterId, publicationId }: Sending, moved: Claimed[]) =>
  sql`
    update delivery d set email = m.email
    from unnest(${moved.map(({ subscriberId }) => subscriberId)}::uuid[], ${moved.map(({ email }) => email)}::text[]) m (id, email)
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = m.id`.execute(
    tx,
  )

const leaveOut = (tx: Db, { newsletterId, publicationId }: Sending, excluded: Excluded[]) =>
  sql`
    update delivery d set state = 'suppressed', answer = x.reason, due_at = null, changed_at = now()
    from unnest(${excluded.map(({ subscriberId }) => subscriberId)}::uuid[], ${excluded.map(({ reason }) => reason)}::text[])
      x (id, reason)
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = x.id
      and d.state in (${statesBefore('claim')})`.execute(tx)

const insertClaim = (
  tx: Db,
  { newsletterId, publicationId, id }: Sending,
  { worker, leaseSeconds, claimed }: Claim & { claimed: Claimed[] },
) =>
  sql`
    insert into delivery_claim (newsletter_id, publication_id, sending_id, worker, subscriber_ids, lease_ends_at)
    values (${newsletterId}, ${publicationId}, ${id}, ${worker}, ${claimed.map(({ subscriberId }) => subscriberId)},
      now() + ${leaseSeconds} * interval '1 second')`.execute(tx)

/** Extends the leases of workers to so many seconds from now. Answers whose claim still exists. */
export async function renewClaims(
  db: Db,
  { newsletterId, id }: Sending,
  { workers, leaseSeconds }: { workers: string[]; leaseSeconds: number },
): Promise<Set<string>> {
  const { rows } = await sql<{ worker: string }>`
    update delivery_claim set lease_ends_at = now() + ${leaseSeconds} * interval '1 second'
    where newsletter_id = ${newsletterId} and sending_id = ${id} and worker = any(${workers})
    returning worker`.execute(db)
  return new Set(rows.map(({ worker }) => worker))
}

/**
 * Writes the results of a worker's claim, and takes them out of it; to write one again changes nothing. An answer that comes
 * after the claim was given up still counts. A delivery that would go back to the queue of a cancelled sending becomes suppressed
 * instead.
 */
export const answerDeliveries = (
  db: Kysely<DB>,
  sending: Sending,
  { worker, results }: { worker: string; results: Result[] },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { newsletterId, publicationId, id } = sending
    // The claim is locked here too, so that the next statement sees what became of it if it was given up at this moment.
    const { rows } = await sql<{ cancelled: boolean }>`
      with claim as materialized (
        select 1 from delivery_claim
        where newsletter_id = ${newsletterId} and sending_id = ${id} and worker = ${worker} for update
      )
      select state = 'cancelled' as cancelled, exists (select from claim) from sending
      where newsletter_id = ${newsletterId} and id = ${id} for share`.execute(tx)
    const written = rows[0]?.cancelled ? results.map(leftOutIfWaiting) : results
    const column = <Key extends keyof Result>(key: Key) => written.map((result) => result[key])
    const ids = column('subscriberId').toSorted()
    await sql`
      with held as materialized (
        select unnest(subscriber_ids) as id from delivery_claim
        where newsletter_id = ${newsletterId} and sending_id = ${id} and worker = ${worker}
      ),
      answer as materialized (
        select * from unnest(${column('subscriberId')}::uuid[], ${column('state')}::text[], ${column('answer')}::text[],
          ${column('delaySeconds')}::integer[], ${column('tried')}::boolean[], ${column('gone')}::boolean[])
          a (id, state, answer, delay, tried, gone)
      ),
      rest as materialized (select array(select id from held except select id from answer) as ids),
      ended as (
        delete from delivery_claim
        where newsletter_id = ${newsletterId} and sending_id = ${id} and worker = ${worker}
          and (select cardinality(ids) = 0 from rest)
      ),
      shortened as (
        update delivery_claim set subscriber_ids = rest.ids from rest
        where newsletter_id = ${newsletterId} and sending_id = ${id} and worker = ${worker} and cardinality(rest.ids) > 0
      )
      update delivery d set state = a.state, answer = coalesce(a.answer, d.answer), attempts = d.attempts + a.tried::integer,
        gone = a.gone, claimed_by = null, changed_at = now(),
        due_at = case when a.state in ('queued', 'deferred') then now() + a.delay * interval '1 second' end
      from answer a
      where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = a.id
        and d.subscriber_id between ${ids[0]} and ${ids.at(-1)} and d.state in (${statesBefore('answer')})
        and (d.subscriber_id in (select id from held) or d.claimed_by = ${worker})`.execute(tx)
  })

const leftOutIfWaiting = (result: Result): Omit<Result, 'state'> & { state: Result['state'] | 'suppressed' } => {
  if (result.state === 'queued') return { ...result, state: 'suppressed', answer: 'cancelled' }
  return result.state === 'deferred' ? { ...result, state: 'suppressed' } : result
}

/** Makes deliveries uncertain whose claim ended so many seconds ago: their message may have been sent. Answers how many. */
export async function expireClaims(db: Db, sending: Sending, afterSeconds: number): Promise<number> {
  const { newsletterId, publicationId, id } = sending
  const { numAffectedRows } = await sql`
    with ended as (
      delete from delivery_claim
      where newsletter_id = ${newsletterId} and sending_id = ${id}
        and lease_ends_at < now() - ${afterSeconds} * interval '1 second'
      returning worker, subscriber_ids
    )
    update delivery d set state = 'uncertain', answer = 'lease_expired', claimed_by = e.worker, changed_at = now()
    from (select worker, unnest(subscriber_ids) as id from ended) e
    where d.newsletter_id = ${newsletterId} and d.publication_id = ${publicationId} and d.subscriber_id = e.id
      and d.state in (${statesBefore('expire')})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Sendings with a claim whose lease ended so many seconds ago. */
export async function findLostClaims(db: Db, afterSeconds: number): Promise<Sending[]> {
  const { rows } = await sql<Sending>`
    select distinct newsletter_id as "newsletterId", publication_id as "publicationId", sending_id as id from delivery_claim
    where lease_ends_at < now() - ${afterSeconds} * interval '1 second'`.execute(db)
  return rows
}

/** The subscribers whose deliveries a worker has claimed, those included whose claim was given up. */
export async function heldBy(db: Db, { newsletterId, publicationId, id }: Sending, worker: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select subscriber_id as id from claimed_delivery
    where newsletter_id = ${newsletterId} and sending_id = ${id} and worker = ${worker}
    union all select subscriber_id from delivery
    where newsletter_id = ${newsletterId} and publication_id = ${publicationId} and trouble = 'uncertain' and claimed_by = ${worker}`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** Whether a worker has no claim whose lease goes on. */
export async function isLeaseOver(db: Db, worker: string): Promise<boolean> {
  const { rows } =
    await sql`select from delivery_claim where worker = ${worker} and lease_ends_at > now() limit 1`.execute(db)
  return rows.length === 0
}
