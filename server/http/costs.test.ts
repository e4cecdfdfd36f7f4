import { afterAll, beforeAll, expect, test } from 'vitest'
import { doc, p } from '../seed/document-builder.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { isTooDeep } from './cost-limits.ts'
import { costs } from './costs.ts'
import { Gate } from './gate.ts'

let server: TestApp
let owner: Session
let id: string
beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp()
  id = await server.createNewsletter(owner)
})
afterAll(() => server?.stop())

/** What makes a call costly: it renders, checks or stores a document, searches, exports, asks other servers, mails, or decodes. */
const costly = [
  /\/(preview|check|test|duplicate|revisions|checks|keys|media|fetch|invitations|reasons)$/,
  /\/revisions\/:revision$/,
  /\.csv$/,
  /^(POST|PATCH) \S+\/publications(\/:publicationId)?$/,
  /^(POST|PATCH) \S+\/relays(\/:relayId)?$/,
]
/** Those of the same form that are one indexed query. */
const cheap = /^GET \S+\/(media|keys|api-keys)$|^POST \S+\/api-keys$/

test('every costly endpoint says what it costs', () => {
  const found = server.app.apiRoutes.map(({ method, path, cost, query }) => {
    const searches = 'shape' in query && Object.hasOwn(query.shape as object, 'search')
    const route = `${method} ${path}`
    return { route, cost, costly: searches || (costly.some((form) => form.test(route)) && !cheap.test(route)) }
  })
  expect(found.filter((each) => each.costly && each.cost === null).map(({ route }) => route)).toEqual([])
  expect(new Set(found.flatMap(({ cost }) => cost ?? []))).toEqual(new Set(Object.keys(costs)))
})

test('twenty previews of a long text at once are all answered, and nobody else waits for them', {
  timeout: 120_000,
}, async () => {
  const content = doc(...Array.from({ length: 1_500 }, (_, at) => p(`La mer **descend** le jour ${at}.`)))
  const publication = await owner.call('POST', `/api/newsletters/${id}/publications`, { title: 'Marées', content })
  const address = `/api/newsletters/${id}/publications/${publication.json().id}/preview`
  const order: string[] = []
  const previews = Array.from({ length: 20 }, async () => {
    const { statusCode } = await owner.call('POST', address, { content })
    order.push('preview')
    return statusCode
  })
  const health = server.stranger('GET', '/healthz').then(() => order.push('health'))
  expect(await Promise.all(previews)).toEqual(Array(20).fill(200))
  await health
  expect(order[0]).toBe('health')
})

test('what somebody asks for is counted over all their newsletters, and the answer says in words how long to wait', async () => {
  const guest = await server.tryFirst()
  const newsletters = [await server.createNewsletter(guest), await server.createNewsletter(guest)]
  const statuses: number[] = []
  for (let turn = 0; turn < costs.export.guestAnHour; turn++) {
    statuses.push((await guest.call('GET', `/api/newsletters/${newsletters[turn % 2]}/subscribers.csv`)).statusCode)
  }
  expect(new Set(statuses)).toEqual(new Set([200]))
  const refused = await guest.call('GET', `/api/newsletters/${newsletters[0]}/subscribers.csv`)
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500)
  expect(refused.json().error.message).toMatch(/Try again in 60 minutes/)
  const french = await server.inject({
    url: `/api/newsletters/${newsletters[0]}/subscribers.csv`,
    headers: { cookie: guest.cookie, 'accept-language': 'fr' },
  })
  expect(french.json().error.message).toMatch(/Réessayez dans 60\sminutes/)
  expect((await owner.call('GET', `/api/newsletters/${id}/subscribers.csv`)).statusCode).toBe(200)
})

test('each API key is a person, and all keys of a newsletter together are two', async () => {
  const mine = await server.createNewsletter(owner)
  const keys = await Promise.all(
    [1, 2, 3].map(async (at) => {
      const made = await owner.call('POST', `/api/newsletters/${mine}/api-keys`, { name: `key ${at}`, role: 'owner' })
      return server.withKey(made.json().secret)
    }),
  )
  const exported = async (call: Session['call']) => {
    let times = 0
    while ((await call('GET', `/api/newsletters/${mine}/subscribers.csv`)).statusCode === 200) times++
    return times
  }
  const times: number[] = []
  for (const key of keys) times.push(await exported(key))
  expect(times).toEqual([costs.export.anHour, costs.export.anHour, 0])
})

test('a call waits its turn, not for ever, and another person does not wait behind it', async () => {
  const gate = new Gate(2, 20)
  const ada = await gate.enter('ada', 1)
  const second = gate.enter('ada', 1)
  const bea = await gate.enter('bea', 1)
  await expect(second).rejects.toMatchObject({ code: 'busy' })
  const third = gate.enter('ada', 1)
  ada.leave()
  ada.leave()
  await third
  bea.leave()
  const many = Array.from({ length: 40 }, () => gate.enter('cleo', 1))
  const outcomes = await Promise.allSettled(many)
  const codes = outcomes.map((each) => (each.status === 'rejected' ? each.reason.code : 'entered'))
  expect(Object.groupBy(codes, (code: string) => code).too_many_requests).toHaveLength(15)
})

test('a client that leaves before its export begins gives its place back', async () => {
  const other = await startTestApp({ listen: true })
  try {
    const person = await other.signUp()
    const path = `/api/newsletters/${await other.createNewsletter(person)}/subscribers.csv`
    // All connections of the pool but the listener’s are taken, so that the client is gone before the export has one.
    const clients = await Promise.all(Array.from({ length: 19 }, () => other.context.pool.connect()))
    const leave = new AbortController()
    const left = fetch(other.url + path, { headers: { cookie: person.cookie }, signal: leave.signal })
    const arrived = new Promise<void>((resolve) => other.app.server.once('request', () => resolve()))
    await arrived
    leave.abort()
    await expect(left).rejects.toThrow()
    for (const client of clients) client.release()
    expect((await person.call('GET', path)).statusCode).toBe(200)
  } finally {
    await other.stop()
  }
})

test('who has too many calls waiting is told so', async () => {
  const content = doc(...Array.from({ length: 300 }, () => p('La mer descend.')))
  const publication = await owner.call('POST', `/api/newsletters/${id}/publications`, { content })
  const address = `/api/newsletters/${id}/publications/${publication.json().id}/preview`
  const answers = await Promise.all(Array.from({ length: 40 }, () => owner.call('POST', address, { content })))
  const codes = answers.map((answer) => (answer.statusCode === 200 ? 'shown' : answer.json().error.code))
  // Two run and 24 wait. One that is done while others still arrive leaves its place to one of them.
  const { shown = [], too_many_requests: refused = [] } = Object.groupBy(codes, (code: string) => code)
  expect(shown.length + refused.length).toBe(40)
  expect(shown.length).toBeGreaterThanOrEqual(26)
  expect(refused.length).toBeGreaterThan(0)
})

test('a body of a million nested arrays is refused before it is parsed', async () => {
  const deep = (levels: number) => `{"a":${'['.repeat(levels)}"\\"[[["${']'.repeat(levels)}}`
  expect([isTooDeep(deep(150)), isTooDeep(deep(250)), isTooDeep(`{"a":"${'['.repeat(500)}"}`)]).toEqual([
    false,
    true,
    false,
  ])
  expect(isTooDeep(`[${'[],'.repeat(1_000)}[]]`)).toBe(false)
  const answer = await server.inject({
    method: 'POST',
    url: `/api/newsletters/${id}/publications`,
    headers: { cookie: owner.cookie, 'content-type': 'application/json', origin: server.context.config.publicUrl },
    payload: `{"content":{"type":"doc","content":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}}`,
  })
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'bad_request'])
})
