import type { Relay } from '../mail/relay.ts'
import { ProviderKind, type RelayConfig, type RelayKind } from './contract.ts'
import { HttpRelay } from './providers/http-relay.ts'
import { mailgun } from './providers/mailgun.ts'
import { postmark } from './providers/postmark.ts'
import type { FeedbackRule, MailService, Provider, RelayType, WebhookReader } from './providers/provider.ts'
import { resend } from './providers/resend.ts'
import { ses } from './providers/ses.ts'
import { openSmtp, smtp, smtpServices } from './providers/smtp.ts'

/** THE LIST of providers. Everything else that is known of one is in its file. */
const providers: { [K in ProviderKind]: Provider<K> } = { ses, postmark, mailgun, resend }

/** Every kind of relay. */
export const relayTypes: { [K in RelayKind]: RelayType<K> } = { smtp, ...providers }

export interface RelayOptions {
  secret: string | null
  connections: number
  /** The address of this server. Its host is the name in EHLO. */
  publicUrl: string
  /** The address to call instead of every provider; null: the providers themselves. */
  gateway: string | null
  /** Whether its host may be in a private network. True for relays of the operator. */
  mayBePrivate: boolean
}

/** Opens a relay, which connects when the first message is sent. */
export function openRelay(config: RelayConfig, options: RelayOptions): Relay {
  if (config.kind === 'smtp') return openSmtp(config, options)
  const { secret, connections, gateway } = options
  const provider: Provider<ProviderKind> = providers[config.kind]
  return new HttpRelay(provider.api(config, secret ?? ''), { kind: config.kind, connections, gateway })
}

/** What sends the mail: an SMTP server, named by its host, or a provider. */
export type RelayPlace = { host: string } | { kind: ProviderKind }

export const placeOf = (config: RelayConfig): RelayPlace =>
  config.kind === 'smtp' ? { host: config.host } : { kind: config.kind }

export const placeName = (place: RelayPlace): string =>
  'host' in place ? place.host : providers[place.kind].service.name

export const providerService = (kind: ProviderKind): MailService => providers[kind].service

/** The known service that takes mail by SMTP at this host. It may be a provider or another service. */
export function serviceAtHost(host: string): MailService | undefined {
  const services = [...Object.values(providers).map(({ service }) => service), ...smtpServices]
  return services.find(({ smtpHosts }) => smtpHosts.test(host))
}

/** The config for members who are not owners: without the user name or access key. */
export function withoutAccount(config: RelayConfig): RelayConfig {
  const { accountField } = relayTypes[config.kind]
  return accountField === null ? config : { ...config, [accountField]: null }
}

/** @param gateway the address that stands in the place of every provider; null: the providers themselves */
export const webhookReaders = (gateway: string | null): ReadonlyMap<ProviderKind, WebhookReader> =>
  new Map(ProviderKind.options.map((kind) => [kind, providers[kind].webhooks(gateway)]))

/** What a provider's events mean. */
export const feedbackRulesOf = (kind: ProviderKind): readonly FeedbackRule[] => providers[kind].feedbackRules
