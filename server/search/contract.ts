import { z } from 'zod'
import { endpoint, line, Newsletter } from '../http/endpoint.ts'
import { ShortLink } from '../links/contract.ts'
import { PublicationSummary } from '../publications/contract.ts'
import { Subscriber } from '../subscribers/contract.ts'

/** How long the words of a search may be. */
export const SEARCH_LENGTH = 100

/** At most so many of each kind. */
export const MOST_FOUND = 5

/** Each kind is found only by who may read it; for others it is empty. */
export const search = endpoint('GET /api/newsletters/:newsletterId/search', {
  permission: 'newsletter.read',
  cost: 'search',
  summary: 'Publications by title or number, subscribers by address or name, and short links of your own making',
  params: Newsletter,
  query: z.object({ search: line(SEARCH_LENGTH) }),
  reply: z.object({
    publications: z.array(
      PublicationSummary.pick({ id: true, number: true, title: true, status: true, channel: true, caught: true }),
    ),
    subscribers: z.array(Subscriber.pick({ id: true, email: true, name: true, status: true })),
    links: z.array(ShortLink.pick({ id: true, name: true, target: true })),
  }),
})
