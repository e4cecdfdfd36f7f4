import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const TARGET = 'https://example.org/tides'

let server: TestNewsletter
let relay: RecordingRelay
beforeAll(async () => {
  // Nobody gets the publication, so that it may be deleted once it is cancelled.
  relay = await startRecordingRelay(() => ({ code: 451, text: '4.3.2 come back later' }))
  server = await startTestNewsletter({ SMTP_URL: relay.url })
  await server.addSubscribers(['ada@example.org'])
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

const get = async (path: string) => (await server.owner.call('GET', `${server.path}${path}`)).json()
const follow = (id: string) => server.inject({ method: 'GET', url: `/r/${id}`, headers: { 'user-agent': BROWSER } })

test('a link goes on leading to its target, and counting, when its publication is deleted', async () => {
  const text = { type: 'text', text: 'Tides', marks: [{ type: 'link', attrs: { href: TARGET } }] }
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [text] }] }
  const { id } = await server.draft({ content })
  await server.send(id)
  await server.work()
  const [link] = (await get(`/links?publicationId=${id}`)).rows
  expect(link.target).toBe(TARGET)
  expect((await follow(link.id)).headers.location).toBe(TARGET)
  expect((await get(`/links/${link.id}`)).publication).toMatchObject({ id })

  const otherwise = { utm: { source: 'poster' } }
  const refused = await server.owner.call('PATCH', `${server.path}/links/${link.id}`, otherwise)
  expect(refused.json().error.code).toBe('link_of_publication')

  expect((await server.owner.call('POST', `${server.path}/publications/${id}/cancel`)).statusCode).toBe(200)
  expect((await server.owner.call('DELETE', `${server.path}/publications/${id}`)).statusCode).toBe(200)

  const after = await follow(link.id)
  expect([after.statusCode, after.headers.location]).toEqual([302, TARGET])
  expect(await get(`/links/${link.id}`)).toMatchObject({
    publication: null,
    link: { target: TARGET, clicks: { raw: 2, human: 2 } },
    inRange: { raw: 2, human: 2 },
  })
  expect((await get(`/links?publicationId=${id}`)).rows).toMatchObject([{ id: link.id, clicks: { raw: 2 } }])
})

test('a link goes with its newsletter, thirty days after that was deleted', async () => {
  const { id } = (await server.owner.call('POST', `${server.path}/links`, { target: TARGET })).json()
  await follow(id)
  const { db } = server.context
  const forget = async () => {
    await sql`select graphile_worker.add_job('forget_newsletters', '{}'::json)`.execute(db)
    await server.work()
  }
  const newsletter = db.updateTable('newsletter').where('id', '=', server.newsletterId)
  await newsletter.set({ deleted_at: new Date(Date.now() - 29 * 86_400_000) }).execute()
  await forget()
  expect((await follow(id)).headers.location).toBe(TARGET)
  await newsletter.set({ deleted_at: new Date(Date.now() - 31 * 86_400_000) }).execute()
  await forget()
  await expect.poll(async () => (await follow(id)).statusCode).toBe(404)
})
