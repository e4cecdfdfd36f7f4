import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import type { Access } from './endpoint.ts'

let server: TestApp
let id: string
type Call = Session['call']
const callers = {} as Record<'stranger' | 'user' | 'foreignKey' | 'analyst' | 'editor' | 'owner', Call>

beforeAll(async () => {
  server = await startTestApp()
  const owner = await server.signUp()
  id = await server.createNewsletter(owner)
  const foreigner = await server.signUp()
  const foreign = await server.createNewsletter(foreigner)
  const key = await foreigner.call('POST', `/api/newsletters/${foreign}/api-keys`, { name: 'k', role: 'owner' })
  callers.stranger = server.stranger
  callers.user = foreigner.call
  callers.foreignKey = server.withKey(key.json().secret)
  callers.analyst = (await server.asMember(id, 'analyst')).call
  callers.editor = (await server.asMember(id, 'editor')).call
  callers.owner = owner.call
})
afterAll(() => server?.stop())

const rank: Record<string, number> = { analyst: 1, editor: 2, owner: 3 }

/** What the guard answers by itself; null where the call goes through to its handler. */
function refusal(access: Access, caller: keyof typeof callers): number | null {
  if (access === 'public') return null
  if (caller === 'stranger') return 401
  if (access === 'user') return caller === 'foreignKey' ? 403 : null
  if (caller === 'user' || caller === 'foreignKey') return 404
  return (rank[caller] ?? 0) < (rank[access] ?? 0) ? 403 : null
}

/** Nothing that passes may change anything here: ids that do not exist, and bodies that fit no contract. */
const address = (path: string) =>
  path.replace(':newsletterId', id).replace(/:\w+/g, () => '00000000-0000-7000-8000-000000000000')

describe('every route is closed to whoever it is not meant for', () => {
  test.each(['stranger', 'user', 'foreignKey', 'analyst', 'editor', 'owner'] as const)('%s', async (caller) => {
    const wrong: string[] = []
    for (const { method, path, access } of server.app.apiRoutes) {
      const refused = refusal(access, caller)
      const mayRun = refused === null && method !== 'GET'
      if (mayRun && caller === 'owner' && path === '/api/newsletters/:newsletterId') continue
      if (mayRun && path === '/api/me') continue
      if (refused === null && path.endsWith('/live')) continue
      const body = method === 'GET' || method === 'DELETE' ? undefined : []
      const answer = await callers[caller](method as InjectOptions['method'], address(path), body)
      const code = answer.headers['content-type']?.toString().startsWith('application/json')
        ? answer.json().error?.code
        : undefined
      const expected = { 401: 'unauthenticated', 403: 'forbidden', 404: 'newsletter_not_found' }
      const asDeclared =
        refused === null
          ? !Object.values(expected).includes(code) && answer.statusCode < 500
          : answer.statusCode === refused && code === expected[refused as keyof typeof expected]
      // Leaving is open to analysts for themselves only: the handler's own refusal.
      const ownRefusal = path.endsWith('/members/:userId') && method === 'DELETE' && answer.statusCode === 403
      if (!asDeclared && !ownRefusal) wrong.push(`${method} ${path}: ${answer.statusCode} ${code}`)
    }
    expect(wrong).toEqual([])
  })
})

test('everything below a newsletter names a role', () => {
  const below = server.app.apiRoutes.filter(({ path }) => path.startsWith('/api/newsletters/:newsletterId'))
  expect(below.length).toBeGreaterThan(20)
  expect(below.every(({ access }) => access in rank)).toBe(true)
})

test('another site cannot write with somebody’s cookies', async () => {
  const person = await server.signUp()
  const write = (headers: Record<string, string>) =>
    server.inject({
      method: 'PATCH',
      url: '/api/me/profile',
      headers: { cookie: person.cookie, ...headers },
      payload: { mode: 'dark' },
    })
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    const answer = await write(headers)
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'cross_site'])
  }
  expect((await write({ origin: 'http://tirage.test' })).statusCode).toBe(200)
  const out = await server.inject({
    method: 'POST',
    url: '/api/auth/sign-out',
    headers: { cookie: person.cookie, origin: 'https://evil.example' },
  })
  expect(out.statusCode).toBe(403)
})

test('wrong types, huge bodies and broken JSON have kind answers', async () => {
  const send = (payload: string | object, type = 'application/json') =>
    server.inject({ method: 'POST', url: '/api/analytics/events', headers: { 'content-type': type }, payload })
  expect((await send('{"events":')).json().error.code).toBe('bad_request')
  expect((await send({ events: 'all' })).json().error).toMatchObject({
    code: 'invalid',
    fields: { events: expect.any(String) },
  })
  expect((await send({ events: [], filler: 'x'.repeat(5_000_000) })).statusCode).toBe(413)
  expect((await send('<x/>', 'application/xml')).statusCode).toBe(415)
  expect((await server.stranger('GET', '/api/nothing')).json().error.code).toBe('not_found')
})

test('the API describes itself', async () => {
  const document = (await server.stranger('GET', '/api/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.paths)).toContain('/api/newsletters/{newsletterId}')
  expect(JSON.stringify(document)).not.toContain('/api/auth/')
  const docs = await server.stranger('GET', '/api/docs/')
  expect([docs.statusCode, docs.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')])
})
