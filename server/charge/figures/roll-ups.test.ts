import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../database/ids.ts'
import { addPaidPlan } from '../../testing/charge.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { storeSubscription } from '../change.ts'
import { storePayment } from '../payments.ts'
import type { Figures } from './figures.ts'
import { dayIn, daysLater, monthOf } from './range.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

const YEAR_MS = 365 * 86_400_000
const moment = fc
  .integer({ min: 0, max: 24 * 365 * 4 })
  .map((quarter) => new Date(Date.UTC(2025, 5, 1) + (quarter * YEAR_MS) / (24 * 365 * 4)))

const facts = fc.record({
  way: fc.constantFrom('card', 'outside', 'gift', 'complimentary'),
  status: fc.constantFrom('incomplete', 'trialing', 'active', 'past_due', 'paused', 'ended'),
  period: fc.constantFrom('month', 'year', 'once'),
  amount: fc.integer({ min: 0, max: 20_000 }),
  currency: fc.constantFrom('eur', 'usd'),
  renews: fc.boolean(),
  plan: fc.integer({ min: 0, max: 1 }),
  at: moment,
})
const sold = fc.record({
  test: fc.constantFrom(false, false, false, true),
  trial: fc.boolean(),
  states: fc.array(facts, { minLength: 1, maxLength: 4 }),
  publication: fc.constantFrom('one', 'two', null),
  source: fc.constantFrom('page', 'radio', null),
})
const money = fc.record({
  of: fc.nat(),
  kind: fc.constantFrom('payment', 'payment', 'refund', 'dispute'),
  refundOf: fc.nat(),
  at: moment,
  amount: fc.integer({ min: 0, max: 20_000 }),
  tax: fc.integer({ min: 0, max: 2_000 }),
  fee: fc.constantFrom(0, 30, 250),
  publication: fc.constantFrom('one', 'three', null),
})
const history = fc.record({
  subscriptions: fc.array(sold, { minLength: 1, maxLength: 6 }),
  payments: fc.array(money, { maxLength: 12 }),
  from: fc.integer({ min: 0, max: 500 }).map((days) => daysLater('2025-04-01', days)),
  days: fc.integer({ min: 0, max: 300 }),
  timezones: fc.tuple(
    ...[0, 1].map(() => fc.constantFrom('Europe/Paris', 'Asia/Kathmandu', 'Pacific/Apia', 'America/New_York')),
  ),
  moves: fc.boolean(),
})

type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** Writes a history as the program does: subscriptions beside one another, and payments in any order. */
async function tell({ subscriptions, payments, timezones, moves }: History): Promise<string> {
  const { db } = server.context
  // Not through the API, which lets nobody make so many in an hour.
  const newsletterId = await addNewsletter(server.context.db, server.owner.userId)
  await server.owner.call('PATCH', `/api/newsletters/${newsletterId}`, { timezone: timezones[0] })
  const plans = [await addPaidPlan(db, newsletterId), await addPaidPlan(db, newsletterId, 'Patron')]
  const ids = subscriptions.map(() => uuidv7())
  const people = subscriptions.map(() => uuidv7())
  await db
    .insertInto('subscriber')
    .values(
      people.map((id) => ({
        ...{ newsletter_id: newsletterId, id, email: `${id}@example.org`, email_normalised: `${id}@example.org` },
        ...{ language: 'en' as const, status: 'active' as const, confirmed_at: new Date() },
      })),
    )
    .execute()
  const newsletter = { id: newsletterId, grace_days: 14 }
  await Promise.all(
    subscriptions.map(async ({ test, trial, states, publication, source }, index) => {
      const ordered = states.toSorted((one, other) => one.at.getTime() - other.at.getTime())
      const started = ordered[0]?.at ?? new Date()
      for (const { plan, at, ...state } of ordered)
        await db.transaction().execute((tx) =>
          storeSubscription(tx, newsletter, {
            ...{
              ...state,
              id: ids[index] ?? '',
              subscriber_id: people[index] ?? null,
              plan_id: plans[plan] ?? 0,
              test,
              at,
            },
            ...{ started_at: started, trial_until: trial ? new Date(started.getTime() + 86_400_000) : null },
            ...{ past_due_since: at, paused_at: at, ended_at: at, publication_id: publication, source },
          }),
        )
    }),
  )
  const paymentIds = payments.map(() => uuidv7())
  await Promise.all(
    payments.map(({ of, kind, refundOf, amount, tax, fee, at, publication }, index) => {
      const isBack = kind !== 'payment'
      // What is given back belongs to the subscription of what was paid: those are counted one after the other.
      const place = (isBack ? (payments[refundOf % payments.length]?.of ?? of) : of) % subscriptions.length
      return storePayment(db, newsletterId, {
        ...{
          id: paymentIds[index] ?? '',
          subscription_id: ids[place] ?? null,
          subscriber_id: people[place] ?? null,
          kind,
          at,
        },
        ...{ test: subscriptions[place]?.test ?? false, currency: 'eur', means: 'card', tax: isBack ? -tax : tax, fee },
        ...{ amount: isBack ? -amount : amount, publication_id: publication },
        refund_of: isBack ? (paymentIds[refundOf % paymentIds.length] ?? null) : null,
      })
    }),
  )
  await sql`update payment set fee = fee + 7 where newsletter_id = ${newsletterId} and fee = 0`.execute(db)
  if (moves) await server.owner.call('PATCH', `/api/newsletters/${newsletterId}`, { timezone: timezones[1] })
  return newsletterId
}

/** The same figures from every row of the books, one at a time. */
async function readSlowly(newsletterId: string, from: string, to: string) {
  const { db } = server.context
  const { timezone } = await db
    .selectFrom('newsletter')
    .select('timezone')
    .where('id', '=', newsletterId)
    .executeTakeFirstOrThrow()
  const day = (at: Date) => dayIn(at, timezone)
  const isIn = (at: Date) => day(at) >= from && day(at) <= to
  const rowsOf = async (table: string) => {
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} where newsletter_id = ${newsletterId} and not test`.execute(db)
    return rows
  }
  const [payments, subscriptions, changes] = await Promise.all(
    ['payment', 'subscription', 'revenue_change'].map(rowsOf),
  )
  if (!payments || !subscriptions || !changes) throw new Error('no rows')
  const sum = (rows: Row[], column: string) => rows.reduce((total, row) => total + Number(row[column]), 0)
  const eur = changes.filter(({ currency }) => currency === 'eur')
  const firsts = subscriptions.flatMap(({ id, publication_id, source }) => {
    const [first] = payments
      .filter((row) => row.subscription_id === id && row.kind === 'payment' && Number(row.amount) > 0)
      .sort((one, other) => one.at.getTime() - other.at.getTime() || (String(one.id) < String(other.id) ? -1 : 1))
    if (!first) return []
    const known: Row = {
      ...first,
      publication_id: first.publication_id ?? publication_id,
      source: first.source ?? source,
    }
    return [known]
  })
  const dueTo = (column: 'publication_id' | 'source') => {
    const groups = Map.groupBy(firsts, (first) => first[column] ?? null)
    const sales = [...groups].map(([origin, paid]) => {
      const ids = paid.map(({ id }) => id)
      const back = payments.filter(
        (row) => row.refund_of !== null && ids.includes(row.refund_of as string) && isIn(row.at),
      )
      const within = paid.filter(({ at }) => isIn(at))
      return { origin, sales: within.length, amount: sum(within, 'amount') + sum(back, 'amount') }
    })
    return sales.filter(({ sales, amount }) => sales !== 0 || amount !== 0)
  }
  const money = (currency: string) => payments.filter((row) => row.currency === currency && isIn(row.at))
  const trials = subscriptions.filter(
    (row) => row.trial_until && row.status !== 'incomplete' && isIn(row.started_at as Date),
  )
  const paidIds = firsts.map((first) => first.subscription_id)
  return {
    begin: sum(
      eur.filter(({ at }) => day(at) < from),
      'yearly',
    ),
    end: sum(
      eur.filter(({ at }) => day(at) <= to),
      'yearly',
    ),
    byMonth: Object.fromEntries(
      [
        ...Map.groupBy(
          eur.filter(({ at }) => isIn(at)),
          ({ at }) => monthOf(day(at)),
        ),
      ].map(([m, rows]) => [m, sum(rows, 'yearly')]),
    ),
    churn: sum(
      eur.filter((row) => row.kind === 'churn' && isIn(row.at)),
      'yearly',
    ),
    money: {
      payments: money('eur').filter(({ kind }) => kind === 'payment').length,
      refunded: sum(
        money('eur').filter(({ kind }) => kind === 'refund'),
        'amount',
      ),
      tax: sum(money('eur'), 'tax'),
      fee: sum(money('eur'), 'fee'),
      net: sum(money('eur'), 'amount') - sum(money('eur'), 'fee'),
    },
    publications: dueTo('publication_id'),
    sources: dueTo('source'),
    trials: {
      begun: trials.length,
      finished: trials.filter(({ status }) => status !== 'trialing').length,
      paying: trials.filter(({ id }) => paidIds.includes(id as string)).length,
    },
    standing: subscriptions.filter(({ status }) => status !== 'incomplete' && status !== 'ended').length,
    late: subscriptions.filter(
      (row) => row.status === 'past_due' && Number(row.amount) > 0 && ['card', 'outside'].includes(row.way as string),
    ).length,
  }
}

type Row = { id: unknown; at: Date } & Record<string, unknown>

const byOrigin = (sales: { origin: unknown }[]) =>
  sales.toSorted((one, other) => String(one.origin).localeCompare(String(other.origin)))

test('the figures of any history and range are those of reading every row', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(history, async (told) => {
      const newsletterId = await tell(told)
      const to = daysLater(told.from, told.days)
      const read = async (query: string): Promise<Figures> =>
        (await server.owner.call('GET', `/api/newsletters/${newsletterId}/charge/figures?${query}&currency=eur`)).json()
      const [slow, quick, ever] = await Promise.all([
        readSlowly(newsletterId, told.from, to),
        read(`from=${told.from}&to=${to}`),
        read('from=2025-01-01&to=2026-12-31'),
      ])
      const { recurring, trials, publications, sources } = quick
      expect([recurring.begin, recurring.end, recurring.total.churn]).toEqual([slow.begin, slow.end, slow.churn])
      let before = recurring.begin
      for (const { since, end } of recurring.points) {
        expect([since, end - before]).toEqual([since, slow.byMonth[since] ?? 0])
        before = end
      }
      const days = (await read(`from=${told.from}&to=${to}&by=day`)).recurring
      expect([days.begin, days.end, days.total]).toEqual([recurring.begin, recurring.end, recurring.total])
      expect(quick.money.find(({ currency }) => currency === 'eur') ?? slow.money).toMatchObject(slow.money)
      expect(byOrigin(publications.map(({ origin, sales, amount }) => ({ origin, sales, amount })))).toEqual(
        byOrigin(slow.publications),
      )
      expect(byOrigin(sources)).toEqual(byOrigin(slow.sources))
      expect(trials).toMatchObject(slow.trials)
      const count = (...kinds: (keyof Figures['plans'][number])[]) =>
        ever.plans.reduce((sum, plan) => sum + kinds.reduce((each, kind) => each + Number(plan[kind]), 0), 0)
      expect(count('paid', 'late', 'leaving', 'outside', 'trial', 'paused', 'complimentary', 'gift')).toBe(
        slow.standing,
      )
      expect(count('late')).toBe(slow.late)
    }),
    { numRuns: 25 },
  )
})

test('a payment in the books never changes', async () => {
  const { db } = server.context
  const newsletterId = await server.createNewsletter(server.owner)
  const payment = {
    id: uuidv7(),
    kind: 'payment' as const,
    at: new Date(),
    currency: 'eur',
    amount: 600,
    means: 'cash',
  }
  await storePayment(db, newsletterId, payment)
  const change = sql`update payment set amount = 6000 where newsletter_id = ${newsletterId}`.execute(db)
  await expect(change).rejects.toThrow('a payment in the books never changes, but for its fee')
})
