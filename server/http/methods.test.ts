import { once } from 'node:events'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'

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
