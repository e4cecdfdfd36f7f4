import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { confirmToken } from '../../../subscribers/confirm.ts'
import { type Session, startTestApp, type TestApp } from '../../../testing/app.ts'
import { addNewsletter } from '../../../testing/newsletter.ts'
import { answering, type RemoteStage, startRemoteStage } from '../../../testing/remote-stage.ts'

// Two servers whose clocks are apart, over HTTP.

const DAY_MS = 86_400_000
const start = new Date('2026-11-02T10:00:00Z')
let now = start
/** How far the clock of the other server is ahead of this one's. */
let ahead = 0
const theirNow = () => new Date(now.getTime() + ahead)
let here: TestApp
let owner: Session
let stage: RemoteStage
let from: string
let readers = 0

beforeAll(async () => {
  here = await startTestApp({ env: { PRIVATE_SERVERS: 'true', SUBSCRIBE_LIMIT: '100000' }, now: () => now })
  stage = await startRemoteStage(theirNow)
  owner = await here.signUp()
  await here.confirm(owner)
})
afterAll(async () => {
  stage?.stop()
  await here?.stop()
})
beforeEach(async () => {
  now = start
  ahead = 0
  from = await addNewsletter(here.context.db, owner.userId, 'Low Water')
  await sql`delete from remote_newsletter`.execute(here.context.db)
  answerNow()
})

const path = () => `/api/newsletters/${from}`
const address = () => `${stage.base}/n/stage`
const find = async () => (await owner.call('POST', `${path()}/remote-newsletters`, { address: address() })).json()
const add = (key: string) =>
  owner.call('POST', `${path()}/remote-recommendations`, { address: address(), key, reasons: { en: 'Harbours.' } })
const listed = async () => (await owner.call('GET', `${path()}/recommendations`)).json().rows[0]
const renew = async () => {
  await sql`select graphile_worker.add_job('renew_remote_newsletters')`.execute(here.context.db)
  await here.work()
}
/** What its server would sign now, for as long as a document may hold. */
const signedNow = (more = {}) => {
  const iat = Math.floor(theirNow().getTime() / 1000)
  return stage.signed({ iat, exp: iat + 14 * 86_400, ...more })
}
const answerNow = (more = {}) => stage.answer((request, response) => answering(signedNow(more))(request, response))
/** Goes on to a day of our clock, when the document is due. */
async function onDay(count: number) {
  now = new Date(start.getTime() + count * DAY_MS)
  await renew()
  return listed()
}
async function isShown(): Promise<boolean> {
  const email = `reader${++readers}@example.org`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = new URLSearchParams({ email, consent: 'yes', language: 'en' }).toString()
  await here.inject({ method: 'POST', url: `/subscribe/${from}`, payload, headers })
  const subscriber = await here.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', from)
    .where('email_normalised', '=', email)
    .executeTakeFirstOrThrow()
  const url = `/confirm/${confirmToken(here.context.signer, subscriber)}`
  const pressed = await here.inject({ method: 'POST', url, headers })
  const cookie = [pressed.headers['set-cookie'] ?? []]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ')
  return (await here.inject({ method: 'GET', url, headers: { cookie } })).body.includes('Harbours.')
}
const iso = (at: number) => new Date(start.getTime() + at).toISOString()

test.each([
  ['three days behind', -3],
  ['twelve days behind', -12],
  ['three days ahead', 3],
  ['thirteen days ahead', 13],
])(
  'a server whose clock is %s is recommended, renewed each day and shown, and both clocks are told',
  async (_what, days) => {
    ahead = days * DAY_MS
    const found = await find()
    expect(found).toMatchObject({ name: 'Stage', signedAt: iso(ahead), readAt: iso(0) })
    expect((await add(found.key)).statusCode).toBe(200)
    for (const day of [2, 10, 20, 30])
      expect(await onDay(day)).toMatchObject({
        state: 'shown',
        remote: {
          ...{ signedAt: iso(day * DAY_MS + ahead), readAt: iso(day * DAY_MS), refused: null },
          renewedAt: iso(day * DAY_MS + Math.min(0, ahead)),
        },
      })
    expect(await isShown()).toBe(true)
  },
)

test('a clock that was ahead and is set right drops nothing: older documents wait until their date is past the last one', async () => {
  ahead = 10 * DAY_MS
  answerNow({ description: 'Ahead.' })
  await add((await find()).key)
  expect(await onDay(2)).toMatchObject({ remote: { signedAt: iso(12 * DAY_MS) } })
  ahead = 0
  for (const day of [4, 8, 11.5])
    expect(await onDay(day)).toMatchObject({
      state: 'shown',
      remote: { signedAt: iso(12 * DAY_MS), renewedAt: iso(2 * DAY_MS), refused: 'remote_older' },
    })
  expect(await isShown()).toBe(true)
  expect(await onDay(13)).toMatchObject({
    state: 'shown',
    remote: { signedAt: iso(13 * DAY_MS), renewedAt: iso(13 * DAY_MS), refused: null },
  })
})

test('an old document replaces no newer one, whichever clock made it, neither by itself nor by the owner', async () => {
  ahead = 5 * DAY_MS
  const old = signedNow({ name: 'As it was', description: 'Then.' })
  now = new Date(start.getTime() + 2 * DAY_MS)
  answerNow({ name: 'As it is' })
  const { key } = await find()
  const { id } = (await add(key)).json()
  stage.answer(answering(old))
  expect(await onDay(4)).toMatchObject({ name: 'As it is', remote: { changed: null, refused: 'remote_older' } })
  const accepted = await owner.call('POST', `${path()}/recommendations/${id}/remote-change`, { name: 'As it was', key })
  expect([accepted.statusCode, accepted.json().error.code]).toEqual([409, 'remote_older'])
  await owner.call('DELETE', `${path()}/recommendations/${id}`)
  const again = await add(key)
  expect([again.statusCode, again.json().error.code]).toEqual([409, 'remote_older'])
})

test('the same document that is shown again renews nothing, also when it is dated ahead', async () => {
  ahead = 13 * DAY_MS
  const one = signedNow()
  stage.answer(answering(one))
  await add((await find()).key)
  for (const day of [2, 6, 13.9])
    expect(await onDay(day)).toMatchObject({
      state: 'shown',
      remote: { renewedAt: iso(0), readAt: iso(0), refused: null },
    })
  expect(await onDay(15)).toMatchObject({ state: 'stale' })
  expect(await isShown()).toBe(false)
})

test('what is further ahead than a document holds, or over, is refused with a sentence of its own, and is no silent end', async () => {
  await add((await find()).key)
  const reasons = [
    ['remote_ahead', 15],
    ['remote_over', -15],
  ] as const
  for (const [at, [code, days]] of reasons.entries()) {
    ahead = days * DAY_MS
    const refused = await owner.call('POST', `${path()}/remote-newsletters`, { address: address() })
    expect([refused.statusCode, refused.json().error.code]).toEqual([422, code])
    expect(await onDay(2 + at * 2)).toMatchObject({ state: 'shown', remote: { renewedAt: iso(0), refused: code } })
  }
  stage.answer(answering('', {}, 500))
  expect(await onDay(8)).toMatchObject({ state: 'shown', remote: { refused: 'remote_unreachable' } })
  ahead = 0
  answerNow()
  expect(await onDay(13)).toMatchObject({ state: 'shown', remote: { renewedAt: iso(13 * DAY_MS), refused: null } })
})
