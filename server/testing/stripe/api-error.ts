import type Stripe from 'stripe'

/** What the API answers when it refuses (docs.stripe.com/api/errors). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly error: { type: Stripe.StripeRawError['type']; message: string; code?: string; param?: string },
  ) {
    super(error.message)
  }
}

/** A request with a parameter that the API does not take. */
export const invalid = (message: string, param: string, code = 'parameter_invalid'): ApiError =>
  new ApiError(400, { type: 'invalid_request_error', message, param, code })

export const missing = (kind: string, id: string): ApiError =>
  new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: 'id',
  })
