import Stripe from 'stripe'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'

/** Of one attempt. */
const TIMEOUT_MS = 8_000
/** Each with the same idempotency key, so that nothing is done twice. */
const RETRIES = 2

/**
 * Talks to Stripe with a key: within 30 seconds in all. What was refused for a while (409, 429, 5xx) or got lost is asked again with the
 * same idempotency key.
 */
export function stripeClient({ config }: Pick<Context, 'config'>, key: string): Stripe {
  const { hostname, port, protocol } = new URL(config.stripeApi)
  return new Stripe(key, {
    apiVersion: Stripe.API_VERSION,
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    appInfo: { name: 'Tirage' },
  })
}

/**
 * What a caller hears of a refusal of Stripe. Everything that time can mend is `stripe_away`.
 *
 * @throws the error itself when it is not Stripe's
 */
export function stripeRefusal(error: unknown): AppError {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return new AppError('stripe_key_refused', { field: 'key', cause: error })
  if (error instanceof Stripe.errors.StripePermissionError)
    return new AppError('stripe_right_missing', { cause: error })
  if (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError)
    return new AppError('stripe_refused', { cause: error, params: { reason: error.message } })
  return new AppError('stripe_away', { cause: error })
}

/** Whether Stripe has no such object. */
export const isGone = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'
