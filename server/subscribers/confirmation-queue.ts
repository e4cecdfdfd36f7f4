import { sql } from 'kysely'
import type { Plan } from '../charge/plans/contract.ts'
import type { Db } from '../database/client.ts'
import type { SubscriberKey } from './change.ts'
import { addedByHand, type SubscriberRow } from './queries.ts'

/** A confirmation mail that this process may send until its claim ends. */
export type ClaimedConfirmation = Pick<
  SubscriberRow,
  'newsletter_id' | 'id' | 'email' | 'language' | 'status' | 'asked_at' | 'left_at'
> & {
  /** How often a relay refused it before. */
  attempts: number
  /** Whether a member entered the address, and nobody asked for it. */
  is_added: boolean
  /** Whether it is the address of a member. */
  is_members: boolean
  /** The plan that was entered for them with their address, which they may read already. */
  opened: OpenedPlan | null
}

export interface OpenedPlan {
  words: Plan['words']
  /** Otherwise it is a gift. */
  isPaid: boolean
  /** Null: for good. */
  until: string | null
}

/** So long a mail waits for the plan that is entered with the address, which it is to name. */
const HOLD = '1 minute'

/**
 * Queues a mail for each row of the common table expression `from`, whose columns are `newsletter_id`, `id` and
 * `reads`. One that waits for another attempt is due at once; one that is to name a plan, when the plan is entered.
 */
export const queueConfirmations = (from: string) => sql`
  insert into confirmation_mail as m (newsletter_id, subscriber_id, reads, due_at)
  select newsletter_id, id, reads, case when reads then now() + ${HOLD}::interval else now() end from ${sql.table(from)}
  on conflict (newsletter_id, subscriber_id) do update
    set due_at = least(m.due_at, excluded.due_at), reads = m.reads or excluded.reads`

/** Lets the mail go that names the plan of a subscriber, in the transaction that enters the plan. */
export const releaseConfirmation = (tx: Db, { newsletterId, subscriberId }: SubscriberKey) =>
  sql`
    with released as (
      update confirmation_mail set due_at = least(due_at, now())
      where newsletter_id = ${newsletterId} and subscriber_id = ${subscriberId} and reads returning subscriber_id
    )
    select pg_notify('confirmation_mail', '') from released`.execute(tx)

/** The newsletters with mails that are due. */
export async function findDueNewsletters(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select n.id from newsletter n where exists (
      select from confirmation_mail m where m.newsletter_id = n.id and m.due_at <= now()
        and (m.claimed_until is null or m.claimed_until < now()))`.execute(db)
  return rows.map(({ id }) => id)
}

/** Claims up to `limit` mails, those that are due longest first. Several workers get different ones. */
export async function claimConfirmations(
  db: Db,
  newsletterId: string,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<ClaimedConfirmation[]> {
  const { rows } = await sql<ClaimedConfirmation>`
    with due as (
      select newsletter_id, subscriber_id from confirmation_mail
      where newsletter_id = ${newsletterId} and due_at <= now() and (claimed_until is null or claimed_until < now())
      order by due_at limit ${limit} for update skip locked
    )
    update confirmation_mail m set claimed_until = now() + ${leaseSeconds} * interval '1 second'
    from due join subscriber s on s.newsletter_id = due.newsletter_id and s.id = due.subscriber_id
    where m.newsletter_id = due.newsletter_id and m.subscriber_id = due.subscriber_id
    returning s.newsletter_id, s.id, s.email, s.language, s.status, s.asked_at, s.left_at, m.attempts,
      case when m.reads then (
        select jsonb_build_object('words', p.words, 'isPaid', b.way = 'outside', 'until', b.paid_until)
        from subscription b join plan p on p.newsletter_id = b.newsletter_id and p.id = b.plan_id
        where b.newsletter_id = s.newsletter_id and b.subscriber_id = s.id and b.status = 'active'
        order by b.changed_at desc limit 1) end as opened,
      ${addedByHand} as is_added,
      exists (select from member b join "user" u on u.id = b.user_id
        where b.newsletter_id = s.newsletter_id and lower(u.email) = lower(s.email)) as is_members`.execute(db)
  return rows
}

const keysOf = (mails: readonly ClaimedConfirmation[]) =>
  sql`unnest(${mails.map((mail) => mail.newsletter_id)}::text[], ${mails.map((mail) => mail.id)}::uuid[])`

/** Keeps the claims for longer, while the relay is slow. */
export const renewClaims = (db: Db, mails: readonly ClaimedConfirmation[], leaseSeconds: number) =>
  sql`update confirmation_mail m set claimed_until = now() + ${leaseSeconds} * interval '1 second'
    from ${keysOf(mails)} as k (newsletter_id, id)
    where m.newsletter_id = k.newsletter_id and m.subscriber_id = k.id and m.claimed_until is not null`.execute(db)

/** Removes mails that were accepted, or that nobody waits for any more. */
export const removeConfirmations = (db: Db, mails: readonly ClaimedConfirmation[]) =>
  sql`delete from confirmation_mail m using ${keysOf(mails)} as k (newsletter_id, id)
    where m.newsletter_id = k.newsletter_id and m.subscriber_id = k.id`.execute(db)

/** Gives back mails of which nothing was sent. */
export const returnConfirmations = (db: Db, mails: readonly ClaimedConfirmation[]) =>
  sql`update confirmation_mail m set claimed_until = null from ${keysOf(mails)} as k (newsletter_id, id)
    where m.newsletter_id = k.newsletter_id and m.subscriber_id = k.id`.execute(db)

/** Gives back a mail that was refused for now, for another attempt after `delaySeconds`. */
export const deferConfirmation = (db: Db, { newsletter_id, id }: ClaimedConfirmation, delaySeconds: number) =>
  sql`update confirmation_mail set claimed_until = null, attempts = attempts + 1,
      due_at = now() + ${delaySeconds} * interval '1 second'
    where newsletter_id = ${newsletter_id} and subscriber_id = ${id}`.execute(db)
