import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from './testing/app.ts'
import { paragraph } from './testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from './testing/recording-relay.ts'

const NUL = '\u0000'

let server: TestApp
let owner: Session
let id: string
let path: string

beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp()
  id = await server.createNewsletter(owner)
  path = `/api/newsletters/${id}`
})
afterAll(() => server?.stop())

let address: Promise<string> | null = null
const listening = (): Promise<string> => {
  address ??= server.app.listen({ host: '127.0.0.1', port: 0 })
  return address
}

describe('values that PostgreSQL cannot store are refused with a sentence', () => {
  test.each([
    ['GET', (): string => '/api/newsletters/%00'],
    ['GET', (): string => `${path}/publications/%00`],
    ['GET', (): string => `${path}/publications?search=%00`],
    ['GET', (): string => `${path}/media?cursor=${encodeURIComponent('Sat Nov 21~x')}`],
    ['GET', (): string => `${path}/links?cursor=%00`],
    ['GET', (): string => `${path}/publications/x/revisions/9007199254740991`],
    ['GET', (): string => '/media/%00'],
    ['GET', (): string => `/n/${id}/%00`],
    ['GET', (): string => '/r/%ff'],
  ] as const)('%s %s', async (method, url) => {
    const answer = await owner.call(method, url())
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode).toBeLessThan(500)
    expect(answer.body).not.toMatch(/FST_|stack|at .*\.ts/)
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test.each([
    ['a name', 'PATCH', (): string => path, { name: `a${NUL}b` }],
    ['a title', 'POST', (): string => `${path}/publications`, { title: NUL }],
    [
      'half a character',
      'POST',
      (): string => `${path}/publications`,
      { content: { type: 'doc', content: [paragraph('\ud800')] } },
    ],
    ['a text', 'POST', (): string => `${path}/publications`, { content: { type: 'doc', content: [paragraph(NUL)] } }],
    [
      'the year 0',
      'POST',
      (): string => `${path}/links`,
      { target: 'https://x.org/', expiresAt: '0000-01-01T00:00:00Z' },
    ],
    ['an event', 'POST', (): string => '/api/analytics/events', { events: [{ name: 'login', params: { a: NUL } }] }],
  ] as const)('%s', async (...[, method, url, body]) => {
    const answer = await owner.call(method, url(), body)
    expect([400, 422]).toContain(answer.statusCode)
    expect(answer.json().error.message).toMatch(/^[A-Z].*\.$/)
  })

  test('a search of the archive says that it found nothing', async () => {
    const answer = await server.stranger('GET', `/n/${id}?q=%00`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  })
})

test('a provider sends one-click unsubscribe as a multipart form (RFC 8058 section 3.2)', async () => {
  const added = await owner.call('POST', `${path}/subscribers`, { email: 'leaves@example.org' })
  const own = server.context.shownIds.read(added.json().id)
  const answer = await server.inject({
    method: 'POST',
    url: `/unsub/${id}/${own}`,
    headers: { 'content-type': 'multipart/form-data; boundary=X' },
    payload: '--X\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--X--\r\n',
  })
  expect([answer.statusCode, answer.body]).toEqual([200, 'OK'])
  expect((await owner.call('GET', `${path}/subscribers/${added.json().id}`)).json().status).toBe('unsubscribed')
  const broken = await server.inject({
    method: 'POST',
    url: `/unsub/${id}/${own}`,
    headers: { 'content-type': 'multipart/form-data' },
    payload: 'x',
  })
  expect(broken.statusCode).toBe(400)
})

test('of several invitations of one address at the same moment, one stays open', async () => {
  const invite = () => owner.call('POST', `${path}/invitations`, { email: 'many@example.org', role: 'analyst' })
  await Promise.all(Array.from({ length: 8 }, invite))
  const { invitations } = (await owner.call('GET', `${path}/members`)).json()
  expect(invitations.filter(({ email }: { email: string }) => email === 'many@example.org')).toHaveLength(1)
})

test('text for the headers of mails is one line', async () => {
  for (const body of [
    { name: 'a\r\nBcc: x@y.org' },
    { senderName: 'a\nb' },
    { senderAddress: 'a@b.co\r\nBcc: x@y.org' },
  ]) {
    expect((await owner.call('PATCH', path, body)).statusCode).toBe(422)
  }
})

test('the number of live streams of one user is limited', async () => {
  const open = new Set<import('node:http').ClientRequest>()
  const { get } = await import('node:http')
  const url = await listening()
  const ask = () =>
    new Promise<number>((resolve) => {
      const request = get(`${url}${path}/live`, { headers: { cookie: owner.cookie } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      open.add(request.on('error', () => {}))
    })
  const statuses: number[] = []
  for (let i = 0; i < 31; i += 1) statuses.push(await ask())
  for (const request of open) request.destroy()
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.at(-1)).toBe(429)
})

test('an API key cannot make other access', async () => {
  const made = await owner.call('POST', `${path}/api-keys`, { name: 'k', role: 'owner' })
  const key = server.withKey(made.json().secret)
  for (const answer of [
    await key('POST', `${path}/api-keys`, { name: 'another', role: 'owner' }),
    await key('POST', `${path}/invitations`, { email: 'thief@example.org', role: 'owner' }),
    await key('PATCH', `${path}/members/${owner.userId}`, { role: 'analyst' }),
    await key('DELETE', `${path}/members/${owner.userId}`),
  ]) {
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'key_cannot'])
  }
  expect((await key('GET', path)).statusCode).toBe(200)
})

describe('through a real relay', () => {
  let relay: RecordingRelay
  let mailed: TestApp
  beforeAll(async () => {
    relay = await startRecordingRelay()
    mailed = await startTestApp({ env: { SMTP_URL: relay.url } })
  })
  afterAll(async () => {
    await mailed?.stop()
    await relay?.stop()
  })

  const prepared = async (person: Session) => {
    const newsletter = await mailed.createNewsletter(person, { name: 'Write to https://evil.example' })
    const base = `/api/newsletters/${newsletter}`
    await person.call('PATCH', base, { postalAddress: '1 rue X, Paris' })
    const content = { type: 'doc', content: [paragraph('Words')] }
    const draft = await person.call('POST', `${base}/publications`, { title: 'T', content })
    return { newsletter, base, draft: `${base}/publications/${draft.json().id}` }
  }

  test.each(['guest', 'unproven'] as const)('a %s publishes on the web and mails nobody', async (kind) => {
    const person = await (kind === 'guest' ? mailed.tryFirst() : mailed.signUp())
    const { newsletter, base, draft } = await prepared(person)
    await sql`delete from graphile_worker._private_jobs`.execute(mailed.context.db)
    for (const answer of [
      await person.call('POST', `${draft}/send`, {}),
      await person.call('POST', `${draft}/send`, { at: '2999-01-01T00:00:00Z' }),
      await person.call('POST', `${draft}/test`, {}),
      await person.call('POST', `${base}/subscribers`, { email: 'victim@example.org' }),
    ]) {
      expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'owner_unconfirmed'])
    }
    const invitation = { email: 'victim@example.org', role: 'analyst' }
    const invited = await person.call('POST', `${base}/invitations`, invitation)
    const refusal = kind === 'guest' ? 'anonymous_cannot' : 'owner_unconfirmed'
    expect([invited.statusCode, invited.json().error.code]).toEqual([403, refusal])
    const french = await mailed.inject({
      method: 'POST',
      url: `/subscribe/${newsletter}`,
      headers: { 'accept-language': 'fr', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=victim%40example.org&consent=yes',
    })
    expect(french.statusCode).toBe(403)
    expect(french.body).toContain('Les abonnements ne sont pas encore ouverts')
    expect(await mailed.queuedMail('victim@example.org')).toEqual([])
    const { problems } = (await person.call('GET', `${draft}/check`)).json()
    expect(problems).toContainEqual({ code: 'owner_unconfirmed', blocks: true, count: null })
    const onTheWeb = await person.call('POST', `${draft}/send`, { channel: 'web' })
    expect(onTheWeb.json().status).toBe('sent')
  })

  test('until an address is proven the sample is not sent, and the subscribe page says that it is closed before it asks anything', async () => {
    const person = await mailed.signUp()
    const newsletter = await mailed.createNewsletter(person)
    const base = `/api/newsletters/${newsletter}`
    const isSent = async () => {
      const { checklist } = (await person.call('GET', `${base}/dashboard/checklist`)).json()
      return checklist.find(({ step }: { step: string }) => step === 'sample').done
    }
    const detail = async () => {
      const one = (await person.call('GET', base)).json()
      const { newsletters } = (await person.call('GET', '/api/newsletters')).json()
      expect(newsletters).toEqual([one])
      return one
    }
    const formOn = async (url: string) => {
      const { statusCode, body } = await mailed.inject({ url })
      return [statusCode, body.includes('<form'), body.includes('Nobody can subscribe yet')]
    }
    const sample = (await person.call('POST', `${base}/publications/sample`)).json()
    const toMyself = () => person.call('POST', `${base}/publications/${sample.id}/test`, {})
    expect((await toMyself()).json().error.code).toBe('owner_unconfirmed')
    expect(await isSent()).toBe(false)
    expect(await detail()).toMatchObject({ mayMail: false })
    expect(await formOn(`/subscribe/${newsletter}`)).toEqual([200, false, true])
    expect(await formOn(`/subscribe/${newsletter}?lang=en`)).toEqual([200, false, true])

    await mailed.context.db.updateTable('user').set({ email_verified: true }).where('id', '=', person.userId).execute()
    expect(await detail()).toMatchObject({ mayMail: true })
    expect(await formOn(`/subscribe/${newsletter}`)).toEqual([200, true, false])
    expect((await toMyself()).statusCode).toBe(200)
    expect(await isSent()).toBe(true)
  })

  test('an owner whose address is proven mails', async () => {
    const person = await mailed.signUp()
    const { db } = mailed.context
    await db.updateTable('user').set({ email_verified: true }).where('id', '=', person.userId).execute()
    const { base, draft } = await prepared(person)
    expect((await person.call('POST', `${draft}/test`, {})).statusCode).toBe(200)
    expect((await person.call('POST', `${base}/subscribers`, { email: 'friend@example.org' })).statusCode).toBe(200)
  })
})

test('no cache keeps answers of the API, and the host in a request line is ignored', async () => {
  expect((await owner.call('GET', path)).headers['cache-control']).toBe('no-store')
  const answer = await server.inject({ method: 'POST', url: '/unsub/x/y', headers: { accept: 'text/html' } })
  expect(answer.headers.location).toBe('/unsub/x/y')
  const { connect } = await import('node:net')
  const { port } = new URL(await listening())
  const raw = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('close', () => resolve(text))
    socket.write(
      'POST http://evil.example/unsub/x/y HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    )
  })
  expect(raw).toMatch(/^HTTP\/1\.1 303/)
  expect(raw).not.toContain('evil.example')
})

test('a secure site has secure cookies, and browsers are told to stay with HTTPS', async () => {
  const secure = await startTestApp({ env: { PUBLIC_URL: 'https://news.example' } })
  const answer = await secure.inject({
    method: 'POST',
    url: '/api/auth/sign-in/anonymous',
    headers: { origin: 'https://news.example', 'content-type': 'application/json' },
    payload: {},
  })
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000')
  expect(answer.cookies.length).toBeGreaterThan(0)
  for (const cookie of answer.cookies) expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax' })
  await secure.stop()
})

test('browsers are told about the subdomains only where the operator says so', async () => {
  const env = { PUBLIC_URL: 'https://news.example', HSTS_SUBDOMAINS: 'true' }
  const secure = await startTestApp({ env })
  const answer = await secure.inject('/healthz')
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  await secure.stop()
})

describe('people', () => {
  test('a name is one short line, and a picture is a web address', async () => {
    const person = await server.signUp({ name: `A\r\nB${'x'.repeat(5_000)}` })
    await person.call('POST', '/api/auth/update-user', { image: 'javascript:alert(1)' })
    const { user } = (await person.call('GET', '/api/me')).json()
    expect(user.displayName).toMatch(/^A Bx{117}$/)
    expect(user.photoURL).toBeNull()
  })

  test('nobody can verify their own address by a request, or become somebody else', async () => {
    const made = await server.stranger('POST', '/api/auth/sign-up/email', {
      name: 'M',
      email: 'mass@example.org',
      password: 'correct horse battery',
      emailVerified: true,
      isAnonymous: true,
      role: 'owner',
    })
    expect(made.json().user).toMatchObject({ emailVerified: false })
    const patched = await owner.call('PATCH', path, { id: 'x', version: 9, deletedAt: null, role: 'owner' })
    expect(patched.json().id).toBe(id)
  })

  test('an address gets few mails with links, whatever networks ask, and every answer is the same', async () => {
    const answers = new Set<string>()
    for (let i = 0; i < 14; i += 1) {
      const answer = await server.stranger('POST', '/api/auth/sign-in/magic-link', { email: 'bombed@example.org' })
      answers.add(`${answer.statusCode} ${answer.body}`)
    }
    expect(answers.size).toBe(1)
    expect(await server.queuedMail('bombed@example.org')).toHaveLength(10)
  })

  test.each([
    ['/api/auth/sign-in/anonymous', undefined],
    ['/api/auth/sign-in/email', { email: 'thief@example.org', password: 'correct horse battery' }],
    ['/api/auth/sign-up/email', { name: 'T', email: 'thief@example.org', password: 'correct horse battery' }],
    ['/api/analytics/events', { events: [{ name: 'login' }] }],
  ] as const)('another site signs its visitors in nowhere: %s', async (url, payload) => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await server.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
      expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'cross_site'])
      expect(answer.cookies).toEqual([])
    }
  })

  test('the limit counts single events, however many are in a request', async () => {
    const event = { name: 'page_view', params: { path: '/' } }
    const pack = () =>
      server.inject({
        method: 'POST',
        url: '/api/analytics/events',
        remoteAddress: '10.98.98.98',
        payload: { events: Array.from({ length: 50 }, () => event) },
      })
    const statuses = [(await pack()).statusCode, (await pack()).statusCode, (await pack()).statusCode]
    expect(statuses).toEqual([200, 200, 429])
  })

  test('a client cannot evade a limit by what it says about its network', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 22; i += 1) {
      const answer = await server.inject({
        method: 'POST',
        url: '/api/auth/sign-in/email',
        remoteAddress: '10.99.99.99',
        headers: { 'x-forwarded-for': `9.9.9.${i}`, 'x-tirage-ip': `9.9.9.${i}`, 'x-real-ip': `9.9.9.${i}` },
        payload: { email: 'guessed@example.org', password: `guess number ${i}` },
      })
      statuses.push(answer.statusCode)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  test.each([
    '/r/abc',
    '/r/../r/abc',
    '/login/../r/abc',
    '/subscribe/abc',
    '/\\evil.example',
    '/\t/evil.example',
    'http://tirage.test/r/abc',
    'javascript:alert(1)',
    '',
    7,
    ['/login'],
  ])('signing in leads to screens of the owner app only, and not to %j', async (address) => {
    for (const [call, body] of [
      ['sign-in/magic-link', { email: owner.email, callbackURL: address }],
      ['sign-in/magic-link', { email: owner.email, newUserCallbackURL: address }],
      ['sign-in/social', { provider: 'google', errorCallbackURL: address }],
      ['request-password-reset', { email: owner.email, redirectTo: address }],
      ['send-verification-email', { email: owner.email, callbackURL: address }],
    ] as const) {
      expect((await server.stranger('POST', `/api/auth/${call}`, body)).statusCode).toBe(403)
    }
    const opened = await server.stranger(
      'GET',
      `/api/auth/reset-password/token?callbackURL=${encodeURIComponent(String(address))}`,
    )
    expect(opened.headers.location).toBe('http://tirage.test/reset?token=token')
  })

  test('signing in redirects to no other site', async () => {
    for (const [call, body] of [
      ['sign-in/magic-link', { email: owner.email, callbackURL: 'https://evil.example/' }],
      ['request-password-reset', { email: owner.email, redirectTo: '//evil.example' }],
      ['sign-in/email', { email: owner.email, password: 'x', callbackURL: 'https://evil.example/' }],
    ] as const) {
      expect((await server.stranger('POST', `/api/auth/${call}`, body)).statusCode).toBe(403)
    }
    const mail = await server.inject({
      method: 'POST',
      url: '/api/auth/sign-in/magic-link',
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '9.9.9.9' },
      payload: { email: 'host@example.org' },
    })
    expect(mail.statusCode).toBe(200)
    const [invitation] = await server.queuedMail('host@example.org')
    expect(invitation?.text).toContain('http://tirage.test/')
    expect(`${invitation?.html}${invitation?.text}`).not.toContain('evil.example')
  })
})
