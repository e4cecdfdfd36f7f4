import type { IncomingHttpHeaders } from 'node:http'
import type { Message, Outcome } from '../../mail/relay.ts'
import type { ProviderKind, RelayConfig, RelayKind } from '../contract.ts'

type Configs = { [K in RelayKind]: Extract<RelayConfig, { kind: K }> }
export type ConfigOf<K extends RelayKind> = Configs[K]

/** What is needed of every kind of relay, SMTP as well as a provider's API. */
export interface RelayType<K extends RelayKind = RelayKind> {
  /** The relay that an address on the command line describes. Its values are not checked: that is for the contract. */
  fromUrl(url: RelayUrl): { way: { kind: K }; secret: string | null }
  /** The field of its config with the user name or access key. Only owners see it. */
  accountField: FieldOf<RelayConfig> | null
}

/** The fields of every kind of config. */
type FieldOf<Config> = Config extends RelayConfig ? Exclude<keyof Config, 'kind'> : never

/** A relay's address in parts, decoded. */
export interface RelayUrl {
  protocol: string
  user: string | null
  password: string | null
  host: string
  query: URLSearchParams
  /** The whole. */
  text: string
}

/** All that is known of one provider: how it takes mail, what it reports, and what receivers see of it. */
export interface Provider<K extends ProviderKind> extends RelayType<K> {
  service: MailService
  api(config: ConfigOf<K>, secret: string): HttpApi
  /** @param gateway the address that stands in the place of every provider; null: the providers themselves */
  webhooks(gateway: string | null): WebhookReader
  /** What its events mean, in this order: the first rule that fits decides. Published in docs/feedback.md. */
  feedbackRules: readonly FeedbackRule[]
}

/** A service that sends mail, as the checks of a sender's domain need to know it. */
export interface MailService {
  name: string
  /** The hosts at which it takes mail by SMTP. */
  smtpHosts: RegExp
  /** The domain that it asks its customers to include in their SPF record (RFC 7208 section 5.2). */
  spfInclude: string
  /**
   * What happens to our DKIM signature. `also`: it arrives beside the service's own. `instead`: the service changes what
   * was signed, so only its own arrives (docs/decisions/dkim.md).
   */
  signing: 'also' | 'instead'
  /** Whether it puts an address of its own in place of the envelope's sender. Receivers then check SPF for that one. */
  ownEnvelope: boolean
}

/** A POST request to a provider. */
export interface ApiRequest {
  path: string
  headers: Record<string, string>
  body: Buffer
}

export interface ApiAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A provider's HTTP API: the request that sends a message, and what its answers mean. */
export interface HttpApi {
  host: string
  compose(message: Message): ApiRequest | Promise<ApiRequest>
  outcome(answer: ApiAnswer): Outcome
}

/** A webhook as it was received. The signature covers the bytes of its body. */
export interface Webhook {
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface WebhookReader {
  /**
   * Checks who sent a webhook and reads it.
   * @param known the secret of the relay, null when none is set, and the time
   * @returns null when the provider did not sign it, or too long ago
   * @throws Error when what the check needs cannot be fetched
   */
  receive(webhook: Webhook, known: { secret: string | null; now: Date }): Promise<ReceivedWebhook | null>
}

interface ReceivedWebhook {
  /** Events that may report a bounce or a complaint. */
  events: ProviderEvent[]
  /** Set when the signature covers this token and not the events. A second webhook with the same token is a forgery. */
  onceToken?: string
  /** The secret to keep, when the provider sends it and none is set. */
  newSecret?: string
}

/** What a webhook says about one delivery. */
export interface ProviderEvent {
  /** The provider's name of the event, in lower case. */
  event: string
  /** What the event adds, in lower case, such as how lasting a bounce is. */
  detail: string | null
  /** The enhanced status code (RFC 3463), such as 5.1.1. */
  status: string | null
  /** The answer of the recipient's server. */
  words: string
  /** The names that the message was given: newsletter, publication, subscriber. */
  names: Record<string, unknown>
  /** The Message-ID of our message, from a provider that may report without names. */
  messageId?: string | null
}

export interface FeedbackRule {
  events: readonly string[]
  /** Without it the rule fits every detail. */
  details?: readonly string[]
  /** `by answer`: hard when the answer of the recipient's server says that the address is gone, soft otherwise. */
  means: 'hard' | 'soft' | 'complaint' | 'ignore' | 'by answer'
}
