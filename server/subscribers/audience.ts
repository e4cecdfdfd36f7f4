import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Gate } from '../publications/document/gate-nodes.ts'
import { viewOf } from '../publications/document/visible.ts'
import { conditionOf } from '../segments/condition.ts'
import type { Condition, Filter } from '../segments/filter/contract.ts'
import type { DigestPace } from './contract.ts'

/**
 * Who shall receive a publication. This file is the only definition of it: the count before sending, the plan, the check
 * before each delivery and the choice of variant all begin here.
 */
export type Audience = { kind: 'everyone' } | SegmentAudience | PlanAudience | DigestAudience

interface SegmentAudience {
  kind: 'segment'
  filter: Filter
}

/** Those who have a plan, who have none, or who have this one. */
interface PlanAudience {
  kind: 'plan'
  plan: 'paid' | 'free' | number
}

/** Those who are in a digest. They were chosen when it was made (`server/digests/`). */
interface DigestAudience {
  kind: 'digest'
  pace: DigestPace
}

/** The audience of a sending. It keeps the filter of its segment as it was when the sending began. */
export type SendingAudience =
  | { kind: 'everyone' }
  | (SegmentAudience & { segmentId: number; name: string })
  | (PlanAudience & { name: string | null })
  | DigestAudience

export const everyone = { kind: 'everyone' } as const

const now = sql<Date>`now()`

/** Everybody, or SQL for some of the newsletter's subscribers. */
type Among = 'all' | RawBuilder<unknown>

interface Meant {
  newsletterId: string
  audience: Audience
  /** The moment from which conditions such as “within 30 days” count back. */
  asOf: RawBuilder<Date>
  asked?: 'few' | 'many'
}

/** True for a subscriber `s` whom the audience names, whatever their status. */
function matches({ audience, ...setting }: Meant): RawBuilder<SqlBool> {
  switch (audience.kind) {
    case 'everyone':
    case 'digest':
      return sql`true`
    case 'segment':
      return conditionOf(audience.filter, setting)
    case 'plan':
      return conditionOf(conditionOnPlan(audience.plan), setting)
  }
}

const conditionOnPlan = (plan: PlanAudience['plan']): Condition =>
  plan === 'free'
    ? { on: 'plan', op: 'has_not', plan: 'any' }
    : { on: 'plan', op: 'has', plan: plan === 'paid' ? 'any' : plan }

/** Whether the subscriber `s` has paused their mail. The pause ends by itself. */
const isPaused = sql<SqlBool>`s.paused_until is not null and s.paused_until > now()`

/** Whether the subscriber `s` gets publications in a digest. They do as long as the newsletter offers it. */
const isOnDigest = (newsletterId: string) =>
  sql<SqlBool>`s.pace <> 'every' and (select n.digests from newsletter n where n.id = ${newsletterId})`

/**
 * `may_receive`: a confirmed subscriber who has not paused. `named`: the audience names them. `suppressed_by`: why their address
 * gets no mail, or null. `on_digest`: they get publications in a digest and not one by one. Of `named` ones alone, PostgreSQL
 * joins what everybody did instead of looking it up for each.
 */
const subscribersFor = (meant: Meant, { among = 'all', only }: { among?: Among; only?: 'named' } = {}) => sql`
  select s.id, s.email, s.name, s.language, s.status, s.status = 'active' and not (${isPaused}) as may_receive,
    ${only ? sql`true` : matches(meant)} as named, ${isPaused} as paused, x.reason as suppressed_by,
    ${isOnDigest(meant.newsletterId)} as on_digest
  from ${among === 'all' ? sql.table('subscriber') : sql`(${among})`} s
  left join suppression x on x.newsletter_id = ${meant.newsletterId} and x.email_normalised = s.email_normalised
  where s.newsletter_id = ${meant.newsletterId} and s.status <> 'campaign_only' and ${only ? matches(meant) : sql`true`}`

/**
 * SQL for the recipients of a sending at the moment of planning: rows of `id`, `email`, `suppressed_by`, which is
 * null for those who get the mail, and `on_digest`. A publication that goes to all at once leaves those on a digest out, and
 * has it wait for their digest; a welcome and a digest do not.
 */
export const recipientsToPlan = (newsletterId: string, audience: Audience) => sql`
  select id, email, suppressed_by, on_digest
  from (${subscribersFor({ newsletterId, audience, asOf: now }, { only: 'named' })}) subscribers where may_receive`

/**
 * SQL for checking planned recipients again: rows of `id`, `email`, `name`, `language` and `excluded_by`, which says why a
 * subscriber may not get the mail after all, or is null. The address is the one that they have now. A subscriber who was erased has no row. Time counts as of the
 * sending's beginning, so that nobody drops out of a long one because days go by. Whoever chose a digest meanwhile still gets
 * what was planned before. `plans`, when asked for, are the ids of those that they have at this moment.
 */
export const recipientsNow = (
  sending: { newsletterId: string; id: string; audience: Audience },
  { withPlans = false }: { withPlans?: boolean } = {},
) => {
  const { newsletterId, id, audience } = sending
  const asOf = sql<Date>`(
    select begun.started_at from sending begun where begun.newsletter_id = ${newsletterId} and begun.id = ${id})`
  return sql`
    select id, email, name, language,${withPlans ? sql` ${plansOf(newsletterId)} as plans,` : sql``}
      case when suppressed_by is not null then suppressed_by when may_receive and named then null
        when status <> 'active' then status when paused then 'paused' else 'audience' end as excluded_by
    from (${subscribersFor({ newsletterId, audience, asOf, asked: 'few' })}) subscribers`
}

/** The ids of the plans that a row of `subscribers` has now. */
const plansOf = (newsletterId: string) => sql<number[]>`array(
  select e.plan_id from entitlement e
  where e.newsletter_id = ${newsletterId} and e.subscriber_id = subscribers.id and e.until > now())`

/** Whether some of a newsletter's subscribers are on a digest. */
export async function isAnybodyOnDigest(db: Db, newsletterId: string): Promise<boolean> {
  const { rows } = await sql`
    select from subscriber s where s.newsletter_id = ${newsletterId} and ${isOnDigest(newsletterId)} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export interface AudienceCount {
  receive: number
  suppressed: number
  /** Of those: a person stopped their mail, and it never bounced. */
  byHand: number
  /** They get it in their next digest. */
  onDigest: number
  /** Of those who are subscribed: they get nothing until their pause ends. */
  paused: number
  pending: number
}

const nobody: AudienceCount = { receive: 0, suppressed: 0, byHand: 0, onDigest: 0, paused: 0, pending: 0 }

const countsOfAudience = sql`
  count(*) filter (where may_receive and suppressed_by is null and not on_digest)::integer as receive,
  count(*) filter (where may_receive and suppressed_by is null and on_digest)::integer as "onDigest",
  count(*) filter (where may_receive and suppressed_by is not null)::integer as suppressed,
  count(*) filter (where may_receive and suppressed_by = 'by_hand')::integer as "byHand",
  count(*) filter (where status = 'active' and paused)::integer as paused,
  count(*) filter (where status = 'pending')::integer as pending`

/** A publication, and whom it is meant for. */
interface Reached {
  publicationId: string
  audience: Audience
}

/** SQL that is true for a subscriber `s` who has a copy of the publication already, as a welcome or in a digest: nobody gets a second one. */
const hasCopy = (newsletterId: string, publicationId: string) => sql<SqlBool>`exists (
  select from (
    select subscriber_id from delivery where newsletter_id = ${newsletterId} and publication_id = ${publicationId}
    union all select subscriber_id from digest_item where newsletter_id = ${newsletterId} and publication_id = ${publicationId}
  ) copy where copy.subscriber_id = s.id)`

/**
 * How many would receive this publication now, how many are kept from it or have paused, and how many have not confirmed yet. Whoever has a
 * copy already counts as `already` alone.
 */
export async function countAudience(
  db: Db,
  newsletterId: string,
  { publicationId, audience }: Reached,
): Promise<AudienceCount & { already: number }> {
  const named = subscribersFor({ newsletterId, audience, asOf: now }, { only: 'named' })
  const { rows } = await sql<AudienceCount & { already: number }>`
    select ${countsOfAudience},
      (select count(*)::integer from (${named}) s where ${hasCopy(newsletterId, publicationId)} and may_receive and suppressed_by is null) as already
    from (${named}) s where status in ('active', 'pending') and not ${hasCopy(newsletterId, publicationId)}`.execute(db)
  return rows[0] ?? { ...nobody, already: 0 }
}

interface NamedCount extends AudienceCount {
  /** In any status. */
  subscribers: number
}

/** How many subscribers an audience names, to the last one. */
export async function countNamed(db: Db, newsletterId: string, audience: Audience): Promise<NamedCount> {
  const { rows } = await sql<NamedCount>`
    select count(*)::integer as subscribers, ${countsOfAudience}
    from (${subscribersFor({ newsletterId, audience, asOf: now }, { only: 'named' })}) subscribers`.execute(db)
  return rows[0] ?? { subscribers: 0, ...nobody }
}

/** How many of at most so many subscribers, drawn by the hash of their ids, an audience names. The index `subscriber_sample` finds them. */
export async function countNamedAmong(
  db: Db,
  { newsletterId, audience, most }: { newsletterId: string; audience: Audience; most: number },
): Promise<NamedCount & { drawn: number }> {
  const among = sql`select * from subscriber where newsletter_id = ${newsletterId} and uuid_hash(id) & 15 = 0
    order by uuid_hash(id) limit ${most}`
  // Materialised, since PostgreSQL would else ask what they did once for each of the counts.
  const { rows } = await sql<NamedCount & { drawn: number }>`
    with judged as materialized (
      select status, may_receive, paused, suppressed_by, named, on_digest
      from (${subscribersFor({ newsletterId, audience, asOf: now, asked: 'few' }, { among })}) subscribers
    )
    select (select count(*) from judged)::integer as drawn, count(*)::integer as subscribers, ${countsOfAudience}
    from judged where named`.execute(db)
  return rows[0] ?? { drawn: 0, subscribers: 0, ...nobody }
}

/**
 * Recipients of one variant get the same mail but for their placeholders: they have the same language, and the same gates of the
 * publication are open for them. Who is not known to have a plan has none.
 */
export const variantOf = (
  { language, plans = [] }: { language: string; plans?: readonly number[] },
  gates: readonly Gate[],
): string => (gates.length === 0 ? language : `${language} ${viewOf(gates, { plans: new Set(plans) })}`)

/** What a reader may lack: a value for a field, where every one of these gates is open for them. */
interface Lack {
  field: string
  gates: readonly Gate[]
}

export interface Lacking {
  field: string
  count: number
  /** The first of them by their address. */
  examples: { id: string; email: string }[]
}

const EXAMPLES = 3
/** As `trim` of JavaScript takes away. */
const BLANK = String.raw`^[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*$`

/** How many of those who would get this publication have no value where a merge tag has no fallback, for each field that somebody lacks. */
export async function countLacking(
  db: Db,
  newsletterId: string,
  { publicationId, audience, tags }: Reached & { tags: readonly Lack[] },
): Promise<Lacking[]> {
  const fields = [...new Set(tags.map(({ field }) => field))]
  if (fields.length === 0) return []
  const setting = { newsletterId, asOf: now }
  const lacks = fields.map((field) => {
    const ofField = tags.filter((tag) => tag.field === field)
    return sql`(${sql.join(
      ofField.map((tag) => lacksValue(tag, setting)),
      sql` or `,
    )})`
  })
  const { rows } = await sql<Lacking>`
    with reader as materialized (
      select s.id, s.email, array[${sql.join(lacks)}] as lacks
      from (${subscribersFor({ ...setting, audience }, { only: 'named' })}) s
      where s.may_receive and s.suppressed_by is null and not s.on_digest and not ${hasCopy(newsletterId, publicationId)}
    ), lacking as materialized (select * from reader where true = any(lacks))
    select f.field, (select count(*)::integer from lacking where lacks[f.place]) as count,
      array(select json_build_object('id', id, 'email', email) from lacking where lacks[f.place] order by email
        limit ${EXAMPLES}) as examples
    from unnest(${fields}::text[]) with ordinality f (field, place)
    order by f.place`.execute(db)
  return rows.filter(({ count }) => count > 0)
}

function lacksValue({ field, gates }: Lack, setting: Omit<Meant, 'audience'>): RawBuilder<SqlBool> {
  const value = { name: sql`s.name`, first_name: sql`s.name`, email: sql`s.email` }[field] ?? sql`null`
  const empty = sql`coalesce(${value}, '') ~ ${BLANK}`
  return gates.length === 0 ? sql`${empty}` : sql`(${empty} and ${conditionOf({ all: gates.map(passes) }, setting)})`
}

const passes = (gate: Gate): Filter =>
  typeof gate === 'string' ? conditionOnPlan(gate) : { any: gate.map((plan) => conditionOnPlan(plan)) }
