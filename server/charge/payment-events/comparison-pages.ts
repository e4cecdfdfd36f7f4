import { sql } from 'kysely'
import Stripe from 'stripe'
import { completePayment } from '../payments.ts'
import { linkPayment } from './apply-payments.ts'
import { differencesOf, findByStripeIds } from './apply-subscriptions.ts'
import { answeredAt } from './ask.ts'
import type { Comparing } from './comparing.ts'
import { readCharge, readCheckout, readInvoice, readRefund, type StatedPurchase } from './read-payment.ts'
import { idOrNull, readSubscription } from './read-subscription.ts'

/** Something of which Stripe's list says otherwise than we have stored. */
interface Difference {
  objectId: string
  changes: Record<string, [unknown, unknown]>
  customer: string | null
  /** What Stripe said; null when it knows nothing of it. */
  body: string | null
  at: Date
}

interface Page {
  differences: Difference[]
  compared: number
  /** Where the next page begins; null when there is none. */
  after: string | null
}

const PAGE = 100
const UNLISTED = 20

/** Reads the next page of each list, and says what differs. Fees, which only the lists know, are stored at once. */
export const pageReaders = {
  subscriptions: listedSubscriptions,
  unlisted: unlistedSubscriptions,
  checkouts: paidCheckouts,
  invoices: paidInvoices,
  charges: chargesWithFees,
  refunds: givenRefunds,
}

const begin = ({ comparison }: Comparing) => ({
  limit: PAGE,
  ...(comparison.after_id && { starting_after: comparison.after_id }),
})

const since = ({ comparison }: Comparing) => ({ created: { gte: Math.floor(comparison.since.getTime() / 1000) } })

const pageOf = (
  differences: Difference[],
  { data, has_more }: { data: { id?: string }[]; has_more: boolean },
): Page => ({
  differences,
  compared: data.length,
  after: has_more ? (data.at(-1)?.id ?? null) : null,
})

/** All of them, those too that have ended: nothing may have been heard of one from its beginning to its end. */
async function listedSubscriptions(comparing: Comparing): Promise<Page> {
  const { db, now, newsletter, stripe, comparison } = comparing
  const list = await stripe.subscriptions.list({
    ...begin(comparing),
    status: 'all',
    expand: ['data.discounts.source.coupon'],
  })
  const at = answeredAt(list, now())
  const ids = list.data.map(({ id }) => id)
  await sql`insert into stripe_listed (newsletter_id, comparison_id, object_id)
    select ${newsletter.id}, ${comparison.id}, id from unnest(${ids}::text[]) id on conflict do nothing`.execute(db)
  const differences: Difference[] = []
  for (const subscription of list.data) differences.push(...(await compare(comparing, subscription, at)))
  return pageOf(differences, list)
}

async function compare(
  { db, newsletter }: Comparing,
  subscription: Stripe.Subscription,
  at: Date,
): Promise<Difference[]> {
  const changes = await differencesOf(db, newsletter, { stated: readSubscription(subscription), at })
  const customer = idOrNull(subscription.customer)
  return changes ? [{ objectId: subscription.id, customer, changes, body: JSON.stringify(subscription), at }] : []
}

/** Those that go on here and were not in the list, one by one. */
async function unlistedSubscriptions(comparing: Comparing): Promise<Page> {
  const { db, now, newsletter, stripe, test, comparison } = comparing
  const { rows } = await sql<{ stripe_id: string; status: string }>`
    select s.stripe_id, s.status from subscription s
    where s.newsletter_id = ${newsletter.id} and s.way = 'card' and s.test = ${test} and s.status <> 'ended' and s.stripe_id like 'sub\\_%'
      and s.stripe_id > ${comparison.after_id ?? ''} and not exists (
        select from stripe_listed l where l.newsletter_id = s.newsletter_id and l.comparison_id = ${comparison.id}
          and l.object_id = s.stripe_id
      )
    order by s.stripe_id limit ${UNLISTED}`.execute(db)
  const differences: Difference[] = []
  for (const { stripe_id: objectId, status } of rows) {
    try {
      const answer = await stripe.subscriptions.retrieve(objectId, { expand: ['discounts.source.coupon'] })
      differences.push(...(await compare(comparing, answer, answeredAt(answer, now()))))
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError) || error.statusCode !== 404) throw error
      differences.push({ objectId, customer: null, changes: { status: [status, null] }, body: null, at: now() })
    }
  }
  return {
    differences,
    compared: rows.length,
    after: rows.length === UNLISTED ? (rows.at(-1)?.stripe_id ?? null) : null,
  }
}

/** What was bought once, gifts, and what sponsors paid. */
async function paidCheckouts(comparing: Comparing): Promise<Page> {
  const { db, now, newsletter, stripe } = comparing
  const asked = { ...begin(comparing), ...since(comparing), status: 'complete' as const }
  const list = await stripe.checkout.sessions.list(asked)
  const bought = list.data.flatMap((session) => {
    const purchase = readCheckout(session)
    return purchase?.names.newsletter === newsletter.id ? [{ session, purchase }] : []
  })
  const ids = bought.map(({ purchase }) => purchase.stripeId)
  const payments = await storedPayments(comparing, ids)
  const subscriptions = await findByStripeIds(db, newsletter.id, ids)
  const isStored = ({ stripeId, names, amount }: StatedPurchase) =>
    (amount === 0 || payments.has(stripeId)) &&
    (names.gift !== null || names.booking !== null || subscriptions.has(stripeId))
  const differences = bought.flatMap(({ session, purchase }): Difference[] => {
    const { stripeId: objectId, customer, amount } = purchase
    const changes: Difference['changes'] = { amount: [null, amount] }
    const at = answeredAt(list, now())
    return isStored(purchase) ? [] : [{ objectId, customer, changes, body: JSON.stringify(session), at }]
  })
  return { ...pageOf(differences, list), compared: bought.length }
}

async function paidInvoices(comparing: Comparing): Promise<Page> {
  const { db, now, newsletter, stripe } = comparing
  const asked = { ...begin(comparing), ...since(comparing), status: 'paid' as const, expand: ['data.payments'] }
  const list = await stripe.invoices.list(asked)
  const paid = list.data.flatMap((invoice) => {
    const payment = readInvoice(invoice)
    return payment ? [{ invoice, payment }] : []
  })
  const known = await storedPayments(
    comparing,
    paid.map(({ payment }) => payment.stripeId),
  )
  const ours = await findByStripeIds(
    db,
    newsletter.id,
    paid.map(({ payment }) => payment.subscription ?? ''),
  )
  const differences: Difference[] = []
  for (const { invoice, payment } of paid) {
    const { stripeId, paymentIntent, amount, subscription } = payment
    if (known.has(stripeId)) {
      if (paymentIntent) await linkPayment(db, newsletter.id, { invoice: stripeId, paymentIntent })
      continue
    }
    const named = invoice.parent?.subscription_details?.metadata?.tirage_newsletter
    if (!ours.has(subscription ?? '') && named !== newsletter.id) continue
    differences.push({
      objectId: stripeId,
      customer: payment.customer,
      changes: { amount: [null, amount] },
      body: JSON.stringify(invoice),
      at: answeredAt(list, now()),
    })
  }
  return pageOf(differences, list)
}

/** The fee, the means and the country of payments that are stored. */
async function chargesWithFees(comparing: Comparing): Promise<Page> {
  const { db, newsletter, stripe } = comparing
  const list = await stripe.charges.list({
    ...begin(comparing),
    ...since(comparing),
    expand: ['data.balance_transaction'],
  })
  for (const charge of list.data) {
    const paymentIntent = idOrNull(charge.payment_intent)
    if (charge.paid && paymentIntent) await completePayment(db, newsletter.id, { paymentIntent, ...readCharge(charge) })
  }
  return { ...pageOf([], list), compared: 0 }
}

async function givenRefunds(comparing: Comparing): Promise<Page> {
  const { db, now, newsletter, stripe } = comparing
  const list = await stripe.refunds.list({ ...begin(comparing), ...since(comparing) })
  const known = await storedPayments(
    comparing,
    list.data.map(({ id }) => id),
  )
  const intents = list.data.flatMap(({ payment_intent }) => idOrNull(payment_intent) ?? [])
  const { rows } = await sql<{ intent: string }>`select stripe_payment_intent as intent from payment
    where newsletter_id = ${newsletter.id} and stripe_payment_intent = any(${intents}::text[])`.execute(db)
  const ours = new Set(rows.map(({ intent }) => intent))
  const missing = list.data.filter(
    (refund) =>
      !known.has(refund.id) && ours.has(idOrNull(refund.payment_intent) ?? '') && readRefund(refund).rows.length > 0,
  )
  const differences = missing.map((refund) => ({
    objectId: refund.id,
    customer: idOrNull(refund.customer),
    changes: { amount: [null, -refund.amount] as [unknown, unknown] },
    body: JSON.stringify(refund),
    at: answeredAt(list, now()),
  }))
  return pageOf(differences, list)
}

async function storedPayments({ db, newsletter }: Comparing, stripeIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ stripe_id: string }>`select stripe_id from payment
    where newsletter_id = ${newsletter.id} and stripe_id = any(${stripeIds}::text[])`.execute(db)
  return new Set(rows.map(({ stripe_id }) => stripe_id))
}
