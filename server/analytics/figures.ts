import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { countDays, daysLater, type Range, rangeBefore } from '../charge/figures/range.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { keptSince } from '../links/kept-since.ts'
import type { getDashboard } from './contract.ts'

type Dashboard = z.infer<typeof getDashboard.reply>
export type Asked = z.output<typeof getDashboard.query>
type Figures = Dashboard['figures']
export type DashboardFigures = Pick<Dashboard, 'figures' | 'figuresBefore' | 'growth' | 'engagement'>
type Growth = Dashboard['growth'][number]
type Engagement = Dashboard['engagement'][number]
type Of = Pick<NewsletterRow, 'id' | 'timezone'>

export interface Ranges {
  range: Range
  before: Range | null
}

/** Ten years: a chart has a point for each day. */
const MOST_DAYS = 3_660
const USUAL_DAYS = 84

/** The range that was asked for and the one before it. @throws AppError invalid when it ends before it begins or is too long */
export async function rangesOf(
  db: Db,
  { newsletter, today, asked }: { newsletter: Of; today: string; asked: Asked },
): Promise<Ranges> {
  const to = asked.to ?? today
  if (asked.from === 'first') {
    const first = await firstDay(db, newsletter)
    const longest = daysLater(to, 1 - MOST_DAYS)
    const from = first === null || first > to ? to : first
    const [, later = to] = [from, longest].toSorted()
    return { range: { from: later, to }, before: null }
  }
  const range = checkedRange(asked.from ?? daysLater(to, 1 - USUAL_DAYS), to)
  return { range, before: rangeBefore(range) }
}

function checkedRange(from: string, to: string): Range {
  if (from > to) throw new AppError('invalid', { fields: { to: 'range' } })
  if (countDays({ from, to }) > MOST_DAYS) throw new AppError('invalid', { fields: { from: 'range' } })
  return { from, to }
}

/** Refuses days that are a range in no newsletter. @throws AppError invalid */
export function checkAsked({ from, to }: Asked): void {
  if (from !== undefined && from !== 'first' && to !== undefined) checkedRange(from, to)
}

async function firstDay(db: Db, { id, timezone }: Of): Promise<string | null> {
  const { rows } = await sql<{ first: string | null }>`
    select to_char(least(
      (select min(day) from daily_count where newsletter_id = ${id} and (joined > 0 or departed > 0)),
      (select min(coalesce(started_at, finished_at) at time zone ${timezone})::date from publication_status where newsletter_id = ${id})
    ), 'YYYY-MM-DD') as first`.execute(db)
  return rows[0]?.first ?? null
}

/** The figures of a range and of the one before, from what triggers have counted: no event, click or delivery is read. */
export async function readFigures(db: Db, newsletter: Of, { range, before }: Ranges): Promise<DashboardFigures> {
  const both = { from: before?.from ?? range.from, to: range.to }
  const [growth, engagement] = await Promise.all([
    readGrowth(db, newsletter, both),
    readEngagement(db, newsletter, both),
  ])
  const within = ({ from, to }: Range) => ({
    growth: growth.filter(({ day }) => day >= from && day <= to),
    engagement: engagement.filter(({ day }) => day >= from && day <= to),
  })
  const shown = within(range)
  return { ...shown, figures: sumsOf(shown), figuresBefore: before && sumsOf(within(before)) }
}

function sumsOf({ growth, engagement }: { growth: Growth[]; engagement: Engagement[] }): Figures {
  const sum = (of: (day: Engagement) => number) => engagement.reduce((total, day) => total + of(day), 0)
  const sumOrNull = (of: (day: Engagement) => number | null) =>
    engagement.some((day) => of(day) === null) ? null : sum((day) => of(day) ?? 0)
  return {
    joined: growth.reduce((total, { joined }) => total + joined, 0),
    departed: growth.reduce((total, { departed }) => total + departed, 0),
    subscribers: growth.at(-1)?.subscribers ?? 0,
    publications: sum(({ publications }) => publications),
    mailed: sum(({ mailed }) => mailed),
    accepted: sum(({ accepted }) => accepted),
    failed: sum(({ failed }) => failed),
    opens: sumOrNull(({ opens }) => opens),
    clicks: {
      raw: sum(({ clicks }) => clicks.raw),
      human: sum(({ clicks }) => clicks.human),
      people: sumOrNull(({ clicks }) => clicks.people),
    },
    unsubscribes: sum(({ unsubscribes }) => unsubscribes),
  }
}

/** Whether a publication `p`, whose status is `s`, began to go out on those days. */
const beganWithin = (timezone: string, { from, to }: Range) => sql<SqlBool>`
  coalesce(s.started_at, p.published_at) >= ${from}::date::timestamp at time zone ${timezone}
    and coalesce(s.started_at, p.published_at) < (${to}::date + 1)::timestamp at time zone ${timezone}`

/** Days in the newsletter's timezone: the number before the range, and who joined and left on each day. */
async function readGrowth(db: Db, { id, timezone }: Of, { from, to }: Range): Promise<Growth[]> {
  const { rows } = await sql<Growth>`
    with counted as (
      select day, joined, departed from daily_count where newsletter_id = ${id} and day between ${from}::date and ${to}::date
    ), sent as (
      select (coalesce(s.started_at, p.published_at) at time zone ${timezone})::date as day,
        array_agg(p.title order by coalesce(s.started_at, p.published_at)) as titles
      from publication p
      join publication_status s on s.newsletter_id = p.newsletter_id and s.publication_id = p.id
      where p.newsletter_id = ${id} and s.status in ('sending', 'paused', 'sent')
        and ${beganWithin(timezone, { from, to })} group by 1
    )
    select to_char(g.day, 'YYYY-MM-DD') as day, coalesce(c.joined, 0) as joined, coalesce(c.departed, 0) as departed,
      coalesce(s.titles, '{}') as sent,
      (coalesce((select sum(joined - departed) from daily_count where newsletter_id = ${id} and day < ${from}::date), 0)
        + sum(coalesce(c.joined - c.departed, 0)) over (order by g.day))::integer as subscribers
    from (select d::date as day from generate_series(${from}::date, ${to}::date, interval '1 day') d) g
    left join counted c on c.day = g.day left join sent s on s.day = g.day
    order by g.day`.execute(db)
  return rows
}

interface EngagementRow extends Omit<Engagement, 'clicks'> {
  raw: number
  human: number
  people: number | null
}

/** Who opened, clicked or left is of publications that were mailed: by a copy that was caught, or on the web, they would be a share of no copy. */
async function readEngagement(db: Db, { id, timezone }: Of, { from, to }: Range): Promise<Engagement[]> {
  const kept = (what: 'clickers' | 'opens') => keptSince(id, { what, began: sql`p.at` })
  const { rows } = await sql<EngagementRow>`
    with p as (
      select p.id, coalesce(s.started_at, p.published_at) as at, c.accepted, c.failed, c.opened,
        coalesce(c.accepted + c.failed, 0) > 0 as mailed
      from publication p join publication_status s on s.newsletter_id = p.newsletter_id and s.publication_id = p.id
      left join publication_count c on c.newsletter_id = p.newsletter_id and c.publication_id = p.id
      where p.newsletter_id = ${id} and s.status in ('sending', 'paused', 'sent', 'cancelled')
        and ${beganWithin(timezone, { from, to })}
    ), r as (
      select publication_id, sum(raw) as raw, sum(human) as human, sum(people) as people, sum(unsubscribes) as unsubscribes
      from publication_result where newsletter_id = ${id} and publication_id in (select id from p) group by 1
    )
    select to_char(p.at at time zone ${timezone}, 'YYYY-MM-DD') as day, count(*)::integer as publications,
      (count(*) filter (where p.mailed))::integer as mailed, coalesce(sum(p.accepted), 0)::integer as accepted,
      coalesce(sum(p.failed), 0)::integer as failed,
      case when bool_and(not p.mailed or p.opened > 0 or ${kept('opens')}) then coalesce(sum(p.opened) filter (where p.mailed), 0)::integer end as opens,
      coalesce(sum(r.raw), 0)::integer as raw,
      coalesce(sum(r.human), 0)::integer as human,
      case when bool_and(not p.mailed or ${kept('clickers')}) then coalesce(sum(r.people) filter (where p.mailed), 0)::integer end as people,
      coalesce(sum(r.unsubscribes) filter (where p.mailed), 0)::integer as unsubscribes
    from p
    left join r on r.publication_id = p.id
    group by 1 order by 1`.execute(db)
  return rows.map(({ raw, human, people, ...row }) => ({ ...row, clicks: { raw, human, people } }))
}
