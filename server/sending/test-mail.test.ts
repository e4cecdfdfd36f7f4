import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan } from '../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

let room: TestNewsletter
let relay: RecordingRelay
let publicationId: string
let mails: Email[]
beforeAll(async () => {
  relay = await startRecordingRelay()
  room = await startTestNewsletter({ SMTP_URL: relay.url, BOUNCE_DOMAIN: 'bounces.lowwater.test' })
  const greeting = [
    { type: 'text', text: 'Hello ' },
    { type: 'mergeTag', attrs: { field: 'first_name', fallback: 'you' } },
  ]
  const link = [
    { type: 'text', text: 'Tides', marks: [{ type: 'link', attrs: { href: 'https://example.org/tides' } }] },
  ]
  const content = {
    type: 'doc',
    content: [
      { type: 'paragraph', content: greeting },
      { type: 'paragraph', content: link },
      paragraph('Twice a day.'),
    ],
  }
  publicationId = (await room.draft({ title: 'Low tide', content })).id
  await sendTest()
  await room.addSubscribers(['ines.reads@example.org'], 'Inès')
  await room.send(publicationId)
  await room.work()
  await sendTest()
  mails = await Promise.all(relay.received.map(({ raw }) => PostalMime.parse(raw)))
})

async function sendTest() {
  const sent = await room.owner.call('POST', `${room.path}/publications/${publicationId}/test`, {})
  expect(sent.statusCode, sent.body).toBe(200)
}

afterAll(async () => {
  await room.stop()
  await relay.stop()
})

const header = (mail: Email, name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
const unsubscribePath = (mail: Email) => {
  const { pathname, search } = new URL(/<(http[^>]+)>/.exec(header(mail, 'list-unsubscribe'))?.[1] ?? '')
  return pathname + search
}
const idIn = (mail: Email) => unsubscribePath(mail).split(/[/?]/)[3] ?? ''

/** The text of a message, with what differs between two recipients replaced. */
const alike = (raw: string, mail: Email) =>
  raw
    .replaceAll(/=\r\n/g, '')
    .replaceAll(idIn(mail), 'ID')
    .replaceAll(/\/me\/[\w.-]+/g, '/me/OWN')
    .replaceAll(/=_tirage_\w+/g, 'BOUNDARY')
    .replace(/^To: .*$/m, 'To: SOMEBODY')
    .replace(/^Date: .*$/m, 'Date: NOW')
    .replace(/^Subject: (\[Test\] )?/m, 'Subject: ')
    .replace(/^Message-ID: <([^@]*)\.[0-9a-f]{12}@/m, 'Message-ID: <$1.MARK@')
    .replaceAll(/u-[a-z2-7]{61}@/g, 'LEAVE@')

test('a test is the mail that subscribers get, marked in its subject', () => {
  const [, real, tried] = mails as [Email, Email, Email]
  const [, realRaw, triedRaw] = relay.received.map(({ raw }) => raw) as [string, string, string]
  expect([tried.subject, real.subject]).toEqual(['[Test] Low tide', 'Low tide'])
  expect(tried.headers.map(({ key }) => key)).toEqual(real.headers.map(({ key }) => key))
  for (const name of ['list-id', 'list-unsubscribe-post', 'feedback-id', 'precedence'])
    expect(header(tried, name)).toBe(header(real, name))
  expect(tried.text).toContain('Hello Inès')
  expect(alike(triedRaw, tried)).toBe(alike(realRaw, real))
})

test('two tests have different Message-IDs, so that mail programs show both', () => {
  const [first, , last] = mails as [Email, Email, Email]
  expect(first.messageId).not.toBe(last.messageId)
})

test('the unsubscribe link of a test leads to a kind page and unsubscribes nobody', async () => {
  const [first] = mails as [Email, Email, Email]
  const statuses = () => room.context.db.selectFrom('subscriber').select(['email', 'status']).execute()
  const before = await statuses()
  const url = unsubscribePath(first)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const oneClick = await room.inject({ method: 'POST', url, headers: form, payload: 'List-Unsubscribe=One-Click' })
  expect([oneClick.statusCode, oneClick.body]).toEqual([200, 'OK'])
  const pressed = await room.inject({ method: 'POST', url, headers: form, payload: 'act=leave' })
  expect(pressed.statusCode).toBe(303)
  for (const [language, words] of [
    ['en', 'nobody was unsubscribed'],
    ['fr', 'personne n’a été désabonné'],
  ]) {
    const page = await room.inject({ url, headers: { 'accept-language': language } })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(words)
    expect(page.body).not.toContain('<form')
  }
  expect(await statuses()).toEqual(before)
  expect(before).toEqual([{ email: 'ines.reads@example.org', status: 'active' }])
})

test('clicks in a test are raw only, and its opens count for nothing', async () => {
  const [first] = mails as [Email, Email, Email]
  const short = new URL(/href="(http[^"]*\/r\/[^"]*)"/.exec(first.html ?? '')?.[1]?.replaceAll('&amp;', '&') ?? '')
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const clicked = await room.inject({ url: short.pathname + short.search, headers })
  expect(clicked.headers.location).toBe('https://example.org/tides')
  expect(await room.context.db.selectFrom('click').select(['excluded_by', 'subscriber_id']).execute()).toEqual([
    { excluded_by: 'test', subscriber_id: null },
  ])
  const pixel = new URL(/src="(http[^"]*\/o\/[^"]*)"/.exec(first.html ?? '')?.[1] ?? '')
  expect((await room.inject({ url: pixel.pathname, headers })).statusCode).toBe(200)
})

test('a test says for which reader it is where they read different parts, and holds what that one reads', async () => {
  const { db } = room.context
  const [named, other] = [await addPaidPlan(db, room.newsletterId), await addPaidPlan(db, room.newsletterId, 'Patron')]
  const only = (whom: string | number[], text: string) => ({
    type: 'onlyFor',
    attrs: { for: whom },
    content: [paragraph(text)],
  })
  const content = {
    type: 'doc',
    content: [only([named], 'For supporters.'), only('paid', 'For all who pay.'), only('free', 'For the others.')],
  }
  const { id } = await room.draft({ title: 'Ebb', content })
  const sent = async (reader: unknown) => {
    const answer = await room.owner.call('POST', `${room.path}/publications/${id}/test`, { reader })
    if (answer.statusCode !== 200) return answer.statusCode
    const { subject, text } = await PostalMime.parse(relay.received.at(-1)?.raw ?? '')
    return [subject, ['supporters', 'all who pay', 'the others'].filter((whom) => text?.includes(`For ${whom}.`))]
  }
  expect(await sent('free')).toEqual(['[Test for: a reader who does not pay] Ebb', ['the others']])
  expect(await sent('paid')).toEqual(['[Test for: a reader who pays] Ebb', ['supporters', 'all who pay']])
  expect(await sent(named)).toEqual(['[Test for: Supporter] Ebb', ['supporters', 'all who pay']])
  expect(await sent(other)).toEqual(['[Test for: Patron] Ebb', ['all who pay']])
  expect(await sent(999_999)).toBe(404)
  for (const reader of ['owner', 0, -1, 1.5, [named], { id: named }])
    expect([reader, await sent(reader)]).toEqual([reader, 422])
  const seen = async (reader: unknown) =>
    (await room.owner.call('POST', `${room.path}/publications/${id}/preview`, { reader })).json<{ text: string }>().text
  expect(await seen(other)).not.toContain('For supporters.')
  expect(await seen(named)).toContain('For supporters.')
})
