import type { SubscriberRow } from './queries.ts'

export const leaveReasons = ['tooMany', 'notForMe', 'neverAsked', 'other'] as const
export type LeaveReason = (typeof leaveReasons)[number]

export const UNDO_DAYS = 7
const UNDO_MS = UNDO_DAYS * 24 * 3600 * 1000

/** Whether somebody may undo leaving: they had confirmed, and left less than a week ago. */
export const mayReturn = ({ status, confirmed_at, left_at }: SubscriberRow, now: Date): boolean =>
  status === 'unsubscribed' && confirmed_at !== null && left_at !== null && now.getTime() - left_at.getTime() <= UNDO_MS
