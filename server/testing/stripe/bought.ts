import type { Db } from '../../database/client.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import { addPaidPlan, addPaidSubscription } from '../charge.ts'
import { createPrice, createProduct } from './catalogue.ts'
import { addCard, createCustomer } from './customers.ts'
import type { StripeAccount } from './stand-in.ts'
import { createSubscription } from './subscriptions.ts'
import { idOf } from './world.ts'

/** A month that was bought by card, at the stand-in and here, with its payment; answers our ids. */
export async function addBought(db: Db, { world }: StripeAccount, key: SubscriberKey) {
  const customer = createCustomer(world, { email: 'buyer@example.org' })
  addCard(world, customer, 'FR')
  const product = createProduct(world, { name: 'Supporter' }).id
  const price = createPrice(world, { product, currency: 'eur', unit_amount: 600, recurring: { interval: 'month' } })
  const begun = { customer, price, quantity: 1, trialDays: 0, metadata: {}, automaticTax: false }
  const bought = createSubscription(world, begun)
  const subscriptionId = await addPaidSubscription(db, key, {
    planId: await addPaidPlan(db, key.newsletterId),
    ...{ way: 'card', test: true, amount: 600, period: 'month', renews: true, stripe_id: bought.id },
    paid_until: new Date((bought.items.data[0]?.current_period_end ?? 0) * 1000),
  })
  const { id: paymentId } = await db
    .updateTable('payment')
    .set({ stripe_id: idOf(bought.latest_invoice ?? '') })
    .where('subscription_id', '=', subscriptionId)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { subscriptionId, paymentId }
}
