import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import { isHeld, type PlanKey, peopleIn } from './plans.ts'

/**
 * Refuses one more subscription to a plan that is closed or has no place left. The plan stays locked until the transaction ends, so that
 * buyers of the last place are counted one after the other: store the subscription in the same transaction. One that is not paid yet
 * (`incomplete`) has its place until it is ended. In test mode no place is taken.
 *
 * @throws AppError plan_not_found, plan_closed, plan_full
 */
export async function takePlace(tx: Db, { newsletterId, planId }: PlanKey, now: Date): Promise<void> {
  const plan = await tx
    .selectFrom('plan')
    .select(['kind', 'places', 'closed_at'])
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', planId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (plan?.kind !== 'paid') throw new AppError('plan_not_found')
  if (plan.closed_at) throw new AppError('plan_closed', { field: 'planId' })
  if (plan.places === null) return
  const { rows } = await sql<{ taken: number }>`
    select ${peopleIn} as taken from subscription s
    where s.newsletter_id = ${newsletterId} and s.plan_id = ${planId} and not s.test and ${isHeld(now)}`.execute(tx)
  if ((rows[0]?.taken ?? 0) >= plan.places) throw new AppError('plan_full', { field: 'planId' })
}
