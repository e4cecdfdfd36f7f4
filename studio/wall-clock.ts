/** A local time without a timezone: `2026-11-28` and `07:00`. */
export interface WallTime {
  date: string
  time: string
}

/** `skipped`: daylight saving time skips this local time. `twice`: it comes twice, and the first one is meant. */
export interface SendTime {
  instant: Date
  note: 'exact' | 'skipped' | 'twice'
}

const MINUTE = 60_000

/** Whether a day has been typed to its end: of 2026 a browser's field gives 0002, 0020 and 0202 first. */
export const isWholeDay = (day: string): boolean => /^(19|20)\d\d-\d\d-\d\d$/.test(day)

/**
 * The instant of a local time in a timezone, or null for an incomplete date or time.
 *
 * A time in the hour that is skipped in spring moves by that hour: 02:30 becomes 03:30. In the hour that comes twice in
 * autumn, the first one counts.
 */
export function instantAt(wall: WallTime, timezone: string): SendTime | null {
  const asUtc = Date.parse(`${wall.date}T${wall.time}:00Z`)
  // Browsers also read texts of no standard: “T:00Z” is a day of the year 2000 for some.
  if (!isWholeDay(wall.date) || !/^\d\d:\d\d$/.test(wall.time) || Number.isNaN(asUtc)) return null
  const before = asUtc - offsetAt(asUtc - 1440 * MINUTE, timezone)
  const after = asUtc - offsetAt(asUtc + 1440 * MINUTE, timezone)
  const instants = [...new Set([before, after])].filter((instant) => instant + offsetAt(instant, timezone) === asUtc)
  if (instants.length === 0) return { instant: new Date(before), note: 'skipped' }
  return { instant: new Date(Math.min(...instants)), note: instants.length > 1 ? 'twice' : 'exact' }
}

/** The local time in a timezone at an instant, to the minute. */
export function wallTimeOf(instant: Date, timezone: string): WallTime {
  const shown = new Date(instant.getTime() + offsetAt(instant.getTime(), timezone)).toISOString()
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) }
}

/** How many milliseconds a timezone is ahead of UTC at an instant. */
function offsetAt(instant: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(instant / 1000) * 1000
}

/** A newsletter is read in the morning. */
const MORNING = '08:00'

interface Plan {
  /** As `2026-11-28`. */
  day: string
  /** An instant whose time of day was chosen for it. */
  chosen: Date | null
  /** The last sending, whose time of day is the habit; before there is one, it is the morning. */
  last: Date | null
  timezone: string
  now: Date
}

/** When to send on a day: at the time of day that was chosen or is the habit. Where that has passed, when there is time again. */
export function timeOn({ day, chosen, last, timezone, now }: Plan): WallTime {
  const wall = { date: day, time: chosen ? wallTimeOf(chosen, timezone).time : habit(last, timezone) }
  const moment = instantAt(wall, timezone)
  return moment && moment.instant <= now ? timeToOffer(now, timezone) : wall
}

/** Letters do go out at six. What left at three in the night is no habit. */
function habit(last: Date | null, timezone: string): string {
  const time = last ? wallTimeOf(last, timezone).time : MORNING
  return time < '05:00' || time >= '23:00' ? MORNING : time
}

/** When to offer to send: at the next full hour. At night, from 22:00 to 07:00, it is the morning that comes. */
export function timeToOffer(now: Date, timezone: string): WallTime {
  const wall = wallTimeOf(nextHour(now), timezone)
  if (wall.time < '07:00') return { ...wall, time: MORNING }
  if (wall.time < '22:00') return wall
  const tomorrow = new Date(Date.parse(`${wall.date}T12:00:00Z`) + 24 * 60 * MINUTE)
  return { date: tomorrow.toISOString().slice(0, 10), time: MORNING }
}

/** The first full hour that is at least `ahead` milliseconds after `now`. */
export const nextHour = (now: Date, ahead = 30 * MINUTE): Date =>
  new Date(Math.ceil((now.getTime() + ahead) / (60 * MINUTE)) * 60 * MINUTE)
