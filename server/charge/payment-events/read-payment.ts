import type Stripe from 'stripe'
import type { Payment } from '../../database/types.ts'
import { idOrNull, moment, readNames, type StatedNames } from './read-subscription.ts'

/** Money that came, as an invoice or a checkout says it. */
export interface StatedPayment {
  stripeId: string
  /** By which refunds and disputes name it, where it is known yet. */
  paymentIntent: string | null
  /** The subscription at Stripe; null for what was bought once. */
  subscription: string | null
  customer: string | null
  test: boolean
  at: Date
  currency: string
  amount: number
  /** Within the amount. */
  tax: number
  country: string | null
  periodFrom: Date | null
  periodUntil: Date | null
}

/** What was bought once, with the payment of it. */
export interface StatedPurchase extends StatedPayment {
  names: StatedNames
}

/**
 * The payment of an invoice of a subscription. Null when no money came (a trial, a balance, a coupon of 100 %), or when it is no
 * subscription's.
 */
export function readInvoice(invoice: Stripe.Invoice): StatedPayment | null {
  const subscription = subscriptionOf(invoice)
  if (!invoice.id || !subscription || invoice.status !== 'paid' || invoice.amount_paid <= 0) return null
  // A line that puts right what was paid before (a proration) has a period of its own.
  const lines = invoice.lines.data.filter((line) => !line.parent?.subscription_item_details?.proration)
  const periods = (lines.length > 0 ? lines : invoice.lines.data).map(({ period }) => period)
  const taxes = (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)
  return {
    stripeId: invoice.id,
    paymentIntent: paymentIntentOf(invoice),
    subscription,
    customer: idOrNull(invoice.customer),
    test: !invoice.livemode,
    at: moment(invoice.status_transitions.paid_at ?? invoice.created),
    currency: invoice.currency,
    amount: invoice.amount_paid,
    tax: share(taxes, invoice.amount_paid, invoice.total),
    country: countryOf(invoice.customer_address),
    periodFrom: periods.length > 0 ? moment(Math.min(...periods.map(({ start }) => start))) : null,
    periodUntil: periods.length > 0 ? moment(Math.max(...periods.map(({ end }) => end))) : null,
  }
}

/** The id of the subscription at Stripe that an invoice is for. */
const subscriptionOf = ({ parent }: Stripe.Invoice): string | null =>
  idOrNull(parent?.subscription_details?.subscription)

/** Only an answer that was asked to contain the invoice's payments says it; an event never does. */
function paymentIntentOf({ payments }: Stripe.Invoice): string | null {
  const paid = payments?.data.find(({ status }) => status === 'paid')
  return idOrNull(paid?.payment.payment_intent)
}

/** What was bought once, when its money has come; null otherwise. */
export function readCheckout(session: Stripe.Checkout.Session): StatedPurchase | null {
  const { mode, payment_status, currency, amount_total: amount } = session
  const isBought = mode === 'payment' && payment_status !== 'unpaid' && session.status === 'complete'
  if (!isBought || currency === null || amount === null) return null
  return {
    names: readNames(session.metadata),
    stripeId: session.id,
    paymentIntent: idOrNull(session.payment_intent),
    subscription: null,
    customer: idOrNull(session.customer),
    test: !session.livemode,
    at: moment(session.created),
    currency,
    amount,
    tax: session.total_details?.amount_tax ?? 0,
    country: countryOf(session.customer_details?.address ?? null),
    periodFrom: null,
    periodUntil: null,
  }
}

/** Money that went back, or that a bank took back. */
export interface StatedReturn {
  kind: 'refund' | 'dispute'
  paymentIntent: string | null
  /** The rows of the books: more than one when the money came back to us again. */
  rows: { stripeId: string; at: Date; currency: string; amount: number; fee: number }[]
}

/** A refund, once it is certain. One that failed in the end is in the books with what undoes it. */
export function readRefund(refund: Stripe.Refund): StatedReturn {
  const row = { stripeId: refund.id, at: moment(refund.created), currency: refund.currency, fee: 0 }
  const given = { ...row, amount: -refund.amount }
  const undone = { ...row, stripeId: `${refund.id}:failed`, amount: refund.amount }
  const rows =
    refund.status === 'succeeded'
      ? [given]
      : refund.status === 'failed' || refund.status === 'canceled'
        ? [given, undone]
        : []
  return { kind: 'refund', paymentIntent: idOrNull(refund.payment_intent), rows }
}

/** A dispute by the movements of money that it has caused: it is taken when it begins, and comes back when it is won. */
export function readDispute(dispute: Stripe.Dispute): StatedReturn {
  const rows = dispute.balance_transactions.map((transaction) => ({
    stripeId: `${dispute.id}:${transaction.amount < 0 ? 'taken' : 'returned'}`,
    at: moment(transaction.created),
    currency: dispute.currency,
    amount: transaction.amount < 0 ? -dispute.amount : dispute.amount,
    fee: transaction.currency === dispute.currency ? transaction.fee : 0,
  }))
  return { kind: 'dispute', paymentIntent: idOrNull(dispute.payment_intent), rows }
}

/** A renewal that failed, or that the subscriber's bank wants them to confirm. */
export interface StatedFailure {
  invoice: string
  subscription: string
  attempts: number
  nextAttempt: Date | null
  at: Date
}

export function readFailure(invoice: Stripe.Invoice, at: Date): StatedFailure | null {
  const subscription = subscriptionOf(invoice)
  if (!invoice.id || !subscription || invoice.status !== 'open') return null
  // Who buys is told on the page of the checkout.
  if (invoice.billing_reason === 'subscription_create') return null
  const next = invoice.next_payment_attempt
  return {
    invoice: invoice.id,
    subscription,
    attempts: invoice.attempt_count,
    nextAttempt: next === null ? null : moment(next),
    at,
  }
}

/** What the charge behind a payment adds to it: only Stripe's lists have the fee. */
export function readCharge(
  charge: Stripe.Charge,
): Partial<Pick<Payment, 'means' | 'country'>> & { fee: number | null } {
  const transaction = charge.balance_transaction
  const settled = transaction && typeof transaction === 'object' && transaction.currency === charge.currency
  const details = charge.payment_method_details
  const country = countryOf(charge.billing_details.address) ?? details?.card?.country?.toUpperCase() ?? null
  return {
    fee: settled ? transaction.fee : null,
    ...(details && { means: details.type }),
    ...(country && { country }),
  }
}

/** The part of a tax that belongs to a part of the amount, rounded to the smallest unit. */
export const share = (tax: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((tax * part) / whole)

function countryOf(address: Stripe.Address | null): string | null {
  const country = address?.country?.toUpperCase() ?? ''
  return /^[A-Z]{2}$/.test(country) ? country : null
}
