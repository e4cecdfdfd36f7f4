import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { ProviderKind } from './contract.ts'
import { SEAL_PURPOSE } from './relay-set.ts'

/** The path at which this server takes a provider's webhooks, with the relay's id as its last part. */
export const WEBHOOK_PATH = '/webhooks/relays/:relayId'

/** The address to enter at the provider of this relay. */
export const webhookAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>, relayId: string): string =>
  publicUrl + WEBHOOK_PATH.replace(':relayId', relayId)

/** A relay as its webhooks need it. */
export interface WebhookRelay {
  id: string
  kind: ProviderKind
  /** Null: of the whole server. */
  newsletterId: string | null
  /** What the provider signs with; null: none was set. */
  secret: string | null
}

type Dependencies = Pick<Context, 'db' | 'sealer'>

/** Null when there is no such relay, or when it is an SMTP server, which sends no webhooks. */
export async function findWebhookRelay({ db, sealer }: Dependencies, id: string): Promise<WebhookRelay | null> {
  const row = await db
    .selectFrom('relay')
    .select(['id', 'kind', 'newsletter_id', 'webhook_secret'])
    .where('id', '=', id)
    .executeTakeFirst()
  const { data: kind } = ProviderKind.safeParse(row?.kind)
  if (!row || !kind) return null
  const secret = row.webhook_secret && sealer.open(SEAL_PURPOSE, row.webhook_secret)
  return { id: row.id, kind, newsletterId: row.newsletter_id, secret }
}

/** Keeps the secret that a provider sent. A secret that is already set stays. */
export async function keepWebhookSecret({ db, sealer }: Dependencies, id: string, secret: string): Promise<void> {
  await db
    .updateTable('relay')
    .set({ webhook_secret: sealer.seal(SEAL_PURPOSE, secret) })
    .where('id', '=', id)
    .where('webhook_secret', 'is', null)
    .execute()
}
