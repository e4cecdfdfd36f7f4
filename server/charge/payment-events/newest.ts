import { isDeepStrictEqual } from 'node:util'
import type { StatedSubscription } from './read-subscription.ts'

/** A subscription as Stripe said that it was at a moment. */
export interface Statement {
  stated: StatedSubscription
  at: Date
  /** It is what Stripe answered when it was asked, and so settles what was said of the same moment. */
  asked?: true
}

/** What is stored of the subscription. */
export interface Known {
  /** Of the newest statement that was applied; null when there was none. */
  at: Date | null
  ended: boolean
}

/** `ask`: which of them is the newest, only Stripe can say. */
export type Choice = { take: Statement } | 'ask' | 'nothing new'

/**
 * The statement by which a subscription is stored, in whatever order they came. An end is final. Else the newest is taken; two of one moment
 * that differ are settled by Stripe.
 *
 * @param same whether what is stored already says this
 */
export function newestOf(known: Known, statements: Statement[], same: (stated: StatedSubscription) => boolean): Choice {
  if (known.ended) return 'nothing new'
  const end = statements.find(({ stated }) => stated.status === 'ended')
  if (end) return { take: end }
  const latest = Math.max(...statements.map(({ at }) => at.getTime()))
  if (known.at && latest < known.at.getTime()) return 'nothing new'
  const [first, ...others] = statements.filter(({ at }) => at.getTime() === latest)
  if (!first) return 'nothing new'
  if (others.some(({ stated }) => !isDeepStrictEqual(stated, first.stated))) return 'ask'
  if (known.at?.getTime() !== latest) return { take: first }
  if (same(first.stated)) return 'nothing new'
  return first.asked ? { take: first } : 'ask'
}

/** When a status began. */
export interface Since {
  /** Since when it is stored, when what is stored has this status. */
  stored: Date | null
  /** The earliest statement of it after every other one. */
  earliest: Date | null
  /** The newest statement of another status. */
  other: Date | null
}

/** The same whatever the order in which the statements came. */
export function begunAt({ stored, earliest, other }: Since, at: Date): Date {
  // What is stored of the very moment of another status took its place: Stripe counts in seconds.
  const kept = stored !== null && (other === null || stored >= other) ? stored : null
  const times = [kept, earliest].filter((time) => time !== null && (time === kept || other === null || time > other))
  return times.reduce<Date>((least, time) => (time && time < least ? time : least), at)
}
