import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addNewsletter, paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
  await room.addSubscribers(['ada@example.org'])
})
afterAll(() => room.stop())

const doc = (text: string) => ({ type: 'doc', content: [paragraph(text)] })
const at = (id: string, rest = '') => `${room.path}/publications/${id}${rest}`
const patch = (id: string, body: unknown) => room.owner.call('PATCH', at(id), body)

test('of two saves on the same revision one wins, and the other is told with what was saved', async () => {
  const { id, revision } = await room.draft()
  const answers = await Promise.all([
    patch(id, { revision, content: doc('mine') }),
    patch(id, { revision, content: doc('yours') }),
  ])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const won = answers.find(({ statusCode }) => statusCode === 200)?.json()
  const { error } = answers.find(({ statusCode }) => statusCode === 409)?.json() ?? {}
  expect(error.code).toBe('edited_meanwhile')
  expect(error.detail).toEqual(won)
  expect((await room.owner.call('GET', at(id))).json()).toEqual(won)
})

test('whoever is told that another version was saved is told who saved it: a person, an API key, or nobody who is known any more', async () => {
  const { id, revision } = await room.draft()
  const saverOf = async () => (await patch(id, { revision: revision - 1 })).json().error.detail.savedBy
  const author = { kind: 'person', userId: room.owner.userId, name: 'Inès' }
  expect(await saverOf()).toEqual(author)
  const key = (await room.owner.call('POST', `${room.path}/api-keys`, { name: 'Sync', role: 'editor' })).json()
  const saved = await room.withKey(key.secret)('PATCH', at(id), { revision, title: 'Spring tide' })
  expect(saved.json().savedBy).toEqual({ kind: 'key', name: 'Sync' })
  expect(await saverOf()).toEqual({ kind: 'key', name: 'Sync' })
  await room.owner.call('DELETE', `${room.path}/api-keys/${key.id}`)
  expect(await saverOf()).toEqual({ kind: 'key', name: null })
  await sql`update publication_revision set saved_by_key = null where publication_id = ${id}`.execute(room.context.db)
  expect(await saverOf()).toBeNull()
})

test('the line that inboxes show quotes no button that readers do not get', async () => {
  const button = { type: 'button', attrs: { label: 'Read on', href: '', align: 'center' } }
  const { id } = await room.draft({ content: { type: 'doc', content: [button, paragraph('The sea leaves.')] } })
  const preview = (await room.owner.call('POST', at(id, '/preview'), {})).json()
  expect(preview.preheader).toBe('The sea leaves.')
})

test('what fits no schema is refused with its place named, and nothing is saved', async () => {
  const { id, revision } = await room.draft()
  const hostile = { type: 'doc', content: [paragraph('ok'), { type: 'script', content: [] }] }
  const { error } = (await patch(id, { revision, content: hostile })).json()
  expect(error.code).toBe('document_invalid')
  expect(error.message).toContain('block 2')
  expect(Object.keys(error.fields)[0]).toBe('content.content[1]')
  const link = { type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] }
  const bad = { type: 'doc', content: [{ type: 'paragraph', content: [link] }] }
  expect((await patch(id, { revision, content: bad })).statusCode).toBe(422)
  expect((await room.owner.call('GET', at(id))).json().revision).toBe(revision)
})

test('an afternoon of autosaves is few revisions: the first, and the last of each five minutes', async () => {
  let { id, revision } = await room.draft()
  for (let save = 0; save < 6; save += 1) {
    revision = (await patch(id, { revision, content: doc(`version ${save}`) })).json().revision
  }
  const list = (await room.owner.call('GET', at(id, '/revisions'))).json().revisions
  expect(list.length).toBeLessThanOrEqual(3)
  expect(list[0]).toMatchObject({ revision, savedBy: 'Inès' })
  expect(list.at(-1).revision).toBe(1)
  const first = (await room.owner.call('GET', at(id, '/revisions/1'))).json()
  expect(JSON.stringify(first.content)).toContain('Twice a day')
})

test('what stood before an earlier version is brought back stays in the history, however soon', async () => {
  const { id, revision } = await room.draft()
  const written = (await patch(id, { revision, content: doc('an afternoon of work') })).json().revision
  const first = (await room.owner.call('GET', at(id, '/revisions/1'))).json()
  const body = { title: first.title, subtitle: first.subtitle, content: first.content, restored: true }
  const back = (await patch(id, { revision: written, ...body })).json().revision
  await patch(id, { revision: back, content: doc('a word more') })
  const list = (await room.owner.call('GET', at(id, '/revisions'))).json().revisions
  // Where the clock passes the end of the five minutes just then, the version that was brought back stays as well.
  expect(list.map((one: { revision: number }) => one.revision)).toContain(written)
  const kept = (await room.owner.call('GET', at(id, `/revisions/${written}`))).json()
  expect(JSON.stringify(kept.content)).toContain('an afternoon of work')
  // It stays so when the draft is deleted and restored.
  await room.owner.call('DELETE', at(id))
  await room.owner.call('POST', at(id, '/restore'))
  await patch(id, { revision: back + 1, content: doc('and one more') })
  const again = (await room.owner.call('GET', at(id, '/revisions'))).json().revisions
  expect(again.map((one: { revision: number }) => one.revision)).toContain(written)
})

test('listed by status with totals, found by its words', async () => {
  await room.draft({ title: 'Zanzibar', content: doc('spice and sails') })
  const found = (await room.owner.call('GET', `${room.path}/publications?search=SPICE`)).json()
  expect(found.rows.map(({ title }: { title: string }) => title)).toEqual(['Zanzibar'])
  expect(found.totals).toMatchObject({ draft: 1, sent: 0 })
  expect((await room.owner.call('GET', `${room.path}/publications?search=%25`)).json().rows).toEqual([])
  const page = (await room.owner.call('GET', `${room.path}/publications?limit=1`)).json()
  const next = await room.owner.call('GET', `${room.path}/publications?limit=1&cursor=${encodeURIComponent(page.next)}`)
  expect(next.json().rows[0].id).not.toBe(page.rows[0].id)
})

test('scheduled, rescheduled, taken back: the time that stands is the only one that counts', async () => {
  const { id } = await room.draft()
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  expect((await room.send(id, { at: soon })).json()).toMatchObject({ status: 'scheduled', scheduledAt: soon })
  const past = await room.send(id, { at: new Date(Date.now() - 1_000).toISOString() })
  expect(past.json().error.code).toBe('scheduled_in_past')
  expect((await room.owner.call('POST', at(id, '/unschedule'), {})).json()).toMatchObject({ status: 'draft' })
  const { db } = room.context
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(db)
  await room.work()
  expect(await room.state(id)).toMatchObject({ status: 'draft' })
  await room.send(id, { at: soon })
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(db)
  await room.work()
  expect(await room.state(id)).toMatchObject({ status: 'sent' })
})

test('mail that left with the title as its subject keeps it when the page gets another title', async () => {
  const retitled = async (id: string) => {
    const read = async () => (await room.owner.call('GET', at(id))).json()
    const { revision } = await read()
    const edit = { revision, title: 'The tide, corrected' }
    expect((await room.owner.call('PATCH', at(id), edit)).statusCode).toBe(200)
    const { title, subject } = await read()
    const { subject: previewed } = (await room.owner.call('POST', at(id, '/preview'), {})).json()
    return { title, subject, previewed }
  }
  const draft = await room.draft({ title: 'The tide' })
  expect(await retitled(draft.id)).toMatchObject({ subject: '', previewed: 'The tide, corrected' })
  const web = await room.draft({ title: 'The tide' })
  await room.send(web.id, { channel: 'web' })
  const mailed = await room.draft({ title: 'The tide' })
  await room.send(mailed.id)
  await room.work()
  expect(await retitled(web.id)).toMatchObject({ title: 'The tide, corrected', subject: '' })
  expect(await retitled(mailed.id)).toEqual({
    title: 'The tide, corrected',
    subject: 'The tide',
    previewed: 'The tide',
  })
})

test('what cannot be sent says why', async () => {
  const empty = await room.draft({ content: { type: 'doc', content: [{ type: 'paragraph' }] } })
  expect((await room.send(empty.id)).json().error.code).toBe('empty_publication')
  const untitled = await room.draft({ title: '' })
  expect((await room.send(untitled.id)).json().error.code).toBe('no_title')
  const check = (await room.owner.call('GET', at(untitled.id, '/check'))).json()
  expect(check).toMatchObject({ audience: { receive: 1 }, mailIsCaught: true })
  expect(check.problems).toContainEqual({ code: 'no_title', blocks: true, count: null })
})

test('on the web: archive, page, feed; mended by its author at once; a draft is nowhere', async () => {
  const { id } = await room.draft({ title: 'L’Œuvre d’été : la mer', content: doc('À marée <basse> & haute') })
  const draft = await room.draft({ title: 'Not yet' })
  const sent = (await room.send(id, { channel: 'web' })).json()
  expect(sent).toMatchObject({ status: 'sent', channel: 'web' })
  const address = `/n/${room.newsletterId}/l-oeuvre-d-ete-la-mer`
  expect(sent.url).toBe(`http://tirage.test${address}`)
  const page = await room.inject({ url: address })
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('À marée &lt;basse&gt; &amp; haute')
  expect(page.body).toContain(`<link rel="canonical" href="${sent.url}"`)
  expect(page.body).toMatch(/<html lang="en"/)
  expect(page.body).toContain('og:image')
  expect(page.body).not.toMatch(/<script(?! type="application\/ld\+json")/)
  const again = await room.inject({ url: address, headers: { 'if-none-match': String(page.headers.etag) } })
  expect(again.statusCode).toBe(304)

  const archive = await room.inject({ url: `/n/${room.newsletterId}` })
  expect(archive.body).toContain('L’Œuvre d’été')
  expect(archive.body).not.toContain('Not yet')
  // A browser would save what this leads to, or show its source.
  expect(archive.body).not.toMatch(/<a [^>]*feed\.xml/)
  expect(archive.body).toMatch(new RegExp(`<code>http[^<]*/n/${room.newsletterId}/feed\\.xml</code>`))
  const feed = await room.inject({ url: `/n/${room.newsletterId}/feed.xml` })
  expect(feed.headers['content-type']).toContain('application/rss+xml')
  expect(feed.body).toContain(`<link>${sent.url}</link>`)
  expect(feed.body).toContain('À marée &amp;lt;basse&amp;gt;')

  await patch(id, { revision: 1, content: doc('Mended words') })
  expect((await room.inject({ url: address })).body).toContain('Mended words')
  expect((await room.inject({ url: `/n/${room.newsletterId}/feed.xml` })).body).toContain('Mended words')
  const same = await room.draft({ title: 'L’œuvre d’été, la mer' })
  expect((await room.send(same.id, { channel: 'web' })).json().url).toBe(`${sent.url}-2`)
  const taken = await patch(draft.id, { revision: 1, slug: 'l-oeuvre-d-ete-la-mer' })
  expect(taken.json().error.code).toBe('slug_taken')
  expect((await room.owner.call('DELETE', at(id))).json().error.code).toBe('wrong_status')
  expect((await room.owner.call('DELETE', at(draft.id))).statusCode).toBe(200)
})

test('previewed as whole documents that can do nothing, of what is in the editor', async () => {
  const { id } = await room.draft()
  const shown = await room.owner.call('POST', at(id, '/preview'), { title: 'New title', content: doc('Unsaved') })
  const { web, email, text, subject, from } = shown.json()
  for (const html of [web, email]) {
    expect(html).toContain("default-src 'none'")
    expect(html).toContain('Unsaved')
  }
  expect(text).toContain('Unsaved')
  expect([subject, from]).toEqual(['New title', 'Low Water <ines@lowwater.test>'])
})

test('a test goes to members only', async () => {
  const { id } = await room.draft({ title: 'To try' })
  const refused = await room.owner.call('POST', at(id, '/test'), { to: ['stranger@example.org'] })
  expect(refused.json().error).toMatchObject({ code: 'invalid', fields: { 'to.0': expect.any(String) } })
  expect((await room.owner.call('POST', at(id, '/test'), {})).json()).toMatchObject({ to: ['ines@example.org'] })
  const box = (await room.owner.call('GET', `${room.path}/outbox?search=to+try`)).json()
  expect(box.rows).toMatchObject([{ subject: '[Test] To try' }])
})

test('another newsletter’s publication is not there', async () => {
  const { id } = await room.draft()
  const other = await room.signUp({})
  const theirs = await addNewsletter(room.context.db, other.userId, 'Other')
  for (const rest of ['', '/revisions', '/check', '/deliveries']) {
    const answer = await other.call('GET', `/api/newsletters/${theirs}/publications/${id}${rest}`)
    expect([rest, answer.statusCode]).toEqual([rest, 404])
  }
  for (const act of ['send', 'pause', 'resume', 'cancel', 'unschedule', 'duplicate', 'preview', 'test']) {
    const answer = await other.call('POST', `/api/newsletters/${theirs}/publications/${id}/${act}`, {})
    expect([act, answer.statusCode]).toEqual([act, 404])
  }
})

test('what is out is listed by when it went out, whatever was corrected since', async () => {
  const title = 'Order of going out'
  const [first, second] = [await room.draft({ title }), await room.draft({ title })]
  for (const { id } of [first, second]) expect((await room.send(id, { channel: 'web' })).statusCode).toBe(200)
  const { revision } = (await room.owner.call('GET', `${room.path}/publications/${first.id}`)).json()
  await room.owner.call('PATCH', `${room.path}/publications/${first.id}`, { revision, subtitle: 'Corrected' })
  const page = (cursor = '') =>
    room.owner.call('GET', `${room.path}/publications?limit=1&search=order%20of%20going${cursor}`)
  const newest = (await page()).json()
  const next = (await page(`&cursor=${encodeURIComponent(newest.next)}`)).json()
  expect([newest.rows[0].id, next.rows[0].id, next.next]).toEqual([second.id, first.id, null])
})
