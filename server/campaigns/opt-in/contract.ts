import { z } from 'zod'
import { Csv, Done, endpoint, line, lines, Newsletter, Sheet } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'

export const optInLimits = { campaigns: 200, question: 120, offer: 600, yes: 60, afterYes: 400, listDays: 365 } as const

/** What a reader is asked and told. */
const OptInWords = z.object({
  question: line(optInLimits.question),
  offer: lines(optInLimits.offer),
  /** On the button. */
  yes: line(optInLimits.yes),
  afterYes: lines(optInLimits.afterYes),
})
export type OptInWords = z.infer<typeof OptInWords>

const WordsByLanguage = z.partialRecord(z.enum(languages), OptInWords)
const Accent = z.string().regex(/^#[0-9A-Fa-f]{6}$/)

const Sponsor = z.object({
  name: line(120),
  address: line(200).or(z.literal('')),
  /** Where their privacy notice is. */
  privacy: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .or(z.literal('')),
})

/** Who has something of a yes. `newsletter` is this one: whoever says yes joins it, and gets the tag. */
const Beneficiary = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('newsletter'), tagId: z.int().min(1).max(2_147_483_647).nullable() }),
  /** By its id or handle. It gets subscribers once it agreed, at once when whoever asks may write in it too. */
  z.object({ kind: z.literal('other_newsletter'), newsletter: z.string().regex(/^[\w-]{1,60}$/) }),
  z.object({ kind: z.literal('sponsor'), sponsor: Sponsor }),
])

const optInStates = ['draft', 'scheduled', 'waiting', 'running', 'full', 'ended', 'withdrawn'] as const
export type OptInState = (typeof optInStates)[number]

/** `views`: null where the newsletter has not counted clicks all along. `yes`: who said it, confirmed or not. `confirmed`: those whose yes stands. `passed`: those of them whom the beneficiary was given. */
const Counts = z.object({
  views: z.object({ raw: z.int(), human: z.int() }).nullable(),
  yes: z.int(),
  confirmed: z.int(),
  passed: z.int(),
  undone: z.int(),
  /** Of those who confirmed at least fourteen days ago (`of`): who was still there after fourteen days. */
  stayed: z.object({ still: z.int(), of: z.int() }),
})

const OptInRow = z.object({
  id: z.string(),
  name: z.string(),
  version: z.int(),
  /** `waiting`: its time has come, and something is missing: words, or the consent of the other newsletter. */
  state: z.enum(optInStates),
  startsAt: z.iso.datetime().nullable(),
  endsAt: z.iso.datetime().nullable(),
  withdrawnAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  cap: z.int().nullable(),
  /** Places that are taken. */
  taken: z.int(),
  url: z.string(),
})

const Place = z.object({
  shortLinkId: z.string(),
  /** `page`: its own address without another link. */
  kind: z.enum(['page', 'link', 'publication']),
  /** Of a publication its title. */
  name: z.string(),
  /** Of a publication that has one. */
  number: z.int().nullable(),
  url: z.string(),
  counts: Counts,
})

export const OptInCampaign = OptInRow.extend({
  /** The page as readers see it, whose buttons change nothing. */
  previewUrl: z.string(),
  words: WordsByLanguage,
  beneficiary: z.object({
    kind: z.enum(['newsletter', 'other_newsletter', 'sponsor']),
    tagId: z.int().nullable(),
    newsletter: z
      .object({
        id: z.string(),
        name: z.string(),
        accepted: z.boolean(),
        /** Whether it agreed to other words, and not yet to these. */
        changed: z.boolean(),
      })
      .nullable(),
    sponsor: z.object({ name: z.string(), address: z.string(), privacy: z.string() }).nullable(),
  }),
  accent: z.string().nullable(),
  /** Contrast ratios of the accent as the page uses it (WCAG 2.2): with white, and with the night's paper. */
  contrast: z.object({ day: z.number(), night: z.number() }),
  counts: Counts,
  places: z.array(Place),
  /** Yeses that were confirmed on each day of the newsletter's calendar. */
  days: z.array(z.object({ day: z.iso.date(), confirmed: z.int() })),
  listLinks: z.array(
    z.object({
      id: z.int(),
      url: z.string(),
      createdAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
      revokedAt: z.iso.datetime().nullable(),
    }),
  ),
})

const OneCampaign = Newsletter.extend({ campaignId: z.string().max(20) })

export const listOptInCampaigns = endpoint('GET /api/newsletters/:newsletterId/opt-in-campaigns', {
  permission: 'campaigns.read',
  summary: 'Opt-in campaigns, newest first, with their yeses',
  params: Newsletter,
  reply: z.object({
    rows: z.array(OptInRow.extend({ counts: z.object({ yes: z.int(), confirmed: z.int() }) })),
  }),
})

export const createOptInCampaign = endpoint('POST /api/newsletters/:newsletterId/opt-in-campaigns', {
  permission: 'campaigns.write',
  makes: 'links',
  summary: 'Begin an opt-in campaign: a page at which readers are asked something, and a short link to it',
  params: Newsletter,
  body: z.object({ name: line(120) }),
  audit: { act: 'campaign_made', keeps: ['name'] },
  reply: OptInCampaign,
  errors: ['too_many_campaigns', 'too_many_links', 'too_many_requests'],
})

export const getOptInCampaign = endpoint('GET /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId', {
  permission: 'campaigns.read',
  cost: 'search',
  summary: 'An opt-in campaign with its words, its places and what came of each',
  params: OneCampaign,
  reply: OptInCampaign,
  errors: ['campaign_not_found'],
})

export const updateOptInCampaign = endpoint('PATCH /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId', {
  permission: 'campaigns.write',
  summary: 'Change an opt-in campaign. What a reader sees gets a new version, which receipts name',
  params: OneCampaign,
  body: z
    .object({
      name: line(120),
      words: WordsByLanguage,
      beneficiary: Beneficiary,
      startsAt: z.iso.datetime().nullable(),
      endsAt: z.iso.datetime().nullable(),
      cap: z.int().min(1).max(10_000_000).nullable(),
      /** Null: that of the newsletter. */
      accent: Accent.nullable(),
    })
    .partial(),
  audit: { act: 'campaign_changed', keeps: ['campaignId'] },
  reply: OptInCampaign,
  errors: [
    'campaign_not_found',
    'campaign_withdrawn',
    'beneficiary_fixed',
    'tag_not_found',
    'newsletter_not_found',
    'invalid',
  ],
})

export const withdrawOptInCampaign = endpoint(
  'POST /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/withdrawal',
  {
    permission: 'campaigns.write',
    summary: 'Withdraw an opt-in campaign for good. Its page says so; what people said stays',
    params: OneCampaign,
    audit: { act: 'campaign_withdrawn', keeps: ['campaignId'] },
    reply: OptInCampaign,
    errors: ['campaign_not_found'],
  },
)

export const addOptInPlace = endpoint('POST /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/places', {
  permission: 'campaigns.write',
  makes: 'links',
  summary: 'A place where the campaign is advertised: a short link of its own to its page',
  params: OneCampaign,
  body: z.object({
    name: line(120),
    slug: z
      .string()
      .regex(/^[\w-]{3,40}$/)
      .optional(),
  }),
  reply: OptInCampaign,
  errors: ['campaign_not_found', 'slug_taken', 'slug_reserved', 'too_many_links', 'too_many_requests'],
})

export const exportOptIns = endpoint('GET /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/opt-ins.csv', {
  permission: 'subscribers.export',
  cost: 'export',
  summary: 'Who said yes, with what they read, where they came from, and who took it back, as CSV',
  params: OneCampaign,
  query: Sheet,
  audit: { act: 'opt_ins_exported', keeps: ['campaignId'] },
  reply: Csv,
  errors: ['campaign_not_found'],
})

export const makeOptInListLink = endpoint(
  'POST /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/list-links',
  {
    permission: 'subscribers.export',
    summary: 'A signed address at which a sponsor downloads those who confirmed, until it expires or is revoked',
    params: OneCampaign,
    body: z.object({ days: z.int().min(1).max(optInLimits.listDays) }),
    audit: { act: 'opt_in_list_shared', keeps: ['campaignId', 'days'] },
    reply: OptInCampaign,
    errors: ['campaign_not_found', 'no_sponsor', 'too_many_list_links'],
  },
)

export const revokeOptInListLink = endpoint(
  'DELETE /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/list-links/:listLinkId',
  {
    permission: 'subscribers.export',
    summary: 'Close an address at which a sponsor downloads the list',
    params: OneCampaign.extend({ listLinkId: z.coerce.number().int().min(1).max(2_147_483_647) }),
    audit: { act: 'opt_in_list_revoked', keeps: ['campaignId', 'listLinkId'] },
    reply: OptInCampaign,
    errors: ['campaign_not_found', 'list_link_not_found'],
  },
)

const Offer = z.object({
  campaignId: z.string(),
  name: z.string(),
  /** The newsletter that asks. */
  from: z.string(),
  /** Of the words. */
  version: z.int(),
  words: WordsByLanguage,
  /** The words that this newsletter had agreed to, when they were changed since. */
  agreedTo: WordsByLanguage.nullable(),
  acceptedAt: z.iso.datetime().nullable(),
  /** Whether it waits for an answer: it would run, or begin, if this newsletter agreed. */
  waits: z.boolean(),
  /** Subscribers who came by it. */
  passed: z.int(),
})

export const listCampaignOffers = endpoint('GET /api/newsletters/:newsletterId/campaign-offers', {
  permission: 'campaigns.read',
  summary: 'Campaigns of other newsletters of this server that want to give this one subscribers',
  params: Newsletter,
  reply: z.object({ offers: z.array(Offer) }),
})

export const acceptCampaignOffer = endpoint('PUT /api/newsletters/:newsletterId/campaign-offers/:campaignId', {
  permission: 'newsletter.write',
  summary: 'Agree to get subscribers by a campaign of another newsletter, with the words that it has now',
  params: OneCampaign,
  /** The `version` of the offer as it was read: other words than those are not agreed to. */
  body: z.object({ version: z.int().min(0).max(2_147_483_647).optional() }).nullish(),
  audit: { act: 'campaign_offer_accepted', keeps: ['campaignId'] },
  reply: Done,
  errors: ['campaign_not_found', 'offer_changed'],
})

export const declineCampaignOffer = endpoint('DELETE /api/newsletters/:newsletterId/campaign-offers/:campaignId', {
  permission: 'newsletter.write',
  summary: 'Get no subscribers by a campaign of another newsletter, or none any more',
  params: OneCampaign,
  audit: { act: 'campaign_offer_declined', keeps: ['campaignId'] },
  reply: Done,
  errors: ['campaign_not_found'],
})
