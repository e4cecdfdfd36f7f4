import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { countWaitingClicks } from '../testing/waiting-clicks.ts'
import { addLink } from './link.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const DATA_CENTRE = '203.0.113.7'

const folder = mkdtempSync(join(tmpdir(), 'tirage-networks-'))
let server: TestNewsletter
let port: number

beforeAll(async () => {
  const list = join(folder, 'networks.txt')
  writeFileSync(list, '203.0.113.0/24\n')
  server = await startTestNewsletter({
    DATA_CENTRE_NETWORKS: list,
    TRUST_PROXY: 'true',
    METRICS_TOKEN: 'figures of the operator',
  })
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true })
})

interface Answer {
  status: number | undefined
  headers: Record<string, unknown>
}

/** Of the connection, and not of the answer. */
const BY_WAY = ['date', 'connection', 'keep-alive']

const shown = (status: number | undefined, headers: Record<string, unknown>): Answer => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !BY_WAY.includes(name))),
})

/** By a socket, where what can be answered quickly is. */
const bySocket = (path: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(shown(answer.statusCode, answer.headers)))
    }).on('error', reject)
  })

/** By the framework alone. */
async function byFramework(path: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await server.app.inject({ url: path, headers: { host: `127.0.0.1:${port}`, ...headers } })
  return shown(answer.statusCode, answer.headers)
}

async function clicksOf(id: string) {
  await countWaitingClicks(server.context.db)
  return server.context.db
    .selectFrom('click')
    .select(['excluded_by', 'device', 'signs', 'subscriber_id', 'referrer', 'country'])
    .where('short_link_id', '=', id)
    .orderBy('id')
    .execute()
}

const linkTo = async (target: string, more: { expiresAt?: string; fallback?: string } = {}) =>
  (
    await addLink(
      server.context,
      { newsletterId: server.newsletterId, actor: 'member' },
      { target, expiresAt: null, ...more },
    )
  ).id

async function alike(id: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const before = (await clicksOf(id)).length
  const asked = { 'user-agent': BROWSER, ...headers }
  const framework = await byFramework(path, asked)
  // Once to find the link, and once with the link in memory.
  for (const _ of [1, 2]) expect(await bySocket(path, asked)).toEqual(framework)
  const [first, ...others] = (await clicksOf(id)).slice(before)
  expect(others.length).toBe(first ? 2 : 0)
  for (const other of others) expect(other).toEqual(first)
  return framework
}

test('both ways give the same answer and keep the same click', async () => {
  const [ada = ''] = await server.addSubscribers(['ada@example.org'])
  const id = await linkTo('https://example.org/été?q=“x”')
  for (const query of [
    '',
    '?',
    `?s=${ada}`,
    `?s=${ada}&s=${uuidv7()}`,
    `?s=${encodeURIComponent("x'; drop")}`,
    '?s=%',
    '?url=//evil.example',
  ])
    expect(await alike(id, `/r/${id}${query}`)).toMatchObject({ status: 302 })
  expect((await clicksOf(id)).filter(({ subscriber_id }) => subscriber_id === ada)).toHaveLength(3)

  await alike(id, `/r/${id}`, { referer: 'https://www.example.net/page', 'sec-purpose': 'prefetch' })
  await alike(id, `/r/${id}`, { 'user-agent': 'Googlebot/2.1' })
  await alike(id, `/r/${id}`, { 'user-agent': '' })
  await alike(id, `/r/${id}`, { 'x-forwarded-for': DATA_CENTRE })
  const rules = (await clicksOf(id)).map(({ excluded_by }) => excluded_by)
  expect(new Set(rules)).toEqual(new Set([null, 'prefetch', 'bot', 'no-agent', 'data-centre']))
})

test('a click is on disk by the time it is answered, when several come at once', async () => {
  const id = await linkTo('https://example.org/')
  let answered = 0
  const one = async () => {
    await bySocket(`/r/${id}`, { 'user-agent': BROWSER })
    answered++
    const seen = answered
    const kept = await server.context.db.selectFrom('click').select('id').where('short_link_id', '=', id).execute()
    expect(kept.length).toBeGreaterThanOrEqual(seen)
  }
  await Promise.all(Array.from({ length: 10 }, one))
  expect(await clicksOf(id)).toHaveLength(10)
})

test('what leads to a page of our own is told whose the mail was', async () => {
  const code = uuidv7()
  const id = await linkTo(`${server.context.config.publicUrl}/optin/7Kx2mQ9p`)
  const { headers } = await alike(id, `/r/${id}?k=${code}`)
  expect(headers.location).toContain(`k=${code}`)
})

test('links that are over, disabled or none, and other addresses, are the framework’s', async () => {
  const over = await linkTo('https://example.org/', { expiresAt: new Date(Date.now() - 1_000).toISOString() })
  expect(await alike(over, `/r/${over}`)).toMatchObject({ status: 410 })
  const leads = await linkTo('https://example.org/', {
    ...{ expiresAt: new Date(Date.now() - 1_000).toISOString(), fallback: 'https://example.org/later' },
  })
  expect(await alike(leads, `/r/${leads}`)).toMatchObject({
    status: 302,
    headers: { location: 'https://example.org/later' },
  })
  const id = await linkTo('https://example.org/')
  await alike(id, `/r/${id}`)
  await server.owner.call('PATCH', `${server.path}/links/${id}`, { disabled: true })
  expect(await alike(id, `/r/${id}`)).toMatchObject({ status: 410 })
  for (const path of [`/r/${id}/`, '/r/', '/r/nothing', '/r/%00', `/r/${'x'.repeat(400)}`, `/R/${id}`, '/rr'])
    await alike(id, path)
})

test('a newsletter that keeps no clicks has none, from the moment its owner says so', async () => {
  const id = await linkTo('https://example.org/')
  await alike(id, `/r/${id}`)
  await server.owner.call('PATCH', server.path, { clickPrivacy: 'off' })
  const before = (await clicksOf(id)).length
  expect(before).toBe(3)
  await expect
    .poll(async () => {
      const known = (await clicksOf(id)).length
      await bySocket(`/r/${id}`, { 'user-agent': BROWSER })
      return (await clicksOf(id)).length - known
    })
    .toBe(0)
  expect(await clicksOf(id)).toHaveLength(before)
})

test('the operator’s figures count both ways', async () => {
  const id = await linkTo('https://example.org/')
  const counted = async () => {
    const { body } = await server.app.inject({
      url: '/metrics',
      headers: { authorization: 'Bearer figures of the operator' },
    })
    const [, count] = /_count\{method="GET",route="\/r\/:shortLinkId",status="302"\} (\d+)/.exec(body) ?? []
    return Number(count)
  }
  const before = await counted()
  await bySocket(`/r/${id}`, { 'user-agent': BROWSER })
  await byFramework(`/r/${id}`, { 'user-agent': BROWSER })
  expect((await counted()) - before).toBe(2)
})
