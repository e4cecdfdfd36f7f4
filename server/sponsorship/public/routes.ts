import type { Route } from '../../http/routes.ts'
import type { Uploading } from '../../media/routes.ts'
import type { PublicNewsletters } from '../../newsletters/public-newsletters.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { reportRoutes } from '../report/public-routes.ts'
import type { BookingChanges } from '../tell.ts'
import { bookingRoutes } from './booking-routes.ts'
import { requestRoutes } from './request-routes.ts'

/** What sponsors see: the page on which they ask, the page of their booking, and their report. */
export const publicSponsorRoutes = (
  context: WithRelays,
  newsletters: PublicNewsletters,
  { changes, uploading }: { changes: BookingChanges; uploading: Uploading },
): Route[] => [
  ...requestRoutes(context, newsletters, changes),
  ...bookingRoutes(context, newsletters, { changes, uploading }),
  ...reportRoutes(context, newsletters),
]
