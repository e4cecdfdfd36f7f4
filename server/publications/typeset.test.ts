import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

let room: TestNewsletter
let relay: RecordingRelay
beforeAll(async () => {
  relay = await startRecordingRelay()
  room = await startTestNewsletter({ SMTP_URL: relay.url })
  await room.addSubscribers(['lectrice@example.org'])
})
afterAll(async () => {
  await room?.stop()
  await relay?.stop()
})

const TITLE = 'La Vilaine : une crue ?'
const SUBTITLE = 'Ce que dit « la Vilaine » !'
const words = ['Demain ; ou jamais ?', 'Il monte de 12 %.', 'code : x ?']
const CELL = '1 234,5'
const table = {
  type: 'table',
  content: [{ type: 'tableRow', content: [{ type: 'tableCell', content: [paragraph(CELL)] }] }],
}
const content = {
  type: 'doc',
  content: [
    ...words.slice(0, 2).map((text) => paragraph(text)),
    { type: 'codeBlock', content: [{ type: 'text', text: words[2] }] },
    table,
  ],
}
const shown = [
  'La Vilaine\u00a0: une crue\u202f?',
  'Ce que dit «\u00a0la Vilaine\u00a0»\u202f!',
  'Demain\u202f; ou jamais\u202f?',
  'Il monte de 12\u00a0%.',
  '1\u202f234,5',
]
const written = [TITLE, SUBTITLE, ...words.slice(0, 2), CELL]

/** What of a text can break before a sign. */
const breakable = (text: string) => written.filter((one) => text.includes(one))
const missing = (text: string) => shown.filter((one) => !text.includes(one))

test('a French letter breaks no line before a sign, wherever it is read, and is kept as it was typed', async () => {
  const { id } = await room.draft({ title: TITLE, subtitle: SUBTITLE, language: 'fr', content })
  const path = `${room.path}/publications/${id}`
  const preview = (await room.owner.call('POST', `${path}/preview`, {})).json()
  for (const place of ['web', 'email', 'text'])
    expect([place, breakable(preview[place]), missing(preview[place])]).toEqual([place, [], []])
  for (const place of ['web', 'email', 'text']) expect(preview[place]).toContain(words[2])
  expect([preview.subject, preview.preheader]).toEqual(shown.slice(0, 2))

  const sent = await room.send(id)
  expect(sent.statusCode, sent.body).toBe(200)
  await room.work()
  const { subject = '', html = '', text = '' } = await PostalMime.parse(relay.received[0]?.raw ?? '')
  expect(subject).toBe(shown[0])
  for (const body of [html, text]) expect([breakable(body), missing(body)]).toEqual([[], []])
  const read = async (rest: string) => (await room.inject({ url: `/n/${room.newsletterId}${rest}` })).body
  const { pathname } = new URL(sent.json().url)
  for (const rest of [pathname.slice(`/n/${room.newsletterId}`.length), '/feed.xml', '/feed.json'])
    expect([rest, breakable(await read(rest)), missing(await read(rest))]).toEqual([rest, [], []])
  const archive = await read('')
  expect([breakable(archive), missing(archive)]).toEqual([[], shown.slice(2)])
  const subscribing = (await room.inject({ url: `/subscribe/${room.newsletterId}` })).body
  expect([breakable(subscribing), subscribing.includes(shown[0] ?? '')]).toEqual([[], true])

  expect((await room.owner.call('GET', path)).json()).toMatchObject({ title: TITLE, subtitle: SUBTITLE, content })
})

test('a title that begins in the archive’s list is set as well, and so is how a letter without a subtitle begins', async () => {
  const { id } = await room.draft({ title: TITLE, language: 'fr', content })
  const preview = (await room.owner.call('POST', `${room.path}/publications/${id}/preview`, {})).json()
  expect(preview.preheader).toContain(shown[2])
  expect(breakable(preview.email)).toEqual([])
  await room.send(id, { channel: 'web' })
  await room.work()
  for (const rest of ['', '/feed.xml', '/la-vilaine-une-crue-2'])
    expect(breakable((await room.inject({ url: `/n/${room.newsletterId}${rest}` })).body)).toEqual([])
})

test('the subject that was chosen is set, and an English letter keeps its spaces', async () => {
  relay.received.length = 0
  for (const language of ['fr', 'en']) {
    const { id, revision } = await room.draft({ title: `Crue ${language}`, language, content })
    const subject = { revision, subject: `Une crue : ${language} ?` }
    await room.owner.call('PATCH', `${room.path}/publications/${id}`, subject)
    await room.send(id)
    await room.work()
  }
  const subjects = await Promise.all(relay.received.map(async ({ raw }) => (await PostalMime.parse(raw)).subject))
  expect(subjects).toEqual(['Une crue\u00a0: fr\u202f?', 'Une crue : en ?'])
})
