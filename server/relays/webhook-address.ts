import type { Config } from '../config.ts'

/** The path at which this server takes a provider's webhooks, with the relay's id as its last part. */
export const WEBHOOK_PATH = '/webhooks/relays/:relayId'

/** The address to enter at the provider of this relay. */
export const webhookAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>, relayId: string): string =>
  publicUrl + WEBHOOK_PATH.replace(':relayId', relayId)
