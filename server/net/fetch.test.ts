import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { answerOf, limitedFetch } from './fetch.ts'
import { NotPublic } from './public-address.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function listen(answer: RequestListener): Promise<URL> {
  const listening = createServer(answer)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return new URL(`http://127.0.0.1:${port}/`)
}

const limits = { timeoutMs: 2_000, maxBytes: 1_000 }
const operator = { ...limits, mayBePrivate: true }

test('an address of a private network is refused, and no connection is made', async () => {
  let requests = 0
  const url = await listen((_request, response) => {
    requests += 1
    response.end()
  })
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '127.1', '2130706433', '0']) {
    const address = new URL(`http://${host}:${url.port}/`)
    await expect(limitedFetch(address, limits), host).rejects.toThrow(NotPublic)
  }
  expect(requests).toBe(0)
})

test('an address that the operator chose may be private', async () => {
  const url = await listen((request, response) => {
    let body = request.method ?? ''
    request.on('data', (chunk) => {
      body += ` ${chunk}`
    })
    request.on('end', () => response.end(`${body} ${request.headers['x-given']}`))
  })
  const options = { ...operator, method: 'POST' as const, headers: { 'x-given': 'header' }, body: 'body' }
  expect(await limitedFetch(url, options)).toBe('POST body header')
})

test('redirects are not followed, and no status but 2xx is a success', async () => {
  let requests = 0
  const url = await listen((request, response) => {
    requests += 1
    response.writeHead(Number(request.url?.slice(1)), { location: '/200' }).end()
  })
  for (const status of [301, 302, 307, 404, 500]) {
    await expect(limitedFetch(new URL(`/${status}`, url), operator)).rejects.toThrow(String(status))
  }
  expect(requests).toBe(5)
})

test('an answer that is too large or too slow is an error', async () => {
  const large = await listen((_request, response) => response.end('x'.repeat(1_001)))
  await expect(limitedFetch(large, operator)).rejects.toThrow('larger than 1000 bytes')
  server?.close()
  const slow = await listen((_request, response) => void response.write('x'))
  const begun = performance.now()
  await expect(limitedFetch(slow, { ...operator, timeoutMs: 200 })).rejects.toThrow()
  expect(performance.now() - begun).toBeLessThan(10_000)
})

test('DNS that never answers has no more than the time of the request', async () => {
  const silent = () => new Promise<never>(() => {})
  const asked = answerOf(new URL('https://harbour.example/'), { signal: AbortSignal.timeout(100), resolve: silent })
  await expect(asked).rejects.toThrow('timeout')
})

test('a server that changes to another protocol gives no answer', async () => {
  const url = await listen(({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  })
  await expect(limitedFetch(url, operator)).rejects.toThrow('gave no answer')
})

test('only HTTP is spoken', async () => {
  await expect(limitedFetch(new URL('file:///etc/passwd'), operator)).rejects.toThrow('not HTTP')
})
