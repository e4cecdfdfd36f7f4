import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { DB } from '../database/types.ts'
import type { Job } from '../jobs/queue.ts'
import { eraseUser } from '../personal-data/erase.ts'
import { countGuests } from './guest-limits.ts'
import { removeEnded } from './sessions.ts'

declare module '../jobs/queue.ts' {
  interface Jobs {
    forget_guests: Record<string, unknown>
  }
}

/**
 * Runs hourly. Erases guests who have no newsletter and were away for 30 days, and then what has ended by itself. When half as many guests
 * are there as may be, a day is enough, so that a crowd of them leaves room for others.
 */
export function forgetGuestsJob({ db, config, now }: Context): Job<'forget_guests'> {
  return async () => {
    await forgetGuests(db, { now: now(), days: (await countGuests(db)) > config.maxGuests / 2 ? 1 : 30 })
    await removeEnded(db, now())
  }
}

export async function forgetGuests(db: Kysely<DB>, since: Away): Promise<void> {
  const { rows } = await sql<{ id: string }>`select u.id from "user" u where ${isForgotten(since)}`.execute(db)
  for (const { id } of rows) {
    await db.transaction().execute(async (tx) => {
      // Locked and checked again: a guest stays who has come back meanwhile, or has made a newsletter.
      await tx.selectFrom('user').select('id').where('id', '=', id).forUpdate().execute()
      const { rows: still } = await sql`select from "user" u where u.id = ${id} and ${isForgotten(since)}`.execute(tx)
      if (still.length > 0) await eraseUser(tx, id)
    })
  }
}

interface Away {
  now: Date
  /** Without any sign of them. */
  days: number
}

const isForgotten = ({ now, days }: Away) => sql<SqlBool>`u.is_anonymous
  and greatest(u.updated_at, (select max(s.updated_at) from session s where s.user_id = u.id)) < ${now}::timestamptz - ${days} * interval '1 day'
  and not exists (select from member m where m.user_id = u.id)`
