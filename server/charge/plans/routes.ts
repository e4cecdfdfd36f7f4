import type { Context } from '../../context.ts'
import { on, type Route } from '../../http/routes.ts'
import * as contract from './contract.ts'
import { addCoupon, closeCoupon, listCoupons } from './coupons.ts'
import { opensOf } from './opens.ts'
import { changePlan, listPlans, orderPlans } from './plans.ts'
import { addPlan, offerAt } from './prices.ts'
import { changeSettings, settingsOf } from './settings.ts'

/** Plans, their prices, coupons, and what holds for all of them. */
export function planRoutes(context: Context): Route[] {
  const { db, now } = context
  const noted = <T extends contract.Plan>(
    plan: T,
    auditLine: { note(detail: Record<string, unknown>): void } | null,
  ) => {
    auditLine?.note({ name: Object.values(plan.words)[0]?.name ?? '' })
    return plan
  }
  return [
    on(contract.listPlans, async ({ newsletter }) => ({
      plans: await listPlans(db, newsletter.id, { now: now() }),
      settings: settingsOf(newsletter),
    })),
    on(contract.planOpens, ({ newsletterId, params: { planId } }) => opensOf(db, { newsletterId, planId }, now())),
    on(contract.createPlan, async ({ newsletterId, body, auditLine }) =>
      noted(await addPlan(context, newsletterId, body), auditLine),
    ),
    on(contract.updatePlan, async ({ newsletterId, params: { planId }, body, auditLine }) =>
      noted(await changePlan(context, { newsletterId, planId }, body), auditLine),
    ),
    on(contract.setPrices, async ({ newsletterId, params: { planId }, body, auditLine }) =>
      noted(await offerAt(context, { newsletterId, planId }, body), auditLine),
    ),
    on(contract.orderPlans, async ({ newsletterId, body }) => {
      await orderPlans(db, newsletterId, body.planIds)
      return { done: true as const }
    }),
    on(contract.updateChargeSettings, ({ newsletter, body }) => changeSettings(db, newsletter, body)),
    on(contract.listCoupons, async ({ newsletterId }) => ({ coupons: await listCoupons(db, newsletterId) })),
    on(contract.createCoupon, ({ newsletterId, body }) => addCoupon(context, newsletterId, body)),
    on(contract.closeCoupon, async ({ newsletterId, params: { couponId }, auditLine }) => {
      const coupon = await closeCoupon(db, { newsletterId, couponId, now: now() })
      auditLine?.note({ code: coupon.code })
      return coupon
    }),
  ]
}
