import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import { isHeld } from '../plans/plans.ts'
import type { HeldPlan } from './contract.ts'

/** What a subscriber has of a plan that is not a test, the one that lasts longest. */
export const findHeld = async (
  tx: Db,
  { newsletterId, subscriberId, planId }: { newsletterId: string; subscriberId: string; planId: number },
  now: Date,
) =>
  (await tx
    .selectFrom('subscription as s')
    .select(['s.id', 's.way', 's.paid_until'])
    .where('s.newsletter_id', '=', newsletterId)
    .where('s.subscriber_id', '=', subscriberId)
    .where('s.plan_id', '=', planId)
    .where('s.test', '=', false)
    .where(isHeld(now))
    .orderBy('s.paid_until', (order) => order.desc().nullsFirst())
    .executeTakeFirst()) ?? null

type Held = NonNullable<Awaited<ReturnType<typeof findHeld>>>

/** Whether another time can be added behind it. */
export const canGoOn = ({ way, paid_until }: Held): boolean => way !== 'card' && paid_until !== null

/** Says what is held, so that whoever enters can choose. */
export const planHeld = (held: Held): AppError =>
  new AppError('plan_held', {
    detail: { until: held.paid_until?.toISOString() ?? null, way: held.way, canGoOn: canGoOn(held) } satisfies HeldPlan,
  })
