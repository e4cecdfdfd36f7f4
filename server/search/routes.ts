import { findCampaignsByName } from '../campaigns/opt-in/queries.ts'
import { findPlansByName } from '../charge/plans/plans.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { on, type Route } from '../http/routes.ts'
import { wholeAddress } from '../links/leads-to.ts'
import { listLinks } from '../links/queries.ts'
import { findByTitle } from '../publications/queries.ts'
import { findSegmentsByName } from '../segments/segments.ts'
import { findBookingsBySponsor } from '../sponsorship/bookings/bookings.ts'
import { findPlacementsByName, listPlacements } from '../sponsorship/placements.ts'
import { listSubscribers } from '../subscribers/listing.ts'
import { orderOf } from '../subscribers/sort.ts'
import * as contract from './contract.ts'

const limit = contract.MOST_FOUND
const newest = { order: orderOf('newest', undefined), after: null, limit }

export function searchRoutes({ db, config, shownIds }: Context): Route[] {
  return [
    on(contract.search, async ({ newsletterId, query: { search }, may }) => {
      const wanted = { search, limit }
      const [publications, subscribers, segments, links, plans, campaigns, placements, bookings] = await Promise.all([
        may('publications.read') ? findByTitle(db, newsletterId, wanted) : [],
        may('subscribers.read')
          ? listSubscribers(db, newsletterId, { wanted: { search }, page: newest })
          : { rows: [] },
        may('subscribers.read') ? findSegmentsByName(db, newsletterId, wanted) : [],
        may('links.read') ? listLinks(db, newsletterId, { ...wanted, own: true }) : [],
        may('charge.read') ? findPlansByName(db, newsletterId, wanted) : [],
        may('campaigns.read') ? findCampaignsByName(db, newsletterId, wanted) : [],
        may('sponsorship.read') ? findPlacementsByName(db, newsletterId, wanted) : [],
        may('sponsorship.read') ? namedBookings(db, newsletterId, wanted) : [],
      ])
      return {
        publications,
        subscribers: subscribers.rows.map(({ id, email, name, status }) => ({
          id: shownIds.show(id),
          email,
          name,
          status,
        })),
        segments,
        links: links.map(({ id, name, target }) => ({ id, name, target: wholeAddress(config, target) })),
        plans,
        campaigns,
        placements,
        bookings,
      }
    }),
  ]
}

/** One sponsor often has several bookings, which only their placements and states tell apart. */
async function namedBookings(db: Db, newsletterId: string, wanted: { search: string; limit: number }) {
  const found = await findBookingsBySponsor(db, newsletterId, wanted)
  if (found.length === 0) return []
  const placements = await listPlacements(db, newsletterId)
  return found.flatMap(({ id, sponsor, day, state, placementId }) =>
    placements
      .filter((one) => one.id === placementId)
      .map(({ words }) => ({ id, sponsor, day, state, placement: { id: placementId, words } })),
  )
}
