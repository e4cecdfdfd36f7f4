import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Consent, Event } from '../database/types.ts'
import { shortNetworkOf } from '../http/limits.ts'
import { languages } from '../languages.ts'
import { consentWording, type Receipt, WORDING_VERSION } from './consent.ts'
import type { LeaveReason } from './contract.ts'
import { UNDO_DAYS } from './leave.ts'
import { addNewcomers } from './newcomers.ts'

/**
 * With `request.ts`, `preferences.ts`, `lift.ts`, `put-back.ts`, `campaign-consent.ts` and, for files, `import/merge.ts` and `import/take-back.ts`, the only writer
 * of subscribers, consent receipts, suppressions and the events of subscribers. Each function writes a change together with its receipt, its event and the jobs that follow, in one statement, for one person or for many.
 */

export interface SubscriberKey {
  newsletterId: string
  subscriberId: string
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
  /** Whether it lifts a suppression that a bounce or a complaint made. */
  lifts: boolean
}

const notSuppressed = sql<SqlBool>`not exists (select from suppression x
  where x.newsletter_id = s.newsletter_id and x.email_normalised = s.email_normalised)`

/** A confirmation lifts what a bounce did. It lifts a complaint when it was asked for afterwards. */
const mayBeLifted = sql<SqlBool>`(s.status in ('pending', 'unsubscribed', 'campaign_only') or s.asked_at > s.left_at) and not exists (
  select from suppression x where x.newsletter_id = s.newsletter_id and x.email_normalised = s.email_normalised
    and (x.reason = 'by_hand' or x.reason = 'complained' and x.at >= s.asked_at))`

/** Whoever was unsubscribed by a member and leaves by themselves has said so: what the member did cannot be taken back any more. */
const leavesAnew = sql<SqlBool>`s.status <> 'unsubscribed' or r.means not in ('by-hand', 'api') and (
  select c.act = 'withdrawn' and c.means in ('by-hand', 'api') from consent c
  where c.newsletter_id = s.newsletter_id and c.subscriber_id = s.id and c.purpose = 'newsletter' order by c.at desc, c.id desc limit 1)`

/** The changes that a person makes by a yes or a no. `s` is the subscriber, `r` what was requested. */
const transitions = {
  confirmed: {
    from: ['pending', 'unsubscribed', 'bounced', 'complained', 'campaign_only'],
    set: sql`status = 'active', confirmed_at = r.at, left_at = null, left_reason = null, paused_until = null`,
    when: mayBeLifted,
    act: 'given',
    lifts: true,
  },
  // A pause is kept for whoever left by mistake. It counts only while they are active.
  unsubscribed: {
    from: ['pending', 'active', 'unsubscribed'],
    set: sql`status = 'unsubscribed', left_at = r.at, left_reason = null`,
    when: leavesAnew,
    act: 'withdrawn',
    lifts: false,
  },
  returned: {
    from: ['unsubscribed'],
    set: sql`status = 'active', left_at = null, left_reason = null`,
    when: sql<SqlBool>`s.confirmed_at is not null and s.left_at >= r.at - ${UNDO_DAYS} * interval '24 hours' and ${notSuppressed}`,
    act: 'given',
    lifts: false,
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
  const { from, set, when, act, lifts } = transitions[kind]
  const { rows } = await sql<{ id: string }>`
    with requested as (
      select r.*, p.id as publication_id from unnest(
        ${changes.map((c) => c.newsletterId)}::text[], ${changes.map((c) => c.subscriberId)}::uuid[],
        ${changes.map((c) => c.at.toISOString())}::timestamptz[], ${changes.map((c) => c.publicationId ?? null)}::text[],
        ${changes.map((c) => uuidv7(c.at.getTime()))}::uuid[], ${changes.map((c) => uuidv7(c.at.getTime()))}::uuid[],
        ${receiptArrays(changes)}
      ) as r (newsletter_id, subscriber_id, at, publication, consent_id, event_id, ${receiptColumns})
      left join publication p on p.newsletter_id = r.newsletter_id and p.id = r.publication
    ),
    changed as (
      update subscriber s set ${set} from requested r
      where s.newsletter_id = r.newsletter_id and s.id = r.subscriber_id and s.status = any(${from}) and (${when})
      returning r.*, s.email_normalised
    ),
    ${lifts ? liftOfChanged : sql``}
    ${kind === 'confirmed' ? sql`newcomers as (${addNewcomers('changed')}),` : sql``}
    receipts as (${insertReceipts(act, 'changed')}),
    events as (${insertEvents(kind, 'changed')})
    select subscriber_id as id from changed`.execute(db)
  return rows.map(({ id }) => id)
}

/** Lifts the suppressions of those who changed by their own consent. Their event and receipt are those of the change. */
const liftOfChanged = sql`
    lifted as (
      delete from suppression x using changed c
      where x.newsletter_id = c.newsletter_id and x.email_normalised = c.email_normalised and x.reason <> 'by_hand'
      returning x.*, c.subscriber_id, c.at as lifted_at, gen_random_uuid() as audit_id
    ),
    lines as (
      insert into audit (newsletter_id, id, at, act, actor, reason, detail)
      select newsletter_id, audit_id, lifted_at, 'suppressions_lifted', 'subscriber', '',
        '{"by": "confirmation", "lifted": 1, "restored": 1}' from lifted
    ),
    history as (
      insert into lifted_suppression (newsletter_id, audit_id, subscriber_id, reason, detail, publication_id, suppressed_at,
        lifted_at)
      select newsletter_id, audit_id, subscriber_id, reason, detail, publication_id, at, lifted_at from lifted
    ),`

/** An address that is not to be written to, found by one of its deliveries. */
export interface Suppression extends SubscriberKey {
  publicationId: string
  /** The other server's own words. */
  words: string
}

/**
 * Keeps mail away from addresses and ends their subscriptions: because they do not exist, or because their owners called the
 * mail spam. A complaint takes the place of any other suppression, and whoever had said yes takes it back with a receipt. An
 * address whose owner has already left is suppressed too, and the owner stays unsubscribed. A bounce of an address from which the
 * subscriber has moved says nothing of the one that they have. `lift.ts` is the way back.
 *
 * @returns how many are suppressed
 */
export async function suppress(db: Db, reason: 'bounced' | 'complained', suppressed: Suppression[]): Promise<number> {
  const { rows } = await sql<{ suppressed: number }>`
    with locked as (
      select r.*, now() as at, s.email, s.email_normalised, s.status, s.language from unnest(
        ${suppressed.map((x) => x.newsletterId)}::text[], ${suppressed.map((x) => x.subscriberId)}::uuid[],
        ${suppressed.map((x) => x.publicationId)}::text[], ${suppressed.map((x) => x.words)}::text[],
        ${suppressed.map(() => uuidv7())}::uuid[], ${suppressed.map(() => uuidv7())}::uuid[]
      ) as r (newsletter_id, subscriber_id, publication_id, words, event_id, consent_id)
      join subscriber s on s.newsletter_id = r.newsletter_id and s.id = r.subscriber_id
      -- Before the suppressions and in one order, so that lifting them at the same time waits and does not deadlock.
      order by s.newsletter_id, s.id for no key update of s
    ),
    -- Once they are locked, because they may be moving at this moment.
    requested as (
      select * from locked l where ${reason === 'complained'} or not exists (select from delivery d
        where d.newsletter_id = l.newsletter_id and d.publication_id = l.publication_id and d.subscriber_id = l.subscriber_id
          and d.email <> l.email)
    ),
    suppressions as (
      insert into suppression as x (newsletter_id, email_normalised, reason, detail, publication_id)
      select newsletter_id, email_normalised, ${reason}, words, publication_id from requested
      on conflict (newsletter_id, email_normalised) do update
        set reason = excluded.reason, detail = excluded.detail, publication_id = excluded.publication_id, at = excluded.at
        where excluded.reason = 'complained' and x.reason <> 'complained'
    ),
    ${reason === 'complained' ? receiptsOfComplaints() : sql``}
    events as (${insertEvents(reason, 'requested')}),
    changed as (
      update subscriber s set status = ${reason}, left_reason = ${reason},
        left_at = case s.status when 'active' then r.at else s.left_at end
      from requested r
      where s.newsletter_id = r.newsletter_id and s.id = r.subscriber_id and s.status in ('active', 'bounced')
    )
    select count(*)::integer as suppressed from requested`.execute(db)
  return rows[0]?.suppressed ?? 0
}

/** A complaint is a withdrawal by a button of the mail program: nobody was shown words, so these say what happened. */
function receiptsOfComplaints(): RawBuilder<unknown> {
  const words = languages.map((language) => consentWording('complained', '{{newsletter}}', language))
  return sql`
    withdrawals as (
      select r.*, replace(w.words, '{{newsletter}}', n.name) as wording, ${WORDING_VERSION} as wording_version,
        r.language as wording_language, 'complaint' as means, null::text as network, null::text as proof,
        null::text as beneficiary_id, n.name as beneficiary_name
      from requested r join newsletter n on n.id = r.newsletter_id
      join unnest(${[...languages]}::text[], ${words}::text[]) as w (language, words) on w.language = r.language
      where r.status in ('active', 'bounced')
    ),
    receipts as (${insertReceipts('withdrawn', 'withdrawals')}),`
}

/** An update of one subscriber, to be told what it sets. */
export const updateOf = (db: Db, { newsletterId, subscriberId }: SubscriberKey) =>
  db.updateTable('subscriber').where('newsletter_id', '=', newsletterId).where('id', '=', subscriberId)

/** Keeps why somebody left, with them while they are gone, and in their timeline. */
export async function keepLeaveReason(db: Db, key: SubscriberKey, reason: LeaveReason): Promise<void> {
  const { newsletterId, subscriberId } = key
  await sql`
    with gone as (
      update subscriber set left_reason = ${reason}
      where newsletter_id = ${newsletterId} and id = ${subscriberId} and status = 'unsubscribed' returning left_at
    )
    update event e set reason = ${reason} from gone
    where e.newsletter_id = ${newsletterId} and e.subscriber_id = ${subscriberId} and e.kind = 'unsubscribed' and e.at = gone.left_at`.execute(
    db,
  )
}

/** Forgets the name that was given with an address. */
export const removeName = (db: Db, key: SubscriberKey) => updateOf(db, key).set({ name: null }).execute()

/** Sets values of custom fields, which whoever calls has checked; null removes one, and others stay. */
export const setFieldValues = (
  db: Db,
  { newsletterId, subscriberId }: SubscriberKey,
  values: Record<string, string | number | boolean | null>,
) =>
  sql`
    update subscriber set fields = jsonb_strip_nulls(fields || ${JSON.stringify(values)}::jsonb)
    where newsletter_id = ${newsletterId} and id = ${subscriberId}`.execute(db)

/** Removes the values of a custom field from everybody, in a transaction. It is no change of each of them (migration 0440). */
export async function removeFieldValues(tx: Db, newsletterId: string, field: string): Promise<void> {
  await sql`select set_config('tirage.field_removed', 'yes', true)`.execute(tx)
  await sql`
    update subscriber set fields = fields - ${field}::text
    where newsletter_id = ${newsletterId} and fields ? ${field}::text`.execute(tx)
  await sql`select set_config('tirage.field_removed', '', true)`.execute(tx)
}

/** Removes subscribers with their receipts. */
export const removeSubscribers = (
  db: Db,
  { newsletterId, subscriberIds }: { newsletterId: string; subscriberIds: string[] },
) => db.deleteFrom('subscriber').where('newsletter_id', '=', newsletterId).where('id', 'in', subscriberIds).execute()

/** The columns of `receiptArrays`, in its order. */
export const receiptColumns = sql`wording, wording_version, wording_language, means, network, proof, beneficiary_id, beneficiary_name`

/** One array for each of `receiptColumns`, as `unnest` takes them. Of the network, no receipt keeps enough to find a person by. */
export function receiptArrays(changes: readonly { receipt: Receipt }[]): RawBuilder<unknown> {
  const receipts = changes.map(({ receipt }) => receipt)
  const columns = [
    receipts.map(({ wording }) => wording),
    receipts.map(({ wordingVersion }) => wordingVersion),
    receipts.map(({ language }) => language),
    receipts.map(({ means }) => means),
    receipts.map(({ network }) => network && shortNetworkOf(network)),
    receipts.map(({ proof }) => proof),
    receipts.map(({ beneficiary }) => beneficiary.id),
    receipts.map(({ beneficiary }) => beneficiary.name),
  ]
  return sql.join(columns.map((values) => sql`${values}::text[]`))
}

/**
 * Inserts a receipt for each row of the common table expression `from`, whose columns are `newsletter_id`, `consent_id`,
 * `subscriber_id`, `publication_id`, `at` and `receiptColumns`. A trigger notes that it waits to be chained.
 */
export const insertReceipts = (act: Consent['act'] | RawBuilder<unknown>, from: string) => sql`
  insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, network, proof,
    beneficiary_id, beneficiary_name, at)
  select newsletter_id, consent_id, subscriber_id, ${act}, wording, wording_version, wording_language, means, network,
    coalesce(proof, 'publication ' || publication_id), beneficiary_id, beneficiary_name, at
  from ${sql.table(from)}`

/**
 * Inserts an event for each row of the common table expression `from`, whose columns are `newsletter_id`, `event_id`,
 * `at`, `subscriber_id` and `publication_id`.
 */
export const insertEvents = (kind: Event['kind'], from: string) => sql`
  insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
  select newsletter_id, event_id, at, ${kind}, subscriber_id, publication_id from ${sql.table(from)}`
