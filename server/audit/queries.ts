import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import pg from 'pg'
import type { z } from 'zod'
import { AccountAct, type AuditAct, type AuditActor, type AuditOutcome, actsOf } from '../audit-acts.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { harmless, streamCsv, utc } from '../database/csv.ts'
import { isUuid } from '../database/ids.ts'
import type { AuditDays, exportAudit, listAccountEvents, listAudit } from './contract.ts'

/** A newsletter's own lines, and what happened at the doors of its members' accounts since they became members. */
const linesOf = (newsletterId: string) => `
  select id, at, act, outcome, actor, user_id, api_key_id, about_user_id, network, null::text as method, reason, detail
  from audit where newsletter_id = ${pg.escapeLiteral(newsletterId)}
  union all
  select e.id, e.at, e.act, e.outcome, 'member', e.user_id, null, null, e.network, e.method, '', '{}'::jsonb
  from member m join newsletter n on n.id = m.newsletter_id
  join account_event e on e.user_id = m.user_id and e.at >= m.created_at
  where m.newsletter_id = ${pg.escapeLiteral(newsletterId)} and (n.audit_days is null or e.at > now() - make_interval(days => n.audit_days))`

interface Row {
  id: string
  at: Date
  act: AuditAct | AccountAct
  outcome: AuditOutcome
  actor: AuditActor
  userId: string | null
  userName: string | null
  keyId: string | null
  keyName: string | null
  aboutId: string | null
  aboutName: string | null
  publicationId: string | null
  publicationTitle: string | null
  network: string | null
  method: string | null
  reason: string
  detail: Record<string, unknown>
}

/** The lines of a newsletter, newest first, from the line `cursor` on. */
export async function listLines(
  db: Db,
  newsletterId: string,
  { cursor, limit, kind, userId }: z.output<typeof listAudit.query>,
) {
  const after = cursor && isUuid(cursor) ? sql`and x.id < ${cursor}` : sql``
  const { rows } = await sql<Row>`
    select x.id, x.at, x.act, x.outcome, x.actor, x.user_id as "userId", ${nameOf('u')} as "userName",
      x.api_key_id as "keyId", k.name as "keyName", x.about_user_id as "aboutId", ${nameOf('a')} as "aboutName",
      p.id as "publicationId", p.title as "publicationTitle", x.network, x.method, x.reason, x.detail
    from (${sql.raw(linesOf(newsletterId))}) x
    left join "user" u on u.id = x.user_id
    left join "user" a on a.id = x.about_user_id
    left join publication p on p.newsletter_id = ${newsletterId} and p.id = x.detail ->> 'publicationId'
    left join api_key k on k.newsletter_id = ${newsletterId} and k.id = x.api_key_id
    where true ${after} ${kind ? sql`and x.act = any(${actsOf(kind)}::text[])` : sql``}
      ${userId ? sql`and ${userId} in (x.user_id, x.about_user_id)` : sql``}
    order by x.id desc limit ${limit + 1}`.execute(db)
  const { audit_days: days } = await db
    .selectFrom('newsletter')
    .select('audit_days')
    .where('id', '=', newsletterId)
    .executeTakeFirstOrThrow()
  const shown = rows.slice(0, limit)
  return {
    rows: shown.map(present),
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    days: days as AuditDays,
  }
}

/** A person without a name is known by their address. */
const nameOf = (user: 'u' | 'a') => sql.raw<string | null>(`coalesce(nullif(${user}.name, ''), ${user}.email)`)

const present = ({ userId, userName, keyId, keyName, aboutId, aboutName, ...line }: Row) => ({
  id: line.id,
  at: line.at.toISOString(),
  act: line.act,
  outcome: line.outcome,
  actor: line.actor,
  network: line.network,
  method: line.method,
  reason: line.reason,
  detail: line.detail,
  who: userId === null ? null : { userId, name: userName ?? '' },
  apiKey: keyId === null ? null : { id: keyId, name: keyName },
  about: aboutId === null ? null : { userId: aboutId, name: aboutName ?? '' },
  publication: line.publicationId === null ? null : { id: line.publicationId, title: line.publicationTitle ?? '' },
})

export const streamLines = (
  { pool, shownIds }: Pick<Context, 'pool' | 'shownIds'>,
  newsletterId: string,
  { sheet, kind }: z.output<typeof exportAudit.query>,
): Promise<Readable> =>
  streamCsv(
    { pool, shownIds },
    `select ${utc('x.at')} as at, x.act, x.outcome, x.actor, x.user_id, ${harmless('u.email')} as user_email, x.api_key_id,
      x.about_user_id, ${harmless('a.email')} as about_email, x.network, x.method, ${harmless('x.reason')} as reason, x.detail
    from (${linesOf(newsletterId)}) x
    left join "user" u on u.id = x.user_id left join "user" a on a.id = x.about_user_id
    where ${kind ? `x.act in (${actsOf(kind).map(pg.escapeLiteral).join(', ')})` : true} order by x.id`,
    sheet,
  )

export async function listEventsOf(
  db: Db,
  userId: string,
  { cursor, limit }: z.output<typeof listAccountEvents.query>,
) {
  const rows = await db
    .selectFrom('account_event')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(cursor !== undefined && isUuid(cursor), (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return {
    rows: shown.map(({ at, act, user_id: _, ...rest }) => ({
      ...rest,
      at: at.toISOString(),
      act: AccountAct.parse(act),
    })),
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}
