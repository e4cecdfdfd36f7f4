import type { z } from 'zod'
import type { createRelay, RelayConfig, RelayDetail, RelayKind } from '../../server/relays/contract.ts'

export type Relay = z.infer<typeof RelayDetail>
type Body = z.input<typeof createRelay.body>
type Security = Extract<RelayConfig, { kind: 'smtp' }>['security']
type NumberField = number | ''

/** Every field of every kind. Fields of other kinds are kept while the form is open, and are not sent. */
export interface RelayValues extends Record<string, unknown> {
  name: string
  kind: RelayKind
  host: string
  port: NumberField
  security: Security
  username: string
  region: string
  accessKeyId: string
  configurationSet: string
  messageStream: string
  domain: string
  mailgunRegion: 'us' | 'eu'
  secret: string
  webhookSecret: string
  weight: NumberField
  connections: NumberField
  perSecond: NumberField
  perHour: NumberField
  warmUp: boolean
}

/** The usual port of SMTP for each kind of encryption. */
export const usualPort = { tls: 465, starttls: 587, none: 25 } as const

const empty: RelayValues = {
  name: '',
  kind: 'smtp',
  host: '',
  port: 587,
  security: 'starttls',
  username: '',
  region: 'eu-west-1',
  accessKeyId: '',
  configurationSet: '',
  messageStream: 'broadcast',
  domain: '',
  mailgunRegion: 'eu',
  secret: '',
  webhookSecret: '',
  weight: 1,
  connections: 20,
  perSecond: '',
  perHour: '',
  warmUp: false,
}

/** The values for the form of a relay, or of a new one. Secrets are never in it: an empty field keeps the stored one. */
export function valuesOf(relay: Relay | null): RelayValues {
  if (!relay) return empty
  const { way: config, name, weight, connections } = relay
  return {
    ...empty,
    ...fieldsOf(config),
    name,
    kind: config.kind,
    weight,
    connections,
    perSecond: relay.perSecond ?? '',
    perHour: relay.perHour ?? '',
    warmUp: relay.warmUp !== null,
  }
}

function fieldsOf(config: RelayConfig): Partial<RelayValues> {
  switch (config.kind) {
    case 'smtp':
      return { host: config.host, port: config.port, security: config.security, username: config.username ?? '' }
    case 'ses':
      return {
        region: config.region,
        accessKeyId: config.accessKeyId ?? '',
        configurationSet: config.configurationSet ?? '',
      }
    case 'postmark':
      return { messageStream: config.messageStream }
    case 'mailgun':
      return { domain: config.domain, mailgunRegion: config.region }
    case 'resend':
      return {}
  }
}

/** The body of the request: the config of the chosen kind, null for an empty limit, and secrets only when they were typed. */
export function bodyOf(values: RelayValues): Body {
  return {
    name: values.name,
    way: configOf(values),
    weight: Number(values.weight),
    connections: Number(values.connections),
    perSecond: orNull(values.perSecond),
    perHour: orNull(values.perHour),
    warmUp: values.warmUp,
    ...(values.secret && { secret: values.secret }),
    ...(values.webhookSecret && { webhookSecret: values.webhookSecret }),
  }
}

function configOf(values: RelayValues): RelayConfig {
  const { kind } = values
  switch (kind) {
    case 'smtp':
      return {
        kind,
        host: values.host,
        port: Number(values.port),
        security: values.security,
        username: values.username || null,
      }
    case 'ses':
      return {
        kind,
        region: values.region,
        accessKeyId: values.accessKeyId || null,
        configurationSet: values.configurationSet || null,
      }
    case 'postmark':
      return { kind, messageStream: values.messageStream }
    case 'mailgun':
      return { kind, domain: values.domain, region: values.mailgunRegion }
    case 'resend':
      return { kind }
  }
}

const orNull = (value: NumberField): number | null => (value === '' ? null : value)

/** The host of a relay, or what distinguishes one account of a provider from another. */
export function placeOf(config: RelayConfig): string {
  switch (config.kind) {
    case 'smtp':
      return `${config.host}:${config.port}`
    case 'ses':
      return config.region
    case 'postmark':
      return config.messageStream
    case 'mailgun':
      return config.domain
    case 'resend':
      return 'api.resend.com'
  }
}
