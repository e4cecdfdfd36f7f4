import type { SubscriberRow } from './queries.ts'

export const UNDO_DAYS = 7
const UNDO_MS = UNDO_DAYS * 24 * 3600 * 1000

/** Whether somebody may undo leaving: they had confirmed, and left less than a week ago. */
export const mayReturn = ({ status, confirmed_at, left_at }: SubscriberRow, now: Date): boolean =>
  status === 'unsubscribed' && confirmed_at !== null && left_at !== null && now.getTime() - left_at.getTime() <= UNDO_MS

/** For how many months a subscriber can pause. */
export const pauseMonths = [1, 3] as const

/** The same day of a later month (UTC), or its last day: the last of January and a month is the last of February. */
export function monthsLater(from: Date, months: number): Date {
  const day = new Date(from)
  day.setUTCDate(1)
  day.setUTCMonth(day.getUTCMonth() + months)
  const daysInMonth = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  day.setUTCDate(Math.min(from.getUTCDate(), daysInMonth))
  return day
}

/** When a pause ends, or null when there is none at this moment. */
export const pausedUntil = ({ status, paused_until }: SubscriberRow, now: Date): Date | null =>
  status === 'active' && paused_until && paused_until > now ? paused_until : null
