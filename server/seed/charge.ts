import { type Insertable, sql } from 'kysely'
import { type ChargingNewsletter, storeSubscription } from '../charge/change.ts'
import { applyFailure } from '../charge/payment-events/apply-failures.ts'
import { storePayment } from '../charge/payments.ts'
import type { Db } from '../database/client.ts'
import type { Subscription } from '../database/types.ts'
import { addPlans, type Offered, type SoldPlans } from './plans.ts'
import type { Random } from './random.ts'
import { DAY } from './subscribers.ts'

/** What a newsletter of the demo sells, and since when. */
export interface Selling {
  newsletterId: string
  /** When the first plan was sold, and now, in milliseconds since 1970. */
  from: number
  to: number
  /** When each publication was sent, oldest first. */
  sendings: readonly { publicationId: string; at: number }[]
}

/** A subscriber who buys, and from when on they may. */
interface Buyer {
  id: string
  since: number
}

/** Five in a hundred pay, and no more than this: each is written as a member would enter them. */
const PAYING_SHARE = 0.05
const MOST_PAYING = 240
const GRACE_DAYS = 14

/** How those pay who pay outside; a share counts those before it too. */
const habits = [
  { share: 0.4, offered: ({ membership }: SoldPlans) => membership.year, means: 'transfer' },
  { share: 0.74, offered: ({ membership }: SoldPlans) => membership.month, means: 'transfer' },
  { share: 0.84, offered: ({ membership }: SoldPlans) => membership.year, means: 'cheque' },
  { share: 0.95, offered: ({ patron }: SoldPlans) => patron.year, means: 'transfer' },
  { share: 1, offered: ({ membership }: SoldPlans) => membership.year, means: 'cash' },
]

const notes = ['at the Audierne book fair', 'by letter', 'standing order', 'asked for a receipt', '', '', '', '']

/**
 * Sells the plans of a newsletter for as long as it has existed, through the writers that sell them every day. What is paid outside is in the
 * figures. Cards are in test mode, as in any newsletter whose owner tries Stripe with test keys: marked, and in no figure.
 */
export async function insertCharge(db: Db, random: Random, selling: Selling): Promise<void> {
  const { newsletterId } = selling
  const plans = await addPlans(db, newsletterId, new Date(selling.from))
  const buyers = await findBuyers(db, selling)
  const seller = new Seller(db, random, { ...selling, plans })
  const kinds = [cards, leavers, complimentary, gifts, institution]
  for (const kind of kinds) await kind(seller, buyers)
  for (const buyer of buyers) await outside(seller, buyer)
}

/** Active subscribers, those first who are there longest: chance has no part in who they are, so that demos of a size are alike. */
async function findBuyers(db: Db, { newsletterId }: Selling): Promise<Buyer[]> {
  const { rows } = await sql<{ id: string; since: Date }>`
    with paying as (
      select least(${MOST_PAYING}, greatest(48, ceil(count(*) * ${PAYING_SHARE}::float8)))::integer as most from subscriber
      where newsletter_id = ${newsletterId} and status = 'active'
    )
    select id, confirmed_at as since from subscriber, paying
    where newsletter_id = ${newsletterId} and status = 'active' and name is not null
    order by hashtextextended(id::text, 41) limit (select most from paying)`.execute(db)
  return rows.map(({ id, since }) => ({ id, since: since.getTime() }))
}

type Stored = Omit<Insertable<Subscription>, 'newsletter_id' | 'changed_at'>
type Selected = Pick<Stored, 'way' | 'period' | 'amount' | 'currency' | 'price_id' | 'plan_id'> & Partial<Stored>

/** Writes what happens to subscriptions, one after the other, at the times at which it happened. */
class Seller {
  readonly #newsletter: ChargingNewsletter

  constructor(
    readonly db: Db,
    readonly random: Random,
    readonly selling: Selling & { plans: SoldPlans },
  ) {
    this.#newsletter = { id: selling.newsletterId, grace_days: GRACE_DAYS }
  }

  get now(): number {
    return this.selling.to
  }

  /** A moment at which somebody buys: after they subscribed, some days after something was sent. */
  moment({ since }: Buyer): number {
    const read = this.selling.sendings.filter(({ at }) => at > since)
    // The earlier of two, since most who pay do so soon.
    const at = read.length > 0 ? Math.min(this.random.pick(read).at, this.random.pick(read).at) : since + DAY
    return Math.min(this.now - 3 * 3_600_000, Math.max(since + 3_600_000, at) + this.random.exponential(20 * 3_600_000))
  }

  async start({ id }: Buyer, at: number, selected: Selected): Promise<Stored> {
    const read = this.selling.sendings.findLast((sending) => sending.at < at)
    const isFromPublication = read && this.random.happens(0.7)
    const subscription: Stored = {
      ...{ id: this.random.uuid(at), subscriber_id: id, status: 'active', started_at: new Date(at) },
      publication_id: isFromPublication ? read.publicationId : null,
      source: this.random.pick(['page', 'page', 'paywall', 'own-page', 'radio']),
      ...selected,
    }
    await this.store(subscription, at)
    return subscription
  }

  async store(subscription: Stored, at: number): Promise<void> {
    await storeSubscription(this.db, this.#newsletter, { ...subscription, at: new Date(at) })
  }

  /** A payment of a period; of a card with its fee and the tax in it. Answers its id. */
  async pay(
    { id, subscriber_id, plan_id, currency, amount, test, publication_id, source }: Stored,
    { at, until, means, back }: { at: number; until: Date | null; means: string; back?: string },
  ): Promise<string> {
    const sum = Number(amount) * (back ? -1 : 1)
    const paymentId = this.random.uuid(at)
    const byCard = means === 'card' && {
      ...{ fee: back ? 0 : Math.round(sum * 0.015) + 25, tax: Math.round(sum / 6), country: 'FR' },
      stripe_id: `${back ? 're' : 'in'}_demo_${paymentId}`,
    }
    await storePayment(this.db, this.selling.newsletterId, {
      ...{
        id: paymentId,
        subscription_id: id,
        subscriber_id: subscriber_id ?? null,
        plan_id,
        test: test ?? false,
        at: new Date(at),
        currency: currency ?? 'eur',
      },
      ...{ kind: back ? 'refund' : 'payment', amount: sum, means, period_from: new Date(at), period_until: until },
      ...{
        publication_id: publication_id ?? null,
        source: source ?? null,
        ...(back && { refund_of: back }),
        ...byCard,
      },
    })
    return paymentId
  }
}

const soldAt = ({ planId, priceId, amount, period }: Offered) =>
  ({ plan_id: planId, price_id: priceId, amount, period, currency: 'eur' }) as const

const after = (at: number, period: 'month' | 'year', times = 1): Date => {
  const end = new Date(at)
  if (period === 'month') end.setUTCMonth(end.getUTCMonth() + times)
  else end.setUTCFullYear(end.getUTCFullYear() + times)
  return end
}

/** Bank transfers, cheques and cash: some leave after a while, some change to the year, one had their money back. */
async function outside(seller: Seller, buyer: Buyer): Promise<void> {
  const { random, now, selling } = seller
  const chance = random.next()
  const habit = habits.find(({ share }) => chance < share)
  if (!habit) return
  const { means } = habit
  const offered = habit.offered(selling.plans)
  const { period } = offered
  const begun = seller.moment(buyer)
  const until = after(begun, period)
  const note = random.pick(notes)
  let subscription = await seller.start(buyer, begun, { way: 'outside', ...soldAt(offered), paid_until: until, note })
  const first = await seller.pay(subscription, { at: begun, until, means })
  if (period === 'year') {
    if (random.happens(0.02)) await seller.pay(subscription, { at: begun + 6 * DAY, until: null, means, back: first })
    return
  }
  const leavesAfter = random.happens(0.35) ? 1 + random.below(3) : Number.POSITIVE_INFINITY
  const movesAfter = random.happens(0.25) ? 1 + random.below(2) : Number.POSITIVE_INFINITY
  for (let times = 1; after(begun, 'month', times).getTime() < now; times++) {
    const at = after(begun, 'month', times).getTime()
    if (times === leavesAfter) {
      await leave(seller, subscription, at)
      return
    }
    const isMoving = times === movesAfter
    const next = isMoving ? selling.plans.membership.year : offered
    const end = after(at, next.period)
    subscription = { ...subscription, ...soldAt(next), paid_until: end }
    await seller.store(subscription, at)
    await seller.pay(subscription, { at, until: end, means })
    if (isMoving) return
  }
}

/** Takes those out who subscribed before a moment. */
function takeEarly(buyers: Buyer[], count: number, before: number): Buyer[] {
  const early = buyers.filter(({ since }) => since < before).slice(0, count)
  for (const buyer of early) buyers.splice(buyers.indexOf(buyer), 1)
  return early
}

/** In any demo some have paid by the month and left after two, and every other one came back. */
async function leavers(seller: Seller, buyers: Buyer[]): Promise<void> {
  const { now, selling } = seller
  for (const [index, buyer] of takeEarly(buyers, 4, now - 110 * DAY).entries()) {
    const begun = now - (105 - index * 2) * DAY
    const offered = soldAt(selling.plans.membership.month)
    const until = after(begun, 'month', 2)
    const subscription = await seller.start(buyer, begun, { way: 'outside', ...offered, paid_until: until })
    for (const times of [0, 1]) {
      const at = after(begun, 'month', times).getTime()
      await seller.pay(subscription, { at, until: after(at, 'month'), means: 'transfer' })
    }
    await seller.store({ ...subscription, status: 'ended', ended_at: until }, until.getTime())
    if (index % 2 === 1) await comeBack(seller, subscription, after(until.getTime(), 'month').getTime())
  }
}

async function comeBack(seller: Seller, subscription: Stored, at: number): Promise<void> {
  const until = after(at, 'month')
  await seller.store({ ...subscription, status: 'active', ended_at: null, paid_until: until }, at)
  await seller.pay(subscription, { at, until, means: 'transfer' })
}

/** Some come back after a month. */
async function leave(seller: Seller, subscription: Stored, at: number): Promise<void> {
  await seller.store({ ...subscription, status: 'ended', ended_at: new Date(at) }, at)
  const back = after(at, 'month').getTime()
  if (back > seller.now || !seller.random.happens(0.4)) return
  await comeBack(seller, subscription, back)
}

/** One subscription of each state by card, all in test mode. */
async function cards(seller: Seller, buyers: Buyer[]): Promise<void> {
  const { now, selling } = seller
  const { month, year } = selling.plans.membership
  const card = (offered: Offered) => ({ way: 'card', test: true, renews: true, ...soldAt(offered) }) as const
  const named = (buyer: Buyer) => ({ stripe_id: `sub_demo_${buyer.id}` })
  const [monthly, yearly, trying, late, leaving, gone] = takeEarly(buyers, 6, now - 40 * DAY)
  if (!monthly || !yearly || !trying || !late || !leaving || !gone) return
  for (const [buyer, offered] of [
    [monthly, month],
    [yearly, year],
  ] as const) {
    const at = now - 12 * DAY
    const until = after(at, offered.period)
    const subscription = await seller.start(buyer, at, { ...card(offered), ...named(buyer), paid_until: until })
    await seller.pay(subscription, { at, until, means: 'card' })
  }
  const trial = new Date(now + 9 * DAY)
  await seller.start(trying, now - 5 * DAY, {
    ...{ ...card(month), ...named(trying), status: 'trialing', trial_until: trial, paid_until: trial },
  })
  await failedRenewal(seller, late, { ...card(month), ...named(late) })
  const end = after(now - 20 * DAY, 'month')
  const cancelled = await seller.start(leaving, now - 20 * DAY, { ...card(month), ...named(leaving), paid_until: end })
  await seller.pay(cancelled, { at: now - 20 * DAY, until: end, means: 'card' })
  await seller.store(
    { ...cancelled, renews: false, cancelled_at: new Date(now - 2 * DAY), cancel_reason: 'too_expensive' },
    now - 2 * DAY,
  )
  const bought = now - 9 * DAY
  const refunded = await seller.start(gone, bought, {
    ...card(year),
    ...named(gone),
    paid_until: after(bought, 'year'),
  })
  const payment = await seller.pay(refunded, { at: bought, until: after(bought, 'year'), means: 'card' })
  await seller.pay(refunded, { at: bought + DAY, until: null, means: 'card', back: payment })
  await seller.store({ ...refunded, status: 'ended', ended_at: new Date(bought + DAY) }, bought + DAY)
}

/** A card that a bank refused three days ago, and that is tried again in two. */
async function failedRenewal(seller: Seller, buyer: Buyer, selected: Selected): Promise<void> {
  const { now } = seller
  const failedAt = now - 3 * DAY
  const begun = failedAt - 31 * DAY
  const subscription = await seller.start(buyer, begun, { ...selected, paid_until: new Date(failedAt) })
  await seller.pay(subscription, { at: begun, until: new Date(failedAt), means: 'card' })
  await seller.store({ ...subscription, status: 'past_due', past_due_since: new Date(failedAt) }, failedAt)
  const query = seller.db
    .selectFrom('subscription')
    .selectAll()
    .where('newsletter_id', '=', seller.selling.newsletterId)
  const row = await query.where('id', '=', subscription.id).executeTakeFirstOrThrow()
  await applyFailure(seller.db, row, {
    ...{ invoice: `in_demo_${row.id}`, subscription: row.stripe_id ?? '', attempts: 2 },
    ...{ nextAttempt: new Date(now + 2 * DAY), at: new Date(failedAt) },
  })
}

/** For people who helped, for good. */
async function complimentary(seller: Seller, buyers: Buyer[]): Promise<void> {
  for (const buyer of buyers.splice(0, Math.ceil(buyers.length / 25)))
    await seller.start(buyer, seller.moment(buyer), {
      ...{
        way: 'complimentary',
        plan_id: seller.selling.plans.membership.year.planId,
        price_id: null,
        note: 'Proofreader',
      },
      ...{ amount: null, currency: null, period: null },
    })
}

/** Gifts of a year; the first of them ends soon. */
async function gifts(seller: Seller, buyers: Buyer[]): Promise<void> {
  for (const [index, buyer] of buyers.splice(0, 3).entries()) {
    const at = seller.moment(buyer)
    await seller.start(buyer, at, {
      ...{ way: 'gift', plan_id: seller.selling.plans.membership.year.planId, price_id: null, note: 'For a birthday' },
      ...{ amount: null, currency: null, period: null },
      paid_until: index === 0 ? new Date(seller.now + 18 * DAY) : after(at, 'year'),
    })
  }
}

/** A school that pays an invoice for a sum that was agreed. */
async function institution(seller: Seller, buyers: Buyer[]): Promise<void> {
  const [buyer] = buyers.splice(0, 1)
  if (!buyer) return
  const at = seller.moment(buyer)
  const until = after(at, 'year')
  const { planId } = seller.selling.plans.membership.year
  const subscription = await seller.start(buyer, at, {
    ...{ way: 'outside', plan_id: planId, price_id: null, amount: 86_400, currency: 'eur', period: 'year' },
    ...{ paid_until: until, note: 'Lycée maritime, 24 places, invoice 2026-031' },
  })
  await seller.pay(subscription, { at, until, means: 'invoice' })
}
