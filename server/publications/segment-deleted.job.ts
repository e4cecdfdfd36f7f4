import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { stay } from './start.ts'

/** What was scheduled for a segment that is deleted can no longer leave: it does not keep its time until then, as if it could. */
export const segmentDeletedJob =
  (context: Pick<Context, 'db' | 'config'>): Job<'segment_deleted'> =>
  async ({ newsletterId, segmentId }) => {
    const newsletter = await findNewsletter(context.db, newsletterId)
    if (!newsletter) return
    const { rows } = await sql<{ id: string; title: string; at: Date }>`
      select p.id, p.title, p.scheduled_at as at from publication p
      join sending s on s.newsletter_id = p.newsletter_id and s.publication_id = p.id
      where p.newsletter_id = ${newsletterId} and p.state = 'scheduled' and s.state = 'planned'
        and (s.audience ->> 'segmentId')::integer = ${segmentId}
      order by p.id`.execute(context.db)
    for (const { at, ...publication } of rows)
      await stay(context, newsletter, { publication, at: at.toISOString(), because: 'segment_not_found' })
  }
