import { applyFailure } from '../charge/payment-events/apply-failures.ts'
import type { Offered } from './plans.ts'
import { after, type Buyer, type Selected, type Seller, soldAt, takeEarly } from './seller.ts'
import { DAY } from './subscribers.ts'

/** One subscription of each state by card, all in test mode. */
export async function insertCards(seller: Seller, buyers: Buyer[]): Promise<void> {
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
