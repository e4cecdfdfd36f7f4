import { isResting } from './health.ts'
import { type Limits, take, type Usage, unused, usedLately } from './limits.ts'
import { usesOf } from './queries.ts'
import type { WithRelays } from './relays.ts'

/** What the relays of a newsletter can carry from now on. */
export interface Capacity {
  /** Why nothing can leave now, and until when. */
  held: { reason: 'limit' | 'resting'; untilMs: number } | null
  /** So many may leave as fast as they can; infinite without limits. */
  atOnce: number
  /** And a second, after that. */
  perSecond: number
}

export const unlimited: Capacity = { held: null, atOnce: Number.POSITIVE_INFINITY, perSecond: Number.POSITIVE_INFINITY }

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** A relay with a pace has its next moment within so long: that is no standstill. */
const PACE_MS = 60_000

/** Looks without taking anything: health, and what is left within the limits. */
export async function capacityOf(
  { db, relays, now }: Pick<WithRelays, 'db' | 'relays' | 'now'>,
  newsletterId: string,
): Promise<Capacity> {
  const { ways } = await relays.roster(newsletterId)
  const uses = await usesOf(
    db,
    ways.flatMap(({ relayId }) => relayId ?? []),
  )
  const nowMs = now().getTime()
  const awake = ways.filter(({ health }) => !isResting(health, nowMs))
  const rests = ways.flatMap(({ health }) => (isResting(health, nowMs) ? (health.restingUntilMs ?? nowMs) : []))
  if (awake.length === 0) return { ...unlimited, held: { reason: 'resting', untilMs: Math.min(...rests) } }
  const carried = awake.map(({ limits, relayId }) => roomIn(limits, uses.get(relayId ?? '') ?? unused, nowMs))
  const full = carried.every(({ nextMs }) => nextMs !== null)
  return {
    held: full ? { reason: 'limit', untilMs: Math.min(...rests, ...carried.map(({ nextMs }) => nextMs ?? 0)) } : null,
    atOnce: sum(carried.map(({ atOnce }) => atOnce)),
    perSecond: sum(carried.map(({ perSecond }) => perSecond)),
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

function roomIn(limits: Limits, use: Usage, nowMs: number) {
  const { perHour, perDay } = limits
  const { hour, day } = usedLately(use, nowMs)
  const taken = take(limits, use, nowMs, 1, PACE_MS)
  return {
    nextMs: taken.permits > 0 ? null : taken.nextMs,
    atOnce: Math.min(leftOf(perHour, hour), leftOf(perDay, day)),
    perSecond: Math.min((perHour ?? Infinity) / HOUR_SECONDS, (perDay ?? Infinity) / DAY_SECONDS),
  }
}

const leftOf = (limit: number | null, used: number) => (limit === null ? Infinity : Math.max(0, limit - used))
