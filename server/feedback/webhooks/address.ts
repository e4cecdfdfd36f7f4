import type { Config } from '../../config.ts'

/** Where a provider's webhook for this relay is to be sent. */
export const webhookAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>, relayId: string): string =>
  `${publicUrl}/webhooks/relays/${relayId}`
