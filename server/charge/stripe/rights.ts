import Stripe from 'stripe'
import { type StripeRight, stripeRights } from './contract.ts'

/** An id that no object has, so that a write which is allowed finds nothing to write to. */
const NOBODY = 'tirage_tries_this_key'

type Trial = (stripe: Stripe) => Promise<unknown>

/** By right, calls that need it and change nothing. */
const trials: Record<StripeRight, Trial[]> = {
  checkout_sessions: [(stripe) => stripe.checkout.sessions.expire(NOBODY)],
  customers: [(stripe) => stripe.customers.update(NOBODY)],
  products_prices: [(stripe) => stripe.products.update(NOBODY), (stripe) => stripe.prices.update(NOBODY)],
  coupons: [(stripe) => stripe.coupons.update(NOBODY)],
  subscriptions: [(stripe) => stripe.subscriptions.update(NOBODY)],
  customer_portal: [(stripe) => stripe.billingPortal.configurations.update(NOBODY)],
  charges_refunds: [(stripe) => stripe.refunds.update(NOBODY)],
  invoices: [(stripe) => stripe.invoices.list({ limit: 1 })],
  balance_transactions: [(stripe) => stripe.balanceTransactions.list({ limit: 1 })],
  webhook_endpoints: [(stripe) => stripe.webhookEndpoints.update(NOBODY)],
}

/**
 * Which of the rights that Tirage needs a key lacks. Each is tried. Stripe asks for the right before it looks for the object, so a write to
 * an object that does not exist says whether it would be allowed, and changes nothing.
 *
 * @throws Stripe's error when it does not know the key, or is away
 */
export async function missingRights(stripe: Stripe): Promise<StripeRight[]> {
  const tried = await Promise.all(
    stripeRights.map(async (right) => {
      const allowed = await Promise.all(trials[right].map((trial) => isAllowed(trial(stripe))))
      return allowed.every(Boolean) ? [] : [right]
    }),
  )
  return tried.flat()
}

async function isAllowed(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return false
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return true
    throw error
  }
}

/** Whose key it is; null when the key may not read it, which a restricted key need not. */
export async function nameOfAccount(stripe: Stripe): Promise<{ id: string; name: string | null } | null> {
  try {
    const { id, business_profile: profile, settings } = await stripe.accounts.retrieveCurrent()
    return { id, name: profile?.name ?? settings?.dashboard.display_name ?? null }
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return null
    throw error
  }
}
