import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestApp, type TestApp } from '../testing/app.ts'

let server: TestApp
let provider: Server
let asked: URLSearchParams
/** Whether the provider says that it has proven the address. */
let proves = true

beforeAll(async () => {
  const port = await freePort()
  provider = createServer()
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const openId = new Provider(issuer, settings(`http://127.0.0.1:${port}/api/auth/callback/oidc`))
  const answer = openId.callback()
  provider.on('request', (request, reply) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/auth') asked = url.searchParams
    answer(request, reply)
  })
  const client = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'tirage', OIDC_CLIENT_SECRET: 'a secret of the client' }
  const env = { ...client, OIDC_NAME: 'The Guild', PUBLIC_URL: `http://127.0.0.1:${port}` }
  server = await startTestApp({ listen: true, env })
})
afterAll(async () => {
  await server?.stop()
  provider?.closeAllConnections()
  provider?.close()
})

const settings = (callback: string): Configuration => ({
  clients: [{ client_id: 'tirage', client_secret: 'a secret of the client', redirect_uris: [callback] }],
  pkce: { required: () => true },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  cookies: { keys: ['for this test only'] },
  findAccount: (_call, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@guild.example`, email_verified: proves, name: 'Ines of the Guild' }),
  }),
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** A browser that keeps cookies by site and follows redirects. It signs in and agrees when the provider asks. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()

  constructor(private readonly account = 'ines') {}

  /** Signs in with the provider, and answers the address at which it arrives. */
  async signIn(site: string, page = '/arrived'): Promise<URL> {
    const begin = await this.fetch(`${site}/api/auth/sign-in/social`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: site },
      body: JSON.stringify({ provider: 'oidc', callbackURL: '/arrived', errorCallbackURL: '/login' }),
    })
    const { url } = (await begin.json()) as { url: string }
    return this.arrive(url, site, page)
  }

  async me(site: string) {
    return (await (await this.fetch(`${site}/api/me`)).json()) as { user: { uid: string; email: string } | null }
  }

  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(address)
    const jar = this.#cookies.get(host) ?? new Map()
    this.#cookies.set(host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return answer
  }

  /** Follows redirects to a page of `site` that does not redirect, and returns its address. */
  async arrive(address: string, site: string, page: string): Promise<URL> {
    let next = address
    for (let step = 0; step < 20; step++) {
      if (next.startsWith(site) && new URL(next).pathname === page) return new URL(next)
      const answer = await this.fetch(next)
      const location = answer.headers.get('location')
      next = location ? new URL(location, next).href : await this.#submit(next, await answer.text())
    }
    throw new Error(`never arrived at ${page}`)
  }

  async #submit(address: string, html: string): Promise<string> {
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1]
    if (!prompt) throw new Error(`no form at ${address}: ${html.slice(0, 500)}`)
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? address
    const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: this.account, password: 'any' }) })
    const answer = await this.fetch(new URL(action, address).href, { method: 'POST', body })
    return new URL(answer.headers.get('location') ?? '', address).href
  }
}

test('somebody signs in by OpenID Connect with a code and PKCE, twice as the same person', async () => {
  const site = server.context.config.publicUrl
  const offered = (await server.stranger('GET', '/api/identity/providers')).json()
  expect(offered.providers).toEqual([{ id: 'oidc', name: 'The Guild' }])
  const uids = new Set<string>()
  for (const browser of [new Browser(), new Browser()]) {
    const begin = await browser.fetch(`${site}/api/auth/sign-in/social`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: site },
      body: JSON.stringify({ provider: 'oidc', callbackURL: '/arrived?method=oidc' }),
    })
    const { url } = (await begin.json()) as { url: string }
    const arrived = await browser.arrive(url, site, '/arrived')
    expect(arrived.searchParams.get('error')).toBeNull()
    expect(asked.get('response_type')).toBe('code')
    expect(asked.get('code_challenge_method')).toBe('S256')
    const me = (await (await browser.fetch(`${site}/api/me`)).json()) as { user: { uid: string } | null }
    expect(me.user).toMatchObject({
      displayName: 'Ines of the Guild',
      email: 'ines@guild.example',
      emailVerified: true,
    })
    uids.add(me.user?.uid ?? '')
  }
  expect(uids.size).toBe(1)
})

test('the provider’s tokens are kept encrypted', async () => {
  const accounts = await server.context.db.selectFrom('account').selectAll().execute()
  expect(accounts).toHaveLength(1)
  expect(accounts[0]?.access_token).toBeTruthy()
  expect(accounts[0]?.id_token ?? '').not.toMatch(/^eyJ/)
})

test('an answer to no request of ours signs nobody in', async () => {
  const browser = new Browser()
  const site = server.context.config.publicUrl
  const answer = await browser.fetch(`${site}/api/auth/callback/oidc?code=stolen&state=made-up`)
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\?error=/)
  const me = (await (await browser.fetch(`${site}/api/me`)).json()) as { user: unknown }
  expect(me.user).toBeNull()
})

test('who comes from a provider that has proven the address ends what a stranger prepared with it', async () => {
  const site = server.context.config.publicUrl
  const thief = await server.signUp({ name: 'Thief', email: 'mona@guild.example' })
  const mona = new Browser('mona')
  await mona.signIn(site)
  expect((await mona.me(site)).user).toMatchObject({ uid: thief.userId, email: 'mona@guild.example' })
  expect((await thief.call('GET', '/api/me')).json().user).toBeNull()
  const body = { email: 'mona@guild.example', password: PASSWORD }
  expect((await server.stranger('POST', '/api/auth/sign-in/email', body)).statusCode).toBe(401)
})

test('a provider that proves no addresses opens nobody’s account, and what was signed up through it ends with the proof', async () => {
  const site = server.context.config.publicUrl
  const owner = await server.signUp({ email: 'olga@guild.example' })
  await server.confirm(owner)
  proves = false
  const stranger = new Browser('olga')
  const refused = await stranger.signIn(site, '/login')
  expect([refused.searchParams.get('error'), (await stranger.me(site)).user]).toEqual(['account_not_linked', null])

  const email = 'pia@guild.example'
  const first = new Browser('pia')
  await first.signIn(site)
  expect((await first.me(site)).user).toMatchObject({ email })
  await server.stranger('POST', '/api/auth/sign-in/magic-link', { email })
  const mails = await server.queuedMail(email)
  const token = mails.map(({ text }) => /arrived\?token=(\w+)/.exec(text)?.[1]).find(Boolean)
  expect((await server.stranger('POST', '/api/identity/sign-in-link', { token })).statusCode).toBe(200)
  expect((await first.me(site)).user).toBeNull()
  const again = new Browser('pia')
  await again.signIn(site, '/login')
  expect((await again.me(site)).user).toBeNull()
  proves = true
})
