import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { startScheduled } from './publish.ts'

/** A scheduled publication's time has come. */
export function startPublicationJob({ db }: Context): Job<'start_publication'> {
  return async ({ newsletterId, publicationId, at }) => {
    const newsletter = await findNewsletter(db, newsletterId)
    if (newsletter) await startScheduled(db, newsletter, { publicationId, at })
  }
}
