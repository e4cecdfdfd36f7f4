import type { Suppression } from '../database/types.ts'
import type { SubscriberRow } from './queries.ts'

export const UNDO_DAYS = 7
const UNDO_MS = UNDO_DAYS * 24 * 3600 * 1000

/** How somebody who has left comes back: by undoing it, by subscribing anew, or, when a member has stopped the mail to their address, by asking a member. */
export type WayBack = 'undo' | 'subscribe' | 'ask'

/** Leaving is undone by whoever had confirmed, left less than a week ago, and whose address nothing keeps mail away from. */
export function wayBack(
  { status, confirmed_at, left_at }: SubscriberRow,
  suppressedBy: Suppression['reason'] | null,
  now: Date,
): WayBack {
  if (suppressedBy === 'by_hand') return 'ask'
  const isRecent = left_at !== null && now.getTime() - left_at.getTime() <= UNDO_MS
  const canUndo = status === 'unsubscribed' && confirmed_at !== null && isRecent && suppressedBy === null
  return canUndo ? 'undo' : 'subscribe'
}

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
