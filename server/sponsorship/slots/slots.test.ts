import fc from 'fast-check'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { PublicationDocument } from '../../publications/document/schema.ts'
import { slotsOf } from '../../publications/document/sponsor-slots.ts'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'
import { dayAt } from '../days.ts'

// Sponsor slots from the front door: what a publication carries when it goes out, and what becomes of the bookings.

let server: TestNewsletter
let relay: RecordingRelay
let paidId: string

beforeAll(async () => {
  relay = await startRecordingRelay()
  server = await startTestNewsletter({ SMTP_URL: relay.url })
  const planId = await addPaidPlan(server.context.db, server.newsletterId)
  const [, paid = ''] = await server.addSubscribers(['free@example.org', 'paid@example.org'])
  paidId = paid
  await addPaidSubscription(server.context.db, { newsletterId: server.newsletterId, subscriberId: paid }, { planId })
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})
beforeEach(() => {
  relay.received.length = 0
})

const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', rest: string, body?: object) => {
  const answer = await server.owner.call(method, `${server.path}${rest}`, body)
  return { status: answer.statusCode, ...answer.json() }
}
const today = () => dayAt({ timezone: 'Europe/Paris' }, new Date())
const later = (days: number) => dayAt({ timezone: 'Europe/Paris' }, new Date(Date.now() + days * 86_400_000))
const noonOf = (day: string) => `${day}T11:00:00Z`

async function placement(values: Record<string, unknown> = {}): Promise<number> {
  const words = {
    en: { name: 'Top', disclosure: 'Presented by a sponsor' },
    fr: { name: 'Tête', disclosure: 'Présenté par' },
  }
  const made = await call('POST', '/sponsorship/placements', { words, place: 'top', maxWords: 40, ...values })
  expect(made.status).toBe(200)
  return made.id
}

const creative = (name: string, values: object = {}) => ({
  ...{
    name,
    text: `${name} sells ropes.`,
    label: `See ${name}`,
    target: `https://${name.toLowerCase()}.example/shop`,
    ...values,
  },
})

interface Booked {
  placementId: number
  day?: string
  upTo?: 'accepted' | 'paid' | 'creative_in' | 'approved'
  creative?: object
  email?: string
}

/** A booking that has come so far. */
async function booked(
  name: string,
  { placementId, day = today(), upTo = 'approved', email, ...more }: Booked,
): Promise<string> {
  await call('PUT', '/sponsorship/days', { day, kind: 'added' })
  const values = {
    placementId,
    day,
    sponsor: name,
    language: 'en',
    currency: 'eur',
    amount: 100,
    ...(email && { email }),
  }
  const { id, status } = await call('POST', '/sponsorship/bookings', values)
  expect(status).toBe(200)
  if (upTo === 'accepted') return id
  await call('POST', `/sponsorship/bookings/${id}/money`, { act: 'pay' })
  if (upTo === 'paid') return id
  await call('PUT', `/sponsorship/bookings/${id}/creative`, more.creative ?? creative(name))
  if (upTo === 'creative_in') return id
  expect((await call('POST', `/sponsorship/bookings/${id}/acts`, { act: 'approve' })).state).toBe('approved')
  return id
}

const slot = (placementId: number, hideFromPaid = false) => ({
  type: 'sponsorSlot',
  attrs: { placementId, hideFromPaid },
})
const doc = (...content: object[]) => ({
  type: 'doc',
  content: [paragraph('Twice a day.'), ...content, paragraph('It ends.')],
})
const draft = (title: string, ...content: object[]) => server.draft({ title, content: doc(...content) })
const send = async (id: string, body: object = {}) => (await server.send(id, { ...body })).json()
const booking = (id: string) => call('GET', `/sponsorship/bookings/${id}`)
const mailTo = async (to: string, subject: string) => {
  const found = relay.received.filter((mail) => mail.to === to && mail.raw.includes(`Subject: ${subject}`))
  expect(found).toHaveLength(1)
  const { html = '', text = '' } = await PostalMime.parse(found[0]?.raw ?? '')
  return { html, text }
}
const row = (id: string) =>
  server.context.db
    .selectFrom('booking')
    .select(['state', 'publication_id', 'short_link_id', 'ran_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('a slot carries the approved sponsor in mail, web, plain text and feed, and the booking has run there', async () => {
  const placementId = await placement()
  const bookingId = await booked('Brindle', { placementId, email: 'rosa@brindle.example' })
  const link = { type: 'link', attrs: { href: 'https://brindle.example/shop' } }
  const same = { type: 'paragraph', content: [{ type: 'text', text: 'the same place', marks: [link] }] }
  const { id } = await draft('Ebb one', slot(placementId), same)
  const { url } = await send(id)
  await server.work()
  const ran = await row(bookingId)
  expect(ran).toMatchObject({
    state: 'ran',
    publication_id: id,
    short_link_id: expect.any(String),
    ran_at: expect.any(Date),
  })
  const { html, text } = await mailTo('free@example.org', 'Ebb one')
  const own = `/r/${ran.short_link_id}`
  expect(html).toContain('Presented by a sponsor')
  expect(html).toContain('Brindle sells ropes.')
  expect(html.split(own).length - 1).toBe(1)
  expect(text).toContain('[Presented by a sponsor]')
  expect(text).toContain(own)
  const page = (await server.stranger('GET', new URL(url).pathname)).body
  expect(page).toMatch(/<a href="https:\/\/brindle\.example\/shop" rel="sponsored noopener">See Brindle<\/a>/)
  const feed = (await server.stranger('GET', `/n/${server.newsletterId}/feed.xml`)).body
  expect(feed).toContain('Presented by a sponsor')
  const followed = await server.stranger('GET', own)
  expect([followed.statusCode, followed.headers.location]).toEqual([302, 'https://brindle.example/shop'])
  const links = await server.context.db
    .selectFrom('short_link')
    .select('id')
    .where('publication_id', '=', id)
    .where('target', '=', 'https://brindle.example/shop')
    .execute()
  expect(links).toHaveLength(2)
  const told = relay.received.filter(({ to }) => to === 'rosa@brindle.example')
  expect(told.some(({ raw }) => /ran/i.test(raw))).toBe(true)
})

test('every seat is filled in its order, and a sponsor’s words are only words', async () => {
  const placementId = await placement({ seats: 2 })
  await booked('One', { placementId })
  await booked('Two', { placementId, creative: creative('Two', { text: '<script>alert(1)</script>\n& "more"' }) })
  const { id } = await draft('Seats', slot(placementId))
  const { url } = await send(id)
  const page = (await server.stranger('GET', new URL(url).pathname)).body
  expect(page.split('class="sponsor"').length - 1).toBe(2)
  expect(page.indexOf('One sells')).toBeLessThan(page.indexOf('See Two'))
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).not.toContain('<script>alert(1)')
})

test('of two publications of a day that are sent at the same moment one has the sponsor', async () => {
  const placementId = await placement()
  const bookingId = await booked('Kelp', { placementId })
  const drafts = await Promise.all(['A', 'B', 'C', 'D'].map((name) => draft(`Race ${name}`, slot(placementId))))
  const sent = await Promise.all(drafts.map(({ id }) => send(id)))
  const pages = await Promise.all(sent.map(({ url }) => server.stranger('GET', new URL(url).pathname)))
  const carrying = pages.flatMap(({ body }, index) => (body.includes('Kelp sells') ? [drafts[index]?.id] : []))
  expect(carrying).toEqual([(await row(bookingId)).publication_id])
  const steps = (await booking(bookingId)).steps.filter(({ act }: { act: string }) => act === 'run')
  expect(steps).toHaveLength(1)
})

test('a sending that dies half-way leaves the booking as it was', async () => {
  const placementId = await placement()
  const bookingId = await booked('Reef', { placementId })
  const { id } = await draft('Broken', slot(placementId))
  const { db, pool } = server.context
  const holder = await pool.connect()
  try {
    // Numbering the publication waits for this lock, after its slots were filled.
    await holder.query('begin')
    await holder.query('select from newsletter where id = $1 for no key update', [server.newsletterId])
    const sending = server.send(id)
    const waiting = await vi.waitFor(
      async () => {
        const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%last_number%'
          and datname = current_database()`.execute(db)
        expect(rows).toHaveLength(1)
        return rows[0]?.pid
      },
      { timeout: 20_000 },
    )
    await sql`select pg_terminate_backend(${waiting})`.execute(db)
    expect((await sending).statusCode).toBeGreaterThanOrEqual(500)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect(await row(bookingId)).toMatchObject({ state: 'approved', publication_id: null, short_link_id: null })
  const links = await db.selectFrom('short_link').select('id').where('publication_id', '=', id).execute()
  expect(links).toEqual([])
  const { url } = await send(id)
  expect((await server.stranger('GET', new URL(url).pathname)).body).toContain('Reef sells')
  expect((await row(bookingId)).state).toBe('ran')
})

test('it is scheduled while a publication with its slot is, and approved again when that is not', async () => {
  const placementId = await placement()
  const day = later(3)
  const bookingId = await booked('Brindle', { placementId, day })
  const { id, revision } = await draft('To come', slot(placementId))
  expect((await booking(bookingId)).state).toBe('approved')
  await send(id, { at: noonOf(later(4)) })
  expect((await booking(bookingId)).state).toBe('approved')
  await send(id, { at: noonOf(day) })
  expect(await booking(bookingId)).toMatchObject({ state: 'scheduled', publication: { id, title: 'To come' } })
  const calendar = await call('GET', `/sponsorship/calendar?from=${day}&to=${day}`)
  expect(calendar.bookings.find((one: { id: string }) => one.id === bookingId).state).toBe('scheduled')
  const { url } = await call('POST', `/sponsorship/bookings/${bookingId}/link`, {})
  const own = async () => (await server.stranger('GET', new URL(url).pathname)).body
  expect(await own()).toContain('is scheduled')
  const without = await call('PATCH', `/publications/${id}`, { revision, content: doc() })
  expect((await booking(bookingId)).state).toBe('approved')
  await call('PATCH', `/publications/${id}`, { revision: without.revision, content: doc(slot(placementId)) })
  expect((await booking(bookingId)).state).toBe('scheduled')
  await call('POST', `/publications/${id}/unschedule`)
  expect(await booking(bookingId)).toMatchObject({ state: 'approved', publication: null })
  expect(await own()).not.toContain('is scheduled')
})

test('a publication that was scheduled takes the sponsors of its day when it starts', async () => {
  const placementId = await placement()
  const day = later(1)
  const bookingId = await booked('Morrow', { placementId, day })
  const { id } = await draft('Tomorrow', slot(placementId))
  await send(id, { at: noonOf(day) })
  await server.context.db
    .updateTable('publication')
    .set({ scheduled_at: noonOf(day) })
    .where('id', '=', id)
    .execute()
  await sql`update graphile_worker._private_jobs set run_at = now() where key = ${`start:${id}`}`.execute(
    server.context.db,
  )
  await server.work()
  expect(await row(bookingId)).toMatchObject({ state: 'ran', publication_id: id })
})

test('who pays gets it in no mail, page or answer when it is hidden from them; feeds, which know no reader, have it with its label', async () => {
  const placementId = await placement()
  await booked('Zqbrindle', { placementId })
  const { id } = await draft('Hidden', slot(placementId, true))
  const { url } = await send(id)
  await server.work()
  const paid = await mailTo('paid@example.org', 'Hidden')
  expect(JSON.stringify(paid)).not.toMatch(/zqbrindle|Presented by a sponsor/i)
  const free = await mailTo('free@example.org', 'Hidden')
  expect(free.html).toContain('Zqbrindle sells')
  // The mail leads to the page by a link that says whose it is; with it the page is that of who pays.
  const read = /href="(http[^"]*\/read\/[^"]+)"/.exec(paid.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(read).not.toBe('')
  const opened = await server.stranger('GET', new URL(read).pathname + new URL(read).search)
  const pressed = await server.app.inject({ method: 'POST', url: new URL(read).pathname + new URL(read).search })
  const cookie = [pressed.headers['set-cookie'] ?? opened.headers['set-cookie']]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ')
  const page = await server.app.inject({ method: 'GET', url: new URL(url).pathname, headers: { cookie } })
  expect([page.statusCode, page.body.includes('It ends.')]).toEqual([200, true])
  expect(page.body).not.toMatch(/zqbrindle/i)
  expect((await server.stranger('GET', new URL(url).pathname)).body).toContain('Zqbrindle sells')
  const shownTo = (reader: 'paid' | 'free') => call('POST', `/publications/${id}/preview`, { reader })
  const [answerOfPaid, answerOfFree] = [await shownTo('paid'), await shownTo('free')]
  for (const part of ['web', 'email', 'text']) {
    expect([part, answerOfPaid[part].includes('It ends.')]).toEqual([part, true])
    expect([part, answerOfPaid[part]]).toEqual([part, expect.not.stringMatching(/zqbrindle|Presented by a sponsor/i)])
    expect([part, answerOfFree[part].includes('Zqbrindle sells')]).toEqual([part, true])
  }
  // A feed is one file for all, whoever asks for it.
  for (const name of ['feed.xml', 'feed.json']) {
    const asked = { method: 'GET', url: `/n/${server.newsletterId}/${name}` } as const
    const [own, common] = [await server.app.inject({ ...asked, headers: { cookie } }), await server.app.inject(asked)]
    expect([name, own.statusCode, own.body === common.body]).toEqual([name, 200, true])
    const item =
      name === 'feed.json' ? JSON.stringify(common.json().items[0]) : /<item>.*?<\/item>/s.exec(common.body)?.[0]
    expect(item).toContain('Hidden')
    expect(item).toMatch(/Presented by a sponsor.*Zqbrindle sells ropes\..*https:\/\/zqbrindle\.example\/shop/s)
    // The address is the sponsor’s own, marked as paid for, and no link that counts readers.
    expect(item).toMatch(/rel=\\?(?:"|&quot;)sponsored/)
    expect(item).not.toContain('/r/')
  }
})

test('nobody puts words into a slot but the server', async () => {
  const placementId = await placement()
  const forged = [
    {
      kind: 'booking',
      id: 'x',
      linkId: null,
      disclosure: '',
      name: 'Forged',
      text: 'Forged',
      label: 'x',
      target: 'javascript:alert(1)',
      image: null,
    },
  ]
  const block = { type: 'sponsorSlot', attrs: { placementId, hideFromPaid: false, filled: forged } }
  const made = await server.draft({ title: 'Forged', content: doc(block) })
  const stored = async () => JSON.stringify((await call('GET', `/publications/${made.id}`)).content)
  expect(await stored()).not.toContain('javascript')
  await call('PATCH', `/publications/${made.id}`, { revision: made.revision, content: doc(block) })
  expect(await stored()).not.toContain('javascript')
  const shown = await call('POST', `/publications/${made.id}/preview`, { content: doc(block), reader: 'free' })
  expect(JSON.stringify(shown)).not.toContain('Forged sells')
  expect(shown.web).not.toContain('javascript')
  await booked('Truth', { placementId })
  const { url } = await send(made.id, { channel: 'everywhere' })
  await server.work()
  const { revision, content } = await call('GET', `/publications/${made.id}`)
  const [own] = content.content.filter(({ type }: { type: string }) => type === 'sponsorSlot')
  expect(own.attrs.filled).toMatchObject([{ name: 'Truth' }])
  // A correction of what went out leaves the sponsor as it was, whatever it says.
  const corrected = await call('PATCH', `/publications/${made.id}`, {
    revision,
    content: doc(block, paragraph('More.')),
  })
  expect(corrected.revision).toBe(revision + 1)
  expect(await stored()).toContain('Truth sells')
  expect((await server.stranger('GET', new URL(url).pathname)).body).toContain('Truth sells')
  const { revisions } = await call('GET', `/publications/${made.id}/revisions`)
  expect(revisions.map((one: { revision: number }) => one.revision)).toContain(revision)
  const copy = await call('POST', `/publications/${made.id}/duplicate`)
  expect(JSON.stringify(copy.content)).not.toContain('Truth')
  expect(JSON.stringify(copy.content)).toContain('"filled":null')
})

test('without a booking a house campaign stands there, those in turn, and without one the block is left out', async () => {
  const placementId = await placement()
  const other = await placement()
  const bookingId = await booked('Late', { placementId, upTo: 'creative_in' })
  const nothing = await draft('Nothing', slot(placementId))
  const empty = (await server.stranger('GET', new URL((await send(nothing.id)).url).pathname)).body
  expect(empty).not.toContain('class="sponsor"')
  const words = (name: string) => ({ en: { name, text: `${name} of our own.`, label: 'Look' } })
  const house = async (name: string) =>
    (await call('POST', '/sponsorship/house-campaigns', { name, words: words(name), target: 'https://own.example/' }))
      .id
  const [first, second] = [await house('Cups'), await house('Shirts')]
  const french = { fr: { name: 'Tasses', text: 'Rien ici.', label: 'Voir' } }
  await call('POST', '/sponsorship/house-campaigns', { name: 'French', words: french, target: 'https://own.example/' })
  const carried = async (...slots: object[]) => {
    const { id } = await draft('House', ...slots)
    const { url } = await send(id)
    const { body } = await server.stranger('GET', new URL(url).pathname)
    return [...body.matchAll(/(\w+) of our own/g)].map(([, name]) => name)
  }
  expect(await carried(slot(placementId))).toEqual(['Cups'])
  expect(await carried(slot(placementId))).toEqual(['Shirts'])
  // No campaign twice in a publication.
  expect(await carried(slot(placementId), slot(other))).toEqual(['Cups', 'Shirts'])
  const { id: written } = await draft('Written', slot(placementId))
  await call('PATCH', `/sponsorship/house-campaigns/${second}`, { on: false })
  const shownIn = async (publicationId: string) => {
    const { slots } = await call('GET', `/publications/${publicationId}/slots`)
    const names = ({ sponsors }: { sponsors: { name: string }[] }) => sponsors.map(({ name }) => name)
    return [placementId, other].map((one) =>
      names(slots.find((found: { placementId: number }) => found.placementId === one)),
    )
  }
  // A placement without a slot is told as if it alone were added: where it is the first, it has the campaign.
  expect(await shownIn(written)).toEqual([['Cups'], []])
  const { id: bare } = await draft('Bare')
  expect(await shownIn(bare)).toEqual([['Cups'], ['Cups']])
  await call('PATCH', `/sponsorship/house-campaigns/${second}`, { on: true })
  await call('PATCH', `/sponsorship/house-campaigns/${first}`, { on: false })
  expect(await carried(slot(placementId), slot(other))).toEqual(['Shirts'])
  await call('PATCH', `/sponsorship/house-campaigns/${second}`, { endsAt: '2020-01-01T00:00:00Z' })
  expect(await carried(slot(placementId))).toEqual([])
  const { campaigns } = await call('GET', '/sponsorship/house-campaigns')
  expect(campaigns.find(({ id }: { id: string }) => id === second)).toMatchObject({ shown: 3, on: true })
  expect((await booking(bookingId)).state).toBe('creative_in')
})

test('what goes to the web only, or to nobody who sees it, runs no booking', async () => {
  const placementId = await placement()
  const bookingId = await booked('Webby', { placementId })
  const web = await draft('Web only', slot(placementId))
  await send(web.id, { channel: 'web' })
  expect((await booking(bookingId)).state).toBe('approved')
  const toPaid = await draft('For who pays', slot(placementId, true))
  await send(toPaid.id, { audience: { kind: 'plan', plan: 'paid' } })
  expect((await booking(bookingId)).state).toBe('approved')
  // Below a paywall only those read who pay, and from them it is hidden.
  const below = await draft('Below', { type: 'paywall' }, slot(placementId, true))
  await send(below.id)
  expect((await booking(bookingId)).state).toBe('approved')
})

test('tests, previews and slots show what would stand there and run nothing', async () => {
  const placementId = await placement()
  const bookingId = await booked('Dry', { placementId })
  await booked('Wet', { placementId: await placement(), upTo: 'paid' })
  const { id } = await draft('A look', slot(placementId))
  const shown = await call('POST', `/publications/${id}/preview`, { reader: 'free' })
  for (const part of ['web', 'email', 'text']) expect(shown[part]).toContain('Dry sells')
  const later = await call('POST', `/publications/${id}/preview`, { reader: 'free', at: '2031-03-04T12:00:00Z' })
  for (const part of ['web', 'email', 'text']) {
    expect(later[part]).not.toContain('Dry sells')
    expect(later[part]).toContain('4\u00a0March 2031')
  }
  expect((await server.owner.call('POST', `${server.path}/publications/${id}/test`, {})).statusCode).toBe(200)
  expect((await mailTo('ines@example.org', '[Test] A look')).html).toContain('https://dry.example/shop')
  const slots = await call('GET', `/publications/${id}/slots`)
  const found = (name: string) =>
    slots.slots.find((one: { sponsors: object[]; waiting: object[] }) => JSON.stringify(one).includes(name))
  expect(slots.day).toBe(today())
  expect(found('Dry')).toMatchObject({
    placementId,
    inPublication: true,
    waiting: [],
    sponsors: [{ kind: 'booking', name: 'Dry' }],
  })
  expect(found('Wet')).toMatchObject({ inPublication: false, waiting: [{ sponsor: 'Wet', state: 'paid' }] })
  expect((await row(bookingId)).state).toBe('approved')
  for (const content of [
    null,
    'x',
    [null, 1, { type: 'sponsorSlot', attrs: { placementId: 1e30 } }],
    [{ type: 'sponsorSlot' }],
  ]) {
    const wrong = await call('POST', `/publications/${id}/preview`, { content: { type: 'doc', content } })
    expect([JSON.stringify(content), wrong.status]).toEqual([JSON.stringify(content), 422])
  }
})

test('a booking whose day went by without it is due', async () => {
  const placementId = await placement()
  const missed = await booked('Missed', { placementId })
  await sql`update booking set day = ${later(-2)}::date where id = ${missed}`.execute(server.context.db)
  const { rows } = await call('GET', '/sponsorship/bookings?which=due&limit=200')
  expect(rows.map(({ id }: { id: string }) => id)).toContain(missed)
  const { url } = await call('POST', `/sponsorship/bookings/${missed}/link`, {})
  expect((await server.stranger('GET', new URL(url).pathname)).body).toContain('did not run')
  await call('POST', `/sponsorship/bookings/${missed}/money`, { act: 'refund' })
  const after = await call('GET', '/sponsorship/bookings?which=due&limit=200')
  expect(after.rows.map(({ id }: { id: string }) => id)).not.toContain(missed)
})

test('a booking is due whose publication was cancelled before anybody got it', async () => {
  const bookingId = await booked('Unseen', { placementId: await placement() })
  const { placementId } = await booking(bookingId)
  const { id } = await draft('Cancelled', slot(placementId))
  await send(id)
  await call('POST', `/publications/${id}/cancel`)
  expect((await server.state(id)).status).toBe('cancelled')
  const { rows } = await call('GET', '/sponsorship/bookings?which=due&limit=200')
  expect(rows.find((one: { id: string }) => one.id === bookingId)).toMatchObject({ state: 'ran' })
  await server.work()
})

test('where clicks are not counted the link is the sponsor’s own', async () => {
  const set = (click_privacy: 'off' | 'person') =>
    server.context.db.updateTable('newsletter').set({ click_privacy }).where('id', '=', server.newsletterId).execute()
  const placementId = await placement()
  const bookingId = await booked('Quiet', { placementId })
  const { id } = await draft('Uncounted', slot(placementId))
  await set('off')
  await send(id)
  await server.work()
  await set('person')
  expect(await row(bookingId)).toMatchObject({ state: 'ran', short_link_id: null })
  expect((await mailTo('free@example.org', 'Uncounted')).html).toContain('href="https://quiet.example/shop"')
  expect(paidId).not.toBe('')
})

test('the database knows the slots of a document as the program does', async () => {
  const block = fc.oneof(
    fc
      .record({ placementId: fc.integer({ min: 1, max: 9 }), hideFromPaid: fc.boolean() })
      .map((attrs) => ({ type: 'sponsorSlot', attrs })),
    fc.constant({ type: 'paywall' }),
    fc.constant(paragraph('Words.')),
  )
  const nameOf = (node: object) =>
    'attrs' in node ? JSON.stringify(Object(node.attrs).placementId) : JSON.stringify(node)
  const isWords = (node: object) => JSON.stringify(node) === JSON.stringify(paragraph('Words.'))
  const documents = fc.sample(fc.array(block, { maxLength: 8 }), { numRuns: 25, seed: 11 })
  for (const blocks of documents) {
    const once = blocks.filter(
      (node, index) => isWords(node) || blocks.findIndex((one) => nameOf(one) === nameOf(node)) === index,
    )
    const { id, content } = (await server.draft({ content: doc(...once) })) as {
      id: string
      content?: PublicationDocument
    }
    const { sponsor_slots } = await server.context.db
      .selectFrom('publication')
      .select('sponsor_slots')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(sponsor_slots).toEqual(slotsOf(content ?? { type: 'doc' }))
  }
})

test.each([
  ['two slots of one placement', (id: number) => [slot(id), slot(id)]],
  ['a slot that names no placement', () => [{ type: 'sponsorSlot' }]],
  ['a slot inside another block', (id: number) => [{ type: 'callout', content: [slot(id)] }]],
  ['an id that is none', () => [slot(0.5)]],
])('it refuses %s', async (_what, blocks) => {
  const answer = await server.owner.call('POST', `${server.path}/publications`, {
    content: doc(...blocks(await placement())),
  })
  expect([answer.statusCode, answer.json().error.code]).toEqual([422, 'document_invalid'])
})

test('a publication without a day is told which coming days are sold, and a booking where it could run', async () => {
  const placementId = await placement({ seats: 2 })
  const [soon, after] = [later(9), later(16)]
  const bookingId = await booked('Bollard', { placementId, day: soon, upTo: 'paid' })
  await booked('Cleat', { placementId, day: soon })
  await booked('Fender', { placementId, day: after })
  await booked('Asked', { placementId, day: later(23), upTo: 'accepted' })
  const { id } = await draft('Without a day', slot(placementId))
  const slotOf = async (publicationId: string, query = '') => {
    const { isDayOpen, slots } = await call('GET', `/publications/${publicationId}/slots${query}`)
    const { coming } = slots.find((one: { placementId: number }) => one.placementId === placementId)
    return { isDayOpen, coming }
  }
  const first = { day: soon, sponsors: ['Bollard', 'Cleat'] }
  const second = { day: after, sponsors: ['Fender'] }
  expect(await slotOf(id)).toEqual({ isDayOpen: true, coming: [first, second] })
  expect(await slotOf(id, `?at=${noonOf(soon)}`)).toEqual({ isDayOpen: false, coming: [second] })
  // Whoever chooses a later day reads whom that leaves without a publication.
  expect(await slotOf(id, `?at=${noonOf(later(12))}`)).toEqual({ isDayOpen: false, coming: [first, second] })

  // The day is kept with the draft: whoever opens it sees what is sold for it.
  const dayPath = `${server.path}/publications/${id}/day`
  expect((await server.owner.call('PUT', dayPath, { day: soon })).statusCode).toBe(200)
  expect(await call('GET', `/publications/${id}`)).toMatchObject({ plannedDay: soon })
  expect(await slotOf(id)).toEqual({ isDayOpen: false, coming: [second] })
  const shown = await call('POST', `/publications/${id}/preview`, {})
  expect(shown.text).toContain('Cleat sells ropes.')
  expect((await server.owner.call('PUT', dayPath, { day: later(-2) })).statusCode).toBe(200)
  expect(await slotOf(id)).toEqual({ isDayOpen: true, coming: [first, second] })
  expect((await server.owner.call('PUT', dayPath, { day: '2090-02-30' })).statusCode).toBe(422)
  const unknown = `${server.path}/publications/nothingone/day`
  expect((await server.owner.call('PUT', unknown, { day: soon })).statusCode).toBe(404)
  expect((await server.owner.call('PUT', dayPath, { day: null })).statusCode).toBe(200)

  const { id: bare } = await draft('Of that day')
  await send(bare, { at: noonOf(soon) })
  expect((await booking(bookingId)).couldRunIn).toEqual([
    { id: bare, title: 'Of that day', isOfDay: true },
    { id, title: 'Without a day', isOfDay: false },
  ])
  await send(id, { at: noonOf(soon) })
  expect((await server.owner.call('PUT', dayPath, { day: null })).statusCode).toBe(409)
  expect((await slotOf(id, `?at=${noonOf(later(12))}`)).coming).toEqual([first, second])
  const { id: other } = await draft('Another', slot(placementId))
  expect((await slotOf(other)).coming).toEqual([second])
  expect((await booking(bookingId)).couldRunIn).toBe(null)
})

test('what was sold before its placement was closed is not forgotten by a publication without its slot', async () => {
  const placementId = await placement()
  await booked('Capstan', { placementId })
  expect((await call('PATCH', `/sponsorship/placements/${placementId}`, { closed: true })).status).toBe(200)
  const { id } = await draft('No slot')
  const { slots } = await call('GET', `/publications/${id}/slots`)
  const found = slots.find((one: { placementId: number }) => one.placementId === placementId)
  expect(found).toMatchObject({ inPublication: false, sponsors: [{ kind: 'booking', name: 'Capstan' }] })
})
