import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import type { Context } from '../../context.ts'
import type { StripeComparison } from '../../database/types.ts'
import type { ChargingNewsletter } from '../change.ts'

export type ComparisonRow = Selectable<StripeComparison>

/** A comparison with what it needs to go on. */
export interface Comparing extends Pick<Context, 'db' | 'now' | 'log'> {
  newsletter: ChargingNewsletter
  stripe: Stripe
  /** Whether it is the account's test mode. */
  test: boolean
  comparison: ComparisonRow
}
