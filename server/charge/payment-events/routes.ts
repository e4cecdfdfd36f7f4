import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { on, type Route } from '../../http/routes.ts'
import { findAccount } from '../stripe/account.ts'
import { approveRepairs, beginComparison } from './comparison.ts'
import * as contract from './contract.ts'
import { stripeWebhookRoutes } from './webhook-routes.ts'

/** What Stripe says, what became of it, and the comparison with its lists. */
export function paymentEventRoutes(context: Context): Route[] {
  const { db, now, shownIds } = context
  return [
    ...stripeWebhookRoutes(context),
    on(contract.listEvents, async ({ newsletterId }) => {
      const { rows: problems } = await sql<EventRow>`
        select id, type, object_id as "objectId", stated_at as "statedAt", received_at as "receivedAt", problem, attempts,
          applied_at is not null as applied from payment_event
        where newsletter_id = ${newsletterId} and problem is not null and problem <> 'not_ours'
        order by received_at desc, id limit 100`.execute(db)
      const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from payment_event
        where newsletter_id = ${newsletterId} and applied_at is null and due_at < 'infinity'`.execute(db)
      return {
        waiting: rows[0]?.waiting ?? 0,
        problems: problems.map(({ statedAt, receivedAt, ...row }) => ({
          ...row,
          statedAt: statedAt.toISOString(),
          receivedAt: receivedAt.toISOString(),
        })),
      }
    }),
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
    on(contract.listFailures, async ({ newsletter }) => {
      const { rows } = await sql<FailureRow>`
        select f.subscription_id as "subscriptionId", s.subscriber_id as "subscriberId", p.email, f.failed_at as "failedAt", f.attempts,
          f.next_attempt_at as "nextAttemptAt",
          coalesce(s.past_due_since, f.failed_at) + make_interval(days => ${newsletter.grace_days}::integer) as "readsUntil"
        from payment_failure f
        join subscription s on s.newsletter_id = f.newsletter_id and s.id = f.subscription_id
        left join subscriber p on p.newsletter_id = s.newsletter_id and p.id = s.subscriber_id
        where f.newsletter_id = ${newsletter.id} and f.settled_at is null
        order by f.failed_at desc, f.invoice_id limit 100`.execute(db)
      return {
        rows: rows.map(({ subscriberId, failedAt, nextAttemptAt, readsUntil, ...row }) => ({
          ...row,
          subscriberId: subscriberId && shownIds.show(subscriberId),
          failedAt: failedAt.toISOString(),
          nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
          readsUntil: readsUntil.toISOString(),
        })),
      }
    }),
  ]
}

interface EventRow {
  id: string
  type: string
  objectId: string
  statedAt: Date
  receivedAt: Date
  problem: contract.EventProblem
  attempts: number
  applied: boolean
}

interface FailureRow {
  subscriptionId: string
  subscriberId: string | null
  email: string | null
  failedAt: Date
  attempts: number
  nextAttemptAt: Date | null
  readsUntil: Date
}

async function listComparisons(db: Context['db'], newsletterId: string): Promise<contract.Comparison[]> {
  const { rows } = await sql<{ comparison: contract.Comparison }>`
    select jsonb_build_object('id', c.id, 'state', c.state, 'compared', c.compared, 'problem', c.problem,
      'begunAt', to_json(c.begun_at at time zone 'UTC') #>> '{}' || 'Z', 'endedAt', to_json(c.ended_at at time zone 'UTC') #>> '{}' || 'Z',
      'differences', (select count(*) from stripe_difference d where d.newsletter_id = c.newsletter_id and d.comparison_id = c.id),
      'shown', coalesce((
        select jsonb_agg(jsonb_build_object('objectId', d.object_id, 'changes', d.changes, 'problem', d.problem,
          'repairedAt', to_json(d.repaired_at at time zone 'UTC') #>> '{}' || 'Z') order by d.object_id)
        from (select * from stripe_difference d where d.newsletter_id = c.newsletter_id and d.comparison_id = c.id
          order by d.object_id limit 100) d
      ), '[]')) as comparison
    from (select * from stripe_comparison where newsletter_id = ${newsletterId} order by begun_at desc limit 10) c
    order by c.begun_at desc`.execute(db)
  return rows.map(({ comparison }) => comparison)
}
