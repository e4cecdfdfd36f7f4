import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { Job } from '../jobs/queue.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    forget_guests: Record<string, unknown>
  }
}

/** Daily: forgets guests who made no newsletter and were not here for 30 days. */
export function forgetGuestsJob({ db, now }: Context): Job<'forget_guests'> {
  return () => forgetGuests(db, now())
}

export async function forgetGuests(db: Db, now: Date): Promise<void> {
  await sql`delete from "user" u where u.is_anonymous
    and greatest(u.updated_at, (select max(s.updated_at) from session s where s.user_id = u.id)) < ${now}::timestamptz - interval '30 days'
    and not exists (select from member m where m.user_id = u.id)`.execute(db)
}
