import { z } from 'zod'
import { Currency } from '../charge/currency.ts'
import { currencies } from '../charge/money.ts'
import { Done, endpoint, line, lines, Newsletter } from '../http/endpoint.ts'
import { languages } from '../languages.ts'

export const sponsorshipLimits = { placements: 40, calendarDays: 120, bookings: 5_000 } as const

/** What a placement is called, and what stands above a sponsor's words so that nobody takes them for the newsletter's. */
export const PlacementWords = z
  .partialRecord(z.enum(languages), z.object({ name: line(60), disclosure: line(80) }))
  .refine((words) => Object.keys(words).length > 0, { message: 'required' })

/** Sums in the smallest unit of each currency. */
export const PlacementPrices = z
  .partialRecord(Currency, z.int().min(1).max(99_999_999))
  .refine((prices) => Object.keys(prices).length <= currencies.length)

export const Placement = z.object({
  id: z.int(),
  words: PlacementWords,
  place: z.enum(['top', 'middle', 'end']),
  maxWords: z.int().min(5).max(500),
  takesImage: z.boolean(),
  /** How many sponsors one publication has here. */
  seats: z.int().min(1).max(6),
  /** So many days before the publication, what a sponsor says is due. */
  leadDays: z.int().min(0).max(60),
  prices: PlacementPrices,
  closedAt: z.iso.datetime().nullable(),
})
export type Placement = z.infer<typeof Placement>

const PlacementValues = Placement.omit({ id: true, closedAt: true })
const Id = z.coerce.number().int().min(1).max(2_147_483_647)

/** A day of the newsletter's calendar, between which the calendars of PostgreSQL and of browsers agree. */
export const Day = z.iso.date().refine((day) => day >= '2000-01-01' && day < '2100-01-01', { message: 'wrong' })

/** 1 is Monday, 7 is Sunday (ISO 8601). */
const Weekdays = z
  .array(z.int().min(1).max(7))
  .max(7)
  .refine((days) => new Set(days).size === days.length, { message: 'twice' })

/** What the page for sponsors can show of the newsletter. */
export const SponsorFigure = z.enum(['subscribers', 'accepted', 'clicks'])

/** What the owner says on it, by language. */
export const SponsorWords = z.partialRecord(z.enum(languages), lines(600))

export const SponsorshipSettings = z.object({
  /** The weekdays on which placements are sold. */
  weekdays: Weekdays,
  /** Whether sponsors can ask by themselves: not, by whoever has the address, or also by who finds it in a search engine. */
  page: z.enum(['closed', 'open', 'listed']),
  figures: z.array(SponsorFigure).max(SponsorFigure.options.length),
  words: SponsorWords,
  /** Whether slots that are put into publications begin as hidden from who pays. */
  hideFromPaid: z.boolean(),
})
export type SponsorshipSettings = z.infer<typeof SponsorshipSettings>

export const sponsorSettingNames = SponsorshipSettings.keyof().options
export type SponsorSettingName = keyof SponsorshipSettings

export const listPlacements = endpoint('GET /api/newsletters/:newsletterId/sponsorship/placements', {
  permission: 'sponsorship.read',
  summary: 'The placements that sponsors can buy, in their order, and the weekdays on which they are sold',
  params: Newsletter,
  reply: z.object({ placements: z.array(Placement), settings: SponsorshipSettings }),
})

export const createPlacement = endpoint('POST /api/newsletters/:newsletterId/sponsorship/placements', {
  permission: 'sponsorship.write',
  summary: 'Make a placement: a position in publications that sponsors can buy',
  params: Newsletter,
  body: PlacementValues.partial({ takesImage: true, seats: true, leadDays: true, prices: true }),
  audit: { act: 'placement_made' },
  reply: Placement,
  errors: ['too_many_placements'],
})

export const updatePlacement = endpoint('PATCH /api/newsletters/:newsletterId/sponsorship/placements/:placementId', {
  permission: 'sponsorship.write',
  summary: 'Change a placement. What was booked keeps its price; one that is closed is sold to nobody',
  params: Newsletter.extend({ placementId: Id }),
  body: PlacementValues.partial().extend({ closed: z.boolean().optional() }),
  audit: { act: 'placement_changed', keeps: ['closed', 'seats'] },
  reply: Placement,
  errors: ['placement_not_found', 'seats_booked'],
})

export const updateSponsorship = endpoint('PATCH /api/newsletters/:newsletterId/sponsorship/settings', {
  permission: 'sponsorship.write',
  summary: 'Change the weekdays on which placements are sold, and the page on which sponsors ask for them',
  params: Newsletter,
  body: SponsorshipSettings.partial(),
  audit: { act: 'sponsorship_changed', keeps: sponsorSettingNames },
  reply: SponsorshipSettings,
})

/** What is said of one day apart from the weekdays. */
export const saleDayKinds = ['added', 'blocked'] as const

export const setSponsorDay = endpoint('PUT /api/newsletters/:newsletterId/sponsorship/days', {
  permission: 'sponsorship.write',
  summary: 'Block a day, add one that is none of the weekdays, or leave it to the weekdays again (`null`)',
  params: Newsletter,
  body: z.object({
    day: Day,
    kind: z.enum(saleDayKinds).nullable(),
    reason: line(120).or(z.literal('')).default(''),
  }),
  audit: { act: 'sponsor_day_set', keeps: ['day', 'kind'] },
  reply: Done,
  errors: ['day_booked'],
})
