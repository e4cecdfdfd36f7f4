import { once } from 'node:events'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { strictPolicy } from './security.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp({ listen: true })
})
afterAll(() => server?.stop())

test.each([
  ['DELETE', '/healthz', 'GET, HEAD'],
  ['PUT', '/api/me', 'GET, HEAD, DELETE'],
  ['POST', '/api/newsletters/anything/members', 'GET, HEAD'],
  ['PATCH', '/api/auth/sign-in/email', 'GET, HEAD, POST'],
  ['POST', '/n/anything', 'GET, HEAD'],
  ['OPTIONS', '/r/anything', 'GET, HEAD'],
] as const)('%s %s answers 405 and says what is allowed', async (method, url, allow) => {
  const answer = await server.inject({ method, url })
  expect([answer.statusCode, String(answer.headers.allow)]).toEqual([405, expect.any(String)])
  expect(String(answer.headers.allow).split(', ').sort()).toEqual(allow.split(', ').sort())
})

test('every route answers 405 to the methods it does not have', async () => {
  const paths = [...new Set(server.app.apiRoutes.map(({ path }) => path))]
  for (const path of paths) {
    const has = server.app.apiRoutes.filter((route) => route.path === path).map(({ method }) => String(method))
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (has.includes(method)) continue
      const { statusCode, headers } = await server.inject({ method, url: path.replaceAll(':', 'x') })
      expect([method, path, statusCode]).toEqual([method, path, 405])
      for (const allowed of has) expect(headers.allow).toContain(allowed)
    }
  }
})

test('an address that does not exist stays 404 for every method', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    expect((await server.inject({ method, url: '/api/nothing' })).statusCode).toBe(404)
    expect((await server.inject({ method, url: '/nothing/at/all' })).statusCode).toBe(404)
  }
})

async function say(words: string): Promise<{ head: string; body: string }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(words)
  const [head = '', body = ''] = (await text(socket as Readable)).split('\r\n\r\n')
  return { head, body }
}

test('headers that are too large are an error of the one shape', async () => {
  const { head, body } = await say(`GET / HTTP/1.1\r\nhost: a\r\ncookie: ${'x'.repeat(40_000)}\r\n\r\n`)
  expect(head).toMatch(/^HTTP\/1\.1 431 /)
  expect(JSON.parse(body)).toEqual({ error: { code: 'headers_too_large', message: expect.any(String) } })
})

test('what is not HTTP is an error of the one shape', async () => {
  const { head, body } = await say('EHLO mail.example\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(body)).toEqual({ error: { code: 'bad_request', message: expect.any(String) } })
})

test('what cannot be read has the security headers of every answer', async () => {
  const { head } = await say('EHLO mail.example\r\n\r\n')
  expect(head).toContain(`content-security-policy: ${strictPolicy}`)
  expect(head).toContain('x-content-type-options: nosniff')
})

test.each([
  ['twice', 'content-length: 5\r\ncontent-length: 6\r\n\r\nhello!'],
  ['in two ways', 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['by an unknown encoding', 'transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
])('a request whose length is said %s is refused', async (_how, rest) => {
  const { head } = await say(`POST /api/analytics/events HTTP/1.1\r\nhost: a\r\n${rest}`)
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(head.toLowerCase()).toContain('connection: close')
})

test('TRACE repeats nothing of a request', async () => {
  const { head, body } = await say('TRACE / HTTP/1.1\r\nhost: a\r\ncookie: kept=secret\r\nconnection: close\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(head + body).not.toContain('kept=secret')
})

test('a form that cannot be read is 400, whatever is wrong with it', async () => {
  const owner = await server.signUp()
  const id = await server.createNewsletter(owner)
  const types = ['', '; boundary=', '; boundary=x', '; boundary=null']
  const bodies = [
    'null',
    '',
    '--x\r\n\r\n',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nnull',
  ]
  const made = await owner.call('POST', `/api/newsletters/${id}/api-keys`, { name: 'k', role: 'owner' })
  for (const url of [`/api/newsletters/${id}/media`, `/subscribe/${id}`, `/unsub/${id}/x`]) {
    for (const type of types) {
      for (const payload of bodies) {
        const headers = {
          authorization: `Bearer ${made.json().secret}`,
          'content-type': `multipart/form-data${type}`,
        }
        const { statusCode } = await server.inject({ method: 'POST', url, headers, payload })
        expect([url, type, payload, statusCode]).toEqual([url, type, payload, expect.toSatisfy((each) => each < 500)])
      }
    }
  }
})
