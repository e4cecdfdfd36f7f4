import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from './testing/app.ts'
import { paragraph } from './testing/newsroom.ts'
import { startTestRelay, type TestRelay } from './testing/relay.ts'

const NUL = '\u0000'

let house: TestApp
let owner: Session
let id: string
let path: string

beforeAll(async () => {
  house = await startTestApp()
  owner = await house.signUp()
  id = await house.createNewsletter(owner)
  path = `/api/newsletters/${id}`
})
afterAll(() => house?.stop())

describe('values that PostgreSQL holds in no column are refused in words', () => {
  test.each([
    ['GET', () => '/api/newsletters/%00'],
    ['GET', () => `${path}/publications/%00`],
    ['GET', () => `${path}/publications?search=%00`],
    ['GET', () => `${path}/media?cursor=${encodeURIComponent('Sat Nov 21~x')}`],
    ['GET', () => `${path}/links?cursor=%00`],
    ['GET', () => `${path}/publications/x/revisions/9007199254740991`],
    ['GET', () => '/media/%00'],
    ['GET', () => `/n/${id}/%00`],
    ['GET', () => '/r/%ff'],
  ] as const)('%s %s', async (method, url) => {
    const answer = await owner.call(method, url())
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode).toBeLessThan(500)
    expect(answer.body).not.toMatch(/FST_|stack|at .*\.ts/)
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test.each([
    ['a name', 'PATCH', () => path, { name: `a${NUL}b` }],
    ['a title', 'POST', () => `${path}/publications`, { title: NUL }],
    [
      'half a character',
      'POST',
      () => `${path}/publications`,
      { content: { type: 'doc', content: [paragraph('\ud800')] } },
    ],
    ['a text', 'POST', () => `${path}/publications`, { content: { type: 'doc', content: [paragraph(NUL)] } }],
    ['the year 0', 'POST', () => `${path}/links`, { target: 'https://x.org/', expiresAt: '0000-01-01T00:00:00Z' }],
    ['an event', 'POST', () => '/api/analytics/events', { events: [{ name: 'login', params: { a: NUL } }] }],
  ] as const)('%s', async (_what, method, url, body) => {
    const answer = await owner.call(method, url(), body)
    expect([400, 422]).toContain(answer.statusCode)
    expect(answer.json().error.message).toMatch(/^[A-Z].*\.$/)
  })

  test('a search of the archive finds nothing, in words', async () => {
    const answer = await house.stranger('GET', `/n/${id}?q=%00`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  })
})

test('a key gives its holder no other way in', async () => {
  const made = await owner.call('POST', `${path}/api-keys`, { name: 'k', role: 'owner' })
  const key = house.withKey(made.json().secret)
  for (const answer of [
    await key('POST', `${path}/api-keys`, { name: 'another', role: 'owner' }),
    await key('POST', `${path}/invitations`, { email: 'thief@example.org', role: 'owner' }),
    await key('PATCH', `${path}/members/${owner.userId}`, { role: 'analyst' }),
  ]) {
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'key_cannot'])
  }
  expect((await key('GET', path)).statusCode).toBe(200)
})

describe('through a real relay', () => {
  let relay: TestRelay
  let mailed: TestApp
  beforeAll(async () => {
    relay = await startTestRelay()
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
      await person.call('POST', `${base}/invitations`, { email: 'victim@example.org', role: 'analyst' }),
    ]) {
      expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'owner_unconfirmed'])
    }
    const french = await mailed.inject({
      method: 'POST',
      url: `/subscribe/${newsletter}`,
      headers: { 'accept-language': 'fr', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=victim%40example.org&consent=yes',
    })
    expect(french.statusCode).toBe(403)
    expect(french.body).toContain('Les abonnements ne sont pas encore ouverts')
    expect(await mailed.queuedMail('victim@example.org')).toEqual([])
    const onTheWeb = await person.call('POST', `${draft}/send`, { channel: 'web' })
    expect(onTheWeb.json().status).toBe('sent')
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
