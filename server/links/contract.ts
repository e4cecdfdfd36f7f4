import { z } from 'zod'
import { Csv, Done, endpoint, line, Newsletter, Paging, pageOf, Sheet, webAddress } from '../http/endpoint.ts'

const Day = z.iso.date()

export const linkLimits = { name: 120, utmTemplates: 50 } as const

/**
 * `raw`: every request. `human`: those that no published rule excludes. `people`: the different subscribers among them; null where the
 * newsletter did not keep who clicked, or has not done so all along.
 */
export const CountedClicks = z.object({ raw: z.int(), human: z.int(), people: z.int().nullable() })

export const ShortLink = z.object({
  id: z.string(),
  url: z.string(),
  name: z.string(),
  target: z.string(),
  publicationId: z.string().nullable(),
  clicks: CountedClicks,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  disabledAt: z.iso.datetime().nullable(),
  /** Where it leads once it has ended or is disabled; null: to a page that says so. */
  fallback: z.string().nullable(),
})

const LinkPath = Newsletter.extend({ linkId: z.string().max(60) })

const LinkValues = z.object({
  name: line(linkLimits.name).or(z.literal('')),
  target: webAddress(),
  expiresAt: z.iso.datetime().nullable(),
  fallback: webAddress().nullable(),
})

/** The values that are put on a target: `utm_source` and so on, as analytics programs read them. */
export const Utm = z.object({
  source: line(100),
  medium: line(100).or(z.literal('')).default(''),
  campaign: line(100).or(z.literal('')).default(''),
  term: line(100).or(z.literal('')).default(''),
  content: line(100).or(z.literal('')).default(''),
})

export const createShortLink = endpoint('POST /api/newsletters/:newsletterId/links', {
  permission: 'links.write',
  makes: 'links',
  summary: 'Make a short link',
  params: Newsletter,
  body: LinkValues.partial({ name: true, expiresAt: true, fallback: true }).extend({
    slug: z
      .string()
      .min(3)
      .max(40)
      .regex(/^[\w-]*$/)
      .optional(),
    utm: Utm.optional(),
  }),
  reply: ShortLink,
  errors: ['slug_taken', 'slug_reserved', 'too_many_links', 'too_many_requests'],
})

export const updateShortLink = endpoint('PATCH /api/newsletters/:newsletterId/links/:linkId', {
  permission: 'links.write',
  summary:
    'Change a short link of your own making: its name, target, UTM values, end, fallback, or whether it is disabled',
  params: LinkPath,
  body: LinkValues.partial().extend({
    disabled: z.boolean().optional(),
    /** Put on the target in place of those that it has; null takes these away. */
    utm: Utm.nullable().optional(),
  }),
  audit: { act: 'link_changed', keeps: ['linkId', 'target', 'disabled'] },
  reply: ShortLink,
  errors: ['link_not_found', 'link_of_publication'],
})

export const listShortLinks = endpoint('GET /api/newsletters/:newsletterId/links', {
  permission: 'links.read',
  cost: 'search',
  summary: 'Short links with their clicks: of one publication when asked, only those of your own making when asked',
  params: Newsletter,
  query: Paging.extend({
    publicationId: z.string().max(20).optional(),
    own: z.stringbool().optional(),
    search: z.string().max(100).optional(),
  }),
  reply: pageOf(ShortLink),
})

/** Days of the newsletter's calendar, both included; the last thirty when they are left out. */
const Range = z.object({ from: Day.optional(), to: Day.optional(), by: z.enum(['hour', 'day']).default('day') })

const Facet = z.array(z.object({ value: z.string(), raw: z.int(), human: z.int() }))

export const getShortLink = endpoint('GET /api/newsletters/:newsletterId/links/:linkId', {
  permission: 'links.read',
  cost: 'search',
  summary:
    'A short link with its clicks by hour or day, by the rule that excluded them, by device, referrer and country',
  params: LinkPath,
  query: Range,
  reply: z.object({
    link: ShortLink,
    /** The publication in which it stands, when there still is one. */
    publication: z.object({ id: z.string(), number: z.int().nullable(), title: z.string() }).nullable(),
    range: z.object({ from: Day, to: Day, by: z.enum(['hour', 'day']) }),
    /** A row for each hour or day that has clicks: its beginning in the newsletter's timezone, such as `2026-11-22T14:00`. */
    points: z.array(z.object({ since: z.string(), raw: z.int(), human: z.int() })),
    inRange: z.object({ raw: z.int(), human: z.int() }),
    /** Of the range: those that a rule excluded, by its name. */
    excluded: z.array(z.object({ rule: z.string(), clicks: z.int() })),
    /** Since the link was made; those with the most clicks. */
    devices: Facet,
    referrers: Facet,
    countries: Facet,
    /** Whether clicks are counted by country here: the operator has given a database for it. */
    countriesKnown: z.boolean(),
  }),
  errors: ['link_not_found', 'invalid'],
})

export const exportLinkClicks = endpoint('GET /api/newsletters/:newsletterId/links/:linkId/clicks.csv', {
  permission: 'links.read',
  cost: 'search',
  summary:
    'The clicks of a short link by hour or day as CSV: raw, human, and one column for each rule that excluded some',
  params: LinkPath,
  query: Range.extend(Sheet.shape),
  reply: Csv,
  errors: ['link_not_found', 'invalid'],
})

export const exportLinkSources = endpoint('GET /api/newsletters/:newsletterId/links/:linkId/sources.csv', {
  permission: 'links.read',
  cost: 'search',
  summary:
    'Where the clicks of a short link came from since it was made, as CSV: raw and human by device, referrer and country, of each the 1,000 with the most',
  params: LinkPath,
  query: Sheet,
  reply: Csv,
  errors: ['link_not_found'],
})

export const drawQrCode = endpoint('GET /api/newsletters/:newsletterId/links/:linkId/qr', {
  permission: 'links.read',
  cost: 'search',
  summary: 'The QR code of a short link as a file: SVG, or PNG with so many pixels a side',
  params: LinkPath,
  query: z.object({
    format: z.enum(['svg', 'png']).default('svg'),
    pixels: z.coerce.number().int().min(100).max(2_000).default(1_000),
  }),
  /** Image bytes, and not JSON. */
  reply: z.unknown(),
  errors: ['link_not_found'],
})

const UtmTemplate = Utm.extend({ id: z.int(), name: line(60) })

export const listUtmTemplates = endpoint('GET /api/newsletters/:newsletterId/utm-templates', {
  permission: 'links.read',
  summary: 'UTM values that are kept under a name',
  params: Newsletter,
  reply: z.object({ templates: z.array(UtmTemplate) }),
})

export const keepUtmTemplate = endpoint('PUT /api/newsletters/:newsletterId/utm-templates', {
  permission: 'links.write',
  summary: 'Keep UTM values under a name; those that it had are replaced',
  params: Newsletter,
  body: UtmTemplate.omit({ id: true }),
  reply: UtmTemplate,
  errors: ['too_many_utm_templates'],
})

const OneTemplate = Newsletter.extend({ templateId: z.coerce.number().int() })

export const changeUtmTemplate = endpoint('PUT /api/newsletters/:newsletterId/utm-templates/:templateId', {
  permission: 'links.write',
  summary: 'Change UTM values that are kept, and their name',
  params: OneTemplate,
  body: keepUtmTemplate.body,
  reply: UtmTemplate,
  errors: ['utm_template_not_found', 'utm_name_taken'],
})

export const removeUtmTemplate = endpoint('DELETE /api/newsletters/:newsletterId/utm-templates/:templateId', {
  permission: 'links.write',
  summary: 'Forget UTM values',
  params: OneTemplate,
  reply: Done,
  errors: ['utm_template_not_found'],
})

const Replay = z.object({
  id: z.uuid(),
  version: z.int(),
  begunAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  judged: z.int(),
  /** Clicks of older versions of which too little is known. They stay as they were. */
  unknown: z.int(),
  /** What was otherwise before; a null stands for a person's click. */
  changes: z.array(z.object({ from: z.string().nullable(), to: z.string().nullable(), clicks: z.int() })),
})

export const getClickRules = endpoint('GET /api/newsletters/:newsletterId/click-rules', {
  permission: 'links.read',
  summary: 'The rules for clicks of people in their order, with their version, and how older clicks were judged anew',
  params: Newsletter,
  reply: z.object({ version: z.int(), rules: z.array(z.string()), replays: z.array(Replay) }),
})

export const replayClickRules = endpoint('POST /api/newsletters/:newsletterId/click-rules/replay', {
  permission: 'links.write',
  summary: 'Judge all clicks by the rules of today. One is under way at a time',
  params: Newsletter,
  audit: { act: 'clicks_judged_anew' },
  reply: Replay,
})
