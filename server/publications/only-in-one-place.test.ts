import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

// A publication with a part that is only on the web and one that is only in the mail.

const WEB = 'zqonline'
const MAIL = 'zqletter'
const BOTH = 'zqeverywhere'

const part = (mark: string) => [
  paragraph(`${mark} text`),
  {
    type: 'paragraph',
    content: [
      { type: 'text', text: 'a page', marks: [{ type: 'link', attrs: { href: `https://${mark}.example/` } }] },
      { type: 'mergeTag', attrs: { field: 'email', fallback: '' } },
      { type: 'footnote', attrs: { note: [{ type: 'text', text: `${mark} note` }] } },
    ],
  },
]
const only = (place: string, content: object[]) => ({ type: 'onlyFor', attrs: { for: place }, content })

let server: TestNewsletter
let relay: RecordingRelay
let id: string
let slug: string

beforeAll(async () => {
  relay = await startRecordingRelay()
  server = await startTestNewsletter({ SMTP_URL: relay.url })
  await server.addSubscribers(['one@example.org'])
  const content = { type: 'doc', content: [paragraph(BOTH), only('web', part(WEB)), only('email', part(MAIL))] }
  id = (await server.draft({ title: 'Low tide', subtitle: 'Twice a day', content })).id
  const sent = await server.send(id)
  expect(sent.statusCode, sent.body).toBe(200)
  await server.work()
  slug = sent.json().url.split('/').at(-1)
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

const expectPlace = (text: string, here: string, elsewhere: string) => {
  for (const words of [BOTH, `${here} text`, `${here} note`, `${here}.example`]) expect(text).toContain(words)
  expect(text).not.toContain(elsewhere)
}

test('the page and both feeds have what is for the web, and nothing that is for the mail', async () => {
  for (const path of [slug, 'feed.xml', 'feed.json'])
    expectPlace((await server.stranger('GET', `/n/${server.newsletterId}/${path}`)).body, WEB, MAIL)
})

test('the archive is searched for what is on the web; members find both', async () => {
  const found = async (words: string) =>
    (await server.stranger('GET', `/n/${server.newsletterId}?q=${words}`)).body.includes(`/${slug}"`)
  expect([await found(WEB), await found(MAIL)]).toEqual([true, false])
  for (const words of [WEB, MAIL]) {
    const list = await server.owner.call('GET', `${server.path}/publications?search=${words}`)
    expect(list.json().rows).toHaveLength(1)
  }
})

test('a search of the archive says what was found, how much, and leads back to all letters', async () => {
  const page = async (query: string) => (await server.stranger('GET', `/n/${server.newsletterId}?${query}`)).body
  expect(await page(`q=${WEB}`)).toContain(`1 letter speaks of “${WEB}”`)
  expect(await page(`q=${WEB}`)).toContain(`href="/n/${server.newsletterId}">All letters</a>`)
  expect(await page(`q=${WEB}&lang=fr`)).toContain(`1 lettre parle de «\u00a0${WEB}\u00a0»`)
  const none = await page(`q=${MAIL}`)
  expect(none).toContain('All letters')
  expect(none).not.toMatch(/letters? speaks? of “/)
})

test('the mail has the other part, as HTML and as text, and a short link for each of its own links alone', async () => {
  const { html = '', text = '' } = await PostalMime.parse(relay.received[0]?.raw ?? '')
  for (const body of [html, text]) {
    expect(body).toContain(`${MAIL} text`)
    expect(body).toContain(`${MAIL} note`)
    expect(body).toContain('one@example.org')
    expect(body).not.toContain(WEB)
  }
  const targets = await server.context.db.selectFrom('short_link').select('target').execute()
  expect(targets.map(({ target }) => target)).toEqual([`https://${MAIL}.example/`, expect.stringContaining('?canary')])
})

test('previews show each part where it will be', async () => {
  const preview = (await server.owner.call('POST', `${server.path}/publications/${id}/preview`, {})).json()
  expect(preview.isGated).toBe(false)
  expectPlace(preview.web, WEB, MAIL)
  expectPlace(preview.email, MAIL, WEB)
  expectPlace(preview.text, MAIL, WEB)
})

const problemsOf = async (content: object[], query = '') => {
  const draft = await server.draft({ title: 'Draft', content: { type: 'doc', content } })
  const checked = await server.owner.call('GET', `${server.path}/publications/${draft.id}/check${query}`)
  expect(checked.statusCode, checked.body).toBe(200)
  return checked.json().problems.map(({ code }: { code: string }) => code)
}

test('pre-flight looks at the mail alone for empty names and for whether there is anything to read', async () => {
  expect(await problemsOf([only('web', part(WEB))])).toContain('empty_publication')
  expect(await problemsOf([only('email', part(MAIL))])).not.toContain('empty_publication')
  const greeting = { type: 'paragraph', content: [{ type: 'mergeTag', attrs: { field: 'name', fallback: '' } }] }
  expect(await problemsOf([paragraph(BOTH), only('web', [greeting])])).not.toContain('empty_merge_fields')
  const toMail = [paragraph(BOTH), only('email', [greeting])]
  expect(await problemsOf(toMail)).toContain('empty_merge_fields')
  expect(await problemsOf(toMail, '?channel=web')).not.toContain('empty_merge_fields')
})

test('pre-flight of what goes to the web alone looks at the page, and that of a mail warns of an empty page', async () => {
  expect(await problemsOf([only('web', part(WEB))], '?channel=web')).toEqual(['bare_on_web'])
  expect(await problemsOf([only('email', part(MAIL))], '?channel=web')).toContain('empty_publication')
  expect(await problemsOf([only('email', part(MAIL))])).toContain('nothing_on_web')
  expect(await problemsOf([paragraph(BOTH), only('email', part(MAIL))])).not.toContain('nothing_on_web')
  expect(await problemsOf([{ type: 'paragraph' }])).not.toContain('nothing_on_web')
})

test('a test of what is only on the web would be an empty mail, and is refused', async () => {
  const test = async (place: string) => {
    const draft = await server.draft({ title: 'Draft', content: { type: 'doc', content: [only(place, part(place))] } })
    return (await server.owner.call('POST', `${server.path}/publications/${draft.id}/test`, {})).json().error?.code
  }
  expect([await test('web'), await test('email')]).toEqual(['empty_publication', undefined])
})
