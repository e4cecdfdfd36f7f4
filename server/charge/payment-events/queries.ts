import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { ShownIds } from '../../http/shown-ids.ts'
import type { ChargingNewsletter } from '../change.ts'
import { Currency } from '../currency.ts'
import type * as contract from './contract.ts'

/** How much waits for a member. */
export async function countTasks(db: Db, newsletterId: string): Promise<z.output<typeof contract.stripeTasks.reply>> {
  const { rows } = await sql<z.output<typeof contract.stripeTasks.reply>>`select
    (select count(*) from payment_event where newsletter_id = ${newsletterId} and problem is not null and applied_at is null
      and due_at = 'infinity' and body is not null) as events,
    (select count(distinct s.id) from payment_event e join subscription s on s.newsletter_id = e.newsletter_id and s.stripe_id = e.object_id
      where e.newsletter_id = ${newsletterId} and e.problem = 'subscriber_unknown' and s.subscriber_id is null and s.status <> 'ended') as nameless,
    f.failures, f."testFailures",
    (select (select count(*) from stripe_difference d where d.newsletter_id = c.newsletter_id and d.comparison_id = c.id
        and d.repaired_at is null and d.problem is null)
      from (select * from stripe_comparison where newsletter_id = ${newsletterId} order by begun_at desc limit 1) c
      where c.state = 'stopped') as stopped
    from (select count(*) as failures, count(*) filter (where s.test) as "testFailures"
      from payment_failure f join subscription s on s.newsletter_id = f.newsletter_id and s.id = f.subscription_id
      where f.newsletter_id = ${newsletterId} and f.settled_at is null) f`.execute(db)
  return rows[0] ?? { events: 0, nameless: 0, stopped: null, failures: 0, testFailures: 0 }
}

interface EventRow extends Omit<contract.Event, 'statedAt' | 'receivedAt' | 'dueAt'> {
  statedAt: Date
  receivedAt: Date
  dueAt: Date | null
}

/** What could not be applied or is for an owner's eye, and how much waits. */
export async function listEvents(db: Db, newsletterId: string): Promise<z.output<typeof contract.listEvents.reply>> {
  const { rows: problems } = await sql<EventRow>`
    select id, type, object_id as "objectId", stated_at as "statedAt", received_at as "receivedAt", problem, attempts,
      applied_at is not null as applied, case when applied_at is null and due_at < 'infinity' then due_at end as "dueAt",
      applied_at is null and body is not null as "mayRetry" from payment_event
    where newsletter_id = ${newsletterId} and problem is not null and problem <> 'not_ours'
    order by received_at desc, id limit 100`.execute(db)
  const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from payment_event
    where newsletter_id = ${newsletterId} and applied_at is null and due_at < 'infinity'`.execute(db)
  return {
    waiting: rows[0]?.waiting ?? 0,
    problems: problems.map(({ statedAt, receivedAt, dueAt, ...row }) => ({
      ...row,
      statedAt: statedAt.toISOString(),
      receivedAt: receivedAt.toISOString(),
      dueAt: dueAt?.toISOString() ?? null,
    })),
  }
}

/** The last ten comparisons, the newest first, each with the first hundred of its differences. */
export async function listComparisons(db: Db, newsletterId: string): Promise<contract.Comparison[]> {
  const { rows } = await sql<{ comparison: contract.Comparison }>`
    select jsonb_build_object('id', c.id, 'state', c.state, 'compared', c.compared, 'problem', c.problem,
      'begunAt', to_json(c.begun_at at time zone 'UTC') #>> '{}' || 'Z', 'endedAt', to_json(c.ended_at at time zone 'UTC') #>> '{}' || 'Z',
      'differences', (select count(*) from stripe_difference d where d.newsletter_id = c.newsletter_id and d.comparison_id = c.id),
      'repaired', (select count(*) from stripe_difference d where d.newsletter_id = c.newsletter_id and d.comparison_id = c.id
        and d.repaired_at is not null),
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

interface FailureRow {
  subscriptionId: string
  subscriberId: string | null
  email: string | null
  name: string | null
  planId: number
  test: boolean
  amount: number | null
  currency: string | null
  failedAt: Date
  attempts: number
  nextAttemptAt: Date | null
  toldAttempt: number
  mayBeTold: boolean
  readsUntil: Date
}

/** Renewals that failed and are not paid, the newest first. */
export async function listFailures(
  { db, shownIds }: { db: Db; shownIds: ShownIds },
  newsletter: ChargingNewsletter,
): Promise<z.output<typeof contract.listFailures.reply>['rows']> {
  const { rows } = await sql<FailureRow>`
    select f.subscription_id as "subscriptionId", s.subscriber_id as "subscriberId", p.email, p.name, s.plan_id as "planId", s.test,
      s.amount, s.currency, f.failed_at as "failedAt", f.attempts, f.next_attempt_at as "nextAttemptAt", f.told_attempt as "toldAttempt",
      p.id is not null and not exists (select from suppression x where x.newsletter_id = p.newsletter_id
        and x.email_normalised = p.email_normalised) as "mayBeTold",
      coalesce(s.past_due_since, f.failed_at) + make_interval(days => ${newsletter.grace_days}::integer) as "readsUntil"
    from payment_failure f
    join subscription s on s.newsletter_id = f.newsletter_id and s.id = f.subscription_id
    left join subscriber p on p.newsletter_id = s.newsletter_id and p.id = s.subscriber_id
    where f.newsletter_id = ${newsletter.id} and f.settled_at is null
    order by f.failed_at desc, f.invoice_id limit 100`.execute(db)
  return rows.map(({ subscriberId, currency, failedAt, nextAttemptAt, readsUntil, ...row }) => ({
    ...row,
    subscriberId: subscriberId && shownIds.show(subscriberId),
    currency: Currency.safeParse(currency).data ?? null,
    failedAt: failedAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    readsUntil: readsUntil.toISOString(),
  }))
}
