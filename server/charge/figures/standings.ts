import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { languages } from '../../languages.ts'
import type { getChargeFigures } from './contract.ts'
import { isWithin } from './pieces.ts'
import { everythingBefore, type Range } from './range.ts'

type Plan = z.infer<typeof getChargeFigures.reply>['plans'][number]
type Trials = z.infer<typeof getChargeFigures.reply>['trials']
type Standing = Exclude<keyof Plan, 'planId' | 'names' | 'period' | 'change'>

const none: Record<Standing, number> = {
  ...{ paid: 0, late: 0, leaving: 0, outside: 0, trial: 0, paused: 0, complimentary: 0, gift: 0 },
}
const paying: readonly Standing[] = ['paid', 'late', 'leaving', 'outside']

/** Subscriptions as they stood when the range ended, by plan and period, in all currencies; those with the most paying first. */
export async function readPlans(db: Db, newsletterId: string, range: Range): Promise<Plan[]> {
  const { rows } = await sql<{
    plan_id: number
    words: Record<string, { name?: string } | undefined>
    period: Plan['period']
    standing: Standing
    before: number
    within: number
  }>`
    select c.plan_id, p.words, c.period, c.standing, c.before, c.within
    from (
      select plan_id, period, standing, coalesce(sum(subscriptions) filter (where since < ${range.from}::date), 0)::bigint as before,
        coalesce(sum(subscriptions) filter (where since >= ${range.from}::date), 0)::bigint as within
      from standing_count
      where newsletter_id = ${newsletterId} and (${isWithin(everythingBefore(range.from))} or ${isWithin(range)}) group by 1, 2, 3
    ) c join plan p on p.newsletter_id = ${newsletterId} and p.id = c.plan_id order by p.position, p.id, c.period`.execute(
    db,
  )
  const plans = new Map<string, Plan>()
  for (const row of rows) {
    const key = `${row.plan_id} ${row.period}`
    const plan = plans.get(key) ?? {
      planId: row.plan_id,
      names: Object.fromEntries(languages.flatMap((language) => named(language, row.words[language]?.name))),
      period: row.period,
      ...none,
      change: 0,
    }
    plan[row.standing] = row.before + row.within
    if (paying.includes(row.standing)) plan.change += row.within
    plans.set(key, plan)
  }
  const countOf = (plan: Plan) => paying.reduce((sum, standing) => sum + plan[standing], 0)
  const all = (plan: Plan) =>
    Object.keys(none).some((standing) => plan[standing as Standing] !== 0) || plan.change !== 0
  return [...plans.values()].filter(all).sort((one, other) => countOf(other) - countOf(one))
}

const named = (language: string, name: string | undefined): [string, string][] => (name ? [[language, name]] : [])

/** The trials that began in a range, and what has become of them since. */
export async function readTrials(db: Db, newsletterId: string, range: Range): Promise<Trials> {
  const { rows } = await sql<Omit<Trials, 'rate'>>`
    select coalesce(sum(begun), 0)::bigint as begun, coalesce(sum(finished), 0)::bigint as finished,
      coalesce(sum(paying), 0)::bigint as paying
    from trial_count where newsletter_id = ${newsletterId} and ${isWithin(range)}`.execute(db)
  const counts = rows[0] ?? { begun: 0, finished: 0, paying: 0 }
  return { ...counts, rate: counts.finished > 0 ? counts.paying / counts.finished : null }
}
