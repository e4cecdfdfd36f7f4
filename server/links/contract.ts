import { z } from 'zod'
import { endpoint, Newsletter, Paging, pageOf } from '../http/endpoint.ts'

export const ShortLink = z.object({
  id: z.string(),
  url: z.string(),
  target: z.string(),
  publicationId: z.string().nullable(),
  /** `raw`: every request. `human`: those that no published rule excludes. `people`: the different subscribers among them. */
  clicks: z.object({ raw: z.int(), human: z.int(), people: z.int() }),
  expiresAt: z.iso.datetime().nullable(),
})

export const createShortLink = endpoint('POST /api/newsletters/:newsletterId/links', {
  permission: 'links.write',
  makes: 'links',
  summary: 'Make a short link',
  params: Newsletter,
  body: z.object({
    target: z.url({ protocol: /^https?$/ }).max(2_000),
    slug: z
      .string()
      .regex(/^[\w-]{3,40}$/)
      .optional(),
    expiresAt: z.iso.datetime().nullable().default(null),
  }),
  reply: ShortLink,
  errors: ['slug_taken', 'slug_reserved', 'too_many_links', 'too_many_requests'],
})

export const listShortLinks = endpoint('GET /api/newsletters/:newsletterId/links', {
  permission: 'links.read',
  summary: 'Short links with their clicks; of one publication when asked',
  params: Newsletter,
  query: Paging.extend({ publicationId: z.string().max(20).optional() }),
  reply: pageOf(ShortLink),
})
