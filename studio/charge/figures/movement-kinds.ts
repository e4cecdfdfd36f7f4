import type { Figures, Recurring } from './queries.ts'

export type Point = Recurring['points'][number]

/** In the order of the table, with their colours. What is added stands above the line of the chart, from it upwards. */
export const movementKinds = [
  { kind: 'new', colour: 'var(--tirage-v3)' },
  { kind: 'expansion', colour: 'var(--tirage-v2)' },
  { kind: 'reactivation', colour: 'var(--tirage-v1)' },
  { kind: 'contraction', colour: 'var(--tirage-ink3)' },
  { kind: 'churn', colour: 'var(--tirage-v4)' },
] as const

/** Whether anything moved. */
export const hasMoved = (point: Point): boolean => movementKinds.some(({ kind }) => point[kind] !== 0)

/** How much more there is at the end than at the beginning. */
export const balanceOf = (point: Pick<Point, (typeof movementKinds)[number]['kind']>): number =>
  movementKinds.reduce((sum, { kind }) => sum + point[kind], 0)

/** Whether there is nothing to draw: no subscription was paid, in any currency. */
export const isEmpty = ({ recurring, recurringEnds }: Pick<Figures, 'recurring' | 'recurringEnds'>): boolean =>
  recurringEnds.length === 0 && recurring.points.every((point) => point.end === 0 && !hasMoved(point))
