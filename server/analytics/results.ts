import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Range } from '../charge/figures/range.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { keptSince } from '../links/kept-since.ts'
import type { WithRelays } from '../relays/relays.ts'
import { noProgress, readProgress } from '../sending/progress.ts'
import type { getPublicationResult, PublicationResult } from './contract.ts'

type Result = z.infer<typeof PublicationResult>
type Dependencies = Pick<WithRelays, 'db' | 'relays' | 'now'>
type Running = z.infer<typeof getPublicationResult.reply>

interface Row {
  id: string
  number: number | null
  title: string
  language: Result['language']
  channel: Result['channel']
  digest: Result['digest']
  status: Result['status']
  stopped_by: string | null
  at: Date | null
  counts: Result['counts']
  as_welcome: number
  opens: number | null
  raw: number
  human: number
  people: number | null
  unsubscribes: number
  bounces: number
  complaints: number
}

interface Selection {
  /** A condition on the table `publication`. */
  which: ReturnType<typeof sql<SqlBool>>
  limit: number
}

/** The figures of any number of publications in one statement. Triggers have counted them. */
async function query(db: Db, newsletterId: string, { which, limit }: Selection) {
  const kept = (what: 'clickers' | 'opens') => keptSince(newsletterId, { what, began: sql`p.at` })
  const { rows } = await sql<Row>`
    with p as (
      select id, number, title, language, channel, digest, status, stopped_by, coalesce(started_at, published_at, scheduled_at) as at
      from publication join publication_status s using (newsletter_id)
      where newsletter_id = ${newsletterId} and publication_id = id and (${which})
      order by coalesce(started_at, published_at, scheduled_at) desc nulls last limit ${limit}
    ), r as (
      select publication_id, sum(raw)::integer as raw, sum(human)::integer as human, sum(people)::integer as people,
        sum(unsubscribes)::integer as unsubscribes, sum(bounces)::integer as bounces, sum(complaints)::integer as complaints
      from publication_result where newsletter_id = ${newsletterId} and publication_id in (select id from p) group by 1
    )
    select p.*, case when d.opened > 0 or ${kept('opens')} then coalesce(d.opened, 0) end as opens,
      coalesce(r.raw, 0) as raw, coalesce(r.human, 0) as human,
      case when ${kept('clickers')} then coalesce(r.people, 0) end as people,
      coalesce(r.unsubscribes, 0) as unsubscribes, coalesce(r.bounces, 0) as bounces,
      coalesce(r.complaints, 0) as complaints,
      json_build_object('intended', coalesce(d.intended, 0), 'queued', coalesce(d.queued, 0),
        'claimed', coalesce(d.claimed, 0), 'accepted', coalesce(d.accepted, 0), 'caught', coalesce(d.caught, 0), 'deferred', coalesce(d.deferred, 0),
        'failed', coalesce(d.failed, 0), 'suppressed', coalesce(d.suppressed, 0),
        'uncertain', coalesce(d.uncertain, 0)) as counts,
      (select coalesce(sum(c.intended), 0)::integer from sending s
        join delivery_count c on c.newsletter_id = s.newsletter_id and c.sending_id = s.id
        where s.newsletter_id = ${newsletterId} and s.publication_id = p.id and s.welcome) as as_welcome
    from p
    left join publication_count d on d.newsletter_id = ${newsletterId} and d.publication_id = p.id
    left join r on r.publication_id = p.id
    order by p.at desc nulls last`.execute(db)
  return rows
}

const present = (row: Row): Result => ({
  id: row.id,
  number: row.number,
  title: row.title,
  language: row.language,
  channel: row.channel,
  digest: row.digest,
  status: row.status,
  stoppedBy: row.stopped_by,
  at: row.at?.toISOString() ?? null,
  counts: row.counts,
  asWelcome: row.as_welcome,
  opens: row.opens,
  clicks: { raw: row.raw, human: row.human, people: row.people },
  unsubscribes: row.unsubscribes,
  bounces: row.bounces,
  complaints: row.complaints,
})

async function withProgress(context: Dependencies, newsletterId: string, results: Result[]): Promise<Running[]> {
  const ids = results.map(({ id }) => id)
  const progress = ids.length > 0 ? await readProgress(context, newsletterId, ids) : new Map()
  return results.map((result) => ({ ...result, progress: progress.get(result.id) ?? noProgress }))
}

export const listResults = async (db: Db, newsletterId: string): Promise<Result[]> =>
  (
    await query(db, newsletterId, {
      which: sql`status in ('sent', 'sending', 'paused', 'cancelled') and started_at is not null
    or status = 'sent' and published_at is not null`,
      limit: 10,
    })
  ).map(present)

/** As many as a newsletter of ten years with one a day has. */
const MOST = 3_660

/** The results of the publications that began to go out on the days of a range, the newest first. */
export const listResultsWithin = async (
  db: Db,
  { id, timezone }: Pick<NewsletterRow, 'id' | 'timezone'>,
  { from, to }: Range,
): Promise<Result[]> =>
  (
    await query(db, id, {
      which: sql`status in ('sent', 'sending', 'paused', 'cancelled')
        and coalesce(started_at, published_at) >= ${from}::date::timestamp at time zone ${timezone}
        and coalesce(started_at, published_at) < (${to}::date + 1)::timestamp at time zone ${timezone}`,
      limit: MOST,
    })
  ).map(present)

export async function listRunning(context: Dependencies, newsletterId: string): Promise<Running[]> {
  const rows = await query(context.db, newsletterId, { which: sql`status in ('sending', 'paused')`, limit: 10 })
  return withProgress(context, newsletterId, rows.map(present))
}

/** The results of the newsletter's publications with these ids. Other ids are left out. */
export const findResults = async (db: Db, newsletterId: string, ids: string[]): Promise<Result[]> =>
  (await query(db, newsletterId, { which: sql`id = any(${ids})`, limit: ids.length })).map(present)

/** @throws AppError publication_not_found */
export async function findResult(context: Dependencies, newsletterId: string, publicationId: string): Promise<Running> {
  const [row] = await query(context.db, newsletterId, { which: sql`id = ${publicationId}`, limit: 1 })
  if (!row) throw new AppError('publication_not_found')
  const [result] = await withProgress(context, newsletterId, [present(row)])
  if (!result) throw new AppError('publication_not_found')
  return result
}
