import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { NotPublic } from '../net/public-address.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { forwardAnalyticsJob } from './events.ts'

let server: TestApp
let owner: Session
let id: string
beforeAll(async () => {
  server = await startTestApp({ listen: true })
  owner = await server.signUp()
  id = await server.createNewsletter(owner)
})
afterAll(() => server?.stop())

const subscribe = () =>
  server.context.db
    .insertInto('subscriber')
    .values(
      ['a', 'b', 'c'].map((name) => ({
        newsletter_id: id,
        id: uuidv7(),
        email: `${name}@example.org`,
        email_normalised: `${name}@example.org`,
        language: 'en',
        status: 'active',
        confirmed_at: new Date(),
      })),
    )
    .execute()

test('events are stored with the user of the session, whatever the request claims', async () => {
  const event = { name: 'login', params: { method: 'email', user_id: 'somebody else' } }
  expect((await owner.call('POST', '/api/analytics/events', { events: [event] })).statusCode).toBe(200)
  expect(
    (await server.stranger('POST', '/api/analytics/events', { events: [{ name: 'page_view', params: { path: '/' } }] }))
      .statusCode,
  ).toBe(200)
  const rows = await server.context.db.selectFrom('analytics_event').selectAll().orderBy('id').execute()
  expect(rows.map(({ name, user_id }) => [name, user_id])).toEqual([
    ['login', owner.userId],
    ['page_view', null],
  ])
  expect((await server.stranger('POST', '/api/analytics/events', { events: [{ name: 'purchase' }] })).statusCode).toBe(
    422,
  )
})

test('the dashboard of a new newsletter has no figures, and a list of things to do', async () => {
  const board = (await owner.call('GET', `/api/newsletters/${id}/dashboard?from=2026-02-01&to=2026-02-14`)).json()
  expect(board).toMatchObject({
    subscribers: { active: 0, pending: 0, thisWeek: 0 },
    before: { from: '2026-01-18', to: '2026-01-31' },
    running: [],
    publications: [],
  })
  expect(board.growth).toHaveLength(14)
  const steps: { step: string; done: boolean }[] = board.checklist
  expect(steps.map(({ step }) => step)).toEqual([
    'sample',
    'write',
    'subscriber',
    'account',
    'sender',
    'send',
    'branding',
  ])
  expect(steps.flatMap(({ step, done }) => (done ? [step] : []))).toEqual(['account'])
  expect(board.draft).toBeNull()
})

test('subscribers are counted, and an open dashboard is notified at once', async () => {
  const stop = new AbortController()
  const stream = await fetch(`${server.url}/api/newsletters/${id}/live`, {
    headers: { cookie: owner.cookie },
    signal: stop.signal,
  })
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  const words = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  await subscribe()
  let received = ''
  while (!received.includes('data: subscribers')) received += (await words?.read())?.value ?? ''
  stop.abort()
  const board = (await owner.call('GET', `/api/newsletters/${id}/dashboard`)).json()
  expect(board.subscribers).toEqual({ active: 3, pending: 0, thisWeek: 3 })
  expect(board.growth.at(-1).subscribers).toBe(3)
})

test('a publication’s figures are found in its own newsletter only', async () => {
  const made = (await owner.call('POST', `/api/newsletters/${id}/publications`, { title: 'Tides' })).json()
  const answer = await owner.call('GET', `/api/newsletters/${id}/publications/${made.id}/result`)
  expect(answer.json()).toMatchObject({
    title: 'Tides',
    opens: 0,
    clicks: { raw: 0, human: 0, people: 0 },
    progress: { perSecond: null, secondsLeft: null },
  })
  const other = await server.createNewsletter(owner)
  expect((await owner.call('GET', `/api/newsletters/${other}/publications/${made.id}/result`)).statusCode).toBe(404)
})

test('the figures of several publications come in one answer, without those of another newsletter', async () => {
  const made = []
  for (const title of ['One', 'Two']) {
    made.push((await owner.call('POST', `/api/newsletters/${id}/publications`, { title })).json().id)
  }
  const ids = `${made.join(',')},nothing`
  const { results } = (await owner.call('GET', `/api/newsletters/${id}/results?ids=${ids}`)).json()
  expect(results.map((one: { title: string }) => one.title).sort()).toEqual(['One', 'Two'])
  expect(results[0]).toMatchObject({ counts: { intended: 0, accepted: 0 }, opens: 0, unsubscribes: 0 })
  const other = await server.createNewsletter(owner)
  expect((await owner.call('GET', `/api/newsletters/${other}/results?ids=${ids}`)).json()).toEqual({ results: [] })
})

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[fd00::1]',
  // 6to4 and Teredo addresses: a tunnel would lead to 127.0.0.1 and 10.1.2.3.
  '[2002:7f00:1::]',
  '[2001:0:0a01:203::1]',
])('nothing is forwarded to an address of a private network: %s', async (host) => {
  const warnings: unknown[] = []
  const { config, log } = server.context
  const forward = forwardAnalyticsJob({
    config: { ...config, plausible: { url: `http://${host}:8000`, domain: 'tirage.test' } },
    log: Object.assign(Object.create(log), { warn: ({ err }: { err: unknown }) => warnings.push(err) }),
  })
  const events = [{ name: 'page_view' as const, params: {} }]
  await forward({ events, userId: null, visitorId: 'visitor', userAgent: '' })
  expect(warnings).toEqual([expect.any(NotPublic)])
})
