import { z } from 'zod'
import { Done, endpoint, Newsletter, Paging, pageOf } from '../http/endpoint.ts'

export const RelayKind = z.enum(['smtp', 'ses', 'postmark', 'mailgun', 'resend'])
export type RelayKind = z.infer<typeof RelayKind>

/** The kinds that are a provider's HTTP API. */
export const ProviderKind = RelayKind.exclude(['smtp'])
export type ProviderKind = z.infer<typeof ProviderKind>

/** Printable, on one line: it goes into commands and headers. */
const word = (maximum: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maximum)
    .regex(/^[\x21-\x7e]+$/)

export const domainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/)

export const Security = z.enum(['tls', 'starttls', 'none'])

/** How a relay is reached. Its password or key is never a part of it: that is the secret. */
export const RelayConfig = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('smtp'),
    /** A name or an address. */
    host: z
      .string()
      .trim()
      .toLowerCase()
      .min(1)
      .max(253)
      .regex(/^[a-z0-9_.:-]+$/),
    port: z.int().min(1).max(65_535),
    security: Security,
    /** The secret is its password. */
    username: word(320).nullable(),
  }),
  /** Amazon SES. The secret is the secret access key. */
  z.object({
    kind: z.literal('ses'),
    region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/),
    accessKeyId: z
      .string()
      .regex(/^[A-Z0-9]{16,128}$/)
      .nullable(),
    configurationSet: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .nullable(),
  }),
  /** The secret is the server token. */
  z.object({ kind: z.literal('postmark'), messageStream: z.string().regex(/^[a-z][a-z0-9-]{0,29}$/) }),
  /** The secret is the API key. */
  z.object({ kind: z.literal('mailgun'), domain: domainName, region: z.enum(['us', 'eu']) }),
  /** The secret is the API key. */
  z.object({ kind: z.literal('resend') }),
])
export type RelayConfig = z.infer<typeof RelayConfig>

const perSecond = z.number().min(0.01).max(10_000).nullable()
const perHour = z.int().min(1).max(100_000_000).nullable()

const RelaySettings = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(/^\P{Cc}*$/u),
  way: RelayConfig,
  /** Its part of the mail, compared with the other relays. 0: only when no other can take mail. */
  weight: z.int().min(0).max(1_000),
  /** At most so many connections at the same time, for each worker. To an SMTP server, more than ten are opened only where they help. */
  connections: z.int().min(1).max(100),
  perSecond,
  perHour,
  /** Whether the warm-up plan limits it; begins on the day it is turned on. */
  warmUp: z.boolean(),
  enabled: z.boolean(),
})

const secret = z.string().min(1).max(4_096)

export const RelayDetail = RelaySettings.omit({ warmUp: true }).extend({
  id: z.string(),
  /** `username` and `accessKeyId` are null for everybody but owners. */
  way: RelayConfig,
  hasSecret: z.boolean(),
  /** What the provider signs its webhooks with. */
  hasWebhookSecret: z.boolean(),
  /** Where a provider reports bounces and complaints; null for SMTP, which reports by mail. */
  webhookUrl: z.string().nullable(),
  /** `cap` mails today, on the day of this number, and how many of them have gone; null: no plan, or it has ended. */
  warmUp: z.object({ startedAt: z.iso.datetime(), day: z.int(), cap: z.int(), used: z.int() }).nullable(),
  health: z.object({
    /** `untried`: nothing was ever sent through it. */
    state: z.enum(['untried', 'working', 'resting']),
    restingUntil: z.iso.datetime().nullable(),
    failures: z.int(),
    /** The relay's last answer. */
    answer: z.string().nullable(),
    answeredAt: z.iso.datetime().nullable(),
  }),
  /** Mails handed over in the last 60 minutes and in the last 24 hours. */
  used: z.object({ hour: z.int(), day: z.int() }),
  /** The part of the next mails that it would take now, from 0 to 1. */
  share: z.number(),
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
})

/** `perSecond` and `perHour` to all mailboxes of one domain, by all relays together. */
const DomainLimit = z.object({
  /** In A-labels, the form that DNS uses. */
  domain: z.string(),
  /** The same domain in a form that people read. */
  readable: z.string(),
  perSecond,
  perHour,
})

/** A domain of recipients, in Unicode or in A-labels. */
const recipientDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[^\s@:/]+\.[^\s@:/.]+$/)

export const listRelays = endpoint('GET /api/newsletters/:newsletterId/relays', {
  permission: 'relays.read',
  summary: 'The relays this newsletter’s mail goes through: limits, health, use',
  params: Newsletter,
  reply: z.object({
    relays: z.array(RelayDetail),
    domainLimits: z.array(DomainLimit),
    /** Which ones carry its mail now: its own, those of the whole server, that of SMTP_URL, or none: it is caught. */
    route: z.enum(['own', 'instance', 'environment', 'caught']),
    /** What the server has for newsletters without relays of their own; `place` is a host or a provider's name. */
    instance: z.array(z.object({ name: z.string(), kind: RelayKind, place: z.string(), resting: z.boolean() })),
    /** Mails a day in a warm-up, from its first day; the day after the last it ends. */
    warmUpPlan: z.array(z.int()),
    /** The largest number of relays of a newsletter. */
    maximum: z.int(),
  }),
})

export const createRelay = endpoint('POST /api/newsletters/:newsletterId/relays', {
  permission: 'relays.manage',
  cost: 'dns',
  summary: 'Add a relay: an SMTP server or a provider',
  params: Newsletter,
  body: RelaySettings.extend({
    weight: RelaySettings.shape.weight.default(1),
    connections: RelaySettings.shape.connections.default(20),
    perSecond: perSecond.default(null),
    perHour: perHour.default(null),
    warmUp: RelaySettings.shape.warmUp.default(false),
    enabled: RelaySettings.shape.enabled.default(true),
    /** Providers need one; SMTP when there is a user name. */
    secret: secret.nullable().default(null),
    webhookSecret: secret.nullable().default(null),
  }),
  reply: RelayDetail,
  errors: ['invalid', 'too_many_relays', 'too_many_requests'],
  audit: { act: 'relay_added', keeps: ['name'] },
})

const oneRelay = Newsletter.extend({ relayId: z.string().max(20) })

/** A secret that is not given stays. It must be given again when `way` names another server or login. */
export const changeRelay = endpoint('PATCH /api/newsletters/:newsletterId/relays/:relayId', {
  permission: 'relays.manage',
  cost: 'dns',
  summary: 'Change a relay',
  params: oneRelay,
  body: RelaySettings.extend({ secret: secret.nullable(), webhookSecret: secret.nullable() }).partial(),
  reply: RelayDetail,
  errors: ['invalid', 'relay_not_found', 'too_many_requests'],
  audit: { act: 'relay_changed', keeps: ['enabled'] },
})

export const removeRelay = endpoint('DELETE /api/newsletters/:newsletterId/relays/:relayId', {
  permission: 'relays.manage',
  summary: 'Remove a relay',
  params: oneRelay,
  reply: Done,
  errors: ['relay_not_found'],
  audit: { act: 'relay_removed' },
})

export const testRelay = endpoint('POST /api/newsletters/:newsletterId/relays/:relayId/test', {
  permission: 'relays.manage',
  cost: 'mail',
  summary: 'Send a mail to yourself through this relay alone, and hear what it answers',
  params: oneRelay,
  reply: z.object({
    to: z.string(),
    /** `later`: it asks to wait. `unknown`: the text was sent, and no answer came. */
    outcome: z.enum(['accepted', 'later', 'refused', 'unreachable', 'unknown']),
    /** The relay's answer. */
    answer: z.string(),
    milliseconds: z.int(),
  }),
  errors: ['relay_not_found', 'key_cannot', 'owner_unconfirmed', 'too_many_requests'],
})

export const setDomainLimits = endpoint('PUT /api/newsletters/:newsletterId/relays/domain-limits', {
  permission: 'relays.manage',
  summary: 'Set the limits per recipient domain: the whole list',
  params: Newsletter,
  body: z.object({ limits: z.array(z.object({ domain: recipientDomain, perSecond, perHour })).max(100) }),
  reply: z.object({ limits: z.array(DomainLimit) }),
  errors: ['invalid'],
  audit: { act: 'domain_limits_changed' },
})

const OutboxMail = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  at: z.iso.datetime(),
  bytes: z.int(),
})

/** Mail caught because no relay is set: the newsletter's own, and what is addressed to the signed-in member. */
export const listOutbox = endpoint('GET /api/newsletters/:newsletterId/outbox', {
  permission: 'outbox.read',
  cost: 'search',
  summary: 'Mail caught on this machine because no relay is set, newest first',
  params: Newsletter,
  query: Paging.extend({ search: z.string().trim().max(200).optional() }),
  reply: pageOf(OutboxMail).extend({
    caught: z.boolean(),
    /** How many fit the search. */
    total: z.int(),
    /** How many there are without it. */
    kept: z.int(),
  }),
})

export const readOutboxMail = endpoint('GET /api/newsletters/:newsletterId/outbox/:mailId', {
  permission: 'outbox.read',
  summary: 'One caught mail: HTML, text, headers and source',
  params: Newsletter.extend({ mailId: z.string().max(60) }),
  reply: OutboxMail.extend({
    html: z.string().nullable(),
    text: z.string().nullable(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    source: z.string(),
  }),
  errors: ['mail_not_found'],
})
