import type { Route } from '../../http/routes.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import type { WithRelays } from '../../relays/relays.ts'
import type { BookingChanges } from '../tell.ts'
import { bookingRoutes } from './booking-routes.ts'
import { requestRoutes } from './request-routes.ts'

/** What sponsors see: the page on which they ask, and the page of their booking. */
export const publicSponsorRoutes = (
  context: WithRelays,
  newsletters: PublicNewsletters,
  changes: BookingChanges,
): Route[] => [...requestRoutes(context, newsletters, changes), ...bookingRoutes(context, newsletters, changes)]
