import type { Db } from '../../database/client.ts'
import type { SubscriptionRow } from '../change.ts'
import { isUsable } from '../plans/coupons.ts'
import type { CouponRow } from '../stripe/coupons.ts'

/** In `cancel_reason`, where else a subscriber says why they cancelled: only the owner lets it go on again. */
export const BY_OWNER = 'owner'

type Cancelled = Pick<
  SubscriptionRow,
  | 'newsletter_id'
  | 'id'
  | 'plan_id'
  | 'way'
  | 'status'
  | 'renews'
  | 'currency'
  | 'period'
  | 'paid_until'
  | 'cancel_reason'
>

/** The coupon for who has cancelled this subscription and may still stay; null when there is none, or when they had it before. */
export async function findWinBack(db: Db, row: Cancelled, now: Date): Promise<CouponRow | null> {
  const { newsletter_id, way, status, renews, period, paid_until } = row
  const isCancelled = way === 'card' && status === 'active' && !renews && period !== 'once'
  if (!isCancelled || row.cancel_reason === BY_OWNER || !paid_until || paid_until <= now) return null
  const coupon = await db
    .selectFrom('coupon as c')
    .innerJoin('newsletter as n', (join) => join.onRef('n.id', '=', 'c.newsletter_id'))
    .selectAll('c')
    .whereRef('n.win_back_coupon_id', '=', 'c.id')
    .where('c.newsletter_id', '=', newsletter_id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('coupon_use as u')
            .select('u.coupon_id')
            .where('u.newsletter_id', '=', newsletter_id)
            .where('u.subscription_id', '=', row.id)
            .whereRef('u.coupon_id', '=', 'c.id'),
        ),
      ),
    )
    .executeTakeFirst()
  return coupon && isUsable(coupon, { planId: row.plan_id, currency: row.currency, now }) ? coupon : null
}
