import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'

/**
 * Who shall receive a publication. This file is the only definition of it: the count before sending, the plan, the check
 * before each delivery and the choice of variant all begin here. Segments and plans become further kinds.
 */
export type Audience = { kind: 'everyone' }

export const everyone: Audience = { kind: 'everyone' }

/** True for a subscriber `s` whom the audience names, whatever their status. */
function matches(audience: Audience): RawBuilder<SqlBool> {
  switch (audience.kind) {
    case 'everyone':
      return sql`true`
  }
}

/** Whether the subscriber `s` has paused their mail. The pause ends by itself. */
const isPaused = sql<SqlBool>`s.paused_until is not null and s.paused_until > now()`

/** `included`: a confirmed subscriber whom the audience names, and who has not paused. `suppressed_by`: why their address gets no mail, or null. */
const subscribersFor = (newsletterId: string, audience: Audience) => sql`
  select s.id, s.email, s.name, s.language, s.status,
    s.status = 'active' and not (${isPaused}) and ${matches(audience)} as included, ${matches(audience)} as named,
    ${isPaused} as paused, x.reason as suppressed_by
  from subscriber s
  left join suppression x on x.newsletter_id = ${newsletterId} and x.email_normalised = s.email_normalised
  where s.newsletter_id = ${newsletterId}`

/**
 * SQL for the recipients of a sending at the moment of planning: rows of `id`, `email` and `suppressed_by`, which is
 * null for those who get the mail.
 */
export const recipientsToPlan = (newsletterId: string, audience: Audience) => sql`
  select id, email, suppressed_by from (${subscribersFor(newsletterId, audience)}) subscribers where included`

/**
 * SQL for checking planned recipients again: rows of `id`, `name`, `language` and `excluded_by`, which says why a
 * subscriber may not get the mail after all, or is null. A subscriber who was erased has no row.
 */
export const recipientsNow = (newsletterId: string, audience: Audience) => sql`
  select id, name, language,
    case when suppressed_by is not null then suppressed_by when included then null
      when status <> 'active' then status when paused then 'paused' else 'audience' end as excluded_by
  from (${subscribersFor(newsletterId, audience)}) subscribers`

export interface AudienceCount {
  receive: number
  suppressed: number
  pending: number
}

/** How many would receive a mail now, how many are kept from it, and how many have not confirmed yet. */
export async function countAudience(db: Db, newsletterId: string, audience: Audience): Promise<AudienceCount> {
  const { rows } = await sql<AudienceCount>`
    select count(*) filter (where included and suppressed_by is null)::integer as receive,
      count(*) filter (where included and suppressed_by is not null)::integer as suppressed,
      count(*) filter (where status = 'pending' and named)::integer as pending
    from (${subscribersFor(newsletterId, audience)}) subscribers where status in ('active', 'pending')`.execute(db)
  return rows[0] ?? { receive: 0, suppressed: 0, pending: 0 }
}

/** Recipients of one variant get the same mail but for their placeholders. */
export const variantOf = ({ language }: { language: string }): string => language
