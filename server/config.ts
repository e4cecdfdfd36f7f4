import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { keptSecret } from './database/data-folder.ts'
import { StartError } from './start-error.ts'

/** Everything that may be set, checked and frozen. `null` and missing pairs mean: not configured. */
export interface Config {
  readonly role: 'all' | 'web' | 'worker'
  readonly host: string
  readonly port: number
  /** Origin and path without a slash at the end: `https://news.example.org`. */
  readonly publicUrl: string
  /** Absolute. */
  readonly dataDir: string
  /** `null`: embedded PostgreSQL below `dataDir`. */
  readonly databaseUrl: string | null
  /** `null`: mail is caught in the outbox. */
  readonly smtpUrl: string | null
  /** Whether relays that owners add may be in a private network. */
  readonly privateRelays: boolean
  /** In the place of every mail provider; `null`: the providers themselves. */
  readonly providerGateway: string | null
  /** `null`: files are kept below `dataDir`. */
  readonly storageUrl: string | null
  readonly secret: string
  readonly google: OAuthClient | null
  readonly github: OAuthClient | null
  readonly oidc: (OAuthClient & { readonly issuer: string; readonly name: string }) | null
  readonly ga4: { readonly measurementId: string; readonly apiSecret: string } | null
  readonly plausible: { readonly url: string; readonly domain: string } | null
  readonly logLevel: (typeof logLevels)[number]
  /** As Fastify understands it: nobody, everybody, the number of hops, or the addresses of the proxies. */
  readonly trustProxy: boolean | number | string
  /** Requests to subscribe that one network may make in ten minutes. */
  readonly subscribeLimit: number
  /** `null`: nobody may read `/metrics`. */
  readonly metricsToken: string | null
  /** Name servers that domains are looked up at, each with its port where that is not 53; none: the system's own. */
  readonly dnsServers: readonly string[]
  /** Bounces come back to addresses below this domain; `null`: to the sender, where nobody counts them. */
  readonly bounceDomain: string | null
  /** Where bounces and complaints are taken in by SMTP; `null`: not by this process. */
  readonly inbound: { readonly host: string; readonly port: number } | null
}

interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** Says every problem at once, one sentence a line. */
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

const web = (example: string) => address(['https', 'http'], example)

/** An address, and a port where it is not 53; with a port, IPv6 stands in brackets. */
function isNameServer(text: string): boolean {
  const [, bracketed, plain, port] = text.match(/^(?:\[([^\]]+)\]|([^:]+|[^\]]*:[^\]]*:[^\]]*))(?::(\d{1,5}))?$/) ?? []
  return isIP(bracketed ?? plain ?? '') !== 0 && Number(port ?? 53) <= 65_535
}

const variables = z.object({
  ROLE: z.enum(['all', 'web', 'worker'], { error: 'must be all, web or worker' }).default('all'),
  HOST: z.string().optional(),
  PORT: z.coerce
    .number({ error: 'must be a number between 0 and 65535' })
    .int('must be a whole number')
    .min(0, 'must be a number between 0 and 65535')
    .max(65_535, 'must be a number between 0 and 65535')
    .default(3000),
  PUBLIC_URL: web('https://news.example.org').optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: address(['postgres', 'postgresql'], 'postgres://user:password@host:5432/tirage').optional(),
  SMTP_URL: address(['smtp', 'smtps'], 'smtp://user:password@relay.example.org:587').optional(),
  PRIVATE_RELAYS: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  PROVIDER_GATEWAY: web('http://127.0.0.1:8081').optional(),
  STORAGE_URL: address(['s3', 'file'], 's3://bucket?region=eu-west-3').optional(),
  SECRET: z.string().min(32, 'must be at least 32 characters long').optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: web('https://login.example.org').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().default('OpenID'),
  GA4_MEASUREMENT_ID: z.string().regex(/^G-/, 'must look like G-XXXXXXXXXX').optional(),
  GA4_API_SECRET: z.string().optional(),
  PLAUSIBLE_URL: web('https://plausible.io').optional(),
  PLAUSIBLE_DOMAIN: z.string().optional(),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('warn'),
  TRUST_PROXY: z.string().default('false'),
  METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters long').optional(),
  SUBSCRIBE_LIMIT: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .default(30),
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

const together: Name[][] = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['GA4_MEASUREMENT_ID', 'GA4_API_SECRET'],
  ['PLAUSIBLE_URL', 'PLAUSIBLE_DOMAIN'],
]

/**
 * Reads the environment; an empty variable counts as unset. Makes DATA_DIR and DATA_DIR/secret when SECRET is not set.
 * @throws ConfigError with every problem found
 * @throws StartError when the data folder cannot be written to
 */
export function loadConfig(env: Environment): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const parsed = variables.safeParse(given)
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}.`),
    ...together.flatMap((names) => halfSet(names, given)),
    ...withoutItsGround(given),
    ...sharedWithOthers(given),
  ]
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems)
  return deepFreeze(arrange(parsed.data))
}

function halfSet(names: Name[], given: Environment): string[] {
  const missing = names.filter((name) => !given[name])
  if (missing.length === 0 || missing.length === names.length) return []
  const set = names.filter((name) => given[name])
  return [
    `${list(set)} ${set.length === 1 ? 'is' : 'are'} set but ${list(missing)} ${missing.length === 1 ? 'is' : 'are'} not: set ${names.length === 2 ? 'both' : 'all of them'} or none.`,
  ]
}

/** BOUNCE_DOMAIN alone is whole: of many processes that send, one may be the one that listens. */
function withoutItsGround(given: Environment): string[] {
  const grounds: [string, string][] = [
    ['INBOUND_HOST', 'INBOUND_PORT'],
    ['INBOUND_PORT', 'BOUNCE_DOMAIN'],
  ]
  const bare = grounds.filter(([name, ground]) => given[name] && !given[ground])
  return bare.map(([name, ground]) => `${name} is set but ${ground} is not: set ${ground} too, or neither.`)
}

/** A process that does half the work needs what the other half has, and cannot make it up. */
function sharedWithOthers(given: Environment): string[] {
  if (given.ROLE !== 'web' && given.ROLE !== 'worker') return []
  const needed = ['DATABASE_URL', 'SECRET'].filter((name) => !given[name])
  return needed.map((name) => `ROLE=${given.ROLE} needs ${name}: every process must be given the same one.`)
}

const list = (names: string[]) => names.join(' and ')

function arrange(set: Variables): Config {
  const dataDir = isAbsolute(set.DATA_DIR) ? set.DATA_DIR : resolve(set.DATA_DIR)
  return {
    role: set.ROLE,
    host: set.HOST ?? hostFor(set.PUBLIC_URL),
    port: set.PORT,
    publicUrl: (set.PUBLIC_URL ?? `http://localhost:${set.PORT}`).replace(/\/+$/, ''),
    dataDir,
    databaseUrl: set.DATABASE_URL ?? null,
    smtpUrl: set.SMTP_URL ?? null,
    privateRelays: set.PRIVATE_RELAYS === 'true',
    providerGateway: set.PROVIDER_GATEWAY ?? null,
    storageUrl: set.STORAGE_URL ?? null,
    secret: set.SECRET ?? keptSecret(dataDir, 'secret'),
    google: client(set.GOOGLE_CLIENT_ID, set.GOOGLE_CLIENT_SECRET),
    github: client(set.GITHUB_CLIENT_ID, set.GITHUB_CLIENT_SECRET),
    ...openId(set),
    ga4:
      set.GA4_MEASUREMENT_ID && set.GA4_API_SECRET
        ? { measurementId: set.GA4_MEASUREMENT_ID, apiSecret: set.GA4_API_SECRET }
        : null,
    plausible:
      set.PLAUSIBLE_URL && set.PLAUSIBLE_DOMAIN ? { url: set.PLAUSIBLE_URL, domain: set.PLAUSIBLE_DOMAIN } : null,
    logLevel: set.LOG_LEVEL,
    trustProxy: proxies(set.TRUST_PROXY),
    subscribeLimit: set.SUBSCRIBE_LIMIT,
    metricsToken: set.METRICS_TOKEN ?? null,
    dnsServers: set.DNS_SERVERS,
    bounceDomain: set.BOUNCE_DOMAIN ?? null,
    inbound: set.INBOUND_PORT === undefined ? null : { host: set.INBOUND_HOST, port: set.INBOUND_PORT },
  }
}

/** Until somebody says where the public reaches this, nobody but this machine does: the outbox shows sign-in links. */
const hostFor = (publicUrl: string | undefined) => (publicUrl && !isLoopback(publicUrl) ? '0.0.0.0' : '127.0.0.1')

const isLoopback = (url: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

const client = (clientId?: string, clientSecret?: string): OAuthClient | null =>
  clientId && clientSecret ? { clientId, clientSecret } : null

function openId(set: Variables): Pick<Config, 'oidc'> {
  const oauth = client(set.OIDC_CLIENT_ID, set.OIDC_CLIENT_SECRET)
  return { oidc: oauth && set.OIDC_ISSUER ? { ...oauth, issuer: set.OIDC_ISSUER, name: set.OIDC_NAME } : null }
}

function proxies(value: string): Config['trustProxy'] {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^\d+$/.test(value) ? Number(value) : value
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner)
  return Object.freeze(value)
}
