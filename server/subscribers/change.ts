import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Consent, Event } from '../database/types.ts'
import type { Language } from '../languages.ts'
import type { consentMeans } from './contract.ts'
import { type LeaveReason, UNDO_DAYS } from './leave.ts'

/**
 * The only writer of subscribers, consent receipts, suppressions and the events of subscribers. Each function writes a
 * change together with its receipt, its event and the jobs that follow, in one statement, for one person or for many.
 */

export interface SubscriberKey {
  newsletterId: string
  subscriberId: string
}

/** What a person said yes or no to, and how it reached us. */
export interface Receipt {
  wording: string
  wordingVersion: string
  /** The language of the wording. */
  language: Language
  means: (typeof consentMeans)[number]
  /** The network it came from, as `networkOf` shortens it. */
  network: string | null
}

export interface ConsentChange extends SubscriberKey {
  at: Date
  receipt: Receipt
  /** The publication whose mail it was asked from. One that does not exist is left out. */
  publicationId?: string | null
}

interface Transition {
  from: string[]
  set: RawBuilder<unknown>
  when: RawBuilder<SqlBool>
  act: Consent['act']
}

const notSuppressed = sql<SqlBool>`not exists (select from suppression x
  where x.newsletter_id = s.newsletter_id and x.email_normalised = s.email_normalised)`

/** The changes that a person makes by a yes or a no. `s` is the subscriber, `r` what was requested. */
const transitions = {
  confirmed: {
    from: ['pending', 'unsubscribed'],
    set: sql`status = 'active', confirmed_at = r.at, left_at = null, left_reason = null`,
    when: notSuppressed,
    act: 'given',
  },
  unsubscribed: {
    from: ['pending', 'active'],
    set: sql`status = 'unsubscribed', left_at = r.at, left_reason = null`,
    when: sql<SqlBool>`true`,
    act: 'withdrawn',
  },
  returned: {
    from: ['unsubscribed'],
    set: sql`status = 'active', left_at = null, left_reason = null`,
    when: sql<SqlBool>`s.confirmed_at is not null and s.left_at >= r.at - ${UNDO_DAYS} * interval '24 hours' and ${notSuppressed}`,
    act: 'given',
  },
} satisfies Partial<Record<Event['kind'], Transition>>

/**
 * Changes subscribers by their own consent or its withdrawal. Who is not in a state to make the change stays as they are.
 *
 * @returns the ids of those who changed
 */
export async function changeByConsent(
  db: Db,
  kind: keyof typeof transitions,
  changes: ConsentChange[],
): Promise<string[]> {
  const { from, set, when, act } = transitions[kind]
  const { rows } = await sql<{ id: string }>`
    with requested as (
      select r.*, p.id as publication_id from unnest(
        ${changes.map((c) => c.newsletterId)}::text[], ${changes.map((c) => c.subscriberId)}::uuid[],
        ${changes.map((c) => c.at.toISOString())}::timestamptz[], ${changes.map((c) => c.publicationId ?? null)}::text[],
        ${changes.map((c) => uuidv7(c.at.getTime()))}::uuid[], ${changes.map((c) => uuidv7(c.at.getTime()))}::uuid[],
        ${changes.map(({ receipt }) => receipt.wording)}::text[],
        ${changes.map(({ receipt }) => receipt.wordingVersion)}::text[],
        ${changes.map(({ receipt }) => receipt.language)}::text[],
        ${changes.map(({ receipt }) => receipt.means)}::text[], ${changes.map(({ receipt }) => receipt.network)}::text[]
      ) as r (newsletter_id, subscriber_id, at, publication, consent_id, event_id,
        wording, wording_version, wording_language, means, network)
      left join publication p on p.newsletter_id = r.newsletter_id and p.id = r.publication
    ),
    changed as (
      update subscriber s set ${set} from requested r
      where s.newsletter_id = r.newsletter_id and s.id = r.subscriber_id and s.status = any(${from}) and ${when}
      returning r.*
    ),
    receipts as (${insertReceipts(act, 'changed')}),
    events as (${insertEvents(kind, 'changed')})
    select subscriber_id as id from changed`.execute(db)
  return rows.map(({ id }) => id)
}

/** An address that is never to be written to again, found by one of its deliveries. */
export interface Suppression extends SubscriberKey {
  publicationId: string
  /** The other server's own words. */
  words: string
}

/**
 * Keeps mail away from addresses and ends their subscriptions: because they do not exist, or because their owners called the
 * mail spam. A complaint takes the place of any other suppression. An address whose owner has already left is suppressed
 * too, and the owner stays unsubscribed. `lift.ts` is the way back.
 */
export async function suppress(db: Db, reason: 'bounced' | 'complained', suppressed: Suppression[]): Promise<void> {
  await sql`
    with requested as (
      select r.*, now() as at, s.email_normalised from unnest(
        ${suppressed.map((x) => x.newsletterId)}::text[], ${suppressed.map((x) => x.subscriberId)}::uuid[],
        ${suppressed.map((x) => x.publicationId)}::text[], ${suppressed.map((x) => x.words)}::text[],
        ${suppressed.map(() => uuidv7())}::uuid[]
      ) as r (newsletter_id, subscriber_id, publication_id, words, event_id)
      join subscriber s on s.newsletter_id = r.newsletter_id and s.id = r.subscriber_id
      -- Before the suppressions and in one order, so that lifting them at the same time waits and does not deadlock.
      order by s.newsletter_id, s.id for no key update of s
    ),
    suppressions as (
      insert into suppression as x (newsletter_id, email_normalised, reason, detail, publication_id)
      select newsletter_id, email_normalised, ${reason}, words, publication_id from requested
      on conflict (newsletter_id, email_normalised) do update
        set reason = excluded.reason, detail = excluded.detail, publication_id = excluded.publication_id, at = excluded.at
        where excluded.reason = 'complained' and x.reason <> 'complained'
    ),
    events as (${insertEvents(reason, 'requested')})
    update subscriber s set status = ${reason}, left_reason = ${reason},
      left_at = case s.status when 'active' then r.at else s.left_at end
    from requested r
    where s.newsletter_id = r.newsletter_id and s.id = r.subscriber_id and s.status in ('active', 'bounced')`.execute(
    db,
  )
}

/** A request that this address subscribes. The receipt holds what was ticked. */
export interface SubscriptionRequest {
  newsletterId: string
  email: string
  normalised: string
  name: string | null
  language: Language
  at: Date
  receipt: Receipt
}

/** A pending address is asked again after five minutes, an active one gets a mail that says so once a day. */
const ASK_AGAIN = '5 minutes'
const REMIND_AGAIN = '1 day'

/**
 * Stores requests to subscribe and queues a mail for each that is new or due. Suppressed, bounced and complained
 * addresses stay as they are. An address may be in `requests` once for each newsletter.
 */
export async function requestSubscriptions(db: Db, requests: SubscriptionRequest[]): Promise<void> {
  await sql`
    with wanted as (
      select w.* from unnest(
        ${requests.map((r) => r.newsletterId)}::text[], ${requests.map((r) => uuidv7(r.at.getTime()))}::uuid[],
        ${requests.map((r) => r.email)}::text[], ${requests.map((r) => r.normalised)}::text[],
        ${requests.map((r) => r.name)}::text[], ${requests.map((r) => r.language)}::text[],
        ${requests.map(({ receipt }) => receipt.wording)}::text[],
        ${requests.map(({ receipt }) => receipt.wordingVersion)}::text[],
        ${requests.map(({ receipt }) => receipt.language)}::text[], ${requests.map(({ receipt }) => receipt.means)}::text[],
        ${requests.map(({ receipt }) => receipt.network)}::text[], ${requests.map((r) => r.at.toISOString())}::timestamptz[],
        ${requests.map((r) => uuidv7(r.at.getTime()))}::uuid[], ${requests.map((r) => uuidv7(r.at.getTime()))}::uuid[]
      ) as w (newsletter_id, id, email, email_normalised, name, language,
        wording, wording_version, wording_language, means, network, at, consent_id, event_id)
      where not exists (select from suppression p
        where p.newsletter_id = w.newsletter_id and p.email_normalised = w.email_normalised)
    ),
    -- Locked in one order, so that two processes with the same addresses wait for each other and do not deadlock.
    due as (
      select s.newsletter_id, s.id, s.email_normalised, s.status from subscriber s join wanted w using (newsletter_id, email_normalised)
      where (s.status in ('pending', 'unsubscribed') and s.asked_at <= w.at - ${ASK_AGAIN}::interval)
        or (s.status = 'unsubscribed' and s.asked_at <= s.left_at)
        or (s.status = 'active' and greatest(s.asked_at, s.confirmed_at) <= w.at - ${REMIND_AGAIN}::interval)
      order by s.newsletter_id, s.email_normalised for update of s
    ),
    added as (
      insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, source, created_at, asked_at)
      select newsletter_id, id, email, email_normalised, name, language, 'pending', means, at, at
      from wanted order by newsletter_id, email_normalised
      on conflict (newsletter_id, email_normalised) do nothing
      returning newsletter_id, id, email_normalised
    ),
    asked_again as (
      update subscriber s set asked_at = w.at, language = case d.status when 'active' then s.language else w.language end
      from due d join wanted w using (newsletter_id, email_normalised)
      where s.newsletter_id = d.newsletter_id and s.id = d.id
      returning s.newsletter_id, s.id, s.email_normalised, d.status
    ),
    changed as (
      select w.*, a.id as subscriber_id, null as publication_id
      from (
        select newsletter_id, id, email_normalised from added
        union all select newsletter_id, id, email_normalised from asked_again where status <> 'active'
      ) a join wanted w using (newsletter_id, email_normalised)
    ),
    receipts as (${insertReceipts('asked', 'changed')}),
    events as (${insertEvents('asked', 'changed')}),
    mails as (
      select newsletter_id, id from added union all select newsletter_id, id from asked_again
    )
    select graphile_worker.add_jobs(array_agg(row('ask_confirmation',
      json_build_object('newsletterId', newsletter_id, 'subscriberId', id), null, null, 12, null, null, null
    )::graphile_worker.job_spec)) from mails having count(*) > 0`.execute(db)
}

/** Keeps why somebody left; only while they are gone. */
export async function keepLeaveReason(
  db: Db,
  { newsletterId, subscriberId }: SubscriberKey,
  reason: LeaveReason,
): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({ left_reason: reason })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriberId)
    .where('status', '=', 'unsubscribed')
    .execute()
}

/** Sets the language of a subscriber's mail from now on. */
export async function chooseLanguage(
  db: Db,
  { newsletterId, subscriberId }: SubscriberKey,
  language: Language,
): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({ language })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriberId)
    .execute()
}

/** Removes a subscriber with their receipts. @returns whether there was one */
export async function removeSubscriber(db: Db, { newsletterId, subscriberId }: SubscriberKey): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('subscriber')
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', subscriberId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Inserts a receipt for each row of the common table expression `from`. */
const insertReceipts = (act: Consent['act'], from: string) => sql`
  insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, network, at)
  select newsletter_id, consent_id, subscriber_id, ${act}, wording, wording_version, wording_language, means, network, at
  from ${sql.table(from)}`

/**
 * Inserts an event for each row of the common table expression `from`, whose columns are `newsletter_id`, `event_id`,
 * `at`, `subscriber_id` and `publication_id`.
 */
export const insertEvents = (kind: Event['kind'], from: string) => sql`
  insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
  select newsletter_id, event_id, at, ${kind}, subscriber_id, publication_id from ${sql.table(from)}`
