import { z } from 'zod'
import { OptInCampaign } from '../campaigns/opt-in/contract.ts'
import { Plan } from '../charge/plans/contract.ts'
import { endpoint, line, Newsletter } from '../http/endpoint.ts'
import { ShortLink } from '../links/contract.ts'
import { PublicationSummary } from '../publications/contract.ts'
import { Segment } from '../segments/contract.ts'
import { Booking } from '../sponsorship/bookings/contract.ts'
import { Placement } from '../sponsorship/contract.ts'
import { Subscriber } from '../subscribers/contract.ts'

/** How long the words of a search may be. */
export const SEARCH_LENGTH = 100

/** At most so many of each kind. */
export const MOST_FOUND = 5

/** Each kind is found only by who may read it; for others it is empty. */
export const search = endpoint('GET /api/newsletters/:newsletterId/search', {
  permission: 'newsletter.read',
  cost: 'search',
  summary:
    'Publications by title or number, subscribers by address or name, segments, short links of your own making, plans, campaigns and placements by name, and bookings by sponsor',
  params: Newsletter,
  query: z.object({ search: line(SEARCH_LENGTH) }),
  reply: z.object({
    publications: z.array(
      PublicationSummary.pick({
        ...{ id: true, number: true, title: true, language: true, status: true, channel: true, caught: true },
      }),
    ),
    subscribers: z.array(Subscriber.pick({ id: true, email: true, name: true, status: true })),
    segments: z.array(Segment.pick({ id: true, name: true })),
    links: z.array(ShortLink.pick({ id: true, name: true, target: true })),
    plans: z.array(Plan.pick({ id: true, words: true })),
    campaigns: z.array(OptInCampaign.pick({ id: true, name: true })),
    placements: z.array(Placement.pick({ id: true, words: true })),
    bookings: z.array(
      Booking.pick({ id: true, sponsor: true, day: true, state: true }).extend({
        placement: Placement.pick({ id: true, words: true }),
      }),
    ),
  }),
})
