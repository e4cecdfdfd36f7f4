import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { insertCards } from './cards.ts'
import { addPlans, type Offered, type SoldPlans } from './plans.ts'
import type { Random } from './random.ts'
import { after, type Buyer, Seller, type Selling, type Stored, soldAt, takeEarly } from './seller.ts'
import { DAY } from './subscribers.ts'

/** Five in a hundred pay, and no more than this: each is written as a member would enter them. */
const PAYING_SHARE = 0.05
const MOST_PAYING = 240

/** How those pay who pay outside; a share counts those before it too. */
const habits = [
  { share: 0.4, offered: ({ membership }: SoldPlans) => membership.year, means: 'transfer' },
  { share: 0.74, offered: ({ membership }: SoldPlans) => membership.month, means: 'transfer' },
  { share: 0.84, offered: ({ membership }: SoldPlans) => membership.year, means: 'cheque' },
  { share: 0.95, offered: ({ patron }: SoldPlans) => patron.year, means: 'transfer' },
  { share: 1, offered: ({ membership }: SoldPlans) => membership.year, means: 'cash' },
]

const STANDING_ORDER = 'standing order'
const notes = ['at the Audierne book fair', 'by letter', 'by telephone', 'asked for a receipt', '', '', '', '']

/**
 * Sells the plans of a newsletter for as long as it has existed, through the writers that sell them every day. What is paid outside is in the
 * figures. Cards are in test mode, as in any newsletter whose owner tries Stripe with test keys: marked, and in no figure.
 */
export async function insertCharge(db: Db, random: Random, selling: Selling): Promise<void> {
  const { newsletterId } = selling
  const plans = await addPlans(db, newsletterId, new Date(selling.from))
  const buyers = await findBuyers(db, selling)
  const seller = new Seller(db, random, { ...selling, plans })
  const kinds = [insertCards, leavers, complimentary, gifts, institution]
  for (const kind of kinds) await kind(seller, buyers)
  for (const buyer of buyers) await outside(seller, buyer)
}

/** Active subscribers of more than a day; chance has no part in who they are, so that demos of a size are alike. */
async function findBuyers(db: Db, { newsletterId, to }: Selling): Promise<Buyer[]> {
  const known = new Date(to - DAY)
  const { rows } = await sql<{ id: string; since: Date }>`
    with paying as (
      select least(${MOST_PAYING}, greatest(48, ceil(count(*) * ${PAYING_SHARE}::float8)))::integer as most from subscriber
      where newsletter_id = ${newsletterId} and status = 'active'
    )
    select id, confirmed_at as since from subscriber, paying
    where newsletter_id = ${newsletterId} and status = 'active' and name is not null and confirmed_at < ${known}
    order by hashtextextended(id::text, 41) limit (select most from paying)`.execute(db)
  return rows.map(({ id, since }) => ({ id, since: since.getTime() }))
}

/** A standing order goes on until somebody stops it, so it has no end of which to remind anybody. */
const endOf = ({ period }: Offered, until: Date) => (period === 'month' ? null : until)

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
  const note = period === 'month' ? STANDING_ORDER : random.pick(notes)
  let subscription = await seller.start(buyer, begun, {
    ...{ way: 'outside', ...soldAt(offered), paid_until: endOf(offered, until), note },
  })
  const first = await seller.pay(subscription, { at: begun, until, means })
  if (period === 'year') {
    if (random.happens(0.02))
      await seller.pay(subscription, { at: seller.already(begun + 6 * DAY), until: null, means, back: first })
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
    subscription = { ...subscription, ...soldAt(next), paid_until: endOf(next, end) }
    await seller.store(subscription, at)
    await seller.pay(subscription, { at, until: end, means })
    if (isMoving) return
  }
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

/** Back for good, and paid by the month since. */
async function comeBack(seller: Seller, subscription: Stored, back: number): Promise<void> {
  for (let at = back; at <= seller.now; at = after(at, 'month').getTime()) {
    const until = after(at, 'month')
    await seller.store({ ...subscription, status: 'active', ended_at: null, paid_until: until }, at)
    await seller.pay(subscription, { at, until, means: 'transfer' })
  }
}

/** Some come back after a month. */
async function leave(seller: Seller, subscription: Stored, at: number): Promise<void> {
  await seller.store({ ...subscription, status: 'ended', ended_at: new Date(at) }, at)
  const back = after(at, 'month').getTime()
  if (back > seller.now || !seller.random.happens(0.4)) return
  await comeBack(seller, subscription, back)
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
