import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { findAccount, WEBHOOK_PURPOSE } from '../stripe/account.ts'

/**
 * With which the webhooks of a newsletter's account may be signed. After another key was connected there are two for some days: what Stripe
 * could not deliver is sent again, signed with the secret of then.
 */
export async function findWebhookSecrets(
  { db, sealer, now }: Pick<Context, 'db' | 'sealer' | 'now'>,
  newsletterId: string,
): Promise<string[]> {
  const account = await findAccount(db, newsletterId)
  if (!account) return []
  const { webhook_secret, earlier_webhook_secret: earlier, earlier_until: until } = account
  const secrets = [webhook_secret, ...(earlier && until && until > now() ? [earlier] : [])]
  return secrets.map((secret) => sealer.open(WEBHOOK_PURPOSE, secret))
}

/** Keeps when an event came last. It is shown to owners, so it need not be more exact than a minute. */
export const noteEvent = (db: Db, newsletterId: string, at: Date): Promise<unknown> =>
  db
    .updateTable('stripe_account')
    .set({ last_event_at: at })
    .where('newsletter_id', '=', newsletterId)
    .where((where) =>
      where.or([where('last_event_at', 'is', null), where('last_event_at', '<', new Date(at.getTime() - 60_000))]),
    )
    .execute()
