const DAY_MS = 86_400_000

/**
 * Messages a day through an address that mailbox providers do not know yet, from its first day. After the last day the
 * plan has ended. Published in docs/operating.md.
 */
export const warmUpPlan = [
  50, 100, 500, 1_000, 5_000, 10_000, 20_000, 40_000, 70_000, 100_000, 150_000, 225_000, 340_000, 500_000, 750_000,
  1_000_000,
] as const

/** The day of the plan, from 1, and its cap; null before it began and when it has ended. */
export function warmUpDay(startedAt: Date | null, nowMs: number): { day: number; cap: number } | null {
  if (!startedAt) return null
  const day = Math.max(1, Math.floor((nowMs - startedAt.getTime()) / DAY_MS) + 1)
  const cap = warmUpPlan[day - 1]
  return cap === undefined ? null : { day, cap }
}
