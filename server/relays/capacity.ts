import { isResting } from './health.ts'
import { type Limits, reserves, takePermits, type Usage, unused, usedLately, withoutReserve } from './limits.ts'
import { usagesOf } from './queries.ts'
import type { WithRelays } from './relays.ts'

/** What the relays of a newsletter can carry from now on. */
export interface Capacity {
  /** Why nothing can leave now, and until when. */
  held: { reason: 'limit' | 'resting'; untilMs: number } | null
  /** Messages that may leave without waiting; infinite without limits. */
  atOnce: number
  /** Messages a second after those. */
  perSecond: number
  /** Messages a second at any time. */
  pace: number
}

export const unlimited: Capacity = {
  held: null,
  atOnce: Number.POSITIVE_INFINITY,
  perSecond: Number.POSITIVE_INFINITY,
  pace: Number.POSITIVE_INFINITY,
}

/** Seconds for so many messages that begin now, as far as limits and rests say; null when they say nothing. */
export function secondsFor(
  { held, atOnce, perSecond, pace }: Capacity,
  messages: number,
  nowMs: number,
): number | null {
  const waits = held ? Math.max(0, held.untilMs - nowMs) / 1_000 : 0
  const seconds = waits + Math.max(messages / pace, Math.max(0, messages - atOnce) / perSecond)
  return pace === Number.POSITIVE_INFINITY && perSecond === Number.POSITIVE_INFINITY && !held
    ? null
    : Math.ceil(seconds)
}

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** A relay with a limit a second is ready again within this time, so it is not held. */
const PACE_MS = 60_000

/** Reads health and what is left within the limits, and reserves nothing. */
export async function capacityOf(
  { db, relays, now }: Pick<WithRelays, 'db' | 'relays' | 'now'>,
  newsletterId: string,
): Promise<Capacity> {
  const { handles } = await relays.relaySet(newsletterId)
  const usages = await usagesOf(
    db,
    handles.flatMap(({ relayId }) => relayId ?? []),
  )
  const nowMs = now().getTime()
  const awake = handles.filter(({ health }) => !isResting(health, nowMs))
  const rests = handles.flatMap(({ health }) => (isResting(health, nowMs) ? (health.restingUntilMs ?? nowMs) : []))
  if (awake.length === 0) return { ...unlimited, held: { reason: 'resting', untilMs: Math.min(...rests) } }
  const carried = awake.map(({ limits, relayId }) => roomIn(limits, usages.get(relayId ?? '') ?? unused, nowMs))
  const full = carried.every(({ nextMs }) => nextMs !== null)
  return {
    held: full ? { reason: 'limit', untilMs: Math.min(...rests, ...carried.map(({ nextMs }) => nextMs ?? 0)) } : null,
    atOnce: sum(carried.map(({ atOnce }) => atOnce)),
    perSecond: sum(carried.map(({ perSecond }) => perSecond)),
    pace: sum(awake.map(({ limits }) => limits.perSecond ?? Number.POSITIVE_INFINITY)),
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

function roomIn(limits: Limits, usage: Usage, nowMs: number) {
  const forBulk = withoutReserve(limits, reserves.bulk)
  const { perHour, perDay } = forBulk
  const { hour, day } = usedLately(usage, nowMs)
  const reservation = takePermits(forBulk, usage, { nowMs, wanted: 1, aheadMs: PACE_MS })
  return {
    nextMs: reservation.permits > 0 ? null : reservation.nextMs,
    atOnce: Math.min(leftOf(perHour, hour), leftOf(perDay, day)),
    perSecond: Math.min((perHour ?? Infinity) / HOUR_SECONDS, (perDay ?? Infinity) / DAY_SECONDS),
  }
}

const leftOf = (limit: number | null, used: number) => (limit === null ? Infinity : Math.max(0, limit - used))
