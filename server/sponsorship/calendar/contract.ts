import { z } from 'zod'
import { endpoint, Newsletter } from '../../http/endpoint.ts'
import { Booking } from '../bookings/contract.ts'
import { Day, Placement, SponsorshipSettings } from '../contract.ts'

const CalendarDay = z.object({
  day: Day,
  /** Whether placements are sold on it. */
  sold: z.boolean(),
  blocked: z.boolean(),
  reason: z.string(),
  /** What goes out on this day, or went out. */
  publications: z.array(
    z.object({ id: z.string(), number: z.int().nullable(), title: z.string(), published: z.boolean() }),
  ),
})
export type CalendarDay = z.infer<typeof CalendarDay>

export const readCalendar = endpoint('GET /api/newsletters/:newsletterId/sponsorship/calendar', {
  permission: 'sponsorship.read',
  summary: 'Days on which placements are sold, blocked, booked, or on which something goes out, with their bookings',
  params: Newsletter,
  query: z.object({ from: Day.optional(), to: Day.optional() }),
  reply: z.object({
    from: Day,
    to: Day,
    today: Day,
    placements: z.array(Placement),
    settings: SponsorshipSettings,
    days: z.array(CalendarDay),
    /** Those that hold their slot. */
    bookings: z.array(Booking),
  }),
})
