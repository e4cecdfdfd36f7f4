import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { on, type Route } from '../../http/routes.ts'
import { findAccount } from '../stripe/account.ts'
import { approveRepairs, beginComparison } from './comparison.ts'
import * as contract from './contract.ts'
import { countTasks, listComparisons, listEvents, listFailures } from './queries.ts'
import { stripeWebhookRoutes } from './webhook-routes.ts'

/** What Stripe says, what became of it, and the comparison with its lists. */
export function paymentEventRoutes(context: Context): Route[] {
  const { db, now, shownIds } = context
  return [
    ...stripeWebhookRoutes(context),
    on(contract.stripeTasks, ({ newsletterId }) => countTasks(db, newsletterId)),
    on(contract.listEvents, ({ newsletterId }) => listEvents(db, newsletterId)),
    on(contract.retryEvent, async ({ newsletterId, params: { eventId } }) => {
      // Without its words there is nothing to apply.
      const { rows } = await sql`with again as (
          update payment_event set due_at = ${now()}, attempts = 0, problem = null, waits_for = null
          where newsletter_id = ${newsletterId} and id = ${eventId} and applied_at is null and body is not null returning 1
        ) select pg_notify('payment_event', '') from again`.execute(db)
      if (rows.length === 0) throw new AppError('not_found')
      return { done: true as const }
    }),
    on(contract.listComparisons, async ({ newsletterId }) => ({
      comparisons: await listComparisons(db, newsletterId),
    })),
    on(contract.startComparison, async ({ newsletterId }) => {
      if (!(await findAccount(db, newsletterId))) throw new AppError('not_found')
      const { id } = await beginComparison(db, newsletterId, now())
      return { id }
    }),
    on(contract.repairComparison, async ({ newsletterId, params: { comparisonId: id } }) => {
      if (!(await approveRepairs(db, { newsletterId, id }))) throw new AppError('not_found')
      return { done: true as const }
    }),
    on(contract.listFailures, async ({ newsletter }) => ({ rows: await listFailures({ db, shownIds }, newsletter) })),
  ]
}
