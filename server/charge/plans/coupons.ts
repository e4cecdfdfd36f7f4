import { type Kysely, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { Coupon as CouponTable, DB, Subscription } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { namedOnce } from '../../segments/room.ts'
import { Currency } from '../currency.ts'
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

/** @throws AppError name_taken, too_many_coupons, plan_not_found, invalid for an end that has passed */
export const addCoupon = (
  { db, now }: { db: Kysely<DB>; now: () => Date },
  newsletterId: string,
  { planId, until, ...values }: z.output<typeof createCoupon.body>,
): Promise<Coupon> =>
  db.transaction().execute(async (tx) => {
    if (until && new Date(until) <= now()) throw new AppError('invalid', { fields: { until: 'day_past' } })
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

interface Purchase {
  planId: number
  currency: string | null
  now: Date
}

type CouponRow = Selectable<CouponTable>

/** Whether a coupon may be used once more for a plan at a price in a currency. */
export const isUsable = (coupon: CouponRow, { planId, currency, now }: Purchase): boolean =>
  coupon.closed_at === null &&
  (coupon.until === null || coupon.until > now) &&
  (coupon.plan_id === null || coupon.plan_id === planId) &&
  (coupon.currency === null || coupon.currency === currency) &&
  (coupon.most === null || coupon.used < coupon.most)

/** @param code as it was typed */
export const findCoupon = async (db: Db, newsletterId: string, code: string): Promise<CouponRow | null> =>
  (await db
    .selectFrom('coupon')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('code', '=', code.trim().toUpperCase())
    .executeTakeFirst()) ?? null

/** What a coupon leaves of a sum, in the smallest unit. */
export const reducedBy = ({ percent, amount: off }: Pick<CouponRow, 'percent' | 'amount'>, amount: number): number =>
  amount - Math.min(amount, percent === null ? Number(off) : Math.round((amount * percent) / 100))

/**
 * Counts that a purchase used a coupon: once, however often it is said. What was bought with test keys counts for no limit. An id that is
 * none of the newsletter's coupons is nothing to us.
 */
export async function noteCouponUse(
  tx: Db,
  { newsletter_id, id, test }: Pick<Selectable<Subscription>, 'newsletter_id' | 'id' | 'test'>,
  { couponId, at }: { couponId: number; at: Date },
): Promise<void> {
  await sql`
    with used as (
      insert into coupon_use (newsletter_id, coupon_id, subscription_id, at)
      select newsletter_id, id, ${id}, ${at} from coupon where newsletter_id = ${newsletter_id} and id = ${couponId}
      on conflict do nothing returning coupon_id
    )
    update coupon c set used = c.used + 1 from used
    where c.newsletter_id = ${newsletter_id} and c.id = used.coupon_id and not ${test}::boolean`.execute(tx)
}
