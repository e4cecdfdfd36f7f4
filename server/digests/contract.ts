import { z } from 'zod'
import { endpoint, Newsletter } from '../http/endpoint.ts'
import { digestPaces } from '../subscribers/contract.ts'

export const listDigests = endpoint('GET /api/newsletters/:newsletterId/digests', {
  permission: 'subscribers.read',
  cost: 'search',
  summary: 'When the next digest of each kind goes out, and to how many',
  params: Newsletter,
  reply: z.object({
    digests: z.array(
      z.object({
        pace: z.enum(digestPaces),
        at: z.iso.datetime(),
        /** Who chose it. */
        subscribers: z.int(),
        /** How many of them get no mail then: they have paused for longer, or their mail is stopped. */
        away: z.int(),
        /** For how many of the others a publication waits. Whoever has none waiting gets no digest. */
        waiting: z.int(),
      }),
    ),
  }),
})
