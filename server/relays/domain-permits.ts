import type { Db } from '../database/client.ts'
import { type Reservation, returnPermits } from './limits.ts'
import { type Quota, reserve, updateUsage } from './quota.ts'

/** How many messages may go to a domain now, and when asking for more helps. */
export interface DomainPermits {
  permits: number
  nextMs: number
}

/** Reserves within all limits of one domain. Permits that one limit gives and the next does not are returned. */
export async function reserveWithinAll(
  db: Db,
  quotas: readonly Quota[],
  { wanted, now }: { wanted: number; now: () => number },
): Promise<DomainPermits> {
  let permits = wanted
  let nextMs = now()
  const done: [Quota, Reservation][] = []
  for (const quota of quotas) {
    if (permits === 0) break
    const reservation = await reserve(db, quota, { nowMs: now(), wanted: permits })
    done.push([quota, reservation])
    permits = reservation.permits
    nextMs = Math.max(nextMs, permits > 0 ? reservation.startMs + permits * reservation.everyMs : reservation.nextMs)
  }
  for (const [quota, reservation] of done) {
    const surplus = reservation.permits - permits
    if (surplus > 0) await returnReserved(db, quota, { reservation, unusedPermits: surplus })
  }
  return { permits, nextMs }
}

/** Returns a part of a reservation, so that others may have it. */
export const returnReserved = (
  db: Db,
  quota: Quota,
  { reservation, unusedPermits }: { reservation: Reservation; unusedPermits: number },
): Promise<void> =>
  updateUsage(db, quota, (usage) =>
    returnPermits(usage, unusedPermits, { everyMs: reservation.everyMs, takenFreeAtMs: reservation.usage.freeAtMs }),
  )
