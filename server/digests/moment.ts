import type { DigestPace } from '../subscribers/contract.ts'
import { instantOf, wallClock } from '../wall-clock.ts'

/** When a newsletter's digests go out: an hour of its timezone, on a day of the week (1 is Monday) or on the first of a month. */
export interface Schedule {
  timezone: string
  /** 0 to 23. Where the clock skips it, an hour later; where it comes twice, the first time. */
  hour: number
  weekday: number
}

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
/** A month and a day. */
const MOST_DAYS = 32

/** The last moment of digests of this pace that is not after `now`. */
export function lastMoment(schedule: Schedule, pace: DigestPace, now: Date): Date {
  for (let back = 0; back <= MOST_DAYS; back += 1) {
    const moment = momentOn(schedule, pace, { now, days: -back })
    if (moment && moment <= now) return moment
  }
  throw new RangeError(`no ${pace} digest in ${schedule.timezone} before ${now.toISOString()}`)
}

/** The first moment of digests of this pace after `now`. */
export function nextMoment(schedule: Schedule, pace: DigestPace, now: Date): Date {
  for (let ahead = 0; ahead <= MOST_DAYS; ahead += 1) {
    const moment = momentOn(schedule, pace, { now, days: ahead })
    if (moment && moment > now) return moment
  }
  throw new RangeError(`no ${pace} digest in ${schedule.timezone} after ${now.toISOString()}`)
}

/** The moment on the day so many days from that of `now`, or null when no digest goes out on it. */
function momentOn(
  { timezone, hour, weekday }: Schedule,
  pace: DigestPace,
  { now, days }: { now: Date; days: number },
): Date | null {
  // A day as UTC has it, so that each has 24 hours.
  const day = new Date(Math.floor(wallClock(now, timezone) / DAY_MS) * DAY_MS + days * DAY_MS)
  const isItsDay = pace === 'weekly' ? (day.getUTCDay() || 7) === weekday : day.getUTCDate() === 1
  return isItsDay ? instantOf(day.getTime() + hour * HOUR_MS, timezone) : null
}
