import { z } from 'zod'
import { endpoint, line, lines, Newsletter, webAddress } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'

const When = z.iso.datetime()

export const mostHouseCampaigns = 50

/** What the newsletter says of its own in a slot that nobody booked. */
const HouseWords = z
  .partialRecord(z.enum(languages), z.object({ name: line(40), text: lines(2_000), label: line(40) }))
  .refine((words) => Object.keys(words).length > 0, { message: 'required' })

const values = z.object({
  /** As its members call it. */
  name: line(120),
  words: HouseWords,
  target: webAddress(),
  /** Null: at once. */
  startsAt: When.nullable(),
  /** Null: without an end. */
  endsAt: When.nullable(),
  /** Whether it is used at all. */
  on: z.boolean(),
})

export const HouseCampaign = values.extend({
  id: z.string(),
  /** In how many publications it stood, and when in the last one. */
  shown: z.int(),
  shownAt: When.nullable(),
})
export type HouseCampaign = z.infer<typeof HouseCampaign>

export const listHouseCampaigns = endpoint('GET /api/newsletters/:newsletterId/sponsorship/house-campaigns', {
  permission: 'sponsorship.read',
  summary: 'House campaigns: what the newsletter says of its own in sponsor slots that nobody booked',
  params: Newsletter,
  reply: z.object({ campaigns: z.array(HouseCampaign) }),
})

export const createHouseCampaign = endpoint('POST /api/newsletters/:newsletterId/sponsorship/house-campaigns', {
  permission: 'sponsorship.write',
  summary: 'Make a house campaign. Those that stood in a publication the longest ago take turns first',
  params: Newsletter,
  body: values.extend({
    startsAt: When.nullable().default(null),
    endsAt: When.nullable().default(null),
    on: z.boolean().default(true),
  }),
  audit: { act: 'house_campaign_made' },
  reply: HouseCampaign,
  errors: ['too_many_house_campaigns'],
})

export const updateHouseCampaign = endpoint(
  'PATCH /api/newsletters/:newsletterId/sponsorship/house-campaigns/:houseCampaignId',
  {
    permission: 'sponsorship.write',
    summary: 'Change a house campaign, or switch it off. What went out stays as it was',
    params: Newsletter.extend({ houseCampaignId: z.string().max(20) }),
    body: values.partial(),
    audit: { act: 'house_campaign_changed', keeps: ['on'] },
    reply: HouseCampaign,
    errors: ['campaign_not_found'],
  },
)
