import type { RequestListener } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../../../testing/app.ts'
import { addNewsletter } from '../../../testing/newsletter.ts'
import { answering, type RemoteStage, startRemoteStage } from '../../../testing/remote-stage.ts'
import { documentAddress, MEDIA_TYPE, subscribeAddress } from './document.ts'

// Another server that lies, floods or dawdles. What else is refused is in `remote.test.ts`.

const DAY_MS = 86_400_000
const start = new Date('2026-11-02T10:00:00Z')
let now = start
let here: TestApp
let owner: Session
let stage: RemoteStage
let from: string

beforeAll(async () => {
  here = await startTestApp({ env: { PRIVATE_SERVERS: 'true' }, now: () => now })
  stage = await startRemoteStage(() => now)
  owner = await here.signUp()
  await here.confirm(owner)
})
afterAll(async () => {
  stage?.stop()
  await here?.stop()
})
beforeEach(async () => {
  now = start
  from = await addNewsletter(here.context.db, owner.userId, 'Low Water')
  await sql`delete from remote_newsletter`.execute(here.context.db)
})

const path = () => `/api/newsletters/${from}`
const find = async (address: string) => {
  const answer = await owner.call('POST', `${path()}/remote-newsletters`, { address })
  return answer.json().error?.code ?? answer.json().url
}
const listed = async () => (await owner.call('GET', `${path()}/recommendations`)).json().rows
const renew = async () => {
  await sql`select graphile_worker.add_job('renew_remote_newsletters')`.execute(here.context.db)
  await here.work()
}
const days = (count: number) => new Date(start.getTime() + count * DAY_MS)
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
/** The document that a server signed at a moment, for as long as one may hold. */
const signedOn = (at: Date, more = {}) => stage.signed({ iat: seconds(at), exp: seconds(at) + 14 * 86_400, ...more })

async function kept(body = signedOn(start)): Promise<string> {
  stage.answer(answering(body))
  const address = `${stage.base}/n/stage`
  const shown = (await owner.call('POST', `${path()}/remote-newsletters`, { address })).json()
  const added = await owner.call('POST', `${path()}/remote-recommendations`, {
    ...{ address, key: shown.key, reasons: { en: 'Harbours.' } },
  })
  expect(added.statusCode, added.body).toBe(200)
  return added.json().id
}

test('a document that is shown again and again keeps nothing alive beyond the fourteen days of its signature', async () => {
  const old = signedOn(start)
  await kept(old)
  for (const day of [2, 5, 9, 13]) {
    now = days(day)
    stage.answer(answering(old))
    await renew()
  }
  expect(await listed()).toMatchObject([{ state: 'shown', remote: { renewedAt: start.toISOString() } }])
  now = days(14.01)
  await renew()
  expect(await listed()).toMatchObject([{ state: 'stale' }])
  stage.answer(answering(signedOn(now)))
  now = days(15.5)
  await renew()
  expect(await listed()).toMatchObject([{ state: 'shown' }])
})

test('a document that is older than the last one changes nothing, however well it is signed', async () => {
  const old = signedOn(start, { name: 'As it was' })
  now = days(3)
  await kept(signedOn(now, { name: 'As it is', description: 'Now.' }))
  const [before] = await listed()
  now = days(5)
  stage.answer(answering(old))
  await renew()
  expect(await listed()).toEqual([{ ...before, remote: { ...before.remote, refused: 'remote_older' } }])
  const [failures] = await here.context.db
    .selectFrom('remote_newsletter')
    .select('failures')
    .where('newsletter_id', '=', from)
    .execute()
  expect(failures).toEqual({ failures: 1 })
})

test('a document of one newsletter is none of another at the same server, by id or by handle', async () => {
  const other = {
    id: 'other',
    url: documentAddress({ base: stage.base, name: 'other' }),
    subscribe: subscribeAddress({ base: stage.base, name: 'other' }),
  }
  stage.answer(answering(stage.signed({ ...other, handle: 'night-ferry' })))
  expect(await find(`${stage.base}/n/night-ferry`)).toBe(other.subscribe)
  expect(await find(`${stage.base}/n/stage`)).toBe('remote_invalid')
  // A handle is exactly what was asked for.
  for (const wrong of ['Night-Ferry', 'night-ferr', 'night-ferryy'])
    expect([wrong, await find(`${stage.base}/n/${wrong}`)]).toEqual([wrong, 'remote_invalid'])
  stage.answer(
    answering(
      stage.signed({
        ...other,
        handle: 'night-ferry',
        subscribe: subscribeAddress({ base: stage.base, name: 'night-ferry' }),
      }),
    ),
  )
  expect(await find(`${stage.base}/n/night-ferry`)).toBe('remote_invalid')
})

test('a document of another server, taken as it is, speaks for nobody here', async () => {
  const liar = await startRemoteStage(() => now)
  try {
    liar.answer(answering(stage.signed()))
    expect(await find(`${liar.base}/n/stage`)).toBe('remote_invalid')
    expect(liar.asked()).toBe(1)
  } finally {
    liar.stop()
  }
})

test('a name of which readers would see nothing is none', async () => {
  for (const name of ['\u200b\u200b', '\u2060', '\u00ad \u200d', '\u3164']) {
    stage.answer(answering(stage.signed({ name })))
    expect([name, await find(`${stage.base}/n/stage`)]).toEqual([name, 'remote_invalid'])
  }
  stage.answer(answering(stage.signed({ name: '👩\u200d🚢' })))
  expect(await find(`${stage.base}/n/stage`)).toBe(subscribeAddress({ base: stage.base, name: 'stage' }))
})

/** Says its head, and then a little for ever. */
const saying =
  (piece: string, everyMs: number): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': MEDIA_TYPE })
    const timer = setInterval(() => response.write(piece), everyMs)
    response.on('close', () => clearInterval(timer))
  }

test.each<[string, RequestListener]>([
  ['floods without saying how much', saying('x'.repeat(64 * 1024), 1)],
  ['says a letter now and then', saying(' ', 300)],
  [
    'promises less than it says',
    (_request, response) =>
      response.writeHead(200, { 'content-type': MEDIA_TYPE, 'content-length': '10' }).end(stage.signed()),
  ],
  ['leads to this very machine', answering('', { location: 'http://127.0.0.1:1/' }, 307)],
  ['leads to the metadata of a cloud', answering('', { location: 'http://[fd00:ec2::254]/latest/meta-data' }, 308)],
  [
    'changes to another protocol',
    ({ socket }) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  ],
  [
    'says a head without end',
    (_request, response) => void response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}`),
  ],
])(
  'a server that %s gets nothing by it, and takes seconds at most',
  async (_what, listener) => {
    stage.answer(listener)
    const begun = performance.now()
    const before = stage.asked()
    expect(['remote_unreachable', 'remote_invalid']).toContain(await find(`${stage.base}/n/stage`))
    expect([stage.asked() - before, performance.now() - begun < 9_000]).toEqual([1, true])
  },
  20_000,
)

test('of fifty who recommend it at the same moment one does', async () => {
  stage.answer(answering(stage.signed()))
  const address = `${stage.base}/n/stage`
  const { key } = (await owner.call('POST', `${path()}/remote-newsletters`, { address })).json()
  const body = { address, key, reasons: { en: 'Harbours.' } }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => owner.call('POST', `${path()}/remote-recommendations`, body)),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(await listed()).toHaveLength(1)
})

test('the owner of another newsletter accepts no key for this one', async () => {
  const id = await kept()
  const foreign = await here.signUp()
  const foreignId = await addNewsletter(here.context.db, foreign.userId, 'Of somebody else')
  const [{ name, remote }] = await listed()
  const body = { name, key: remote.key }
  const before = stage.asked()
  for (const newsletterId of [foreignId, from]) {
    const answer = await foreign.call(
      'POST',
      `/api/newsletters/${newsletterId}/recommendations/${id}/remote-change`,
      body,
    )
    expect([newsletterId, answer.statusCode]).toEqual([newsletterId, 404])
  }
  // Nobody is asked in the name of a stranger.
  expect(stage.asked()).toBe(before)
})
