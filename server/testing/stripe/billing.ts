import type Stripe from 'stripe'
import { expireSession } from './checkout.ts'
import { lastingDiscounts } from './discounts.ts'
import { createInvoice, payInvoice, voidInvoice } from './invoices.ts'
import { afterPeriod, changeSubscription } from './subscriptions.ts'
import { idOf, listOf, type World } from './world.ts'

const DAY = 86_400
/** Days after the first attempt on which a card is tried again; then the subscription ends. */
const retries = [3, 8, 15]

/** Does what time does to one account up to now: trials end, periods are renewed or end, cards are tried again. */
export function passTime(world: World): void {
  for (const session of world.all('checkout.session'))
    if (session.status === 'open' && session.expires_at <= world.now()) expireSession(world, session)
  for (const subscription of world.all('subscription').reverse()) {
    while (step(world, subscription)) {
      // One period or attempt after another, so that no renewal is left out.
    }
  }
}

/** Does the next thing that is due; answers whether there was one. */
function step(world: World, subscription: Stripe.Subscription): boolean {
  const [item] = subscription.items.data
  if (!item || subscription.status === 'canceled' || subscription.status === 'incomplete') return false
  const pause = subscription.pause_collection
  if (pause?.resumes_at && pause.resumes_at <= world.now()) {
    changeSubscription(world, subscription, { pause_collection: null })
    return true
  }
  if (subscription.status === 'past_due' && tryAgain(world, subscription)) return true
  if (item.current_period_end > world.now()) return false
  if (subscription.cancel_at_period_end) end(world, subscription, 'cancellation_requested')
  else renew(world, subscription, item)
  return true
}

function renew(world: World, subscription: Stripe.Subscription, item: Stripe.SubscriptionItem): void {
  const start = item.current_period_end
  const period = { start, end: afterPeriod(start, item.price, subscription.billing_cycle_anchor) }
  const quantity = item.quantity ?? 1
  const renewed = { ...item, current_period_start: start, current_period_end: period.end }
  changeSubscription(world, subscription, {
    items: listOf([renewed], subscription.items.url),
    discounts: lastingDiscounts(world, subscription),
    ...(subscription.status === 'trialing' && { status: 'active' as const }),
  })
  const customer = world.get('customer', idOf(subscription.customer))
  const amount = (item.price.unit_amount ?? 0) * quantity
  const invoice = createInvoice(world, {
    customer,
    subscription,
    reason: 'subscription_cycle',
    line: { price: item.price, quantity, period, amount, item: item.id },
    automaticTax: subscription.automatic_tax.enabled,
  })
  if (subscription.pause_collection) voidInvoice(world, invoice)
  else if (!payInvoice(world, invoice)) {
    tryLater(world, invoice, retries[0] ?? 0)
    changeSubscription(world, subscription, { status: 'past_due' })
  }
}

function tryLater(world: World, invoice: Stripe.Invoice, days: number): void {
  invoice.next_payment_attempt = invoice.created + days * DAY
  world.emit('invoice.updated', invoice)
}

/** The next attempt of an invoice that failed, when it is due. */
function tryAgain(world: World, subscription: Stripe.Subscription): boolean {
  const invoice = world.find('invoice', idOf(subscription.latest_invoice ?? ''))
  if (invoice?.status === 'paid') {
    changeSubscription(world, subscription, { status: 'active' })
    return true
  }
  if (!invoice?.next_payment_attempt || invoice.next_payment_attempt > world.now()) return false
  const next = retries[invoice.attempt_count]
  if (payInvoice(world, invoice)) changeSubscription(world, subscription, { status: 'active' })
  else if (next === undefined) {
    end(world, subscription, 'payment_failed')
  } else tryLater(world, invoice, next)
  return true
}

function end(world: World, subscription: Stripe.Subscription, reason: 'cancellation_requested' | 'payment_failed') {
  const before = subscription.cancellation_details
  Object.assign(subscription, {
    status: 'canceled',
    ended_at: world.now(),
    canceled_at: subscription.canceled_at ?? world.now(),
    cancellation_details: {
      comment: before?.comment ?? null,
      feedback: before?.feedback ?? null,
      feedback_option: null,
      reason,
    },
  } satisfies Partial<Stripe.Subscription>)
  world.emit('customer.subscription.deleted', subscription)
}
