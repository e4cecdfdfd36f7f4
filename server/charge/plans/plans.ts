import { type Kysely, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { containing } from '../../database/containing.ts'
import type { DB, Plan as PlanTable } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { namedOnce } from '../../segments/room.ts'
import { Currency } from '../currency.ts'
import { type Plan, PlanWords, planLimits, type updatePlan } from './contract.ts'

export interface PlanKey {
  newsletterId: string
  planId: number
}

/**
 * Whether a row `s` of `subscription` has its plan at a moment: not those that ended, and not those whose paid time is over and which
 * nobody will pay again.
 */
export const isHeld = (now: Date) =>
  sql<boolean>`(s.status <> 'ended' and (s.renews or s.paid_until is null or s.paid_until > ${now}))`

/** How many people rows `s` of `subscription` are of: whoever has several is one of them. */
export const peopleIn = sql<number>`count(distinct coalesce(s.subscriber_id, s.id))`

/** All plans in their order, or one of them, each with its prices and who has it. */
export async function listPlans(db: Db, newsletterId: string, { now, planId }: { now: Date; planId?: number }) {
  const plans = await db
    .selectFrom('plan')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .$if(planId !== undefined, (query) => query.where('id', '=', planId ?? 0))
    .orderBy(sql`kind = 'paid'`)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const ids = plans.map(({ id }) => id)
  const [prices, holders] = [await pricesOf(db, newsletterId, ids), await holdersOf(db, newsletterId, { ids, now })]
  const people = await peopleOf(db, newsletterId, { ids, now })
  return plans.map((plan) => ({
    ...shownPlan(plan, prices.get(plan.id) ?? [], holders.get(plan.id) ?? []),
    placesTaken: people.get(plan.id) ?? 0,
  }))
}

/** The ids of the plans that somebody can take now: those that are open and have a price. */
export async function plansForSale(db: Db, newsletterId: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from plan p where p.newsletter_id = ${newsletterId} and p.kind = 'paid' and p.closed_at is null
      and exists (select from price r where r.newsletter_id = p.newsletter_id and r.plan_id = p.id and r.replaced_at is null)
    order by p.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those with a part of their name in any language; what is sold comes first. */
export async function findPlansByName(
  db: Db,
  newsletterId: string,
  { search, limit }: { search: string; limit: number },
): Promise<Pick<Plan, 'id' | 'words'>[]> {
  const { rows } = await sql<{ id: number; words: unknown }>`
    select id, words from plan where newsletter_id = ${newsletterId}
      and exists (select from jsonb_each(words) w where w.value ->> 'name' ~* ${containing(search)})
    order by closed_at is not null, position, id limit ${limit}`.execute(db)
  return rows.map(({ id, words }) => ({ id, words: PlanWords.parse(words) }))
}

/** @throws AppError plan_not_found */
export async function findPlan(db: Db, { newsletterId, planId }: PlanKey, now: Date): Promise<Plan> {
  const [plan] = await listPlans(db, newsletterId, { now, planId })
  if (!plan) throw new AppError('plan_not_found')
  return plan
}

async function pricesOf(db: Db, newsletterId: string, ids: number[]) {
  const { rows } = await sql<Plan['prices'][number] & { planId: number }>`
    select plan_id as "planId", id, currency, period, amount, suggested, months from price
    where newsletter_id = ${newsletterId} and plan_id = any(${ids}::integer[]) and replaced_at is null
    order by currency, array_position('{month,year,once}', period)`.execute(db)
  return Map.groupBy(rows, ({ planId }) => planId)
}

async function holdersOf(db: Db, newsletterId: string, { ids, now }: { ids: number[]; now: Date }) {
  const { rows } = await sql<Plan['holders'][number] & { planId: number }>`
    select s.plan_id as "planId", s.price_id as "priceId", s.currency, s.period, s.amount, s.discount, s.way, s.status,
      s.way = 'card' and not s.renews as leaving, (p.currency, p.amount) is distinct from (s.currency, s.amount) as agreed,
      ${peopleIn} as subscribers
    from subscription s
    left join price p on p.newsletter_id = s.newsletter_id and p.id = s.price_id
    where s.newsletter_id = ${newsletterId} and s.plan_id = any(${ids}::integer[]) and not s.test and ${isHeld(now)}
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 order by subscribers desc, 2`.execute(db)
  return Map.groupBy(rows, ({ planId }) => planId)
}

/** How many have each plan. Whoever has it twice is one of them. */
async function peopleOf(db: Db, newsletterId: string, { ids, now }: { ids: number[]; now: Date }) {
  const { rows } = await sql<{ planId: number; people: number }>`
    select s.plan_id as "planId", ${peopleIn} as people from subscription s
    where s.newsletter_id = ${newsletterId} and s.plan_id = any(${ids}::integer[]) and not s.test and ${isHeld(now)}
    group by 1`.execute(db)
  return new Map(rows.map(({ planId, people }) => [planId, people]))
}

function shownPlan(
  row: Selectable<PlanTable>,
  prices: Plan['prices'],
  holders: Plan['holders'],
): Omit<Plan, 'placesTaken'> {
  return {
    id: row.id,
    kind: row.kind,
    words: PlanWords.parse(row.words),
    prices: prices.map(({ id, currency, period, amount, suggested, months }) => ({
      ...{ id, currency, period, months },
      amount: Number(amount),
      suggested: suggested && Number(suggested),
    })),
    trialDays: row.trial_days,
    devices: row.devices,
    places: row.places,
    payMore: row.pay_more,
    giftable: row.giftable,
    shown: row.shown,
    closedAt: row.closed_at?.toISOString() ?? null,
    holders: holders.map((one) => ({
      ...one,
      currency: Currency.safeParse(one.currency).data ?? null,
      amount: one.amount && Number(one.amount),
      discount: Number(one.discount),
    })),
  }
}

type Values = Partial<z.output<typeof updatePlan.body>>

const columnsOf = ({ words, trialDays, devices, places, payMore, giftable, shown }: Values) => ({
  ...(words && { words: JSON.stringify(words) }),
  ...(trialDays !== undefined && { trial_days: trialDays }),
  ...(devices !== undefined && { devices }),
  ...(places !== undefined && { places }),
  ...(payMore !== undefined && { pay_more: payMore }),
  ...(giftable !== undefined && { giftable }),
  ...(shown !== undefined && { shown }),
})

interface Clocked {
  db: Kysely<DB>
  now: () => Date
}

/** Comes last among the plans. @returns its id. @throws AppError too_many_plans, and name_taken for a second free plan */
export async function insertPlan(
  tx: Db,
  newsletterId: string,
  { kind, ...values }: Values & Pick<Plan, 'kind'>,
): Promise<number> {
  await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
  const { rows } = await sql<{ plans: number; position: number }>`
    select count(*) as plans, coalesce(max(position) + 1, 0) as position from plan where newsletter_id = ${newsletterId}`.execute(
    tx,
  )
  const { plans = 0, position = 0 } = rows[0] ?? {}
  if (plans >= planLimits.plans) throw new AppError('too_many_plans', { params: { maximum: planLimits.plans } })
  const { words, ...columns } = columnsOf(values)
  const row = { ...columns, words: words ?? '{}', newsletter_id: newsletterId, kind, position }
  const insert = tx.insertInto('plan').values(row).returning('id').executeTakeFirstOrThrow()
  return (await namedOnce(insert, () => 'kind')).id
}

/** @throws AppError plan_not_found */
export const changePlan = (
  { db, now }: Clocked,
  { newsletterId, planId }: PlanKey,
  { closed, ...values }: z.output<typeof updatePlan.body>,
): Promise<Plan> =>
  db.transaction().execute(async (tx) => {
    const columns = {
      ...columnsOf(values),
      ...(closed !== undefined && { closed_at: closed ? sql<Date>`coalesce(closed_at, ${now()})` : null }),
    }
    if (Object.keys(columns).length > 0)
      await tx
        .updateTable('plan')
        .set(columns)
        .where('newsletter_id', '=', newsletterId)
        .where('id', '=', planId)
        .execute()
    return findPlan(tx, { newsletterId, planId }, now())
  })

/** @throws AppError plan_not_found when it does not name every plan once */
export const orderPlans = (db: Kysely<DB>, newsletterId: string, planIds: number[]): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ named: boolean }>`
      update plan p set position = coalesce(array_position(${planIds}::integer[], p.id), 0)
      where p.newsletter_id = ${newsletterId} returning p.id = any(${planIds}::integer[]) as named`.execute(tx)
    if (rows.length !== new Set(planIds).size || rows.some(({ named }) => !named)) throw new AppError('plan_not_found')
  })
