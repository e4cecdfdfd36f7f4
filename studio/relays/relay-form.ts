import type { z } from 'zod'
import type { createRelay, RelayConfig, RelayDetail, RelayKind } from '../../server/relays/contract.ts'
import { ApiError } from '../api.ts'

export type Relay = z.infer<typeof RelayDetail>
type Body = z.input<typeof createRelay.body>
export type Security = Extract<RelayConfig, { kind: 'smtp' }>['security']
type NumberField = number | ''

/** Every field of every kind: those of another kind are kept while somebody looks around, and are not sent. */
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

/** The usual port of each way of securing SMTP. */
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
  connections: 10,
  perSecond: '',
  perHour: '',
  warmUp: false,
}

/** The form of a relay, or of a new one. What is secret is never in it: an empty field keeps what is there. */
export function valuesOf(relay: Relay | null): RelayValues {
  if (!relay) return empty
  const { way, name, weight, connections } = relay
  return {
    ...empty,
    ...fieldsOf(way),
    name,
    kind: way.kind,
    weight,
    connections,
    perSecond: relay.perSecond ?? '',
    perHour: relay.perHour ?? '',
    warmUp: relay.warmUp !== null,
  }
}

function fieldsOf(way: RelayConfig): Partial<RelayValues> {
  switch (way.kind) {
    case 'smtp':
      return { host: way.host, port: way.port, security: way.security, username: way.username ?? '' }
    case 'ses':
      return {
        region: way.region,
        accessKeyId: way.accessKeyId ?? '',
        configurationSet: way.configurationSet ?? '',
      }
    case 'postmark':
      return { messageStream: way.messageStream }
    case 'mailgun':
      return { domain: way.domain, mailgunRegion: way.region }
    case 'resend':
      return {}
  }
}

/** What is sent: the way of the chosen kind, empty numbers as no limit, and secrets only where one was typed. */
export function bodyOf(values: RelayValues): Body {
  return {
    name: values.name,
    way: wayOf(values),
    weight: Number(values.weight),
    connections: Number(values.connections),
    perSecond: orNull(values.perSecond),
    perHour: orNull(values.perHour),
    warmUp: values.warmUp,
    ...(values.secret && { secret: values.secret }),
    ...(values.webhookSecret && { webhookSecret: values.webhookSecret }),
  }
}

function wayOf(values: RelayValues): RelayConfig {
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

/** The server names a field of the way by its path; this form has them side by side. */
export function beside(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const fields = Object.entries(error.fields).map(([path, sentence]) => [path.replace(/^way\./, ''), sentence] as const)
  return new ApiError(error.code, error.message, {
    fields: Object.fromEntries(fields),
    status: error.status,
    detail: error.detail,
  })
}

/** Where a relay is, in few words: a host, or what tells one account of a provider from another. */
export function placeOf(way: RelayConfig): string {
  switch (way.kind) {
    case 'smtp':
      return `${way.host}:${way.port}`
    case 'ses':
      return way.region
    case 'postmark':
      return way.messageStream
    case 'mailgun':
      return way.domain
    case 'resend':
      return 'api.resend.com'
  }
}
