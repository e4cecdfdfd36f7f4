import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Audit } from '../database/types.ts'
import { insertEvents } from './change.ts'

/** Which suppressions of a newsletter are lifted. */
export type LiftedSuppressions =
  /** The one of a subscriber, also when it was made by hand. */
  | { subscriberId: string }
  /** Those that a publication's mail caused, all of them or those since a time. */
  | { publicationId: string; since?: Date }
  /** Those with the same answer of a server (`suppression.answer`): of all publications, of one, or of none that is known. */
  | { answer: string; publicationId?: string | null }

/** Who lifts suppressions, and why in at most 500 characters. */
export interface Lifter {
  actor: Audit['actor']
  userId?: string | null
  reason: string
}

/** How many subscribers get mail again, and how many do not. */
export interface Lifted {
  restored: number
  kept: {
    /** The suppression is gone, and they stay unsubscribed: they had left by themselves. */
    unsubscribed: number
    /** They called a mail spam. Only their own new confirmation lifts that. */
    complained: number
    /** They were erased, and nothing but the address that gets no mail is left. */
    erased: number
  }
}

/** A subscriber `s` whom a bounce made inactive. */
const isLost = sql`s.status = 'bounced' and s.confirmed_at is not null`

/**
 * Lifts suppressions that a bounce caused, and makes the subscribers active again whom they had made `bounced`. Each gets an
 * event, and the whole one line in the audit. Complaints stay, also one that comes at this moment. A second call changes
 * nothing and writes nothing. It is one statement, in or out of a transaction.
 */
export async function liftSuppressions(
  db: Db,
  newsletterId: string,
  { which, by }: { which: LiftedSuppressions; by: Lifter },
): Promise<Lifted> {
  const liftable = 'subscriberId' in which ? ['bounced', 'by_hand'] : ['bounced']
  // Subscribers are locked before their suppressions and in one order, as `suppress` and erasing lock them.
  const { rows } = await sql<{ restored: number; lifted: number; complained: number; erased: number }>`
    with chosen as (
      select x.email_normalised, x.reason, s.id from suppression x
      left join subscriber s on s.newsletter_id = x.newsletter_id and s.email_normalised = x.email_normalised
      where x.newsletter_id = ${newsletterId} and ${matches(which)} and x.reason = any(${[...liftable, 'complained']})
    ),
    locked as (
      select s.id, s.email_normalised from subscriber s join chosen c on c.id = s.id
      where s.newsletter_id = ${newsletterId} and c.reason = any(${liftable})
      order by s.id for no key update of s
    ),
    lifted as (
      delete from suppression x using locked l
      where x.newsletter_id = ${newsletterId} and x.email_normalised = l.email_normalised and x.reason = any(${liftable})
      returning l.id as subscriber_id, x.reason, x.detail, x.publication_id, x.at
    ),
    -- By the id alone: with the status in its condition, PostgreSQL may choose the index of the status and compare all with all.
    changed as (
      update subscriber s set status = case when ${isLost} then 'active' else s.status end,
        left_at = case when ${isLost} then null else s.left_at end,
        left_reason = case when ${isLost} then null else s.left_reason end
      from lifted l where s.newsletter_id = ${newsletterId} and s.id = l.subscriber_id
      returning s.newsletter_id, s.id as subscriber_id, s.status, l.publication_id
    ),
    restored as (
      select newsletter_id, subscriber_id, publication_id, gen_random_uuid() as event_id, now() as at
      from changed where status = 'active'
    ),
    events as (${insertEvents('restored', 'restored')}),
    line as (
      insert into audit (newsletter_id, id, act, actor, user_id, reason, detail)
      select ${newsletterId}, ${uuidv7()}, 'suppressions_lifted', ${by.actor}, ${by.userId ?? null}, ${by.reason},
        ${JSON.stringify(forAudit(which))}::jsonb || jsonb_build_object(
          'lifted', (select count(*) from lifted), 'restored', (select count(*) from restored))
      where exists (select from lifted)
      returning id
    ),
    history as (
      insert into lifted_suppression (newsletter_id, audit_id, subscriber_id, reason, detail, publication_id, suppressed_at,
        lifted_at)
      select ${newsletterId}, line.id, l.subscriber_id, l.reason, l.detail, l.publication_id, l.at, now() from lifted l, line
    )
    select (select count(*)::integer from restored) as restored, (select count(*)::integer from lifted) as lifted,
      count(id) filter (where reason = 'complained')::integer as complained,
      count(*) filter (where id is null)::integer as erased
    from chosen`.execute(db)
  const { restored = 0, lifted = 0, complained = 0, erased = 0 } = rows[0] ?? {}
  return { restored, kept: { unsubscribed: lifted - restored, complained, erased } }
}

function matches(which: LiftedSuppressions): RawBuilder<SqlBool> {
  if ('subscriberId' in which) return sql`s.id = ${which.subscriberId}`
  const ofPublication =
    which.publicationId === undefined
      ? sql`true`
      : sql`x.publication_id is not distinct from ${which.publicationId}::text`
  if ('answer' in which) return sql`x.answer = ${which.answer} and ${ofPublication}`
  return which.since ? sql`${ofPublication} and x.at >= ${which.since}` : sql`${ofPublication}`
}

/** A subscriber is not named: the audit stays when they are erased, and `lifted_suppression` knows whose it was. */
const forAudit = (which: LiftedSuppressions) =>
  'subscriberId' in which
    ? { by: 'subscriber' }
    : 'answer' in which
      ? { by: 'answer', ...which }
      : { by: 'publication', ...which }
