import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { StripeAccount } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { stripeClient } from './client.ts'

export const KEY_PURPOSE = 'stripe key'
export const WEBHOOK_PURPOSE = 'stripe webhook secret'

export type AccountRow = Selectable<StripeAccount>

/** A newsletter's account, open for calls. */
export interface Connected {
  stripe: Stripe
  account: AccountRow
}

export const findAccount = (db: Db, newsletterId: string): Promise<AccountRow | undefined> =>
  db.selectFrom('stripe_account').selectAll().where('newsletter_id', '=', newsletterId).executeTakeFirst()

type Opening = Pick<Context, 'db' | 'sealer' | 'config'>

/** The account of a newsletter; null when none is connected. */
export async function findConnected(context: Opening, newsletterId: string): Promise<Connected | null> {
  const account = await findAccount(context.db, newsletterId)
  return account ? { account, stripe: openAccount(context, account) } : null
}

export const openAccount = (context: Pick<Context, 'sealer' | 'config'>, { key }: AccountRow): Stripe =>
  stripeClient(context, context.sealer.open(KEY_PURPOSE, key))

/** @throws AppError stripe_not_connected */
export async function requireConnected(context: Opening, newsletterId: string): Promise<Connected> {
  const connected = await findConnected(context, newsletterId)
  if (!connected) throw new AppError('stripe_not_connected')
  return connected
}

/** With which webhooks of a newsletter's account are signed; null when none is connected. */
export async function findWebhookSecret(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  newsletterId: string,
): Promise<string | null> {
  const account = await findAccount(db, newsletterId)
  return account ? sealer.open(WEBHOOK_PURPOSE, account.webhook_secret) : null
}
