import type { Job } from '../jobs/queue.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import type { WithRelays } from '../relays/relays.ts'
import { BookingChanges } from '../sponsorship/tell.ts'
import { startScheduled } from './publish.ts'

/** A scheduled publication's time has come. */
export function startPublicationJob(context: WithRelays): Job<'start_publication'> {
  const bookings = new BookingChanges(context)
  return async ({ newsletterId, publicationId, at }) => {
    const newsletter = await findNewsletter(context.db, newsletterId)
    if (newsletter) await startScheduled({ ...context, bookings }, newsletter, { publicationId, at })
  }
}
