import { instantAt, wallTimeOf } from './wall-clock.ts'

/** The day of a moment in a timezone, as fields of days and the API have it: `2026-11-22`. */
export const dayOf = (at: Date | string, timezone: string): string => wallTimeOf(new Date(at), timezone).date

/** The last second of a day in a timezone, as the API has it: a day is meant with all its hours. Null for no day. */
export function endOfDay(day: string, timezone: string): string | null {
  const lastMinute = instantAt({ date: day, time: '23:59' }, timezone)
  return lastMinute === null ? null : new Date(lastMinute.instant.getTime() + 59_000).toISOString()
}

/** When money came: now for today, so that it does not lie ahead; else the noon of its day. */
export function momentOfDay(day: string, timezone: string, now = new Date()): string {
  const noon = day === dayOf(now, timezone) ? null : instantAt({ date: day, time: '12:00' }, timezone)
  return (noon?.instant ?? now).toISOString()
}

/** The same day so many months after one, or the last of a month that has no such day. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  return new Date(last.setUTCDate(Math.min(date, last.getUTCDate()))).toISOString().slice(0, 10)
}
