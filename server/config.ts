import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { isNameServer, readSender } from './config-values.ts'
import { keptSecret } from './database/data-folder.ts'
import { connectionsIn } from './mail/smtp/address.ts'
import { StartError } from './start-error.ts'

/** All settings, checked and frozen. `null` means: not set. */
export interface Config {
  /** The part of the work that this process does. It is not the role of a member. */
  readonly processRole: 'all' | 'web' | 'worker'
  readonly host: string
  readonly port: number
  /** Origin and path, without a slash at the end: `https://news.example.org`. */
  readonly publicUrl: string
  /** An absolute path. */
  readonly dataDir: string
  /** `null`: embedded PostgreSQL below `dataDir`. */
  readonly databaseUrl: string | null
  /** The sender of the instance's own mail. `null`: `tirage@` and the host of PUBLIC_URL. */
  readonly mailFrom: { readonly name: string; readonly address: string } | null
  /** `null`: mail is caught in the outbox. */
  readonly smtpUrl: string | null
  /** Whether browsers are told to reach the subdomains of the public address by HTTPS only, too. */
  readonly hstsSubdomains: boolean
  /** Whether relays that owners add may be in a private network. */
  readonly privateRelays: boolean
  /** Whether newsletters of servers in a private network, or without HTTPS, may be recommended. */
  readonly privateServers: boolean
  /** The address that is called in place of all mail providers. `null`: the providers are called. */
  readonly providerGateway: string | null
  /** Where the API of Stripe is. */
  readonly stripeApi: string
  /** A file in MaxMind's format, with which clicks are counted by country. */
  readonly countryDatabase: string | null
  /** A file with a network a line: clicks from there are no person's. */
  readonly dataCentreNetworks: string | null
  /** `null`: files are kept below `dataDir`. */
  readonly storageUrl: string | null
  /** How much is kept of uploaded images: for a newsletter, for a person in all, and for one who has proven no address. */
  readonly mediaQuota: Readonly<Record<'newsletter' | 'person' | 'guest', MediaQuota>>
  readonly secret: string
  readonly google: OAuthClient | null
  readonly github: OAuthClient | null
  readonly oidc: (OAuthClient & { readonly issuer: string; readonly name: string }) | null
  readonly ga4: { readonly measurementId: string; readonly apiSecret: string } | null
  readonly plausible: { readonly url: string; readonly domain: string } | null
  readonly logLevel: (typeof logLevels)[number]
  /** Fastify's `trustProxy`: nobody, everybody, the number of hops, or the addresses of the proxies. */
  readonly trustProxy: boolean | number | string
  /** The number of requests to subscribe that one network may make in ten minutes. */
  readonly subscribeLimit: number
  /** With more requests than this in ten minutes, the form of a newsletter asks for a proof of work. */
  readonly subscribePressure: number
  /** The number of guests that may begin in one network in a day. */
  readonly guestsPerNetwork: number
  /** The number of guests that may be there at the same time. */
  readonly maxGuests: number
  /** `null`: nobody may read `/metrics`. */
  readonly metricsToken: string | null
  /** The name servers to ask about domains, each with its port unless that is 53; empty: the system's own. */
  readonly dnsServers: readonly string[]
  /** The domain of return paths. `null`: bounces go to the sender's address and are not counted. */
  readonly bounceDomain: string | null
  /** Where this process receives bounces and complaints by SMTP; `null`: it does not. */
  readonly inbound: { readonly host: string; readonly port: number } | null
}

export interface MediaQuota {
  readonly bytes: number
  readonly files: number
}

interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** Has every problem that was found. Its message has one sentence in each line. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const address = (schemes: string[], example: string) =>
  z.string().refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)), {
    error: `must be an address such as ${example}`,
  })

const webAddress = (example: string) => address(['https', 'http'], example)

const count = (fallback: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .default(fallback)

/** docs/operating.md describes each of them. */
export const variables = z.object({
  ROLE: z.enum(['all', 'web', 'worker'], { error: 'must be all, web or worker' }).default('all'),
  HOST: z.string().optional(),
  PORT: z.coerce
    .number({ error: 'must be a number between 0 and 65535' })
    .int('must be a whole number')
    .min(0, 'must be a number between 0 and 65535')
    .max(65_535, 'must be a number between 0 and 65535')
    .default(3000),
  PUBLIC_URL: webAddress('https://news.example.org').optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: address(['postgres', 'postgresql'], 'postgres://user:password@host:5432/tirage').optional(),
  MAIL_FROM: z
    .string()
    .transform((value, issues) => {
      const sender = readSender(value.trim())
      if (!sender) issues.addIssue('must be a sender such as Tirage <tirage@example.org>')
      return sender
    })
    .optional(),
  SMTP_URL: address(['smtp', 'smtps'], 'smtp://user:password@relay.example.org:587')
    .refine((url) => connectionsIn(url) !== null, 'may set ?connections= to 1 … 100')
    .optional(),
  PRIVATE_RELAYS: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  PRIVATE_SERVERS: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  HSTS_SUBDOMAINS: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  PROVIDER_GATEWAY: webAddress('http://127.0.0.1:8081').optional(),
  COUNTRY_DATABASE: z.string().optional(),
  DATA_CENTRE_NETWORKS: z.string().optional(),
  STRIPE_API: webAddress('https://api.stripe.com').default('https://api.stripe.com'),
  STORAGE_URL: address(['s3', 'file'], 's3://bucket?region=eu-west-3').optional(),
  MEDIA_NEWSLETTER_MB: count(1_000),
  MEDIA_NEWSLETTER_FILES: count(5_000),
  MEDIA_PERSON_MB: count(2_000),
  MEDIA_PERSON_FILES: count(10_000),
  MEDIA_GUEST_MB: count(50),
  MEDIA_GUEST_FILES: count(100),
  SECRET: z.string().min(32, 'must be at least 32 characters long').optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: webAddress('https://login.example.org').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().default('OpenID'),
  GA4_MEASUREMENT_ID: z.string().regex(/^G-/, 'must look like G-XXXXXXXXXX').optional(),
  GA4_API_SECRET: z.string().optional(),
  PLAUSIBLE_URL: webAddress('https://plausible.io').optional(),
  PLAUSIBLE_DOMAIN: z.string().optional(),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('warn'),
  TRUST_PROXY: z.string().default('false'),
  METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters long').optional(),
  SUBSCRIBE_LIMIT: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .default(30),
  SUBSCRIBE_PRESSURE: count(60),
  GUESTS_PER_NETWORK: count(30),
  MAX_GUESTS: count(10_000),
  DNS_SERVERS: z
    .string()
    .transform((value) => value.split(',').map((each) => each.trim()))
    .refine((servers) => servers.every(isNameServer), {
      error: 'must be addresses such as 9.9.9.9 or 127.0.0.1:5353, with commas between them',
    })
    .default([]),
  BOUNCE_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(/^(?=.{4,189}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, {
      error: 'must be a domain such as bounces.example.org',
    })
    .optional(),
  INBOUND_HOST: z.string().default('0.0.0.0'),
  INBOUND_PORT: z.coerce
    .number({ error: 'must be a number between 0 and 65535' })
    .int('must be a whole number')
    .min(0, 'must be a number between 0 and 65535')
    .max(65_535, 'must be a number between 0 and 65535')
    .optional(),
})
type Variables = z.infer<typeof variables>
type Name = keyof Variables

const groups: Name[][] = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['GA4_MEASUREMENT_ID', 'GA4_API_SECRET'],
  ['PLAUSIBLE_URL', 'PLAUSIBLE_DOMAIN'],
]

/**
 * Reads the environment. An empty variable counts as unset. Makes DATA_DIR and DATA_DIR/secret when SECRET is not set.
 * @throws ConfigError with every problem found
 * @throws StartError when the data folder cannot be written to
 */
export function loadConfig(env: Environment): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const parsed = variables.safeParse(given)
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}.`),
    ...groups.flatMap((names) => incompleteGroup(names, given)),
    ...missingRequirements(given),
    ...missingShared(given),
  ]
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems)
  return deepFreeze(configFrom(parsed.data))
}

function incompleteGroup(names: Name[], given: Environment): string[] {
  const missing = names.filter((name) => !given[name])
  if (missing.length === 0 || missing.length === names.length) return []
  const set = names.filter((name) => given[name])
  return [
    `${list(set)} ${set.length === 1 ? 'is' : 'are'} set but ${list(missing)} ${missing.length === 1 ? 'is' : 'are'} not: set ${names.length === 2 ? 'both' : 'all of them'} or none.`,
  ]
}

/** BOUNCE_DOMAIN may be set alone, because one of several sending processes may be the one that listens. */
function missingRequirements(given: Environment): string[] {
  const requirements: [string, string][] = [
    ['INBOUND_HOST', 'INBOUND_PORT'],
    ['INBOUND_PORT', 'BOUNCE_DOMAIN'],
  ]
  const unmet = requirements.filter(([name, required]) => given[name] && !given[required])
  return unmet.map(([name, required]) => `${name} is set but ${required} is not: set ${required} too, or neither.`)
}

/** A web process and a worker must use the same database and secret, so neither may make its own. */
function missingShared(given: Environment): string[] {
  if (given.ROLE !== 'web' && given.ROLE !== 'worker') return []
  const needed = ['DATABASE_URL', 'SECRET'].filter((name) => !given[name])
  return needed.map((name) => `ROLE=${given.ROLE} needs ${name}: every process must be given the same one.`)
}

const list = (names: string[]) => names.join(' and ')

function configFrom(set: Variables): Config {
  const dataDir = isAbsolute(set.DATA_DIR) ? set.DATA_DIR : resolve(set.DATA_DIR)
  return {
    processRole: set.ROLE,
    host: set.HOST ?? hostFor(set.PUBLIC_URL),
    port: set.PORT,
    publicUrl: (set.PUBLIC_URL ?? `http://localhost:${set.PORT}`).replace(/\/+$/, ''),
    dataDir,
    databaseUrl: set.DATABASE_URL ?? null,
    mailFrom: set.MAIL_FROM ?? null,
    smtpUrl: set.SMTP_URL ?? null,
    privateRelays: set.PRIVATE_RELAYS === 'true',
    privateServers: set.PRIVATE_SERVERS === 'true',
    hstsSubdomains: set.HSTS_SUBDOMAINS === 'true',
    providerGateway: set.PROVIDER_GATEWAY ?? null,
    stripeApi: set.STRIPE_API,
    countryDatabase: set.COUNTRY_DATABASE ?? null,
    dataCentreNetworks: set.DATA_CENTRE_NETWORKS ?? null,
    storageUrl: set.STORAGE_URL ?? null,
    mediaQuota: {
      newsletter: quota(set.MEDIA_NEWSLETTER_MB, set.MEDIA_NEWSLETTER_FILES),
      person: quota(set.MEDIA_PERSON_MB, set.MEDIA_PERSON_FILES),
      guest: quota(set.MEDIA_GUEST_MB, set.MEDIA_GUEST_FILES),
    },
    secret: set.SECRET ?? keptSecret(dataDir, 'secret'),
    google: oauthClient(set.GOOGLE_CLIENT_ID, set.GOOGLE_CLIENT_SECRET),
    github: oauthClient(set.GITHUB_CLIENT_ID, set.GITHUB_CLIENT_SECRET),
    ...openIdFrom(set),
    ga4:
      set.GA4_MEASUREMENT_ID && set.GA4_API_SECRET
        ? { measurementId: set.GA4_MEASUREMENT_ID, apiSecret: set.GA4_API_SECRET }
        : null,
    plausible:
      set.PLAUSIBLE_URL && set.PLAUSIBLE_DOMAIN ? { url: set.PLAUSIBLE_URL, domain: set.PLAUSIBLE_DOMAIN } : null,
    logLevel: set.LOG_LEVEL,
    trustProxy: trustProxyFrom(set.TRUST_PROXY),
    subscribeLimit: set.SUBSCRIBE_LIMIT,
    subscribePressure: set.SUBSCRIBE_PRESSURE,
    guestsPerNetwork: set.GUESTS_PER_NETWORK,
    maxGuests: set.MAX_GUESTS,
    metricsToken: set.METRICS_TOKEN ?? null,
    dnsServers: set.DNS_SERVERS,
    bounceDomain: set.BOUNCE_DOMAIN ?? null,
    inbound: set.INBOUND_PORT === undefined ? null : { host: set.INBOUND_HOST, port: set.INBOUND_PORT },
  }
}

/** Only this machine can connect until a public address is set, because the outbox shows sign-in links. */
const hostFor = (publicUrl: string | undefined) => (publicUrl && !isLoopback(publicUrl) ? '0.0.0.0' : '127.0.0.1')

/** Whether only this machine can open the address. */
export const isLoopback = (url: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

const quota = (megabytes: number, files: number): MediaQuota => ({ bytes: megabytes * 1_000_000, files })

const oauthClient = (clientId?: string, clientSecret?: string): OAuthClient | null =>
  clientId && clientSecret ? { clientId, clientSecret } : null

function openIdFrom(set: Variables): Pick<Config, 'oidc'> {
  const oauth = oauthClient(set.OIDC_CLIENT_ID, set.OIDC_CLIENT_SECRET)
  return { oidc: oauth && set.OIDC_ISSUER ? { ...oauth, issuer: set.OIDC_ISSUER, name: set.OIDC_NAME } : null }
}

function trustProxyFrom(value: string): Config['trustProxy'] {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^\d+$/.test(value) ? Number(value) : value
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner)
  return Object.freeze(value)
}
