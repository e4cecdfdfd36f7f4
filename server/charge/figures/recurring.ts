import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { RevenueChange } from '../../database/types.ts'
import type { getChargeFigures } from './contract.ts'
import { isStepOf, isWithin } from './pieces.ts'
import { countDays, daysLater, everythingBefore, type Range, type Span, stepsOf } from './range.ts'

type Recurring = z.infer<typeof getChargeFigures.reply>['recurring']
type Movements = Record<RevenueChange['kind'], number>

interface Of {
  newsletterId: string
  currency: string
  range: Range
  by: Span
}

const nothing: Movements = { new: 0, expansion: 0, reactivation: 0, contraction: 0, churn: 0 }
const sumOf = (movements: Movements): number => Object.values(movements).reduce((sum, each) => sum + each, 0)
const DAYS_OF_A_MONTH = 365 / 12

/** The recurring revenue of a range in one currency, and how it moved. */
export async function readRecurring(db: Db, of: Of): Promise<Recurring> {
  const [begin, moved, payingBegin, payingEnd] = await Promise.all([
    readSum(db, of, everythingBefore(of.range.from)),
    readMoved(db, of),
    readPaying(db, of, of.range.from),
    readPaying(db, of, daysLater(of.range.to, 1)),
  ])
  const points: Recurring['points'] = []
  const total = { ...nothing }
  let end = begin
  for (const since of stepsOf(of.range, of.by)) {
    const movements = moved.get(since) ?? nothing
    for (const kind of movementKinds) total[kind] += movements[kind]
    end += sumOf(movements)
    points.push({ since, ...movements, end })
  }
  return { points, begin, end, total, payingBegin, payingEnd, lost: lostOf(points, { ...of, begin }) }
}

// The type of `Object.keys` does not say which keys an object has.
const movementKinds = Object.keys(nothing) as RevenueChange['kind'][]

async function readMoved(db: Db, { newsletterId, currency, range, by }: Of): Promise<Map<string, Movements>> {
  const { rows } = await sql<{ since: string; kind: RevenueChange['kind']; yearly: number }>`
    select to_char(${by === 'day' ? sql`since` : sql`date_trunc('month', since::timestamp)`}, 'YYYY-MM-DD') as since, kind,
      sum(yearly)::bigint as yearly
    from movement_count where newsletter_id = ${newsletterId} and currency = ${currency} and ${isStepOf(range, by)}
    group by 1, 2`.execute(db)
  const moved = new Map<string, Movements>()
  for (const { since, kind, yearly } of rows) moved.set(since, { ...(moved.get(since) ?? nothing), [kind]: yearly })
  return moved
}

async function readSum(db: Db, { newsletterId, currency }: Of, range: Range): Promise<number> {
  const { rows } = await sql<{ yearly: number }>`
    select coalesce(sum(yearly), 0)::bigint as yearly from movement_count
    where newsletter_id = ${newsletterId} and currency = ${currency} and ${isWithin(range)}`.execute(db)
  return rows[0]?.yearly ?? 0
}

/** Subscriptions that were recurring revenue when a day began. */
async function readPaying(db: Db, { newsletterId, currency }: Of, day: string): Promise<number> {
  const { rows } = await sql<{ paying: number }>`
    select coalesce(sum(subscriptions), 0)::bigint as paying from standing_count
    where newsletter_id = ${newsletterId} and currency = ${currency} and standing in ('paid', 'late', 'leaving', 'outside')
      and period in ('month', 'year') and ${isWithin(everythingBefore(day))}`.execute(db)
  return rows[0]?.paying ?? 0
}

/**
 * What share of the recurring revenue leaves in a month: what left, of what was there when each month began. Of days, the same for each
 * day, and then for as many as a month has.
 */
function lostOf(points: Recurring['points'], { begin, by, range }: Of & { begin: number }): number | null {
  let [before, there, left] = [begin, 0, 0]
  for (const { churn, end } of points) {
    there += before
    left -= churn
    before = end
  }
  if (there <= 0) return null
  return (left / there) * (by === 'day' && countDays(range) > 0 ? DAYS_OF_A_MONTH : 1)
}

/** The recurring revenue at the end of a range, of each currency that has any, the most first. */
export async function readRecurringEnds(
  db: Db,
  newsletterId: string,
  range: Range,
): Promise<{ currency: string; yearly: number }[]> {
  const { rows } = await sql<{ currency: string; yearly: number }>`
    select currency, sum(yearly)::bigint as yearly from movement_count
    where newsletter_id = ${newsletterId} and (${isWithin(everythingBefore(range.from))} or ${isWithin(range)})
    group by currency having sum(yearly) > 0 order by 2 desc, currency`.execute(db)
  return rows
}
