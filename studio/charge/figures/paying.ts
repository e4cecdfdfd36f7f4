import type { Figures } from './queries.ts'

/** How many subscriptions of a plan are paid for. */
export const payingOf = ({ paid, late, leaving, outside }: Figures['plans'][number]): number =>
  paid + late + leaving + outside

/** How many are paid for when the range ends, of all plans and in all currencies, and how many more than when it began. */
export const payingIn = ({ plans }: Figures): { end: number; change: number } => ({
  end: plans.reduce((sum, plan) => sum + payingOf(plan), 0),
  change: plans.reduce((sum, plan) => sum + plan.change, 0),
})

/**
 * What a subscription brings, in smallest units of a year, and what it brings over its life, where it is known how many leave. Neither is
 * rounded: that is done once, where it is written.
 */
export function averagesOf({ end, payingEnd, lost }: Pick<Figures['recurring'], 'end' | 'payingEnd' | 'lost'>): {
  average: number | null
  lifetime: number | null
} {
  const average = payingEnd > 0 ? end / payingEnd : null
  return { average, lifetime: average !== null && lost ? average / lost : null }
}
