import { sql } from 'kysely'
import { storeSubscription } from '../charge/change.ts'
import { storePayment } from '../charge/payments.ts'
import { uuidv7 } from '../database/ids.ts'
import { addPaidPlan } from './charge.ts'
import type { TestNewsletter } from './newsletter.ts'

export interface KnownHistory {
  supporter: number
  patron: number
  /** Two, in the order in which they were written. */
  publications: string[]
  /** Who left, came back, and got money back. */
  back: string
}

type Values = Partial<Parameters<typeof storeSubscription>[2]>
type Paid = Partial<Parameters<typeof storePayment>[2]> & { amount: number }

/** A moment: a day at ten, in UTC, or the whole. */
const moment = (when: string) => new Date(when.includes('T') ? `${when}:00Z` : `${when}T10:00:00Z`)

/**
 * A year of somebody who sells, in Paris, small enough to be added up by hand: a dozen subscribers, two currencies, trials, an upgrade, a
 * downgrade, a return, a refund, a dispute, what is paid outside, given and bought as a gift, one in test mode, and moments around midnight
 * where months and clocks change.
 */
export async function tellKnownHistory(server: TestNewsletter): Promise<KnownHistory> {
  const { newsletterId } = server
  const { db } = server.context
  const supporter = await addPaidPlan(db, newsletterId, 'Supporter')
  const patron = await addPaidPlan(db, newsletterId, 'Patron')
  const publications = [(await server.draft()).id, (await server.draft()).id]
  const [first = '', second = ''] = publications

  /** The subscriptions of a new subscriber, each told by what it is from a moment on. */
  async function subscriber(name: string) {
    const [subscriberId = ''] = await server.addSubscribers([`${name}@example.org`])
    const subscription = async (when: string, given: Values = {}) => {
      const at = moment(when)
      const known = {
        ...{
          id: uuidv7(),
          subscriber_id: subscriberId,
          plan_id: supporter,
          way: 'card' as const,
          status: 'active' as const,
        },
        ...{ currency: 'eur', amount: 600, period: 'month' as const, started_at: at, renews: true, ...given },
      }
      let state = known
      const store = () =>
        db.transaction().execute((tx) => storeSubscription(tx, { id: newsletterId, grace_days: 14 }, { ...state, at }))
      await store()
      return {
        async change(then: string, values: Values) {
          state = { ...state, ...values } as typeof state
          const changed = { ...state, at: moment(then) }
          await db.transaction().execute((tx) => storeSubscription(tx, { id: newsletterId, grace_days: 14 }, changed))
        },
        async pay(then: string, payment: Paid) {
          const id = uuidv7()
          await storePayment(db, newsletterId, {
            ...{ id, subscription_id: known.id, subscriber_id: subscriberId, plan_id: state.plan_id, kind: 'payment' },
            ...{ at: moment(then), currency: state.currency ?? 'eur', means: 'card', country: 'FR', ...payment },
          })
          return id
        },
      }
    }
    return { subscriberId, subscription }
  }
  const month = { amount: 600, tax: 100, fee: 40 }
  const year = { amount: 5400, tax: 900, fee: 150 }

  const upgrade = await (await subscriber('upgrade')).subscription('2026-01-10')
  await upgrade.pay('2026-01-10', { ...month, publication_id: first, source: 'page' })
  await upgrade.change('2026-04-05', { plan_id: patron, amount: 1200 })
  await upgrade.pay('2026-04-05', { amount: 1200, tax: 200, fee: 60 })

  // Half past midnight on the first of February, in Paris.
  const yearly = await (await subscriber('yearly')).subscription('2026-01-31T23:30', { amount: 5400, period: 'year' })
  await yearly.pay('2026-01-31T23:30', { ...year, source: 'page' })

  // The night in which Paris loses an hour; and half past midnight on the first of April.
  const leaver = await (await subscriber('leaver')).subscription('2026-03-28T23:30')
  await leaver.pay('2026-03-28T23:30', month)
  await leaver.change('2026-03-31T22:30', { status: 'ended', ended_at: moment('2026-03-31T22:30') })

  const trial = (until: string) => ({ status: 'trialing' as const, trial_until: moment(until) })
  const converted = await (await subscriber('converted')).subscription('2026-02-10', trial('2026-02-24'))
  await converted.change('2026-02-24', { status: 'active' })
  await converted.pay('2026-02-24', { ...month, publication_id: first, source: 'page' })
  const lapsed = await (await subscriber('lapsed')).subscription('2026-02-20', trial('2026-03-06'))
  await lapsed.change('2026-03-06', { status: 'ended', ended_at: moment('2026-03-06') })
  await (await subscriber('trying')).subscription('2026-11-15', trial('2026-11-29'))

  const dollars = await (await subscriber('dollars')).subscription('2026-05-01', { currency: 'usd', amount: 700 })
  await dollars.pay('2026-05-01', { amount: 700, fee: 50, source: 'page' })
  await dollars.change('2026-08-01', { period: 'year', amount: 6000 })
  await dollars.pay('2026-08-01', { amount: 6000, fee: 200 })

  const transfer = { way: 'outside' as const, amount: 5400, period: 'year' as const, renews: false }
  const outside = await (await subscriber('outside')).subscription('2026-06-10', transfer)
  await outside.pay('2026-06-10', { amount: 5400, means: 'transfer' })
  const free = { way: 'complimentary' as const, currency: null, amount: null, period: null }
  await (await subscriber('free')).subscription('2026-06-01', free)
  const present = { way: 'gift' as const, amount: 5400, period: 'once' as const, renews: false }
  const gift = await (await subscriber('gift')).subscription('2026-07-14', present)
  await gift.pay('2026-07-14', year)

  const back = await subscriber('back')
  const gone = await back.subscription('2026-05-05')
  await gone.pay('2026-05-05', { ...month, publication_id: second, source: 'radio' })
  const regretted = await gone.pay('2026-06-05', month)
  await gone.change('2026-07-05', { status: 'ended', ended_at: moment('2026-07-05') })
  await gone.pay('2026-07-06', { kind: 'refund', amount: -600, tax: -100, refund_of: regretted })
  const returned = await back.subscription('2026-09-01', { amount: 5400, period: 'year' })
  await returned.pay('2026-09-01', { ...year, publication_id: second, source: 'page' })

  // Half past midnight on the first of September.
  const late = await (await subscriber('late')).subscription('2026-08-31T22:30')
  const disputed = await late.pay('2026-08-31T22:30', { ...month, publication_id: second, source: 'page' })
  await late.pay('2026-09-20', { kind: 'dispute', amount: -600, tax: -100, fee: 1500, refund_of: disputed })
  await late.change('2026-10-01', { status: 'past_due', past_due_since: moment('2026-10-01') })

  const leaving = await (await subscriber('leaving')).subscription('2026-10-10')
  // Its fee is told later.
  const charged = await leaving.pay('2026-10-10', { ...month, fee: 0, source: 'page' })
  await sql`update payment set fee = 40 where newsletter_id = ${newsletterId} and id = ${charged}`.execute(db)
  await leaving.change('2026-10-20', { renews: false, cancelled_at: moment('2026-10-20') })

  // It pays in dollars from the hour on that Paris has twice.
  const moved = await (await subscriber('moved')).subscription('2026-03-15')
  await moved.pay('2026-03-15', { ...month, source: 'radio' })
  await moved.change('2026-10-25T00:30', { currency: 'usd', amount: 700 })
  await moved.pay('2026-10-25T00:30', { amount: 700, fee: 50 })

  const tried = await (await subscriber('test')).subscription('2026-04-01', {
    test: true,
    amount: 99900,
    ...trial('2026-04-02'),
  })
  await tried.change('2026-04-02', { status: 'active' })
  await tried.pay('2026-04-02', { amount: 99900, test: true })

  // Half past midnight on New Year's Day.
  const once = await (await subscriber('once')).subscription('2026-12-31T23:30', {
    period: 'once',
    amount: 12000,
    renews: false,
  })
  await once.pay('2026-12-31T23:30', { amount: 12000 })

  return { supporter, patron, publications, back: back.subscriberId }
}
