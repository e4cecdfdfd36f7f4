import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { publicAddresses } from './public-address.ts'
import { TooOften, tryAddress } from './try-address.ts'

const servers: (Server | SocketServer)[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  }
})

/** A server of the public internet, as far as `resolve` says so. */
async function listen(answer: RequestListener, asked: string[] = []): Promise<string> {
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  return `http://harbour.example:${await portOf(server)}`
}

async function portOf(server: Server | SocketServer): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** One name is public and leads here. Every other is as in life. */
const resolve: typeof publicAddresses = async (host) =>
  host === 'harbour.example' ? [{ address: '127.0.0.1', family: 4 }] : publicAddresses(host)

const trying = { timeoutMs: 5_000, mayBePrivate: false, ports: null, resolve }
const nothing = { status: null, to: null, bytes: null }

test('what is there is fine, by its head alone, and says how large it is', async () => {
  const asked: string[] = []
  const at = await listen((_request, response) => response.setHeader('content-length', 1234).end(), asked)
  expect(await tryAddress(`${at}/tides?day=1#high`, trying)).toEqual({
    ...nothing,
    answer: 'fine',
    status: 200,
    bytes: 1234,
  })
  expect(asked).toEqual(['HEAD /tides?day=1'])
})

test('where HEAD is refused, by an answer or by a connection that is cut, GET is asked', async () => {
  const asked: string[] = []
  const at = await listen(({ method, url, socket }, response) => {
    if (method === 'HEAD' && url === '/cut') socket.destroy()
    else response.writeHead(method === 'HEAD' ? 405 : 200).end('low water')
  }, asked)
  for (const path of ['/refused', '/cut']) expect((await tryAddress(at + path, trying)).answer).toBe('fine')
  expect(asked).toEqual(['HEAD /refused', 'GET /refused', 'HEAD /cut', 'GET /cut'])
})

test('what is gone or fails is broken, and who lets no programs in only guards it', async () => {
  const at = await listen(({ url }, response) => response.writeHead(Number(url?.slice(1))).end())
  const answerTo = async (status: number) => (await tryAddress(`${at}/${status}`, trying)).answer
  for (const status of [400, 404, 410, 500, 503]) expect([status, await answerTo(status)]).toEqual([status, 'broken'])
  for (const status of [401, 403, 405, 429]) expect([status, await answerTo(status)]).toEqual([status, 'guarded'])
})

test('redirects are followed, and their end is told', async () => {
  const at = await listen(({ url }, response) => {
    if (url === '/old') response.writeHead(301, { location: '/new' }).end()
    else if (url === '/new') response.writeHead(302, { location: '/last' }).end()
    else response.writeHead(url === '/last' ? 200 : 404).end()
  })
  expect(await tryAddress(`${at}/old`, trying)).toEqual({ ...nothing, answer: 'fine', status: 200, to: `${at}/last` })
})

test('a circle of redirects ends after a few', async () => {
  const asked: string[] = []
  const at = await listen((_request, response) => response.writeHead(302, { location: '/round' }).end(), asked)
  expect((await tryAddress(`${at}/round`, trying)).answer).toBe('circle')
  expect(asked.length).toBeLessThanOrEqual(6)
})

test('no private address is asked, written or redirected to, and it says no more than of a name that nobody has', async () => {
  let inside = 0
  const hidden = createServer((_request, response) => {
    inside += 1
    response.end()
  })
  const port = await portOf(hidden)
  const targets = [
    ...['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '127.1', '2130706433', '0x7f.1', '0'].map(
      (host) => `http://${host}:${port}/`,
    ),
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
  ]
  let target = ''
  const at = await listen((_request, response) => response.writeHead(302, { location: target }).end())
  for (target of targets) {
    expect([target, await tryAddress(target, trying)]).toEqual([target, { ...nothing, answer: 'no_host' }])
    expect(await tryAddress(`${at}/`, trying)).toMatchObject({ answer: 'no_host', status: null })
  }
  expect(inside).toBe(0)
})

test('a redirect to anything but the web is not followed', async () => {
  for (const location of [
    'file:///etc/passwd',
    'gopher://harbour.example/',
    'javascript:alert(1)',
    'mailto:a@example.org',
  ]) {
    const at = await listen((_request, response) => response.writeHead(302, { location }).end())
    expect((await tryAddress(at, trying)).answer).toBe('guarded')
  }
})

test('who answers byte by byte, or never, or with a redirect each second, has no more than its time', async () => {
  const drip = createSocketServer((socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\n')
    const dripping = setInterval(() => socket.write('X: y\r\n'), 20)
    socket.on('close', () => clearInterval(dripping))
  })
  const silent = createSocketServer((socket) => socket.on('error', () => {}))
  for (const server of [drip, silent]) {
    const address = `http://harbour.example:${await portOf(server)}/`
    expect((await tryAddress(address, { ...trying, timeoutMs: 300 })).answer).toBe('timeout')
  }
})

test('of a body without end nothing is read', async () => {
  const closed = Promise.withResolvers<void>()
  let written = 0
  const at = await listen(({ method }, response) => {
    if (method === 'HEAD') return void response.writeHead(405).end()
    const more = () => {
      while (response.write(Buffer.alloc(65_536))) written += 65_536
    }
    response.on('drain', more).on('close', closed.resolve)
    more()
  })
  expect((await tryAddress(at, trying)).answer).toBe('fine')
  await closed.promise
  // What the buffers of two sockets hold.
  expect(written).toBeLessThan(16 * 1024 * 1024)
})

test('a name and a password in an address go to nobody', async () => {
  let headers: unknown
  const at = await listen((request, response) => {
    headers = request.headers.authorization
    response.writeHead(302, { location: `http://other:word@${request.headers.host}/` }).end()
  })
  const { to } = await tryAddress(at.replace('http://', 'http://ines:secret@'), trying)
  expect([headers, to]).toEqual([undefined, `${at}/`])
})

test('who was asked too often is not asked', async () => {
  const refuse = async () => {
    throw new TooOften()
  }
  expect(await tryAddress('http://harbour.example/', { ...trying, resolve: refuse })).toEqual({
    ...nothing,
    answer: 'not_tried',
  })
})

test('a port that is not one of those for the web is not asked, written or redirected to', async () => {
  let knocked = 0
  const other = createSocketServer((socket) => {
    knocked += 1
    socket.destroy()
  })
  const closed = `http://harbour.example:${await portOf(other)}/`
  const at = await listen((_request, response) => response.writeHead(302, { location: closed }).end())
  const ports = new Set([Number(new URL(at).port)])
  for (const address of [closed, at]) {
    expect(await tryAddress(address, { ...trying, ports })).toMatchObject({ answer: 'not_tried', status: null })
  }
  expect(knocked).toBe(0)
})
