import { z } from 'zod'
import { Csv, Done, endpoint, line, Newsletter, Paging, pageOf, Sheet } from '../../http/endpoint.ts'

/** How many can wait to be taken, and how many are made at once. */
export const giftLimits = { open: 2_000, atOnce: 100 } as const
/** Of what a buyer writes, in characters. */
export const giftLengths = { name: 80, message: 500 } as const

const When = z.iso.datetime()

export const Gift = z.object({
  id: z.string(),
  /** Three groups of four letters and digits. Who has it has the gift. */
  code: z.string(),
  planId: z.int(),
  months: z.int(),
  note: z.string(),
  createdAt: When,
  /** Until when it can be taken; null: without an end. */
  until: When.nullable(),
  state: z.enum(['open', 'taken', 'over', 'withdrawn']),
  takenAt: When.nullable(),
  /** Who took it; null when nobody did, or once they were erased. */
  subscriber: z.object({ id: z.string(), email: z.string(), name: z.string().nullable() }).nullable(),
  /** Of one that was bought by card; null of one that a member made. Addresses are null once they were forgotten. */
  bought: z
    .object({
      test: z.boolean(),
      buyer: z.string().nullable(),
      recipient: z.string().nullable(),
      /** When its recipient is written to; null where its buyer passes it on. */
      mailAt: When.nullable(),
      /** When its recipient, or without one its buyer, was written to last. */
      mailedAt: When.nullable(),
      /** All of it was given back. */
      returned: z.boolean(),
    })
    .nullable(),
})
export type Gift = z.infer<typeof Gift>

export const listGifts = endpoint('GET /api/newsletters/:newsletterId/charge/gifts', {
  // A code is worth what it opens.
  permission: 'charge.write',
  cost: 'search',
  summary: 'Gifts by code, the newest first',
  params: Newsletter,
  query: Paging,
  reply: pageOf(Gift),
})

export const exportGifts = endpoint('GET /api/newsletters/:newsletterId/charge/gifts.csv', {
  permission: 'charge.write',
  cost: 'export',
  summary: 'The gifts that can be taken, as CSV: code, plan, months, until, note',
  params: Newsletter,
  query: Sheet,
  reply: Csv,
  audit: { act: 'gifts_exported' },
})

export const makeGifts = endpoint('POST /api/newsletters/:newsletterId/charge/gifts', {
  permission: 'charge.write',
  cost: 'write',
  summary:
    'Make gifts of a paid plan, each with a code of its own. Whoever has a code takes it once, for so many months',
  params: Newsletter,
  body: z.object({
    planId: z.int().min(1).max(2_147_483_647),
    months: z.int().min(1).max(120),
    count: z.int().min(1).max(giftLimits.atOnce).default(1),
    until: When.nullable().default(null),
    note: line(200).or(z.literal('')).default(''),
  }),
  audit: { act: 'gifts_made', keeps: ['planId', 'months', 'count'] },
  reply: z.object({ gifts: z.array(Gift) }),
  errors: ['plan_not_found', 'plan_closed', 'too_many_gifts'],
})

export const withdrawGift = endpoint('DELETE /api/newsletters/:newsletterId/charge/gifts/:giftId', {
  permission: 'charge.write',
  summary: 'Withdraw a gift that nobody has taken',
  params: Newsletter.extend({ giftId: z.string().max(40) }),
  audit: { act: 'gift_withdrawn' },
  reply: Gift,
  errors: ['gift_not_found', 'gift_taken'],
})

export const mailGiftAgain = endpoint('POST /api/newsletters/:newsletterId/charge/gifts/:giftId/mail', {
  permission: 'charge.write',
  cost: 'write',
  summary: 'Mail a gift that was bought now, to its recipient, or without one to its buyer',
  params: Newsletter.extend({ giftId: z.string().max(40) }),
  audit: { act: 'gift_mailed' },
  reply: Done,
  errors: ['gift_not_found', 'gift_taken'],
})
