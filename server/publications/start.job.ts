import type { Db } from '../database/client.ts'
import { giveBackJobs } from '../jobs/payloads.ts'
import type { Job } from '../jobs/queue.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import type { WithRelays } from '../relays/relays.ts'
import { BookingChanges } from '../sponsorship/tell.ts'
import { missStart } from './publish.ts'
import { startScheduled } from './start.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    resume_starts: Record<string, unknown>
  }
}

/** It takes seconds to begin a publication, whose mails others write. One that takes longer was left by a process that is gone. */
const LEFT_ALONE = '1 minute'

/** A scheduled publication's time has come. */
export function startPublicationJob(context: WithRelays): Job<'start_publication'> {
  const bookings = new BookingChanges(context)
  return async ({ newsletterId, publicationId, at }, { job }) => {
    const newsletter = await findNewsletter(context.db, newsletterId)
    const tries = { now: job.attempts, most: job.max_attempts }
    if (newsletter) await startScheduled({ ...context, bookings }, newsletter, { publicationId, at, tries })
    // It may be restored long after, and then nobody wants that to mail what was due before.
    else await missStart(context.db, { newsletterId, publicationId, at }, 'newsletter_deleted')
  }
}

/** Lets publications begin whose beginning a killed process has left. */
export const resumeStartsJob =
  ({ db }: { db: Db }): Job<'resume_starts'> =>
  () =>
    giveBackJobs(db, 'start_publication', LEFT_ALONE)
