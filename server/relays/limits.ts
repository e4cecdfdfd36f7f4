/** Null: no such limit. */
export interface Limits {
  perSecond: number | null
  /** In any 60 minutes. */
  perHour: number | null
  /** In any 24 hours. */
  perDay: number | null
}

/** The messages that were counted, and when the next may leave. Times are milliseconds since 1970. */
export interface Usage {
  freeAtMs: number
  /** [end of a span of time, messages in it], oldest first. */
  used: [number, number][]
}

/** How many permits are wanted, and when. */
export interface PermitRequest {
  nowMs: number
  wanted: number
  /** How long the caller would wait for the first permit. */
  aheadMs?: number
  /** The share of the limits an hour and a day that is left to more urgent mail. */
  leaves?: number
}

/**
 * A person waits for a sign-in link or for an answer to a form, and bulk mail and a flood of confirmations must not use up
 * what is left of an hour or a day. Limits below ten are too small to be divided.
 */
export const reserves = { bulk: 0.1, confirmations: 0.05 } as const

export interface Reservation {
  permits: number
  everyMs: number
  /** When the first may leave. Later than now only when the caller would wait. */
  startMs: number
  /** Without permits: the earliest time at which asking again helps. */
  nextMs: number
  usage: Usage
}

const SECOND = 1_000
const SPAN = 5 * 60 * SECOND
const HOUR = 12 * SPAN
const DAY = 24 * HOUR

/** A reservation covers at most this much time, so that several workers get permits. */
const MAX_RESERVATION_MS = SECOND

export const unused: Usage = { freeAtMs: 0, used: [] }

/**
 * Takes up to `wanted` permits. Within a second they are spaced evenly by the generic cell rate algorithm, which keeps only
 * the instant at which the next may leave. Per hour and day they are counted in spans of five minutes, and of an hour when
 * they are older. A span counts until all of it has left the window, so a limit is never exceeded.
 */
export function takePermits(
  written: Limits,
  usage: Usage,
  { nowMs, wanted, aheadMs = 0, leaves = 0 }: PermitRequest,
): Reservation {
  const limits = withoutReserve(written, leaves)
  const everyMs = limits.perSecond === null ? 0 : SECOND / limits.perSecond
  const startMs = everyMs === 0 ? nowMs : Math.max(nowMs, usage.freeAtMs)
  const none = { permits: 0, everyMs, startMs, usage }
  const openAtMs = Math.max(
    opensAt(usage, HOUR, { limit: limits.perHour, nowMs }),
    opensAt(usage, DAY, { limit: limits.perDay, nowMs }),
  )
  if (startMs > nowMs + aheadMs || openAtMs > nowMs) return { ...none, nextMs: Math.max(startMs, openAtMs) }
  const inOneReservation = everyMs === 0 ? wanted : Math.max(1, Math.floor(MAX_RESERVATION_MS / everyMs))
  const permits = Math.min(
    wanted,
    inOneReservation,
    leftIn(usage, HOUR, { limit: limits.perHour, nowMs }),
    leftIn(usage, DAY, { limit: limits.perDay, nowMs }),
  )
  const freeAtMs = everyMs === 0 ? usage.freeAtMs : startMs + permits * everyMs
  return { permits, everyMs, startMs, nextMs: nowMs, usage: { freeAtMs, used: add(usage.used, permits, nowMs) } }
}

export const withoutReserve = ({ perSecond, perHour, perDay }: Limits, leaves: number): Limits => {
  const less = (limit: number | null) => limit && limit - Math.floor(limit * leaves)
  return { perSecond, perHour: less(perHour), perDay: less(perDay) }
}

/**
 * Returns a part of what was taken. The instants that it frees are used again only when nobody has taken later ones.
 *
 * @param taken `everyMs` of the reservation, and `freeAtMs` as it was after it
 */
export function returnPermits(
  usage: Usage,
  unusedPermits: number,
  { everyMs, takenFreeAtMs }: { everyMs: number; takenFreeAtMs: number },
): Usage {
  const freeAtMs = usage.freeAtMs === takenFreeAtMs ? usage.freeAtMs - unusedPermits * everyMs : usage.freeAtMs
  let left = unusedPermits
  const used = usage.used.toReversed().flatMap(([end, count]): Usage['used'] => {
    const less = Math.min(left, count)
    left -= less
    return count > less ? [[end, count - less]] : []
  })
  return { freeAtMs, used: used.toReversed() }
}

/** Counts messages that were sent without a reservation. */
export const addUse = (usage: Usage, count: number, nowMs: number): Usage => ({
  ...usage,
  used: add(usage.used, count, nowMs),
})

/** Messages in the last hour and in the last day, rounded up to whole spans. */
export const usedLately = (usage: Usage, nowMs: number) => ({
  hour: usedIn(usage, HOUR, nowMs),
  day: usedIn(usage, DAY, nowMs),
})

interface Window {
  limit: number | null
  nowMs: number
}

const usedIn = ({ used }: Usage, windowMs: number, nowMs: number): number =>
  used.reduce((sum, [end, count]) => (end > nowMs - windowMs ? sum + count : sum), 0)

const leftIn = (usage: Usage, windowMs: number, { limit, nowMs }: Window): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - usedIn(usage, windowMs, nowMs))

/** When at least one more fits into the window. */
function opensAt(usage: Usage, windowMs: number, { limit, nowMs }: Window): number {
  if (limit === null) return nowMs
  let surplus = usedIn(usage, windowMs, nowMs) - limit + 1
  for (const [end, count] of usage.used) {
    if (surplus <= 0) return nowMs
    if (end <= nowMs - windowMs) continue
    surplus -= count
    if (surplus <= 0) return end + windowMs
  }
  return nowMs
}

const roundUp = (ms: number, span: number) => Math.ceil(ms / span) * span

/** Adds to the current span. Drops spans older than a day, and merges those older than an hour into hours. */
function add(used: Usage['used'], count: number, nowMs: number): Usage['used'] {
  const sums = new Map<number, number>()
  for (const [end, before] of [...used, [roundUp(nowMs + 1, SPAN), count] as const]) {
    if (end <= nowMs - DAY || before === 0) continue
    const hour = roundUp(end, HOUR)
    const span = hour <= nowMs - HOUR ? hour : end
    sums.set(span, (sums.get(span) ?? 0) + before)
  }
  return [...sums].sort(([a], [b]) => a - b)
}
