import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Audit, Suppression } from '../database/types.ts'
import { readAnswer } from '../mail/answers/read-answer.ts'
import { replyCodeIn } from '../mail/enhanced-status.ts'
import { isSuppressedByImport } from './import/proof.ts'
import type { SubscriberRow } from './queries.ts'

const MAX_GROUPS = 200

/** Bounced subscribers of a newsletter whose mail got the same answer, to one publication or to none that is known. */
export interface SuppressionGroup {
  newsletterId: string
  answer: string
  publicationId: string | null
  publicationTitle: string | null
  subscribers: number
  from: Date
  to: Date
  /** Whether the answer says that the addresses do not exist. */
  gone: boolean
}

/** The largest groups of so many subscribers or more, largest first: of a newsletter, or of all where it is null. What an imported file says is no answer, and in no group. */
export async function suppressionGroups(
  db: Db,
  { newsletterId, atLeast }: { newsletterId: string | null; atLeast: number },
): Promise<SuppressionGroup[]> {
  const { rows } = await sql<Omit<SuppressionGroup, 'gone'> & { example: string }>`
    select g.*, p.title as "publicationTitle" from (
      select x.newsletter_id as "newsletterId", x.answer, x.publication_id as "publicationId",
        count(*)::integer as subscribers, min(x.at) as "from", max(x.at) as "to", min(x.detail) as example
      from suppression x
      join subscriber s on s.newsletter_id = x.newsletter_id and s.email_normalised = x.email_normalised
      where x.reason = 'bounced' and not ${isSuppressedByImport(sql`x.detail`)} and ${newsletterId === null ? sql`true` : sql`x.newsletter_id = ${newsletterId}`}
      group by 1, 2, 3 having count(*) >= ${atLeast}
    ) g
    left join publication p on p.newsletter_id = g."newsletterId" and p.id = g."publicationId"
    order by g.subscribers desc, g."to" desc, g.answer limit ${MAX_GROUPS}`.execute(db)
  return rows.map(({ example, ...group }) => ({ ...group, gone: isGone(example) }))
}

/** A suppression keeps no step of the dialogue. Bounces are answers about a recipient, at `RCPT TO` or later. */
const isGone = (text: string): boolean => readAnswer({ stage: 'RCPT TO', code: replyCodeIn(text), text }).gone

interface SuppressionOf {
  reason: Suppression['reason']
  words: string
  imported: boolean
  publicationTitle: string | null
  at: Date
  liftedAt: Date | null
  actor: Audit['actor'] | null
  name: string | null
  why: string | null
}

/** What kept mail away from a subscriber, newest first, with who lifted it and why. The newest 50. */
export async function listSuppressionsOf(db: Db, subscriber: SubscriberRow): Promise<SuppressionOf[]> {
  const { newsletter_id, id, email_normalised } = subscriber
  const { rows } = await sql<SuppressionOf>`
    select x.reason, case when x.imported then '' else x.words end as words, x.imported, p.title as "publicationTitle", x.at, x.lifted_at as "liftedAt", a.actor, u.name, a.reason as why
    from (
      select reason, detail as words, ${isSuppressedByImport(sql`detail`)} as imported, publication_id, at, null as audit_id, null as lifted_at from suppression
        where newsletter_id = ${newsletter_id} and email_normalised = ${email_normalised}
      union all
      select reason, detail, ${isSuppressedByImport(sql`detail`)}, publication_id, suppressed_at, audit_id, lifted_at from lifted_suppression
        where newsletter_id = ${newsletter_id} and subscriber_id = ${id}
    ) x
    left join publication p on p.newsletter_id = ${newsletter_id} and p.id = x.publication_id
    left join audit a on a.newsletter_id = ${newsletter_id} and a.id = x.audit_id
    left join "user" u on u.id = a.user_id
    order by x.lifted_at is not null, x.at desc limit 50`.execute(db)
  return rows
}
