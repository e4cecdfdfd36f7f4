const HOUR_MS = 3_600_000
const DAY_HOURS = 24

/** When a document is asked for again: daily, and after failures from two hours on, twice as long each time, up to a day. `random` (0 to 1) spreads it by a tenth. */
export function nextAttempt(now: Date, failures: number, random: number): Date {
  const hours = failures === 0 ? DAY_HOURS : Math.min(DAY_HOURS, 2 ** Math.min(failures, 10))
  return new Date(now.getTime() + hours * HOUR_MS * (0.9 + 0.2 * random))
}
