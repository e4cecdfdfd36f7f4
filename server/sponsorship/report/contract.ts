import { z } from 'zod'
import { endpoint, Newsletter } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'
import { Creative } from '../bookings/contract.ts'
import { Day, PlacementWords } from '../contract.ts'

const When = z.iso.datetime()
const Clicks = { raw: z.int(), human: z.int() }
/** `raw` is null in reports that were final before it was counted. */
const Facet = z.array(z.object({ value: z.string(), raw: z.int().nullable().default(null), human: z.int() }))

/**
 * What is counted of a booking that ran, within seven days from the hour of its publication. Sums of roll-ups alone, so that they can be
 * kept when clicks, people and publications are not.
 */
export const Figures = z.object({
  /** What the placement was called, and what stood above the sponsor's words. */
  placement: PlacementWords,
  /** Null: it was noted by hand, or its publication was deleted before. */
  publication: z
    .object({
      number: z.int().nullable(),
      title: z.string(),
      /** Not known of what was counted before it was kept. */
      language: z.enum(languages).optional(),
    })
    .nullable(),
  /** Copies of that publication, and how many of them the mail relay accepted; null when it was not mailed, or is not known. */
  copies: z
    .object({
      intended: z.int(),
      accepted: z.int(),
      /** Whether some of these copies were without it: readers who pay did not see it. */
      hiddenFromPaid: z.boolean(),
    })
    .nullable(),
  /** Null: it had no link of its own, so nothing could be counted. */
  clicks: z
    .object({
      ...Clicks,
      /** Whether the newsletter did not count clicks some of the time: there may have been more. */
      interrupted: z.boolean().default(false),
      /** By the name of the rule, the most first. */
      excluded: z.array(z.object({ rule: z.string(), clicks: z.int() })),
      /** Hours and days since it ran that have any, counted from 0. */
      hours: z.array(z.object({ hour: z.int(), ...Clicks })),
      /** Values that few people have are added up as `rest`; '' is not known. */
      devices: Facet,
      countries: Facet,
      /** The version of the rules of that day. */
      rules: z.int(),
    })
    .nullable(),
  /** What was said by those who came through the link; null when it does not lead to a campaign of this newsletter. */
  yes: z
    .object({
      said: z.int(),
      confirmed: z.int(),
      undone: z.int(),
      /** Of those that stand: confirmed on each day since it ran, counted from 0. */
      days: z.array(z.object({ day: z.int(), confirmed: z.int() })),
    })
    .nullable(),
})
export type Figures = z.infer<typeof Figures>

/** A report as its sponsor reads it. */
export const Report = Figures.extend({
  sponsor: z.string(),
  day: Day,
  creative: Creative.nullable(),
  ranAt: When,
  /** Its publication on the web, while there is one. */
  url: z.string().nullable(),
  /** When the figures were counted once and for all; null while they are counted anew for everybody who looks. */
  takenAt: When.nullable(),
  /** Until when they can change. */
  finalAt: When,
})
export type Report = z.infer<typeof Report>

const OneBooking = Newsletter.extend({ bookingId: z.string().max(40) })

export const readReport = endpoint('GET /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/report', {
  permission: 'sponsorship.read',
  cost: 'search',
  summary:
    'What came of a booking that ran, as its sponsor reads it: live for seven days, then as it was. Null before it ran',
  params: OneBooking,
  reply: z.object({ report: Report.nullable() }),
  errors: ['booking_not_found'],
})

export const linkOfReport = endpoint(
  'POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/report-link',
  {
    permission: 'sponsorship.write',
    summary: 'The address of a sponsor’s report; with `renew` another one, and the old one works no more',
    params: OneBooking,
    body: z.object({ renew: z.boolean().default(false) }),
    audit: { act: 'booking_report_link_made', keeps: ['renew'] },
    reply: z.object({ url: z.url() }),
    errors: ['booking_not_found'],
  },
)
