import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordFeedback } from '../feedback/feedback.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

let relay: RecordingRelay
let server: TestNewsletter
let subscriberId = ''
let publicationId = ''

beforeEach(async () => {
  relay = await startRecordingRelay(() => 'hang up')
  server = await startTestNewsletter({ SMTP_URL: relay.url })
  ;[subscriberId = ''] = await server.addSubscribers(['ada@example.org'])
  publicationId = (await server.draft({ content: letter })).id
  await server.send(publicationId)
  await server.work()
  expect(await server.counts(publicationId)).toEqual({ intended: 1, uncertain: 1 })
})

afterEach(async () => {
  await server.stop()
  await relay.stop()
})

const letter = {
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'the tide', marks: [{ type: 'link', attrs: { href: 'https://example.org/tide' } }] },
      ],
    },
  ],
}

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

/** The answer of the one delivery, once it is accepted. */
async function proof(): Promise<string | null> {
  const read = async () =>
    (await server.context.db.selectFrom('delivery').select(['state', 'answer']).executeTakeFirst()) ?? null
  await expect.poll(async () => (await read())?.state).toBe('accepted')
  expect(await server.counts(publicationId)).toEqual({ intended: 1, accepted: 1 })
  return (await read())?.answer ?? null
}

test('an opening proves that an uncertain copy arrived', async () => {
  await server.app.inject({ url: `/o/${server.newsletterId}/${publicationId}/${subscriberId}.gif`, headers: browser })
  expect(await proof()).toBe('proved_by_open')
})

test('a human click proves it, and a scanner’s proves nothing', async () => {
  const { id } = await server.context.db.selectFrom('short_link').select('id').executeTakeFirstOrThrow()
  const url = `/r/${id}?s=${subscriberId}`
  await server.app.inject({ url, method: 'HEAD', headers: browser })
  expect(await server.counts(publicationId)).toEqual({ intended: 1, uncertain: 1 })
  await server.app.inject({ url, headers: browser })
  expect(await proof()).toBe('proved_by_click')
})

test('leaving with one click proves it', async () => {
  const url = `/unsub/${server.newsletterId}/${subscriberId}?p=${publicationId}`
  const payload = 'List-Unsubscribe=One-Click'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await server.app.inject({ url, method: 'POST', headers, payload })
  expect(await proof()).toBe('proved_by_leaving')
})

test.each([
  ['soft', 'proved_by_bounce'],
  ['complaint', 'proved_by_complaint'],
] as const)('a report (%s) proves it', async (kind, said) => {
  const delivery = { newsletterId: server.newsletterId, publicationId, subscriberId }
  await recordFeedback(server.context.db, delivery, { source: 'dsn', kind, status: null, words: 'later' })
  expect(await proof()).toBe(said)
})

test('another newsletter’s reader proves nothing', async () => {
  await server.app.inject({ url: `/o/another/${publicationId}/${subscriberId}.gif`, headers: browser })
  const stranger = '0191d2a0-0000-7000-8000-000000000000'
  await server.app.inject({ url: `/o/${server.newsletterId}/${publicationId}/${stranger}.gif`, headers: browser })
  expect(await server.counts(publicationId)).toEqual({ intended: 1, uncertain: 1 })
})
