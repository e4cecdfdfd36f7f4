import { sql } from 'kysely'
import type { z } from 'zod'
import type { MoneyOfPart } from '../../charge/figures/money-figures.ts'
import { partOf } from '../../charge/figures/pieces.ts'
import type { Range } from '../../charge/figures/range.ts'
import type { Db } from '../../database/client.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Permission } from '../../permissions.ts'
import { dayInstead } from '../../sponsorship/bookings/bookings.ts'
import { dayAt, daysLater } from '../../sponsorship/days.ts'
import type { readAdvertiseResults } from './contract.ts'

export type Results = z.input<typeof readAdvertiseResults.reply>
type Of = Pick<NewsletterRow, 'id' | 'timezone'>
interface SponsorMoney {
  currency: string
  net: number
  booked: number
}

const DAYS = 30
const YES_DAYS = 90
const MOST = 6
/** So many months before this one, and after it, are shown. */
const MONTHS_BEFORE = 8
const MONTHS_AFTER = 3

interface Reader {
  newsletter: NewsletterRow
  now: Date
  may: (permission: Permission) => boolean
}

/** Roll-ups and bookings; no click is read. Each part is for whoever may read what it is of. */
export async function readResults(db: Db, { newsletter, now, may }: Reader): Promise<Results> {
  const to = dayAt(newsletter, now)
  const range = { from: daysLater(to, 1 - DAYS), to }
  const yesesFrom = daysLater(to, 1 - YES_DAYS)
  const links = { ...newsletter, withSponsors: may('sponsorship.read') }
  const [points, places, yeses, revenue, reports] = await Promise.all([
    clicksByDay(db, links, range),
    bestPlaces(db, links, range),
    may('campaigns.read') ? yesesByDay(db, newsletter, { from: yesesFrom, to }) : null,
    may('charge.read') ? moneyByMonth(db, newsletter, to) : null,
    may('sponsorship.read') ? lastReports(db, newsletter.id) : null,
  ])
  const sum = (of: 'raw' | 'human') => points.reduce((total, point) => total + point[of], 0)
  const inRange = { raw: sum('raw'), human: sum('human') }
  return { range: { ...range, by: 'day' }, points, inRange, places, yeses, yesesFrom, revenue, reports }
}

type Links = Of & { withSponsors: boolean }

/** Links of the owner's own making, and those of bookings for whoever may read these. */
const advertised = ({ id, withSponsors }: Links) => sql`
  select l.id, null::uuid as booking_id, null::date as day, l.name from short_link l
  where l.newsletter_id = ${id} and l.publication_id is null and not l.canary
  union all select b.short_link_id, b.id, b.day, b.sponsor from booking b
  where b.newsletter_id = ${id} and b.short_link_id is not null and ${withSponsors}::boolean`

const within = ({ timezone }: Of, { from, to }: Range) => sql`
  c.hour >= ${from}::date::timestamp at time zone ${timezone} and c.hour < (${to}::date + 1)::timestamp at time zone ${timezone}`

async function clicksByDay(db: Db, of: Links, range: Range): Promise<Results['points']> {
  const { rows } = await sql<Results['points'][number]>`
    select to_char(c.hour at time zone ${of.timezone}, 'YYYY-MM-DD') as since, sum(c.clicks)::integer as raw,
      coalesce(sum(c.clicks) filter (where c.rule = ''), 0)::integer as human
    from (${advertised(of)}) a join link_clicks_by_hour c on c.newsletter_id = ${of.id} and c.short_link_id = a.id
    where ${within(of, range)} group by 1 having sum(c.clicks) <> 0 order by 1`.execute(db)
  return rows
}

async function bestPlaces(db: Db, of: Links, range: Range): Promise<Results['places']> {
  const { rows } = await sql<Results['places'][number]>`
    select a.id as "linkId", a.name, a.booking_id as "bookingId", to_char(a.day, 'YYYY-MM-DD') as day, sum(c.clicks)::integer as raw,
      coalesce(sum(c.clicks) filter (where c.rule = ''), 0)::integer as human
    from (${advertised(of)}) a join link_clicks_by_hour c on c.newsletter_id = ${of.id} and c.short_link_id = a.id
    where ${within(of, range)} group by 1, 2, 3, 4 having sum(c.clicks) <> 0 order by 6 desc, 5 desc, 1 limit ${MOST}`.execute(
    db,
  )
  return rows
}

async function yesesByDay(db: Db, { id, timezone }: Of, { from, to }: Range): Promise<Results['yeses']> {
  const { rows } = await sql<{ day: string; confirmed: number }>`
    select to_char(o.confirmed_at at time zone ${timezone}, 'YYYY-MM-DD') as day, count(*)::integer as confirmed
    from opt_in o where o.newsletter_id = ${id} and o.undone_at is null
      and o.confirmed_at >= ${from}::date::timestamp at time zone ${timezone}
      and o.confirmed_at < (${to}::date + 1)::timestamp at time zone ${timezone}
    group by 1 order by 1`.execute(db)
  return rows
}

/** Of a member's step `s` that notes a payment: it gives no slot to money that came by card before, which the books have already. */
const isNewMoney = sql`coalesce((select e.act from booking_step e
  where e.newsletter_id = s.newsletter_id and e.booking_id = s.booking_id and e.id < s.id
    and e.act in ('pay', 'refund', 'pay_without_slot', 'refund_owed', 'refund_failed')
  order by e.id desc limit 1), '') not in ('pay_without_slot', 'refund_failed')`

/**
 * What was agreed for days, and what came and went back on days, in the newsletter's calendar, as `day`, `currency`, `booked`, `paid` and
 * `given_back`. What moved by card is read from the books, so that it agrees with them: a refund that fails and a dispute that is won are
 * money that came again. What moved outside is what members noted. Payments in test mode are none.
 */
const moved = ({ id, timezone }: Of) => sql`
  select case when b.state <> 'made_good' or b.ran_at is not null then b.day else (${dayInstead}) end as day, b.currency, b.amount as booked,
    0 as paid, 0 as given_back
  from booking b where b.newsletter_id = ${id} and b.state not in ('requested', 'declined', 'expired', 'cancelled', 'refunded')
  union all
  select (p.at at time zone ${timezone})::date, p.currency, 0, greatest(p.amount, 0), greatest(-p.amount, 0)
  from payment p where p.newsletter_id = ${id} and p.booking_id is not null and not p.test
  union all
  select (s.at at time zone ${timezone})::date, b.currency, 0,
    case s.act when 'pay' then b.amount else 0 end, coalesce(s.amount, 0)
  from booking_step s join booking b on b.newsletter_id = s.newsletter_id and b.id = s.booking_id
  where s.newsletter_id = ${id} and s.actor = 'member' and (s.amount is not null or s.act = 'pay' and ${isNewMoney})`

async function moneyByMonth(db: Db, of: Of, today: string): Promise<Results['revenue']> {
  const { rows } = await sql<NonNullable<Results['revenue']>[number]>`
    select to_char(date_trunc('month', day), 'YYYY-MM-DD') as month, currency, sum(booked)::bigint as booked, sum(paid)::bigint as paid,
      sum(given_back)::bigint as "givenBack"
    from (${moved(of)}) m
    where date_trunc('month', day)::date between date_trunc('month', ${today}::date) - ${MONTHS_BEFORE} * interval '1 month'
      and date_trunc('month', ${today}::date) + ${MONTHS_AFTER} * interval '1 month'
    group by 1, currency having sum(booked + paid + given_back) > 0 order by 1, currency`.execute(db)
  return rows
}

/** What sponsors brought on the days of a range, by currency: what they paid less what went back, and what is agreed for those days. */
export async function sponsorMoneyWithin(db: Db, of: Of, { from, to }: Range): Promise<SponsorMoney[]> {
  const { rows } = await sql<SponsorMoney>`
    select currency, sum(paid - given_back)::bigint as net, sum(booked)::bigint as booked from (${moved(of)}) m
    where day between ${from}::date and ${to}::date
    group by currency having sum(booked + paid + given_back) > 0 order by 2 desc, currency`.execute(db)
  return rows
}

/** The same money in each equal part of the range. What is agreed is not in it. */
export async function sponsorMoneyByPart(db: Db, of: Of, range: Range): Promise<MoneyOfPart[]> {
  const { rows } = await sql<MoneyOfPart>`
    select currency, ${partOf(sql`day`, range)} as part, sum(paid - given_back)::bigint as net from (${moved(of)}) m
    where day between ${range.from}::date and ${range.to}::date and paid + given_back > 0 group by 1, 2`.execute(db)
  return rows
}

async function lastReports(db: Db, id: string): Promise<Results['reports']> {
  const { rows } = await sql<{
    bookingId: string
    sponsor: string
    day: string
    isFinal: boolean
    isCounted: boolean
    raw: number
    human: number
  }>`
    select b.id as "bookingId", b.sponsor, to_char(b.day, 'YYYY-MM-DD') as day, r.booking_id is not null as "isFinal",
      b.short_link_id is not null as "isCounted",
      coalesce((r.figures -> 'clicks' ->> 'raw')::integer, l.raw::integer, 0) as raw,
      coalesce((r.figures -> 'clicks' ->> 'human')::integer, l.human::integer, 0) as human
    from booking b
    left join booking_report r on r.newsletter_id = b.newsletter_id and r.booking_id = b.id
    left join lateral (select sum(raw) as raw, sum(human) as human from link_clicks_by_source s
      where s.short_link_id = b.short_link_id and s.newsletter_id = b.newsletter_id) l on true
    where b.newsletter_id = ${id} and b.ran_at is not null
    order by b.ran_at desc, b.id limit ${MOST}`.execute(db)
  return rows.map(({ raw, human, isCounted, ...row }) => ({ ...row, clicks: isCounted ? { raw, human } : null }))
}
