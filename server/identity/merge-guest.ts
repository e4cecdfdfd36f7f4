import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/types.ts'

/** What a guest made becomes the account's, in one transaction. Where both have something, the stronger right stays. */
export function mergeGuest(db: Kysely<DB>, guestId: string, userId: string): Promise<void> {
  if (guestId === userId) return Promise.resolve()
  return db.transaction().execute(async (tx) => {
    // Owner before editor before analyst, whichever of the two people held it.
    await sql`insert into member as m (newsletter_id, user_id, role, created_at)
      select newsletter_id, ${userId}, role, created_at from member where user_id = ${guestId}
      on conflict (newsletter_id, user_id) do update set role = least(m.role, excluded.role)`.execute(tx)
    await tx.deleteFrom('member').where('user_id', '=', guestId).execute()
    await sql`insert into profile (user_id, mode, language, currency, timezone)
      select ${userId}, mode, language, currency, timezone from profile where user_id = ${guestId}
      on conflict (user_id) do nothing`.execute(tx)
    await tx.updateTable('publication').set({ author_id: userId }).where('author_id', '=', guestId).execute()
    await tx.updateTable('publication_revision').set({ saved_by: userId }).where('saved_by', '=', guestId).execute()
    await tx.updateTable('invitation').set({ invited_by: userId }).where('invited_by', '=', guestId).execute()
    await tx.updateTable('api_key').set({ created_by: userId }).where('created_by', '=', guestId).execute()
    await tx.updateTable('media').set({ created_by: userId }).where('created_by', '=', guestId).execute()
    await tx.updateTable('analytics_event').set({ user_id: userId }).where('user_id', '=', guestId).execute()
  })
}
