import { sql } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Job } from '../../jobs/queue.ts'
import type { WithRelays } from '../../relays/relays.ts'
import { BookingChanges } from '../tell.ts'
import { lockBooking } from './bookings.ts'

declare module '../../jobs/queue.ts' {
  interface Jobs {
    expire_bookings: Record<string, unknown>
  }
}

const BATCH = 200

/**
 * Frees the slots of requests that nobody answered, and of sponsors who have not paid. What expires can be taken up again while its slot is
 * free, so a payment that comes late is not lost.
 */
export function expireBookingsJob(context: WithRelays): Job<'expire_bookings'> {
  const { db, now } = context
  const changes = new BookingChanges(context)
  return async () => {
    const at = now()
    let due: { newsletterId: string; bookingId: string }[]
    do {
      const { rows } = await sql<{ newsletterId: string; bookingId: string }>`
        select newsletter_id as "newsletterId", id as "bookingId" from booking
        where state in ('requested', 'accepted') and held_until <= ${at} order by held_until limit ${BATCH}`.execute(db)
      due = rows
      for (const key of due)
        await db.transaction().execute(async (tx) => {
          const { heldUntil } = await lockBooking(tx, key)
          if (!heldUntil || heldUntil > at) return
          await changes.change(tx, key, { act: 'expire', actor: 'system', at }).catch(unlessMovedOn)
        })
    } while (due.length === BATCH)
  }
}

/** Somebody answered or paid meanwhile. */
function unlessMovedOn(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'booking_moved_on')) throw error
}
