import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Job } from '../jobs/queue.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    forget_audit: Record<string, unknown>
  }
}

/** What happened at the door of an account is kept for so long, and longer only in the log. */
const ACCOUNT_EVENT_DAYS = 365

/**
 * Runs daily. Removes lines that are older than their newsletter keeps them. A line that lifted suppressions stays as long as
 * a subscriber's timeline shows it.
 */
export function forgetAuditJob({ db }: Context): Job<'forget_audit'> {
  return async () => {
    await sql`delete from audit a using newsletter n
      where n.id = a.newsletter_id and a.at < now() - make_interval(days => n.audit_days)
        and not exists (select from lifted_suppression l where l.newsletter_id = a.newsletter_id and l.audit_id = a.id)`.execute(
      db,
    )
    await sql`delete from account_event where at < now() - make_interval(days => ${ACCOUNT_EVENT_DAYS})`.execute(db)
  }
}
