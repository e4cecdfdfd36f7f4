/** Null: no such limit. */
export interface Limits {
  perSecond: number | null
  /** In any 60 minutes. */
  perHour: number | null
  /** In any 24 hours. */
  perDay: number | null
}

/** What has been taken, and when the next may leave. Times are milliseconds since 1970. */
export interface Usage {
  freeAtMs: number
  /** [end of a span of time, messages in it], oldest first. */
  used: [number, number][]
}

export interface Reservation {
  permits: number
  everyMs: number
  /** When the first may leave: later than now only for who may wait. */
  startMs: number
  /** When asking again is of use; only with no permits. */
  nextMs: number
  use: Usage
}

const SECOND = 1_000
const SPAN = 5 * 60 * SECOND
const HOUR = 12 * SPAN
const DAY = 24 * HOUR

/** Nobody is given more than so much of the future at once, so that several workers take turns. */
const LONGEST_TURN = SECOND

export const unused: Usage = { freeAtMs: 0, used: [] }

/**
 * Takes up to `wanted` permits. Within a second they are spaced evenly (the generic cell rate algorithm: all that is kept
 * is the instant at which the next may leave); per hour and day they are counted by spans of five minutes and, when
 * older, of an hour, each counted until all of it has left the window: a little longer than it must, never shorter.
 *
 * @param aheadMs how long the caller would wait for the first one, in its place in the queue
 */
export function take(limits: Limits, use: Usage, nowMs: number, wanted: number, aheadMs = 0): Reservation {
  const everyMs = limits.perSecond === null ? 0 : SECOND / limits.perSecond
  const startMs = everyMs === 0 ? nowMs : Math.max(nowMs, use.freeAtMs)
  const none = { permits: 0, everyMs, startMs, use }
  const openAtMs = Math.max(opensAt(use, HOUR, limits.perHour, nowMs), opensAt(use, DAY, limits.perDay, nowMs))
  if (startMs > nowMs + aheadMs || openAtMs > nowMs) return { ...none, nextMs: Math.max(startMs, openAtMs) }
  const inOneTurn = everyMs === 0 ? wanted : Math.max(1, Math.floor(LONGEST_TURN / everyMs))
  const permits = Math.min(
    wanted,
    inOneTurn,
    leftIn(use, HOUR, limits.perHour, nowMs),
    leftIn(use, DAY, limits.perDay, nowMs),
  )
  const freeAtMs = everyMs === 0 ? use.freeAtMs : startMs + permits * everyMs
  return { permits, everyMs, startMs, nextMs: nowMs, use: { freeAtMs, used: add(use.used, permits, nowMs) } }
}

/**
 * Undoes a part of what was taken. The instants that it leaves free are used again only when nobody has taken any
 * behind them.
 *
 * @param takenFreeAtMs `freeAtMs` as it was after the taking
 */
export function giveBack(use: Usage, unusedPermits: number, everyMs: number, takenFreeAtMs: number): Usage {
  const freeAtMs = use.freeAtMs === takenFreeAtMs ? use.freeAtMs - unusedPermits * everyMs : use.freeAtMs
  let left = unusedPermits
  const used = use.used.toReversed().flatMap(([end, count]): Usage['used'] => {
    const less = Math.min(left, count)
    left -= less
    return count > less ? [[end, count - less]] : []
  })
  return { freeAtMs, used: used.toReversed() }
}

/** Counts what left without having asked. */
export const spend = (use: Usage, count: number, nowMs: number): Usage => ({
  ...use,
  used: add(use.used, count, nowMs),
})

/** Messages in the last hour and in the last day, a little more rather than less. */
export const usedLately = (use: Usage, nowMs: number) => ({
  hour: usedIn(use, HOUR, nowMs),
  day: usedIn(use, DAY, nowMs),
})

const usedIn = ({ used }: Usage, windowMs: number, nowMs: number): number =>
  used.reduce((sum, [end, count]) => (end > nowMs - windowMs ? sum + count : sum), 0)

const leftIn = (use: Usage, windowMs: number, limit: number | null, nowMs: number): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - usedIn(use, windowMs, nowMs))

/** When at least one more fits into the window. */
function opensAt(use: Usage, windowMs: number, limit: number | null, nowMs: number): number {
  if (limit === null) return nowMs
  let surplus = usedIn(use, windowMs, nowMs) - limit + 1
  for (const [end, count] of use.used) {
    if (surplus <= 0) return nowMs
    if (end <= nowMs - windowMs) continue
    surplus -= count
    if (surplus <= 0) return end + windowMs
  }
  return nowMs
}

const roundUp = (ms: number, span: number) => Math.ceil(ms / span) * span

/** Adds to the running span; forgets what is older than a day, and keeps what is older than an hour by the hour. */
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
