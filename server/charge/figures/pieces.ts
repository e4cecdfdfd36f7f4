import { type RawBuilder, sql } from 'kysely'
import { countDays, partsOf, piecesOf, type Range, type Span } from './range.ts'

/** SQL: whether a counted row is of the range. The rows that it takes are each day once. */
export function isWithin(range: Range): RawBuilder<boolean> {
  const pieces = piecesOf(range).map(
    ({ span, from, to }) => sql<boolean>`(span = ${span} and since between ${from}::date and ${to}::date)`,
  )
  return pieces.length > 0 ? sql`(${sql.join(pieces, sql` or `)})` : sql`false`
}

/** SQL: which of the equal parts of a range a day lies in, from 0. */
export const partOf = (day: RawBuilder<unknown>, range: Range): RawBuilder<number> =>
  sql`((${day} - ${range.from}::date) * ${partsOf(range)}::integer / ${countDays(range)}::integer)`

/** The same for figures by day or by month. */
export const isStepOf = (range: Range, by: Span): RawBuilder<boolean> =>
  by === 'month' ? isWithin(range) : sql`(span = 'day' and since between ${range.from}::date and ${range.to}::date)`
