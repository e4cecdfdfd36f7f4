import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tirage-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const load = (env: Record<string, string> = {}) => loadConfig({ DATA_DIR: folder, ...env })

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    load(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('no setting is required', () => {
  expect(load()).toMatchObject({
    processRole: 'all',
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://localhost:3000',
    dataDir: folder,
    databaseUrl: null,
    smtpUrl: null,
    privateRelays: false,
    privateServers: false,
    providerGateway: null,
    google: null,
    trustProxy: false,
  })
})

test('of several processes that send, one may receive bounces', () => {
  expect(load({ BOUNCE_DOMAIN: 'Bounces.Example.org' })).toMatchObject({
    bounceDomain: 'bounces.example.org',
    inbound: null,
  })
  expect(load({ BOUNCE_DOMAIN: 'bounces.example.org', INBOUND_PORT: '25' }).inbound).toEqual({
    host: '0.0.0.0',
    port: 25,
  })
})

test('the secret is made once, and only the owner of its file may read it', () => {
  const { secret } = load()
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(load().secret).toBe(secret)
  expect(readFileSync(join(folder, 'secret'), 'utf8').trim()).toBe(secret)
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
})

test('with a public address, other machines may connect', () => {
  expect(load({ PUBLIC_URL: 'https://news.example.org/' })).toMatchObject({
    host: '0.0.0.0',
    publicUrl: 'https://news.example.org',
  })
  expect(load({ PUBLIC_URL: 'http://localhost:8080' }).host).toBe('127.0.0.1')
})

test('an empty variable counts as unset', () => {
  expect(load({ SMTP_URL: '', PORT: ' ' })).toMatchObject({ smtpUrl: null, port: 3000 })
})

test.each([
  [{ PORT: 'eighty' }, 'PORT must be a number between 0 and 65535.'],
  [{ PORT: '70000' }, 'PORT must be a number between 0 and 65535.'],
  [{ ROLE: 'boss' }, 'ROLE must be all, web or worker.'],
  [{ SMTP_URL: 'smtp://relay.example.org?connections=0' }, 'SMTP_URL may set ?connections= to 1 … 100.'],
  [
    { SMTP_URL: 'relay.example.org' },
    'SMTP_URL must be an address such as smtp://user:password@relay.example.org:587.',
  ],
  [{ GOOGLE_CLIENT_ID: 'x' }, 'GOOGLE_CLIENT_ID is set but GOOGLE_CLIENT_SECRET is not: set both or none.'],
  [
    { OIDC_ISSUER: 'https://login.example.org' },
    'OIDC_ISSUER is set but OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are not: set all of them or none.',
  ],
  [{ HSTS_SUBDOMAINS: '1' }, 'HSTS_SUBDOMAINS must be true or false.'],
  [{ PRIVATE_RELAYS: 'yes' }, 'PRIVATE_RELAYS must be true or false.'],
  [{ PROVIDER_GATEWAY: 'proxy' }, 'PROVIDER_GATEWAY must be an address such as http://127.0.0.1:8081.'],
  [{ STRIPE_API: 'stripe' }, 'STRIPE_API must be an address such as https://api.stripe.com.'],
  [{ BOUNCE_DOMAIN: 'not a domain' }, 'BOUNCE_DOMAIN must be a domain such as bounces.example.org.'],
  [{ INBOUND_PORT: '2525' }, 'INBOUND_PORT is set but BOUNCE_DOMAIN is not: set BOUNCE_DOMAIN too, or neither.'],
  [
    { BOUNCE_DOMAIN: 'bounces.example.org', INBOUND_HOST: '::' },
    'INBOUND_HOST is set but INBOUND_PORT is not: set INBOUND_PORT too, or neither.',
  ],
  [
    { DNS_SERVERS: '9.9.9.9, dns.example.org' },
    'DNS_SERVERS must be addresses such as 9.9.9.9 or 127.0.0.1:5353, with commas between them.',
  ],
  [{ SECRET: 'short' }, 'SECRET must be at least 32 characters long.'],
])('%j is refused in one sentence', (env, sentence) => {
  expect(problemsOf(env)).toEqual([sentence])
})

test('the sender of the instance is a name and an address, or an address alone', () => {
  const senders = [
    ['Low Water <post@lowwater.example>', { name: 'Low Water', address: 'post@lowwater.example' }],
    ['"Low, Water" <post@lowwater.example>', { name: 'Low, Water', address: 'post@lowwater.example' }],
    [' post+x@café.example ', { name: 'Tirage', address: 'post+x@café.example' }],
  ] as const
  for (const [given, sender] of senders) expect(load({ MAIL_FROM: given }).mailFrom).toEqual(sender)
  expect(load().mailFrom).toBeNull()
})

test.each([
  'post',
  'post@localhost',
  'Low Water',
  'Low Water <post>',
  '<post@a.example> x',
  'a@b.example, c@d.example',
  'a@b.example <c@d.example> <e@f.example>',
  'a b@c.example',
  'Low\r\nBcc: x@y.example <post@a.example>',
  `${'x'.repeat(101)} <post@a.example>`,
  `${'x'.repeat(65)}@a.example`,
  `post@${'x'.repeat(5_000)}`,
])('%j is no sender', (given) => {
  expect(problemsOf({ MAIL_FROM: given })).toEqual(['MAIL_FROM must be a sender such as Tirage <tirage@example.org>.'])
})

test('name servers are addresses, with their port where it is not 53', () => {
  const servers = ['9.9.9.9', '127.0.0.1:5353', '2620:fe::fe', '[2620:fe::fe]:53']
  expect(load({ DNS_SERVERS: servers.join(', ') }).dnsServers).toEqual(servers)
  expect(load().dnsServers).toEqual([])
})

test('every problem is reported at once', () => {
  expect(problemsOf({ PORT: '-1', GITHUB_CLIENT_SECRET: 'x', PLAUSIBLE_DOMAIN: 'example.org' })).toHaveLength(3)
})

test('a web process or a worker needs a shared database and secret', () => {
  expect(problemsOf({ ROLE: 'worker' })).toEqual([
    'ROLE=worker needs DATABASE_URL: every process must be given the same one.',
    'ROLE=worker needs SECRET: every process must be given the same one.',
  ])
})

test('a folder that cannot be written to gets one sentence', () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  expect(() => loadConfig({ DATA_DIR: join(file, 'below') })).toThrow(/cannot be written to/)
})

test('the settings are frozen at every depth', () => {
  const config = load({ GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' })
  expect(Object.isFrozen(config)).toBe(true)
  expect(Object.isFrozen(config.github)).toBe(true)
})

test('an unknown kind of storage is refused at the start, not at the first picture', () => {
  expect(problemsOf({ STORAGE_URL: 'gs://bucket' })).toEqual([
    'STORAGE_URL must be an address such as s3://bucket?region=eu-west-3.',
  ])
})
