import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { createPlan, Plan, setPrices } from './contract.ts'
import { findPlan, insertPlan, type PlanKey } from './plans.ts'

type Wanted = z.output<typeof setPrices.body>['prices'][number]

interface Clocked {
  db: Kysely<DB>
  now: () => Date
}

/** Makes a plan and offers it at its prices, or makes none. @throws AppError too_many_plans, name_taken, free_has_no_price */
export const addPlan = (
  { db, now }: Clocked,
  newsletterId: string,
  { prices, ...values }: z.output<typeof createPlan.body>,
): Promise<Plan> =>
  db.transaction().execute(async (tx) => {
    if (values.kind === 'free' && prices.length > 0) throw new AppError('free_has_no_price')
    const key = { newsletterId, planId: await insertPlan(tx, newsletterId, values) }
    await replacePrices(tx, key, { prices, at: now() })
    return findPlan(tx, key, now())
  })

/**
 * Offers a plan at these prices and no others. A price that stays as it is keeps its row, and another one gets a row of its own, so that who
 * bought at the old one stays on it.
 *
 * With `moveOutside`, what is paid outside costs the new price of its currency and period from its next period on.
 *
 * @throws AppError plan_not_found, free_has_no_price
 */
export const offerAt = (
  { db, now }: Clocked,
  key: PlanKey,
  { prices, moveOutside }: z.output<typeof setPrices.body>,
): Promise<Plan> =>
  db.transaction().execute(async (tx) => {
    // Two owners who save at the same moment do so one after the other.
    const plan = await tx
      .selectFrom('plan')
      .select('kind')
      .where('newsletter_id', '=', key.newsletterId)
      .where('id', '=', key.planId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!plan) throw new AppError('plan_not_found')
    if (plan.kind === 'free' && prices.length > 0) throw new AppError('free_has_no_price')
    await replacePrices(tx, key, { prices, at: now() })
    if (moveOutside) await moveOutsideToOffered(tx, key)
    return findPlan(tx, key, now())
  })

async function replacePrices(
  tx: Db,
  { newsletterId, planId }: PlanKey,
  { prices, at }: { prices: Wanted[]; at: Date },
): Promise<void> {
  const wanted = sql`
    select * from unnest(${prices.map(({ currency }) => currency)}::text[], ${prices.map(({ period }) => period)}::text[],
      ${prices.map(({ amount }) => amount)}::bigint[], ${prices.map(({ suggested }) => suggested ?? null)}::bigint[],
      ${prices.map(({ months }) => months ?? null)}::smallint[]) as w (currency, period, amount, suggested, months)`
  const stays = sql`exists (select from (${wanted}) w where (w.currency, w.period, w.amount) = (p.currency, p.period, p.amount)
    and w.suggested is not distinct from p.suggested and w.months is not distinct from p.months)`
  await sql`update price p set replaced_at = ${at}
    where p.newsletter_id = ${newsletterId} and p.plan_id = ${planId} and p.replaced_at is null and not ${stays}`.execute(
    tx,
  )
  await sql`
    insert into price (newsletter_id, plan_id, currency, period, amount, suggested, months)
    select ${newsletterId}, ${planId}, w.* from (${wanted}) w
    on conflict (newsletter_id, plan_id, currency, period) where replaced_at is null do nothing`.execute(tx)
}

/** Whoever agreed on another sum than their price keeps it. It moves neither what may be read nor the recurring revenue until the next period is paid, so it needs no `storeSubscription`. */
const moveOutsideToOffered = (tx: Db, { newsletterId, planId }: PlanKey) =>
  sql`
    update subscription s set next_price_id = case when p.id <> s.price_id then p.id end
    from price p, price paid
    where s.newsletter_id = ${newsletterId} and s.plan_id = ${planId} and s.way = 'outside' and s.status <> 'ended'
      and (paid.newsletter_id, paid.id, paid.currency, paid.amount) = (s.newsletter_id, s.price_id, s.currency, s.amount) and p.newsletter_id = s.newsletter_id and p.plan_id = s.plan_id and p.replaced_at is null
      and (p.currency, p.period) = (s.currency, s.period)`.execute(tx)
