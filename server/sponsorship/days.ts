import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { holdingStates } from './bookings/state.ts'
import type { CalendarDay } from './calendar/contract.ts'

export type Calendar = Pick<NewsletterRow, 'id' | 'timezone' | 'sponsor_weekdays'>

/** The day of a newsletter's calendar at a moment, as `2026-11-23`. */
export const dayAt = ({ timezone }: Pick<NewsletterRow, 'timezone'>, at: Date): string =>
  // Swedish writes days as ISO 8601 does.
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: timezone }).format(at)

const DAY_MS = 86_400_000

/** So many days later; earlier when the number is negative. */
export const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** The day of a publication: when it went out, else when it is to go. The table is `p`. */
const dayOfPublication = (timezone: string) =>
  sql`(coalesce(p.published_at, p.scheduled_at) at time zone ${timezone})::date`

interface Range {
  from: string
  to: string
}

/** Days on which placements are sold or blocked, something is booked, or something goes out, in their order. */
export async function listDays(
  db: Db,
  { id, timezone, sponsor_weekdays: weekdays }: Calendar,
  { from, to }: Range,
): Promise<CalendarDay[]> {
  const { rows } = await sql<CalendarDay>`
    with usual as (
      select d::date as day from generate_series(${from}::date, ${to}::date, interval '1 day') d
      where extract(isodow from d) = any(${weekdays}::integer[])
    ), going_out as (
      select ${dayOfPublication(timezone)} as day,
        jsonb_agg(jsonb_build_object('id', p.id, 'number', p.number, 'title', p.title, 'published', p.published_at is not null)
          order by coalesce(p.published_at, p.scheduled_at)) as publications
      from publication p where p.newsletter_id = ${id} and p.digest is null and p.state in ('scheduled', 'published')
        and coalesce(p.published_at, p.scheduled_at) between ${from}::date - 2 and ${to}::date + 2 group by 1
    ), booked as (
      select distinct day from booking where newsletter_id = ${id} and day between ${from}::date and ${to}::date
        and state = any(${holdingStates}::text[])
    ), named as (select * from sponsor_day where newsletter_id = ${id} and day between ${from}::date and ${to}::date),
    days as (
      select day from usual union select day from booked union select day from named
      union select day from going_out where day between ${from}::date and ${to}::date
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, n.kind is distinct from 'blocked' and (n.kind is not distinct from 'added' or u.day is not null) as sold,
      coalesce(n.kind = 'blocked', false) as blocked, coalesce(n.reason, '') as reason, coalesce(g.publications, '[]') as publications
    from days d left join usual u on u.day = d.day left join named n on n.day = d.day left join going_out g on g.day = d.day
    order by d.day`.execute(db)
  return rows
}

/** Whether placements are sold on a day: it is not blocked and not over. */
export async function isSold(db: Db, newsletter: Calendar, { day, now }: { day: string; now: Date }): Promise<boolean> {
  const [found] = await listDays(db, newsletter, { from: day, to: day })
  return Boolean(found?.sold) && day >= dayAt(newsletter, now)
}

/** @throws AppError day_not_sold for a day that is blocked, over, or on which nothing is sold */
export async function requireSold(db: Db, newsletter: Calendar, asked: { day: string; now: Date }): Promise<void> {
  if (!(await isSold(db, newsletter, asked))) throw new AppError('day_not_sold')
}

/** @throws AppError day_booked for a day that has bookings, which would be left without a publication */
export async function setDay(
  tx: Db,
  newsletterId: string,
  { day, kind, reason }: { day: string; kind: 'added' | 'blocked' | null; reason: string },
): Promise<void> {
  // Whoever books a slot holds this lock too.
  await lockDays(tx, newsletterId)
  if (kind === 'blocked' && (await isBooked(tx, newsletterId, day))) throw new AppError('day_booked')
  if (kind === null)
    await tx
      .deleteFrom('sponsor_day')
      .where('newsletter_id', '=', newsletterId)
      .where('day', '=', sql<Date>`${day}::date`)
      .execute()
  else
    await sql`
      insert into sponsor_day (newsletter_id, day, kind, reason) values (${newsletterId}, ${day}::date, ${kind}, ${reason})
      on conflict (newsletter_id, day) do update set kind = excluded.kind, reason = excluded.reason`.execute(tx)
}

/** Blocking a day and booking a slot wait for each other. */
export const lockDays = (tx: Db, newsletterId: string) =>
  tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()

async function isBooked(tx: Db, newsletterId: string, day: string): Promise<boolean> {
  const { rows } = await sql`
    select from booking where newsletter_id = ${newsletterId} and day = ${day}::date and state = any(${holdingStates}::text[])
    limit 1`.execute(tx)
  return rows.length > 0
}
