import type { Subscription } from '../database/types.ts'

const DAY_MS = 86_400_000

/** What decides how long a subscription may be read by. */
export interface SubscriptionFacts {
  planId: number
  status: Subscription['status']
  /** Null: for good. */
  paidUntil: Date | null
  renews: boolean
  pastDueSince: Date | null
  endedAt: Date | null
}

/** The end of the time in which somebody may read; `for good` when there is none. */
export type Until = Date | 'for good'

/**
 * Until when a subscription lets its subscriber read; null when it never did.
 *
 * A renewal that failed, and one of which nothing was heard, leave the days of grace: nobody is locked out because a bank, Stripe or this
 * server was late. What was cancelled is read until the end of what was paid for.
 */
export function readableUntil(facts: SubscriptionFacts, graceDays: number): Until | null {
  const { status, paidUntil, renews } = facts
  const afterGrace = (from: Date) => new Date(from.getTime() + graceDays * DAY_MS)
  switch (status) {
    case 'incomplete':
      return null
    case 'ended':
      return facts.endedAt
    case 'paused':
      return paidUntil ?? 'for good'
    case 'past_due':
      return facts.pastDueSince && afterGrace(facts.pastDueSince)
    case 'trialing':
    case 'active':
      if (!paidUntil) return 'for good'
      return renews ? afterGrace(paidUntil) : paidUntil
  }
}

/**
 * What a subscriber may read of all the subscriptions they ever had: the plans, each until its latest end. Ends that have passed are
 * among them, so that the answer does not depend on the moment it is asked for.
 */
export function entitlementsOf(subscriptions: Iterable<SubscriptionFacts>, graceDays: number): Map<number, Until> {
  const latest = new Map<number, Until>()
  for (const facts of subscriptions) {
    const until = readableUntil(facts, graceDays)
    const before = latest.get(facts.planId)
    if (until && (!before || isLater(until, before))) latest.set(facts.planId, until)
  }
  return latest
}

const isLater = (one: Until, other: Until): boolean =>
  other !== 'for good' && (one === 'for good' || one.getTime() > other.getTime())
