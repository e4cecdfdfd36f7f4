import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { enqueueAt, type Job } from '../../jobs/queue.ts'
import { findNewsletter } from '../../newsletters/membership.ts'
import { keepPrice, moveNow, moveWhenDue, noticeOrMove } from './move-one.ts'
import type { MovingKey } from './moving.ts'
import { nearUntil } from './schedule.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    /** One move, as far as it can go now. */
    move_prices: { newsletterId: string; moveId: string }
    move_prices_due: Record<string, unknown>
  }
}

const BATCH = 500

/** Runs hourly: of every move that is not over somebody may be due, or be left by a job that failed while Stripe was away. */
export const movePricesDueJob =
  ({ db }: Pick<Context, 'db'>): Job<'move_prices_due'> =>
  async () => {
    const { rows } = await sql<{ newsletterId: string; moveId: string }>`
      select m.newsletter_id as "newsletterId", m.id as "moveId" from price_move m
      where m.done_at is null and exists (select from price_move_subscription s
        where s.newsletter_id = m.newsletter_id and s.move_id = m.id and s.state in ('waiting', 'noticed')
          and (m.stopped_at is null or s.state = 'noticed'))`.execute(db)
    for (const payload of rows)
      await enqueueAt(db, 'move_prices', { payload, runAt: null, key: `move_prices ${payload.moveId}` })
  }

/**
 * Tells and moves the subscribers of a move, each in a transaction of their own, so that it goes on where a process was killed. While Stripe
 * is away it fails, and is tried again. Two at the same time leave each other's subscribers alone.
 */
export const movePricesJob =
  (context: Context): Job<'move_prices'> =>
  async ({ newsletterId, moveId }) => {
    const { db } = context
    if (!(await findNewsletter(db, newsletterId))) return
    const key = { newsletterId, moveId }
    const move = await db
      .selectFrom('price_move')
      .select('stopped_at')
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', moveId)
      .executeTakeFirst()
    if (!move) return
    if (move.stopped_at) return forEach(context, key, { state: 'noticed', near: false, act: keepPrice })
    await forEach(context, key, { state: 'waiting', near: false, act: noticeOrMove })
    await forEach(context, key, { state: 'waiting', near: false, act: moveNow })
    await forEach(context, key, { state: 'noticed', near: true, act: moveWhenDue })
    await endWhenDone(context, key)
  }

interface Walk {
  state: 'waiting' | 'noticed'
  /** Only those whose next payment is near, and who have paused, cancelled or ended. */
  near: boolean
  act: (context: Context, one: MovingKey) => Promise<void>
}

/** Once through those in a state, in the order of their ids, whatever becomes of each. */
async function forEach(context: Context, { newsletterId, moveId }: Omit<MovingKey, 'subscriptionId'>, walk: Walk) {
  const { state, near, act } = walk
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select m.subscription_id as id from price_move_subscription m
      join subscription s on s.newsletter_id = m.newsletter_id and s.id = m.subscription_id
      where m.newsletter_id = ${newsletterId} and m.move_id = ${moveId} and m.state = ${state} and m.subscription_id > ${last}
        and (not ${near}::boolean or s.paid_until <= ${nearUntil(context.now())} or s.status in ('ended', 'paused') or not s.renews)
      order by m.subscription_id limit ${BATCH}`.execute(context.db)
    for (const { id } of rows) await act(context, { newsletterId, moveId, subscriptionId: id })
    const next = rows.at(-1)
    if (!next || rows.length < BATCH) return
    last = next.id
  }
}

const endWhenDone = ({ db, now }: Context, { newsletterId, moveId }: Omit<MovingKey, 'subscriptionId'>) =>
  sql`update price_move m set done_at = ${now()} where m.newsletter_id = ${newsletterId} and m.id = ${moveId}
    and m.stopped_at is null and m.done_at is null and not exists (select from price_move_subscription s
      where s.newsletter_id = m.newsletter_id and s.move_id = m.id and s.state in ('waiting', 'noticed'))`.execute(db)
