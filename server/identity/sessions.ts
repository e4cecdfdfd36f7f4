import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { recordEvent } from './events.ts'

const DAY_MS = 24 * 3_600_000
/** A session ends this long after its last use. */
export const IDLE_DAYS = 30
/** A session ends this long after its beginning, however often it is used. */
const ABSOLUTE_DAYS = 90

export const absoluteEnd = (createdAt: Date): Date => new Date(createdAt.getTime() + ABSOLUTE_DAYS * DAY_MS)

interface Own {
  userId: string
  /** The session of the caller. */
  here: string
}

/** The sessions of a user that still work, newest first. Their tokens stay hidden. */
export async function listSessions(db: Db, { userId, here }: Own, now: Date) {
  const rows = await db
    .selectFrom('session')
    .select(['id', 'user_agent', 'ip_address', 'method', 'created_at', 'updated_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('created_at', '>', new Date(now.getTime() - ABSOLUTE_DAYS * DAY_MS))
    .where('awaits_code', '=', false)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    here: row.id === here,
    userAgent: row.user_agent,
    method: row.method,
    createdAt: row.created_at.toISOString(),
    usedAt: row.updated_at.toISOString(),
  }))
}

/** Ends one session. @throws AppError not_found, also for a session of somebody else */
export async function endSession(context: Pick<Context, 'db' | 'log'>, userId: string, id: string): Promise<void> {
  const query = context.db.deleteFrom('session').where('id', '=', id).where('user_id', '=', userId)
  if (!(await query.returning('id').executeTakeFirst())) throw new AppError('not_found')
  await recordEvent(context, { event: 'session_ended', userId })
}

/** Ends all sessions but the caller's. */
export async function endOtherSessions(context: Pick<Context, 'db' | 'log'>, { userId, here }: Own): Promise<void> {
  await context.db.deleteFrom('session').where('user_id', '=', userId).where('id', '<>', here).execute()
  await recordEvent(context, { event: 'session_ended', userId })
}

/** Ends all sessions of a user, also those that still await a code. @returns how many there were */
export async function endAllSessions(context: Pick<Context, 'db' | 'log'>, userId: string): Promise<number> {
  const ended = await context.db.deleteFrom('session').where('user_id', '=', userId).returning('id').execute()
  await recordEvent(context, { event: 'sessions_ended_by_operator', userId })
  return ended.length
}

/** Removes sessions that have ended, and counts of attempts that are over. Runs daily. */
export async function removeEnded(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('session')
    .where((e) =>
      e.or([e('expires_at', '<', now), e('created_at', '<', new Date(now.getTime() - ABSOLUTE_DAYS * DAY_MS))]),
    )
    .execute()
  await db.deleteFrom('verification').where('expires_at', '<', now).execute()
  await db.deleteFrom('rate_limit').where('expire', '<', now.getTime()).execute()
}
