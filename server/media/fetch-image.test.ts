import { createServer, type RequestListener, type Server } from 'node:http'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { portOf } from '../testing/port.ts'
import { fetchImage } from './fetch-image.ts'
import { FETCHES_AN_HOUR } from './upload-limits.ts'

let room: TestNewsletter
/** It may ask servers of its own network, as the remote server of these tests is one. */
let trusting: TestNewsletter
let remote: Server | undefined
let asked = 0
beforeAll(async () => {
  room = await startTestNewsletter()
  trusting = await startTestNewsletter({ PRIVATE_SERVERS: 'true' })
})
afterAll(() => Promise.all([room.stop(), trusting.stop()]))
afterEach(() => {
  remote?.closeAllConnections()
  remote?.close()
})

async function listen(answer: RequestListener): Promise<string> {
  asked = 0
  const server = createServer((request, response) => {
    asked += 1
    answer(request, response)
  })
  remote = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${portOf(server)}`
}

const fetchInto = (into: TestNewsletter, address: unknown, path = into.path) =>
  into.owner.call('POST', `${path}/media/fetch`, { address })
const files = async ({ owner, path }: TestNewsletter): Promise<number> =>
  (await owner.call('GET', `${path}/media`)).json().rows.length

const photo = () =>
  sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#0C5C5A' } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .jpeg()
    .toBuffer()

test('an image of another server is kept as an upload is: its own file, narrow, without metadata', async () => {
  const data = await photo()
  const base = await listen((request, response) => {
    expect(request.headers.authorization).toBeUndefined()
    expect(request.headers['user-agent']).toBe('Tirage')
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(data)
  })
  const address = base.replace('//', '//ines:secret@')
  const answer = await fetchInto(trusting, `${address}/boats/Low%20tide.jpg?size=2`)
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json()).toMatchObject({ mime: 'image/jpeg', width: 1600, height: 800, fileName: 'Low tide.jpg' })
  expect(answer.json().url).not.toContain(base)
  const kept = await trusting.inject({ url: `/media/${answer.json().id}` })
  expect((await sharp(kept.rawPayload).metadata()).exif).toBeUndefined()
})

test('no address of a private network is asked, however it is written', async () => {
  const base = await listen((_request, response) => response.end('secret'))
  const port = new URL(base).port
  const before = await files(room)
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f000001', '0']) {
    const answer = await fetchInto(room, `http://${host}:${port}/a.png`)
    expect(answer.statusCode, host).toBe(422)
    expect(answer.json().error).toMatchObject({ code: 'image_unreachable' })
    expect(answer.body).not.toContain('secret')
  }
  for (const host of ['169.254.169.254', '10.0.0.1', '192.168.1.1', '[fd00::1]', 'metadata.internal']) {
    expect((await fetchInto(room, `http://${host}/latest/meta-data/`)).json().error.code, host).toBe(
      'image_unreachable',
    )
  }
  expect(asked).toBe(0)
  expect(await files(room)).toBe(before)
})

test('only ports of the web are asked', async () => {
  for (const port of [22, 25, 5432]) {
    const fetched = fetchImage(room.context.config, `http://1.1.1.1:${port}/a.png`)
    const cause = expect.objectContaining({ message: 'not a port of the web' })
    await expect(fetched).rejects.toMatchObject({ code: 'image_unreachable', cause })
  }
})

test('a redirect is not followed, wherever it leads', async () => {
  const base = await listen((request, response) => {
    if (request.url === '/a.png') response.writeHead(302, { location: '/inside' }).end()
    else response.end('secret')
  })
  expect((await fetchInto(trusting, `${base}/a.png`)).json().error.code).toBe('image_unreachable')
  expect(asked).toBe(1)
})

test.each([
  ['a page', 'text/html', '<h1>Low tide</h1>', 415, 'unsupported_media_type'],
  [
    'a drawing that could run a script',
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    415,
    'unsupported_media_type',
  ],
  ['a page that calls itself an image', 'image/png', '<h1>Low tide</h1>', 415, 'unsupported_media_type'],
])('%s is not kept', async (...[, type, body, status, code]) => {
  const base = await listen((_request, response) => response.writeHead(200, { 'content-type': type }).end(body))
  const answer = await fetchInto(trusting, `${base}/a.png`)
  expect([answer.statusCode, answer.json().error.code]).toEqual([status, code])
})

test('more than 10 MB is not read to its end', async () => {
  const chunk = Buffer.alloc(1024 * 1024)
  let sent = 0
  const base = await listen((_request, response) => {
    const more = () => {
      while (sent < 200 && !response.destroyed) {
        sent += 1
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  const answer = await fetchInto(trusting, `${base}/huge.png`)
  expect(answer.json().error).toMatchObject({ code: 'file_too_large' })
  expect(sent).toBeLessThan(100)
})

test.each(['ftp://example.org/a.png', 'file:///etc/passwd', 'javascript:alert(1)', '//example.org/a.png', '', 7, null])(
  'the address %j is refused at its field',
  async (address) => {
    const answer = await fetchInto(room, address)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().error.fields).toHaveProperty('address')
  },
)

test('nobody fetches into a newsletter that is not theirs', async () => {
  const stranger = await trusting.signUp()
  const base = await listen((_request, response) => response.end('x'))
  const answer = await stranger.call('POST', `${trusting.path}/media/fetch`, { address: `${base}/a.png` })
  expect(answer.statusCode).toBe(404)
  expect(asked).toBe(0)
})

test('a newsletter fetches only so many in an hour', async () => {
  const base = await listen((_request, response) => response.writeHead(404).end())
  const statuses: number[] = []
  for (let times = 0; times <= FETCHES_AN_HOUR; times += 1) {
    statuses.push((await fetchInto(trusting, `${base}/a.png`)).statusCode)
    if (statuses.at(-1) === 429) break
  }
  expect(statuses.at(-1)).toBe(429)
  expect(statuses.length).toBeGreaterThan(FETCHES_AN_HOUR / 2)
})
