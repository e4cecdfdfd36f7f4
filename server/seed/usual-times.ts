import { instantOf, wallClock } from '../wall-clock.ts'
import { DAY } from './subscribers.ts'

/** When a newsletter is usually sent: `weekday` from 0, Sunday; `hour` by the clocks of its timezone. */
export interface Usual {
  weekday: number
  hour: number
}

/** So that the newest publication has opens and clicks to show. */
const ENOUGH_TO_BE_READ = 20 * 3_600_000

/** Usual times of sending, in milliseconds since 1970. */
export interface UsualTimes {
  /** So many weeks before the last one that is long enough ago. */
  past: (weeks: number) => number
  /** So many weeks after the next one with a day’s notice, which the next letter and what sponsors booked for it share. */
  coming: (weeks: number) => number
}

/** Clocks show the same hour at each of them, in summer and in winter. */
export function usualTimes({ weekday, hour }: Usual, { timezone, now }: { timezone: string; now: number }): UsualTimes {
  const today = new Date(wallClock(new Date(now), timezone))
  const thisWeek = today.setUTCHours(hour, 0, 0, 0) + (weekday - today.getUTCDay()) * DAY
  const at = (weeks: number) => instantOf(thisWeek + weeks * 7 * DAY, timezone).getTime()
  let last = 0
  while (at(last) > now - ENOUGH_TO_BE_READ) last -= 1
  let next = last
  while (at(next) < now + DAY) next += 1
  return { past: (weeks) => at(last - weeks), coming: (weeks) => at(next + weeks) }
}
