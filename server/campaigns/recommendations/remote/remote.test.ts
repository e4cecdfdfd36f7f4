import { createServer, type RequestListener } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Signer } from '../../../http/signing.ts'
import { confirmToken } from '../../../subscribers/confirm.ts'
import { type Session, startTestApp, type TestApp } from '../../../testing/app.ts'
import { addNewsletter } from '../../../testing/newsletter.ts'
import { portOf } from '../../../testing/port.ts'
import { answering, type RemoteStage, startRemoteStage } from '../../../testing/remote-stage.ts'
import { readArrival } from './arrivals.ts'
import { documentAddress, MEDIA_TYPE, subscribeAddress } from './document.ts'
import { readRemote } from './read.ts'
import { nextAttempt } from './renewal.ts'

const DAY_MS = 86_400_000
const start = new Date('2026-11-02T10:00:00Z')
let now = start

/** Two whole servers that ask each other over HTTP, and one whose answers a test chooses. */
let here: TestApp
let there: TestApp
let owner: Session
let theirOwner: Session
let stage: RemoteStage
let base: string
let from: string
let to: string

async function startOne(): Promise<TestApp> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const port = portOf(probe)
  await new Promise((resolve) => probe.close(resolve))
  return startTestApp({
    env: { PUBLIC_URL: `http://127.0.0.1:${port}`, PRIVATE_SERVERS: 'true', SUBSCRIBE_LIMIT: '100000' },
    listen: true,
    now: () => now,
  })
}

beforeAll(async () => {
  here = await startOne()
  there = await startOne()
  stage = await startRemoteStage(() => now)
  base = stage.base
  ;[owner, theirOwner] = [await here.signUp(), await there.signUp()]
  for (const [app, session] of [
    [here, owner],
    [there, theirOwner],
  ] as const)
    await app.confirm(session)
})
afterAll(async () => {
  stage?.stop()
  await here?.stop()
  await there?.stop()
})
beforeEach(async () => {
  now = start
  from = await addNewsletter(here.context.db, owner.userId, 'Low Water')
  to = await addNewsletter(there.context.db, theirOwner.userId, 'Night Ferry')
})

const path = (id = from) => `/api/newsletters/${id}`
const find = (address: unknown, by = owner) => by.call('POST', `${path()}/remote-newsletters`, { address })
const add = (address: string, key: string, reasons: object = { en: 'Harbours at night.' }) =>
  owner.call('POST', `${path()}/remote-recommendations`, { address, key, reasons })
const listed = async () => (await owner.call('GET', `${path()}/recommendations`)).json().rows
const renew = async () => {
  await sql`select graphile_worker.add_job('renew_remote_newsletters')`.execute(here.context.db)
  await here.work()
}
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const cookieOf = (response: { headers: Record<string, unknown> }) =>
  [response.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ')

async function confirmed(app: TestApp, newsletterId: string, { email = 'reader@example.org', query = '' } = {}) {
  const payload = new URLSearchParams({ email, consent: 'yes', language: 'en' }).toString()
  await app.inject({ method: 'POST', url: `/subscribe/${newsletterId}${query}`, payload, headers: form })
  const subscriber = await app.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', newsletterId)
    .where('email_normalised', '=', email)
    .executeTakeFirstOrThrow()
  const url = `/confirm/${confirmToken(app.context.signer, subscriber)}`
  const pressed = await app.inject({ method: 'POST', url, headers: form })
  const cookie = cookieOf(pressed)
  const page = await app.inject({ method: 'GET', url, headers: { cookie } })
  return { cookie, page, code: /name="code" value="([^"]+)"/.exec(page.body)?.[1] ?? '' }
}
const arrivals = async (by = theirOwner, id = to) =>
  (await by.call('GET', `${path(id)}/recommenders`)).json().arrivals as { from: string | null; confirmed: number }[]

test('a newsletter of another server is found, recommended, shown, followed by its link, and counted on both sides', async () => {
  const address = `${there.url}/subscribe/${to}?lang=fr`
  const found = await find(address)
  expect(found.json()).toMatchObject({
    ...{ name: 'Night Ferry', language: 'en', host: new URL(there.url).host },
    url: `${there.url}/subscribe/${to}`,
  })
  for (const page of [`${there.url}/n/${to}/some-publication`, documentAddress({ base: there.url, name: to })])
    expect((await find(page)).json()).toEqual(found.json())
  const added = (await add(address, found.json().key)).json()
  expect(added).toMatchObject({ state: 'shown', name: 'Night Ferry', remote: { changed: null } })
  expect((await add(address, found.json().key)).json().error.code).toBe('recommended_already')

  const reader = await confirmed(here, from)
  expect(reader.page.body).toContain('Harbours at night.')
  expect(reader.page.body).toContain(`Night Ferry, on ${new URL(there.url).host}. I subscribe there by myself.`)
  expect(reader.page.body).not.toContain('checked')
  const chosen = await here.inject({
    method: 'POST',
    url: '/recommended?lang=en',
    headers: { ...form, cookie: reader.cookie },
    payload: new URLSearchParams({ code: reader.code, [`choice-${added.id}`]: 'yes' }).toString(),
  })
  const outcome = await here.inject({ method: 'GET', url: '/recommended', headers: { cookie: cookieOf(chosen) } })
  const link = /href="([^"]+\?from=[^"]+)"/.exec(outcome.body)?.[1] ?? ''
  expect(link).toBe(`${there.url}/subscribe/${to}?from=${encodeURIComponent(`${here.url}/${from}`)}`)
  expect((await listed())[0].counts).toMatchObject({ shown: 1, chosen: 1, confirmed: 0 })
  // Nobody there knows the reader until they subscribe by themselves.
  const known = there.context.db.selectFrom('subscriber').select('id').where('newsletter_id', '=', to)
  expect(await known.execute()).toEqual([])

  const page = await fetch(link)
  expect(page.status).toBe(200)
  // Whoever changes the language of the page still comes from there, and so does whoever mistypes.
  const inFrench = (html: string) =>
    (/href="([^"]+)" lang="fr"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&').replace(/^/, there.url)
  const french = inFrench(await page.text())
  expect(new URL(french).searchParams.get('from')).toBe(`${here.url}/${from}`)
  const mistyped = await fetch(french, { method: 'POST', body: new URLSearchParams({ email: 'none' }) })
  const back = /href="([^"]+)" lang="en"/.exec(await mistyped.text())?.[1] ?? ''
  expect([mistyped.status, back]).toEqual([422, expect.stringContaining(encodeURIComponent(`${here.url}/${from}`))])
  await confirmed(there, to, { query: new URL(french).search })
  await confirmed(there, to, { query: new URL(link).search })
  expect(await arrivals()).toEqual([{ from: `${here.url}/${from}`, confirmed: 1, lastAt: now.toISOString() }])
  expect(await there.context.db.selectFrom('arrival').selectAll().where('newsletter_id', '=', to).execute()).toEqual([])

  expect((await owner.call('DELETE', `${path()}/recommendations/${added.id}`)).statusCode).toBe(200)
  expect((await confirmed(here, from, { email: 'later@example.org' })).page.body).not.toContain('Night Ferry')
  expect((await add(address, found.json().key, { en: 'Again.' })).json()).toMatchObject({ id: added.id })
})

test('it stands in one order with those of this server, five at most are shown', async () => {
  const { key } = (await find(`${there.url}/n/${to}`)).json()
  for (const at of [1, 2, 3, 4, 5]) {
    const newsletter = await addNewsletter(here.context.db, owner.userId, `Local ${at}`)
    await owner.call('POST', `${path()}/recommendations`, { newsletter, reasons: { en: `Reason ${at}` } })
  }
  const { id } = (await add(`${there.url}/n/${to}`, key)).json()
  expect((await confirmed(here, from)).page.body).not.toContain('Harbours')
  await owner.call('PUT', `${path()}/recommendation-order`, { ids: [id] })
  const { page } = await confirmed(here, from, { email: 'second@example.org' })
  expect(page.body.match(/Reason \d|Harbours/g)).toEqual(['Harbours', 'Reason 1', 'Reason 2', 'Reason 3', 'Reason 4'])
})

test('a document is there by id and handle; unknown, deleted and unwilling newsletters have the same answer', async () => {
  const get = (name: string) => there.inject({ method: 'GET', url: `/.well-known/tirage/newsletters/${name}.json` })
  const none = async (name: string) => {
    const { statusCode, body, headers } = await get(name)
    return [statusCode, body, headers['content-type'], headers['cache-control']]
  }
  await theirOwner.call('PATCH', path(to), { handle: 'night-ferry' })
  const byHandle = await get('night-ferry')
  expect([byHandle.statusCode, byHandle.headers['content-type'], byHandle.headers['cache-control']]).toEqual([
    ...[200, `${MEDIA_TYPE}; charset=utf-8`, 'public, max-age=300'],
  ])
  expect((await get(to)).statusCode).toBe(200)
  expect((await find(`${there.url}/n/night-ferry`)).json().url).toBe(`${there.url}/subscribe/${to}`)
  const unknown = await none('nowhere')
  expect(unknown[0]).toBe(404)
  const unwilling = await addNewsletter(there.context.db, theirOwner.userId, 'Alone')
  await theirOwner.call('PUT', `${path(unwilling)}/recommended-by`, { recommendedBy: 'nobody' })
  expect(await none(unwilling)).toEqual(unknown)
  await theirOwner.call('DELETE', path(to))
  expect(await none(to)).toEqual(unknown)
})

const seconds = () => Math.floor(now.getTime() / 1000)
const changed = (change: (jws: Record<string, string>) => void) => {
  const jws = JSON.parse(stage.signed())
  change(jws)
  return JSON.stringify(jws)
}
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const otherSigner = new Signer('the secret of somebody else, also long')

test('the stage is believed when it says the truth', async () => {
  stage.answer(answering(stage.signed()))
  expect((await find(`${base}/n/stage`)).json()).toMatchObject({ name: 'Stage' })
})

test.each<[string, () => string]>([
  [
    'tampered with',
    () => changed((jws) => Object.assign(jws, { payload: base64url(stage.saying({ name: 'Other' })) })),
  ],
  [
    'signed by another key',
    () => changed((jws) => Object.assign(jws, JSON.parse(stage.signed({}, otherSigner)), { protected: jws.protected })),
  ],
  [
    'not signed',
    () => changed((jws) => Object.assign(jws, { protected: base64url({ alg: 'none', typ: 'tirage-newsletter' }) })),
  ],
  ['meant for too long', () => stage.signed({ exp: seconds() + 15 * 86_400 })],
  [
    'of another host',
    () => stage.signed({ url: 'https://news.example.org/.well-known/tirage/newsletters/stage.json' }),
  ],
  [
    'of another newsletter',
    () =>
      stage.signed({
        id: 'other',
        url: documentAddress({ base, name: 'other' }),
        subscribe: subscribeAddress({ base, name: 'other' }),
      }),
  ],
  ['leading elsewhere', () => stage.signed({ subscribe: 'https://phish.example/subscribe/stage' })],
  ['leading into a script', () => stage.signed({ subscribe: 'javascript:alert(1)' })],
  ['named to deceive', () => stage.signed({ name: 'A\u202eB' })],
  ['without a name', () => stage.signed({ name: '' })],
  ['nested deep', () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ['no JSON', () => '<html>'],
  ['empty', () => ''],
])('a document that is %s is refused', async (_what, body) => {
  stage.answer(answering(body()))
  const refused = await find(`${base}/n/stage`)
  expect([refused.statusCode, refused.json().error.code]).toEqual([422, 'remote_invalid'])
})

test.each<[string, () => RequestListener]>([
  ['is too large', () => answering(stage.signed() + ' '.repeat(20_000))],
  ['has another type', () => answering(stage.signed(), { 'content-type': 'text/html' })],
  ['leads to a private address', () => answering('', { location: 'http://169.254.169.254/latest' }, 302)],
  ['leads to itself', () => answering(stage.signed(), { location: '/' }, 301)],
  ['is an error', () => answering(stage.signed(), {}, 500)],
  ['breaks off', () => (_request, response) => void response.socket?.destroy()],
  ['never ends', () => (_request, response) => void response.writeHead(200, { 'content-type': MEDIA_TYPE }).write('{')],
])(
  'an answer that %s is refused, within seconds',
  async (_what, answered) => {
    stage.answer(answered())
    const begun = performance.now()
    const before = stage.asked()
    const refused = await find(`${base}/n/stage`)
    expect([refused.statusCode, refused.json().error.code, stage.asked() - before]).toEqual([
      422,
      'remote_unreachable',
      1,
    ])
    expect(performance.now() - begun).toBeLessThan(9_000)
  },
  20_000,
)

test('without PRIVATE_SERVERS no address of a private network is asked, and none without HTTPS', async () => {
  const strict = await startTestApp({ now: () => now })
  const person = await strict.signUp()
  const id = await addNewsletter(strict.context.db, person.userId)
  stage.answer(answering(stage.signed()))
  const before = stage.asked()
  const addresses = [base, base.replace('http:', 'https:'), 'https://localhost', 'https://[::1]', 'http://1.1.1.1']
  for (const server of addresses) {
    const refused = await person.call('POST', `${path(id)}/remote-newsletters`, { address: `${server}/n/stage` })
    expect([server, refused.json().error.code]).toEqual([server, 'remote_unreachable'])
  }
  expect(stage.asked()).toBe(before)
  await strict.stop()
})

test('an address without HTTPS is refused before anything is asked', async () => {
  const strict = { config: { ...here.context.config, privateServers: false }, now: () => now }
  const refused = readRemote(strict, { base: 'http://192.0.2.1', name: 'stage' })
  // A request that failed is the cause of its refusal.
  await expect(refused).rejects.toMatchObject({ code: 'remote_unreachable', cause: undefined })
})

test('what is no address of a newsletter elsewhere is refused, and nobody without the right may ask', async () => {
  const code = async (address: unknown) => (await find(address)).json().error?.code
  for (const address of [
    'nowhere',
    'https://example.org/',
    'ftp://example.org/n/a',
    `http://a:b@127.0.0.1/n/a`,
    `${base}/n/${'x'.repeat(61)}`,
  ])
    expect([address, await code(address)]).toEqual([address, 'remote_invalid'])
  expect(await code(`${here.url}/n/${from}`)).toBe('remote_here')
  for (const address of [undefined, 5, '', 'x'.repeat(501)]) expect((await find(address)).statusCode).toBe(422)
  const analyst = await here.asMember(from, 'analyst')
  expect((await find(`${base}/n/stage`, analyst)).statusCode).toBe(403)
  stage.answer(answering(stage.signed()))
  const { key: shown } = (await find(`${base}/n/stage`)).json()
  for (const [wrong, reasons] of [
    ['short', { en: 'Yes' }],
    [shown, {}],
    [shown, { en: '' }],
  ] as const)
    expect((await add(`${base}/n/stage`, wrong, reasons)).statusCode).toBe(422)
  expect((await add(`${base}/n/stage`, 'A'.repeat(43))).json().error.code).toBe('remote_changed')
  const [first, second] = await Promise.all([add(`${base}/n/stage`, shown), add(`${base}/sub/stage`, shown)])
  expect([first?.statusCode, second?.statusCode].sort()).toEqual([200, 409])
})

async function kept() {
  stage.answer(answering(stage.signed()))
  const shown = (await find(`${base}/n/stage`)).json()
  return (await add(`${base}/n/stage`, shown.key)).json()
}
const isShown = async (email: string) => (await confirmed(here, from, { email })).page.body.includes('Harbours')

test('another key is shown to the owner and not followed; after fourteen days nothing is shown; accepting it brings it back', async () => {
  const { id, remote } = await kept()
  const accept = (body: object) => owner.call('POST', `${path()}/recommendations/${id}/remote-change`, body)
  now = new Date(start.getTime() + 2 * DAY_MS)
  stage.answer(answering(stage.signed({}, otherSigner)))
  await renew()
  const [row] = await listed()
  expect(row).toMatchObject({ state: 'shown', remote: { key: remote.key, renewedAt: start.toISOString() } })
  expect(row.remote.changed).toMatchObject({ name: 'Stage', key: expect.not.stringContaining(remote.key) })
  expect(await isShown('a@example.org')).toBe(true)
  now = new Date(start.getTime() + 14 * DAY_MS)
  stage.answer(answering(stage.signed({}, otherSigner)))
  expect([(await listed())[0].state, await isShown('b@example.org')]).toEqual(['stale', false])
  expect((await accept({ name: 'Stage', key: 'A'.repeat(43) })).json().error.code).toBe('remote_changed')
  expect((await accept({ name: 'Stage' })).statusCode).toBe(422)
  expect((await accept(row.remote.changed)).json()).toMatchObject({
    state: 'shown',
    remote: { key: row.remote.changed.key, changed: null },
  })
  expect(await isShown('c@example.org')).toBe(true)
})

test('another name is shown to the owner; readers see the old one until it is accepted', async () => {
  const { id, remote } = await kept()
  now = new Date(start.getTime() + 2 * DAY_MS)
  stage.answer(answering(stage.signed({ name: 'Curtain' })))
  await renew()
  const [row] = await listed()
  expect([row.name, row.remote]).toEqual([
    'Stage',
    {
      ...remote,
      ...{ renewedAt: now.toISOString(), signedAt: now.toISOString(), readAt: now.toISOString() },
      changed: { name: 'Curtain', key: remote.key },
    },
  ])
  const { page } = await confirmed(here, from)
  expect([page.body.includes('Stage, on'), page.body.includes('Curtain')]).toEqual([true, false])
  await owner.call('POST', `${path()}/recommendations/${id}/remote-change`, row.remote.changed)
  expect((await listed())[0]).toMatchObject({ name: 'Curtain', remote: { changed: null } })
})

test('documents are asked for daily, later after failures, and once for all that recommend the same', async () => {
  await kept()
  const first = from
  from = await addNewsletter(here.context.db, owner.userId, 'Second')
  await kept()
  const rows = () =>
    here.context.db
      .selectFrom('remote_newsletter')
      .select(['failures', 'next_attempt_at'])
      .where('newsletter_id', 'in', [first, from])
      .execute()
  await sql`delete from remote_newsletter where newsletter_id not in (${first}, ${from})`.execute(here.context.db)
  const before = stage.asked()
  await renew()
  expect(stage.asked()).toBe(before)
  now = new Date(start.getTime() + 1.2 * DAY_MS)
  stage.answer(answering('', {}, 503))
  await renew()
  expect(stage.asked()).toBe(before + 1)
  expect((await rows()).map(({ failures }) => failures)).toEqual([1, 1])
  await renew()
  expect(stage.asked()).toBe(before + 1)
  now = new Date(now.getTime() + 3 * 3_600_000)
  stage.answer(answering(stage.signed()))
  await renew()
  expect((await rows()).map(({ failures }) => failures)).toEqual([0, 0])
})

test.each([
  [0, 21.6, 26.4],
  [1, 1.8, 2.2],
  [3, 7.2, 8.8],
  [5, 21.6, 26.4],
  [10_000, 21.6, 26.4],
])('after %i failures the next attempt is %f to %f hours later', (failures, least, most) => {
  const hours = [0, 1].map((random) => (nextAttempt(start, failures, random).getTime() - start.getTime()) / 3_600_000)
  expect(hours[0]).toBeCloseTo(least)
  expect(hours[1]).toBeCloseTo(most)
})

test.each([
  ['https://a.example/abc', { origin: 'https://a.example', id: 'abc' }],
  ['https://a.example/news/abc', { origin: 'https://a.example/news', id: 'abc' }],
  ['https://a.example/', null],
  ['https://u:p@a.example/abc', null],
  ['https://a.example/abc?email=x', null],
  ['javascript:alert(1)/abc', null],
  [`https://a.example/${'x'.repeat(300)}`, null],
  ['abc', null],
  [undefined, null],
  [['https://a.example/abc'], null],
])('from=%s is read as %o', (text, read) => expect(readArrival(text)).toEqual(read))

test('a hundred origins are counted by themselves, and all others together; a subscription without one is not', async () => {
  await confirmed(there, to, { email: 'none@example.org' })
  await confirmed(there, to, { email: 'bad@example.org', query: '?from=nonsense' })
  expect(await arrivals()).toEqual([])
  await sql`insert into arrival_count (newsletter_id, origin, from_id, confirmed, last_at)
    select ${to}, 'https://a' || n || '.example', 'x', 1, ${now} from generate_series(1, 100) n`.execute(
    there.context.db,
  )
  for (const host of ['late', 'later', 'a1'])
    await confirmed(there, to, { email: `${host}@example.org`, query: `?from=https://${host}.example/x` })
  const rows = await arrivals()
  expect([rows.length, rows.find((row) => row.from === null)?.confirmed]).toEqual([101, 2])
  expect(rows.find((row) => row.from === 'https://a1.example/x')?.confirmed).toBe(2)
})

test('a newsletter that confirms at once counts who is new, and nobody who subscribes again', async () => {
  await there.context.db.updateTable('newsletter').set({ opt_in: 'single' }).where('id', '=', to).execute()
  for (const _time of [1, 2]) {
    await confirmed(there, to, { query: '?from=https://a.example/x' })
    now = new Date(now.getTime() + 60_000)
  }
  expect(await arrivals()).toMatchObject([{ from: 'https://a.example/x', confirmed: 1 }])
})
