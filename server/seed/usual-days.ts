import { DAY } from './subscribers.ts'

/** When a newsletter is usually sent: `weekday` from 0, Sunday; `hour` in UTC. */
export interface Usual {
  weekday: number
  hour: number
}

/** So that the newest publication has opens and clicks to show. */
const ENOUGH_TO_BE_READ = 20 * 3_600_000
const WEEK = 7 * DAY

/**
 * The last usual time of sending that is long enough ago, and the next with a day’s notice, which the next letter and what sponsors
 * booked for it share. All are milliseconds since 1970.
 */
export function usualDays({ weekday, hour }: Usual, now: number): { lastDay: number; nextDay: number } {
  const day = new Date(now)
  day.setUTCHours(hour, 0, 0, 0)
  while (day.getUTCDay() !== weekday || day.getTime() > now - ENOUGH_TO_BE_READ) day.setUTCDate(day.getUTCDate() - 1)
  const lastDay = day.getTime()
  return { lastDay, nextDay: lastDay + Math.ceil((now + DAY - lastDay) / WEEK) * WEEK }
}
