import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { Booking, BookingState, getBooking } from './contract.ts'
import { paidFor } from './state.ts'

/** Somebody has bought its slot, and it has not run. */
export const soldStates: readonly BookingState[] = ['invoiced', 'paid', 'creative_in', 'changes_asked', 'approved']

/** Days of each placement that a writer is told. */
const MOST_DAYS = 3

export interface ComingDay {
  placementId: number
  day: string
  sponsors: string[]
}

/** Of a publication `s`: it has a slot of the placement. */
const hasSlot = (placementId: ReturnType<typeof sql.ref> | number) =>
  sql<boolean>`s.sponsor_slots @> jsonb_build_array(jsonb_build_object('placementId', ${placementId}::integer))`

/**
 * The next days on which each placement is sold, from today on, but for those whose sponsors have a publication to run in already.
 *
 * @param asking the publication that asks, and the day on which it would go out
 */
export async function comingDays(
  db: Db,
  newsletterId: string,
  asking: { publicationId: string; day: string; today: string },
): Promise<ComingDay[]> {
  const { rows } = await sql<ComingDay>`
    with sold as (
      select b.placement_id, b.day, jsonb_agg(b.sponsor order by b.seat) as sponsors,
        row_number() over (partition by b.placement_id order by b.day) as nth
      from booking b join newsletter n on n.id = b.newsletter_id
      where b.newsletter_id = ${newsletterId} and b.day >= ${asking.today}::date and b.day <> ${asking.day}::date
        and b.state = any(${soldStates}::text[])
        and not exists (
          select from publication s
          where s.newsletter_id = b.newsletter_id and s.id <> ${asking.publicationId} and s.state = 'scheduled' and s.channel = 'everywhere'
            and (s.scheduled_at at time zone n.timezone)::date = b.day and ${hasSlot(sql.ref('b.placement_id'))})
      group by b.placement_id, b.day
    )
    select placement_id as "placementId", to_char(day, 'YYYY-MM-DD') as day, sponsors from sold where nth <= ${MOST_DAYS}
    order by placement_id, day`.execute(db)
  return rows
}

/** Publications that a booking's page offers. */
const MOST_PUBLICATIONS = 5

type Offered = z.input<typeof getBooking.reply>['couldRunIn']

/**
 * Where a booking that is sold could run while no publication of its day has its slot: what goes out on that day, then drafts with the slot:
 * those that are written for that day, then the last edited. Null when it is not sold, has run, has one already, or its day is over.
 */
export async function couldRunIn(
  db: Db,
  newsletterId: string,
  { booking, today }: { booking: Pick<Booking, 'state' | 'day' | 'placementId'>; today: string },
): Promise<Offered> {
  if (booking.day < today || !soldStates.some((state) => state === paidFor(booking.state))) return null
  const { rows } = await sql<NonNullable<Offered>[number] & { hasSlot: boolean }>`
    select s.id, s.title, s.state = 'scheduled' as "isOfDay", ${hasSlot(booking.placementId)} as "hasSlot"
    from publication s join newsletter n on n.id = s.newsletter_id
    where s.newsletter_id = ${newsletterId} and s.digest is null and s.channel = 'everywhere'
      and (s.state = 'draft' and ${hasSlot(booking.placementId)}
        or s.state = 'scheduled' and (s.scheduled_at at time zone n.timezone)::date = ${booking.day}::date)
    order by s.state = 'scheduled' desc, "hasSlot" desc, s.planned_day = ${booking.day}::date desc nulls last, s.edited_at desc, s.id limit ${MOST_PUBLICATIONS}`.execute(
    db,
  )
  if (rows.some((one) => one.isOfDay && one.hasSlot)) return null
  return rows.map(({ hasSlot: _, ...offered }) => offered)
}
