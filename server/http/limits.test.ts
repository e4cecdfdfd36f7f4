import Fastify from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sendErrorPage } from '../newsletters/error-page.ts'
import { coverAddress, pageRoutes } from '../page/routes.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { handleErrors } from './error-handler.ts'

let server: TestApp
let owner: Session
let id: string
beforeAll(async () => {
  server = await startTestApp({ env: { SUBSCRIBE_LIMIT: '3' } })
  owner = await server.signUp()
  id = await server.createNewsletter(owner)
})
afterAll(() => server?.stop())

/** Each request claims another address in the headers of proxies, though no proxy is trusted. */
const disguised = (url: string, remoteAddress: string, payload: object | string) => async (turn: number) => {
  const headers = {
    'content-type': typeof payload === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
    'x-forwarded-for': `198.51.100.${turn}`,
    'x-real-ip': `198.51.100.${turn}`,
    forwarded: `for=198.51.100.${turn}`,
    'x-tirage-ip': `198.51.100.${turn}`,
  }
  return (await server.inject({ method: 'POST', url, remoteAddress, headers, payload })).statusCode
}

async function statuses(times: number, ask: (turn: number) => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let turn = 0; turn < times; turn++) found.push(await ask(turn))
  return found
}

test('an address in X-Forwarded-For gives nobody more requests while no proxy is trusted', async () => {
  const form = 'email=ada%40example.org&language=en&consent=yes'
  const subscribe = disguised(`/subscribe/${id}`, '192.0.2.1', form)
  expect(await statuses(4, subscribe)).toEqual([303, 303, 303, 429])

  const guess = { email: 'ada@example.org' }
  const link = disguised('/api/auth/sign-in/magic-link', '192.0.2.2', guess)
  expect((await statuses(11, link)).at(-1)).toBe(429)

  const press = disguised('/api/identity/sign-in-link', '192.0.2.3', { token: 'guessed' })
  const pressed = await statuses(21, press)
  expect([pressed[0], pressed.at(-1)]).toEqual([410, 429])

  const events = { events: [{ name: 'login', params: {} }] }
  const record = disguised('/api/analytics/events', '192.0.2.4', events)
  expect((await statuses(121, record)).at(-1)).toBe(429)
})

test('the limit for subscribers added by the API belongs to the newsletter, not to the network of the caller', async () => {
  const key = await owner.call('POST', `/api/newsletters/${id}/api-keys`, { name: 'form', role: 'editor' })
  const add = (turn: number) =>
    server.inject({
      method: 'POST',
      url: `/api/newsletters/${id}/subscribers`,
      remoteAddress: '192.0.2.5',
      headers: { authorization: `Bearer ${key.json().secret}` },
      payload: { email: `subscriber${turn}@example.org` },
    })
  const answers = await Promise.all(Array.from({ length: 600 }, (_, turn) => add(turn)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  const refused = await add(601)
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'too_many_requests'])
})

const cover = (seed: string, format: 'svg' | 'png', time: 'day' | 'night' = 'day') =>
  coverAddress({
    ...{ seed, inks: { accent: '#0C5C5A', wash: '#ECF2F2', accentNight: '#81C6C3' } },
    ...{ shape: 'small', format, time },
  })

test('a network may have twenty covers drawn, and may load drawn ones as often as it likes', async () => {
  // To draw twenty covers takes seconds, so the pictures are imitated here. One is drawn below.
  let drawings = 0
  const draw = async (svg: string) => {
    drawings += 1
    return Buffer.from(svg)
  }
  const app = Fastify()
  handleErrors(app, sendErrorPage)
  for (const route of pageRoutes(draw)) route.register(app)
  const ask = async (seed: string, format: 'svg' | 'png') =>
    (await app.inject({ url: cover(seed, format), remoteAddress: '192.0.2.6' })).statusCode
  expect(await statuses(20, (turn) => ask(`seed${turn}`, 'png'))).toEqual(Array(20).fill(200))
  expect([await ask('another', 'png'), await ask('seed19', 'png'), await ask('another', 'svg')]).toEqual([
    429, 200, 200,
  ])
  expect(drawings).toBe(20)
  await app.close()
})

test('a cover whose drawing failed is drawn when it is asked for again', async () => {
  const draw = vi.fn(async (svg: string) => Buffer.from(svg)).mockRejectedValueOnce(new Error('no memory'))
  const app = Fastify()
  handleErrors(app, sendErrorPage)
  for (const route of pageRoutes(draw)) route.register(app)
  const ask = async () => (await app.inject({ url: cover('seed', 'png') })).statusCode
  expect([await ask(), await ask()]).toEqual([500, 200])
  await app.close()
})

test('a cover is drawn as PNG, and darker for the night', async () => {
  const lightness = async (time: 'day' | 'night') => {
    const answer = await server.inject({ url: cover('seed', 'png', time), remoteAddress: '192.0.2.7' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    const picture = sharp(answer.rawPayload)
    expect(await picture.metadata()).toMatchObject({ format: 'png', width: 640, height: 400 })
    return (await picture.greyscale().stats()).channels[0]?.mean ?? 0
  }
  expect(await lightness('night')).toBeLessThan((await lightness('day')) * 0.75)
})
