import { type Kysely, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { Coupon as CouponTable, DB } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { namedOnce } from '../../segments/room.ts'
import { Currency } from '../money.ts'
import { type Coupon as CouponShape, type createCoupon, planLimits } from './contract.ts'

type Coupon = z.infer<typeof CouponShape>

const shown = (row: Selectable<CouponTable>): Coupon => ({
  id: row.id,
  code: row.code,
  percent: row.percent,
  amount: row.amount && Number(row.amount),
  currency: Currency.safeParse(row.currency).data ?? null,
  months: row.months,
  planId: row.plan_id,
  most: row.most,
  used: row.used,
  until: row.until?.toISOString() ?? null,
  closedAt: row.closed_at?.toISOString() ?? null,
})

/** The newest first. */
export const listCoupons = async (db: Db, newsletterId: string): Promise<Coupon[]> =>
  (
    await db.selectFrom('coupon').selectAll().where('newsletter_id', '=', newsletterId).orderBy('id', 'desc').execute()
  ).map(shown)

/** @throws AppError name_taken, too_many_coupons, plan_not_found */
export const addCoupon = (
  db: Kysely<DB>,
  newsletterId: string,
  { planId, until, ...values }: z.output<typeof createCoupon.body>,
): Promise<Coupon> =>
  db.transaction().execute(async (tx) => {
    await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
    const coupons = await listCoupons(tx, newsletterId)
    const maximum = planLimits.coupons
    if (coupons.length >= maximum) throw new AppError('too_many_coupons', { params: { maximum } })
    if (planId !== null) await requirePlan(tx, { newsletterId, planId })
    const row = { ...values, newsletter_id: newsletterId, plan_id: planId, until: until && new Date(until) }
    const insert = tx.insertInto('coupon').values(row).returningAll().executeTakeFirstOrThrow()
    return shown(await namedOnce(insert, () => 'code'))
  })

async function requirePlan(tx: Db, { newsletterId, planId }: { newsletterId: string; planId: number }): Promise<void> {
  const query = tx.selectFrom('plan').select('id').where('newsletter_id', '=', newsletterId).where('id', '=', planId)
  if (!(await query.forKeyShare().executeTakeFirst())) throw new AppError('plan_not_found')
}

/** @throws AppError coupon_not_found */
export async function closeCoupon(
  db: Db,
  { newsletterId, couponId, now }: { newsletterId: string; couponId: number; now: Date },
): Promise<Coupon> {
  const row = await db
    .updateTable('coupon')
    .set({ closed_at: sql<Date>`coalesce(closed_at, ${now})` })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', couponId)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AppError('coupon_not_found')
  return shown(row)
}

interface Using {
  newsletterId: string
  /** As it was typed. */
  code: string
  planId: number
  now: Date
}

/**
 * Uses a coupon once more for a plan, and answers it. A limit holds for buyers at the same moment too. What is not bought after all gives it
 * back with `giveBackCoupon`.
 *
 * @throws AppError coupon_not_found for a code that does not exist, is closed, over, for another plan or used up
 */
export async function takeCoupon(tx: Db, { newsletterId, code, planId, now }: Using): Promise<Coupon> {
  const row = await tx
    .updateTable('coupon')
    .set({ used: sql<number>`used + 1` })
    .where('newsletter_id', '=', newsletterId)
    .where('code', '=', code.trim().toUpperCase())
    .where('closed_at', 'is', null)
    .where(sql<boolean>`(until is null or until > ${now})`)
    .where(sql<boolean>`(plan_id is null or plan_id = ${planId})`)
    .where(sql<boolean>`(most is null or used < most)`)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AppError('coupon_not_found')
  return shown(row)
}

/** Undoes one `takeCoupon`. */
export async function giveBackCoupon(
  tx: Db,
  { newsletterId, couponId }: { newsletterId: string; couponId: number },
): Promise<void> {
  await tx
    .updateTable('coupon')
    .set({ used: sql<number>`greatest(used - 1, 0)` })
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', couponId)
    .execute()
}
