import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addNewsletter, paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { tryAddresses } from './contract.ts'

let server: TestNewsletter
/** A site that others run. */
let site: Server
let at: string
const asked: string[] = []

beforeAll(async () => {
  site = createServer(({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`)
    if (url.startsWith('/moved')) response.writeHead(301, { location: '/fine' }).end()
    else if (url === '/picture.png') response.writeHead(200, { 'content-length': 3_000_000 }).end()
    else response.writeHead(url.startsWith('/gone') ? 404 : 200).end()
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  at = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  server = await startTestNewsletter({ PRIVATE_SERVERS: 'true' })
})
afterAll(async () => {
  await server?.stop()
  site?.close()
})

const link = (href: string, text = href) => ({
  type: 'paragraph',
  content: [{ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }],
})
type Of = Pick<TestNewsletter, 'owner' | 'path'>

async function written(content: unknown[], { owner, path }: Of = server): Promise<string> {
  const body = { title: 'Low tide', content: { type: 'doc', content } }
  const made = await owner.call('POST', `${path}/publications`, body)
  expect(made.statusCode, made.body).toBe(200)
  return made.json<{ id: string }>().id
}

const tryAll = (id: string, { owner, path }: Of = server) =>
  owner.call('POST', `${path}/publications/${id}/addresses/try`, {})

async function reached(content: unknown[]) {
  const answer = await tryAll(await written(content))
  expect(answer.statusCode, answer.body).toBe(200)
  return z.parse(tryAddresses.reply, answer.json())
}

test('each link says where it leads: what is there, what is gone, what moved, and what is not encrypted', async () => {
  const { links, leftOut } = await reached([
    link(`${at}/fine`, 'the tide table'),
    link(`${at}/gone`, 'the old harbour'),
    link(`${at}/moved`),
    { type: 'button', attrs: { label: 'Order', href: `${at}/fine?order` } },
    link('mailto:ines@example.org'),
  ])
  expect(
    links.map(({ address, answer, status, to }) => [address.replace(at, ''), answer, status, to?.replace(at, '')]),
  ).toEqual([
    ['/fine', 'fine', 200, undefined],
    ['/gone', 'broken', 404, undefined],
    ['/moved', 'fine', 200, '/fine'],
    ['/fine?order', 'fine', 200, undefined],
  ])
  expect(links.map(({ words }) => words).slice(0, 2)).toEqual(['the tide table', 'the old harbour'])
  expect([links[3]?.words, links[0]?.insecure, leftOut]).toEqual(['Order', true, 0])
})

test('an answer is kept for some minutes, whichever publication asks', async () => {
  await reached([link(`${at}/fine?kept`)])
  await reached([link(`${at}/fine?kept`), link(`${at}/fine?kept`)])
  expect(asked.filter((each) => each.endsWith('?kept'))).toEqual(['HEAD /fine?kept'])
})

test('of thousands of links some are tried, and the others are counted', async () => {
  const { links, leftOut } = await reached(Array.from({ length: 2_000 }, (_, n) => link(`${at}/fine?many=${n}`)))
  expect([links.length, leftOut]).toEqual([100, 1_900])
  expect(asked.filter((each) => each.includes('?many='))).toHaveLength(100)
})

test('this server does not ask itself', async () => {
  const own = `${server.context.config.publicUrl}/unsub/somebody`
  const { links } = await reached([link(own)])
  expect(links).toMatchObject([{ address: own, answer: 'own', status: null, insecure: false }])
})

test('the images that a reader downloads are weighed, here and elsewhere', async () => {
  const picture = { type: 'image', attrs: { src: `${at}/picture.png`, alt: 'A boat' } }
  const { images, links } = await reached([picture, paragraph('Words.')])
  expect(images).toEqual({
    count: 1,
    unknown: 0,
    bytes: 3_000_000,
    besidesText: [],
    heaviest: [{ name: 'picture.png', bytes: 3_000_000 }],
  })
  expect(links).toMatchObject([{ kind: 'image', answer: 'fine' }])
})

test('nobody tries addresses of a publication of another newsletter, and no analyst tries any', async () => {
  const id = await written([link(`${at}/secret`)])
  const stranger = await server.signUp()
  const own = await addNewsletter(server.context.db, stranger.userId)
  const path = `/api/newsletters/${own}`
  expect((await tryAll(id, { owner: stranger, path })).statusCode).toBe(404)
  expect((await tryAll(id, { owner: stranger, path: server.path })).statusCode).toBe(404)
  const analyst = await server.asMember(server.newsletterId, 'analyst')
  expect((await tryAll(id, { owner: analyst, path: server.path })).statusCode).toBe(403)
  expect(asked.filter((each) => each.includes('/secret'))).toEqual([])
})

test('without PRIVATE_SERVERS nothing of a private network is asked', async () => {
  const closed = await startTestNewsletter()
  try {
    const before = asked.length
    const id = await written(
      [link(`${at}/inside`), link('http://169.254.169.254/latest/'), link('http://[::1]/')],
      closed,
    )
    const { links } = (await tryAll(id, closed)).json<{ links: { answer: string }[] }>()
    expect(links.map(({ answer }) => answer)).toEqual(['not_tried', 'no_host', 'no_host'])
    expect(asked).toHaveLength(before)
  } finally {
    await closed.stop()
  }
})
