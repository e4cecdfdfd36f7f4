import { type Insertable, sql } from 'kysely'
import Stripe from 'stripe'
import { isLoopback } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import type { StripeAccount } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import { storeSubscription } from '../change.ts'
import { type AccountRow, findAccount, KEY_PURPOSE, openAccount, requireConnected, WEBHOOK_PURPOSE } from './account.ts'
import { isGone, stripeClient, stripeRefusal } from './client.ts'
import { type Connection, StripeRight } from './contract.ts'
import { missingRights, nameOfAccount } from './rights.ts'
import { webhookEvents } from './webhook-events.ts'

type Connecting = Pick<Context, 'db' | 'sealer' | 'config' | 'log' | 'now'>

const webhookUrl = ({ config }: Pick<Context, 'config'>, newsletterId: string): string =>
  `${config.publicUrl}/stripe/${newsletterId}`

/** A restricted key, and its mode. Plain secret keys may do everything with an account, so they are refused. */
function modeOf(key: string): { test: boolean } {
  const [, mode] = /^rk_(test|live)_\w{8,}$/.exec(key) ?? []
  if (mode) return { test: mode === 'test' }
  const reason = key.startsWith('sk_')
    ? 'stripe_secret_key'
    : key.startsWith('pk_')
      ? 'stripe_public_key'
      : 'stripe_no_key'
  throw new AppError('invalid', { fields: { key: reason } })
}

const shownKey = (key: string): string => `${key.slice(0, 'rk_test_'.length)}…${key.slice(-4)}`

/**
 * Connects a newsletter with the account of a key: tries each right, makes the webhook endpoint and keeps both secrets. With a right
 * missing, nothing is stored.
 *
 * @throws AppError invalid for a key of another kind; `stripe_key_refused`, `stripe_away`
 */
export async function connect(context: Connecting, newsletterId: string, key: string) {
  const { test } = modeOf(key)
  const stripe = stripeClient(context, key)
  const { account, missing } = await look(stripe)
  if (missing.length > 0) return { connected: false, test, account, missing }
  const endpoint = await makeEndpoint(context, stripe, newsletterId)
  const { sealer, now } = context
  const values = {
    test,
    key: sealer.seal(KEY_PURPOSE, key),
    key_shown: shownKey(key),
    account_id: account?.id ?? null,
    account_name: account?.name ?? null,
    missing_rights: [],
    webhook_id: endpoint.id,
    webhook_secret: sealer.seal(WEBHOOK_PURPOSE, endpoint.secret ?? ''),
    checked_at: now(),
  }
  try {
    const before = await context.db
      .transaction()
      .execute((tx) => store(tx, { ...values, newsletter_id: newsletterId, connected_at: now() }))
    if (before) await removeEndpoint(context, openAccount(context, before), before.webhook_id)
  } catch (error) {
    // Without its secret nothing that it says could be believed.
    await removeEndpoint(context, stripe, endpoint.id)
    throw error
  }
  return { connected: true, test, account, missing }
}

/** @returns the account whose place it takes. Of keys that come at the same time, each sees the one before it. */
async function store(tx: Db, account: Insertable<StripeAccount> & { connected_at: Date }): Promise<AccountRow | null> {
  const { newsletter_id: newsletterId, connected_at: at, ...values } = account
  await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forNoKeyUpdate().execute()
  const before = await findAccount(tx, newsletterId)
  await tx
    .insertInto('stripe_account')
    .values(account)
    .onConflict((conflict) => conflict.column('newsletter_id').doUpdateSet({ ...values, last_event_at: null }))
    .execute()
  const isSame = before?.account_id != null && before.account_id === account.account_id
  if (!isSame) await forgetObjects(tx, newsletterId, account.test)
  if (!account.test) await endTestSubscriptions(tx, newsletterId, at)
  return before ?? null
}

async function look(stripe: Stripe) {
  try {
    // First alone: a key that Stripe does not know is refused by one call.
    const account = await nameOfAccount(stripe)
    return { account, missing: await missingRights(stripe) }
  } catch (error) {
    throw stripeRefusal(error)
  }
}

async function makeEndpoint(
  context: Connecting,
  stripe: Stripe,
  newsletterId: string,
): Promise<Stripe.WebhookEndpoint> {
  try {
    return await stripe.webhookEndpoints.create({
      url: webhookUrl(context, newsletterId),
      enabled_events: [...webhookEvents],
      api_version: Stripe.API_VERSION,
      description: 'Tirage',
      metadata: { tirage_newsletter: newsletterId },
    })
  } catch (error) {
    throw stripeRefusal(error)
  }
}

/** One that stays behind is refused by its signature: its secret is gone. */
async function removeEndpoint({ log }: Pick<Context, 'log'>, stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.webhookEndpoints.del(id)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    if (!isGone(error)) log.warn({ reason: error.message }, 'a webhook endpoint at Stripe could not be removed')
  }
}

/** What was made in one account is not in another. It is made anew when it is needed. */
const forgetObjects = (tx: Db, newsletterId: string, test: boolean): Promise<unknown> =>
  tx.deleteFrom('stripe_object').where('newsletter_id', '=', newsletterId).where('test', '=', test).execute()

/** What was bought to try it opens nothing any more once cards are charged. */
async function endTestSubscriptions(tx: Db, newsletterId: string, at: Date): Promise<void> {
  const rows = await tx
    .selectFrom('subscription')
    .innerJoin('newsletter', 'newsletter.id', 'subscription.newsletter_id')
    .selectAll('subscription')
    .select('newsletter.grace_days')
    .where('newsletter_id', '=', newsletterId)
    .where('test', '=', true)
    .where('subscription.status', '<>', 'ended')
    .orderBy('subscriber_id')
    .execute()
  for (const { grace_days, newsletter_id, changed_at: _, ...row } of rows)
    await storeSubscription(tx, { id: newsletter_id, grace_days }, { ...row, status: 'ended', ended_at: at, at })
}

/** Tries the key again, and makes the webhook endpoint anew when it is gone. */
export async function check(context: Connecting, newsletterId: string): Promise<Connection> {
  const { stripe, account: row } = await requireConnected(context, newsletterId)
  const { account, missing } = await look(stripe)
  const endpoint = missing.includes('webhook_endpoints') ? null : await mendEndpoint(context, { stripe, row })
  const after = await context.db
    .updateTable('stripe_account')
    .set({
      account_id: account?.id ?? row.account_id,
      account_name: account?.name ?? row.account_name,
      missing_rights: missing,
      checked_at: context.now(),
      ...(endpoint && {
        webhook_id: endpoint.id,
        webhook_secret: context.sealer.seal(WEBHOOK_PURPOSE, endpoint.secret ?? ''),
      }),
    })
    .where('newsletter_id', '=', newsletterId)
    .where('key', '=', row.key)
    .returningAll()
    .executeTakeFirst()
  if (!after) throw new AppError('stripe_not_connected')
  return connectionOf(after)
}

/** Null when it is as it should be, or could be made so. */
async function mendEndpoint(
  context: Connecting,
  { stripe, row }: { stripe: Stripe; row: AccountRow },
): Promise<Stripe.WebhookEndpoint | null> {
  const url = webhookUrl(context, row.newsletter_id)
  try {
    await stripe.webhookEndpoints.update(row.webhook_id, { url, enabled_events: [...webhookEvents], disabled: false })
    return null
  } catch (error) {
    if (!isGone(error)) throw stripeRefusal(error)
    return makeEndpoint(context, stripe, row.newsletter_id)
  }
}

interface Taxes {
  automaticTax?: boolean | undefined
  taxIdCollection?: boolean | undefined
}

export async function changeTaxes(db: Db, newsletterId: string, taxes: Taxes): Promise<Connection> {
  const { automaticTax: tax, taxIdCollection: numbers } = taxes
  const row = await db
    .updateTable('stripe_account')
    .set((set) => ({
      automatic_tax: tax ?? set.ref('automatic_tax'),
      tax_id_collection: numbers ?? set.ref('tax_id_collection'),
    }))
    .where('newsletter_id', '=', newsletterId)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AppError('stripe_not_connected')
  return connectionOf(row)
}

/** Forgets the key, even when Stripe cannot be reached. */
export async function disconnect(context: Connecting, newsletterId: string): Promise<void> {
  const { stripe, account } = await requireConnected(context, newsletterId)
  await context.db.deleteFrom('stripe_account').where('newsletter_id', '=', newsletterId).execute()
  await removeEndpoint(context, stripe, account.webhook_id)
}

export async function connectionState(context: Pick<Context, 'db' | 'config'>, newsletterId: string) {
  const row = await findAccount(context.db, newsletterId)
  const url = webhookUrl(context, newsletterId)
  const reachable = !isLoopback(url) && (row?.test !== false || url.startsWith('https:'))
  const { rows } = await sql<{ count: number }>`select count(*) from subscription
    where newsletter_id = ${newsletterId} and test and status <> 'ended'`.execute(context.db)
  const testSubscriptions = rows[0]?.count ?? 0
  return { connection: row ? connectionOf(row) : null, testSubscriptions, webhookUrl: url, reachable }
}

const isRight = (right: string): right is StripeRight => StripeRight.safeParse(right).success

const connectionOf = (row: AccountRow): Connection => ({
  test: row.test,
  key: row.key_shown,
  account: row.account_id === null ? null : { id: row.account_id, name: row.account_name },
  missing: row.missing_rights.filter(isRight),
  automaticTax: row.automatic_tax,
  taxIdCollection: row.tax_id_collection,
  connectedAt: row.connected_at.toISOString(),
  checkedAt: row.checked_at.toISOString(),
  lastEventAt: row.last_event_at?.toISOString() ?? null,
})
