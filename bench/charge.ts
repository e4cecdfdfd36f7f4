import type { Claim, Measure } from './claim.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { addSubscribers, compare, FEW, MANY, nameOf } from './subscribers.ts'

/** The figures of a million payments are read as quickly as those of ten thousand. `npm run bench -- charge` */
export const charge: Claim = {
  name: 'charge',
  async measure() {
    const server = await startBenchServer()
    try {
      for (const size of [FEW, MANY]) await addBooks(server, size)
      await server.database.query('vacuum analyze')
      const measures: Measure[] = []
      for (const [name, query] of asked)
        measures.push(await compare(server, { name, path: `/charge/figures?${query}` }))
      return measures
    } finally {
      await server.stop()
    }
  },
}

const FIRST = '2023-11-01'

const asked: [string, string][] = [
  ['figures of half a year, by month', 'from=2026-05-01&to=2026-10-31'],
  ['figures of thirty days, by day', 'from=2026-09-17&to=2026-10-16&by=day'],
  ['figures of a year that begins and ends within months', 'from=2025-09-17&to=2026-09-16'],
  ['figures of all three years', `from=${FIRST}&to=2026-10-31`],
]

/**
 * Three years of subscriptions that pay each month: one in ten in dollars, one in five after a trial, one in thirty payments given back,
 * forty sources and a publication a week. Half of them leave, and some of those come back.
 */
async function addBooks(server: BenchServer, payments: number): Promise<void> {
  const id = nameOf(payments)
  const people = Math.ceil(payments / 25)
  await addSubscribers(server, payments, people)
  const run = async (statement: string) => {
    await server.database.query(statement.replaceAll('$id', `'${id}'`))
    // As after a while of ordinary work. Otherwise the plans of this connection's foreign keys are those of empty tables.
    await server.database.query('analyze subscriber, plan, subscription, payment, revenue_change')
  }
  await run(
    `insert into plan (newsletter_id, kind, words) select $id, 'paid', '{"en": {"name": "Supporter"}}' from generate_series(1, 3)`,
  )
  await run(`create unlogged table person as
    select row_number() over (order by id) as i, id as subscriber_id, gen_random_uuid() as subscription_id,
      (select min(id) from plan where newsletter_id = $id) + (hashtext(id::text) & 3) % 3 as plan_id,
      case when (hashtext(id::text) & 1023) % 10 = 0 then 'usd' else 'eur' end as currency,
      '${FIRST}'::timestamptz + random() * interval '20 months' as started_at
    from subscriber where newsletter_id = $id`)
  await run(`insert into subscription (newsletter_id, id, subscriber_id, plan_id, way, status, currency, amount, period, started_at, trial_until,
      renews, publication_id, source, changed_at)
    select $id, subscription_id, subscriber_id, plan_id, 'card', 'active', currency, 600, 'month', started_at,
      case when i % 5 = 0 then started_at + interval '14 days' end, true, 'p' || (i % 150), 'source ' || (i % 40), started_at from person`)
  await run(`insert into revenue_change (newsletter_id, subscription_id, plan_id, at, kind, currency, yearly)
    select $id, subscription_id, plan_id, started_at, 'new', currency, 7200 from person
    union all select $id, subscription_id, plan_id, started_at + interval '5 months', 'expansion', currency, 1200 from person where i % 3 = 0
    union all select $id, subscription_id, plan_id, started_at + interval '7 months', 'contraction', currency, -600 from person where i % 4 = 0
    union all select $id, subscription_id, plan_id, started_at + interval '9 months', 'churn', currency, -7200 from person where i % 2 = 0
    union all select $id, subscription_id, plan_id, started_at + interval '11 months', 'reactivation', currency, 7200 from person where i % 8 = 0`)
  await run(`update subscription s set status = 'ended', ended_at = s.started_at + interval '9 months', changed_at = s.started_at + interval '9 months'
    from person p where s.newsletter_id = $id and s.id = p.subscription_id and p.i % 8 in (2, 4, 6)`)
  await run(`insert into payment (newsletter_id, id, subscription_id, subscriber_id, plan_id, kind, at, currency, amount, tax, fee, country, means)
    select $id, gen_random_uuid(), subscription_id, subscriber_id, plan_id, case when (i + m) % 30 = 0 then 'refund' else 'payment' end,
      least(started_at + m * interval '18 days', '2026-10-31'::timestamptz), currency,
      case when (i + m) % 30 = 0 then -600 else 600 end, 100, 43, 'FR', 'card'
    from person, generate_series(0, 24) m`)
  await run('drop table person')
}
