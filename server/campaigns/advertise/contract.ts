import { z } from 'zod'
import { Csv, endpoint, Newsletter, Sheet } from '../../http/endpoint.ts'

const Day = z.iso.date()
const Clicks = { raw: z.int(), human: z.int() }

/** Sums in the smallest unit of the currency. `month` is its first day. */
const Month = z.object({
  month: Day,
  currency: z.string(),
  /** Agreed for days of this month, paid or not. */
  booked: z.int(),
  /** That came, and that went back, in this month, whenever it runs. */
  paid: z.int(),
  givenBack: z.int(),
})

const Results = z.object({
  /** Of clicks and places: days of the newsletter's calendar. */
  range: z.object({ from: Day, to: Day, by: z.enum(['hour', 'day']) }),
  /** On short links of your own making, and on those of sponsors for whoever may read bookings. */
  points: z.array(z.object({ since: Day, ...Clicks })),
  inRange: z.object(Clicks),
  /** Those links with the most clicks by people. `day`: on which a sponsor's ran. */
  places: z.array(
    z.object({
      linkId: z.string(),
      name: z.string(),
      bookingId: z.string().nullable(),
      day: Day.nullable(),
      ...Clicks,
    }),
  ),
  /** Yeses that stand, by the day on which they were confirmed; null for whoever may not read campaigns. */
  yeses: z.array(z.object({ day: Day, confirmed: z.int() })).nullable(),
  /** The first day of those. The last is that of `range`. */
  yesesFrom: Day,
  /** What sponsors brought, a year around today; null for whoever may not read what was paid. */
  revenue: z.array(Month).nullable(),
  /** What ran last, the newest first; null for whoever may not read bookings. */
  reports: z
    .array(
      z.object({
        bookingId: z.string(),
        sponsor: z.string(),
        day: Day,
        isFinal: z.boolean(),
        /** Null where nothing could be counted. */
        clicks: z.object(Clicks).nullable(),
      }),
    )
    .nullable(),
})

const charts = ['revenue', 'clicks', 'places', 'yeses'] as const
export type AdvertiseChart = (typeof charts)[number]

export const readAdvertiseResults = endpoint('GET /api/newsletters/:newsletterId/advertise/results', {
  permission: 'links.read',
  cost: 'search',
  summary:
    'What came of advertising: clicks of thirty days, the best links, yeses, the money of sponsors by month, and what ran last',
  params: Newsletter,
  reply: Results,
})

export const exportAdvertiseResults = endpoint('GET /api/newsletters/:newsletterId/advertise/results.csv', {
  permission: 'links.read',
  cost: 'search',
  summary: 'One of the charts as CSV. Money and yeses need the permissions that their pages need',
  params: Newsletter,
  query: Sheet.extend({ chart: z.enum(charts) }),
  reply: Csv,
  errors: ['forbidden'],
})
