import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HONEYPOT } from '../../subscribers/honeypot.tsx'
import { type Session, startTestApp, type TestApp } from '../../testing/app.ts'
import { rounded } from './figures.ts'

let server: TestApp
let owner: Session
let id: string
let placementId: number
let now = new Date('2026-11-23T09:00:00Z')
beforeAll(async () => {
  server = await startTestApp({ now: () => now, env: { SUBSCRIBE_LIMIT: '500', SUBSCRIBE_PRESSURE: '500' } })
  owner = await server.signUp({ email: 'ines@example.org' })
  await server.context.db.updateTable('user').set({ email_verified: true }).where('id', '=', owner.userId).execute()
  id = await server.createNewsletter(owner)
  const words = { en: { name: 'Middle', disclosure: 'A word from our sponsor' } }
  const values = { words, place: 'middle', maxWords: 10, leadDays: 5, prices: { eur: 41_000, usd: 45_000 } }
  placementId = (await call('POST', '/placements', values)).id
  await call('PATCH', '/settings', { weekdays: [6], page: 'open' })
})
afterAll(() => server?.stop())

const call = async (method: 'GET' | 'POST' | 'PATCH', rest: string, body?: unknown) =>
  (await owner.call(method, `/api/newsletters/${id}/sponsorship${rest}`, body)).json()
const form = (url: string, fields: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://tirage.test' },
  })
let people = 0
const request = (values: Record<string, string> = {}) => ({
  ...{ slot: `${placementId}:2026-12-05`, currency: 'eur', sponsor: 'Halyard Books', message: 'We print an almanac.' },
  ...{ email: `sponsor${++people}@example.org`, ...values },
})
const pathIn = (text: string, path: string) =>
  new RegExp(`http://tirage.test(/${path}/[\\w.~=-]+)`).exec(text)?.[1] ?? ''
/** Asks for a slot and confirms the request; the address of the sponsor's own page. */
async function confirmed(values: Record<string, string> = {}) {
  const fields = request(values)
  await form(`/sponsor/${id}?lang=en`, fields)
  const [mail] = await server.queuedMail(fields.email)
  const link = pathIn(mail?.text ?? '', 'sponsor/confirm')
  const answer = await form(link, {})
  const bookings = await server.context.db.selectFrom('booking').select(['id', 'email', 'newsletter_id']).execute()
  const booking = bookings.findLast(({ email }) => email === fields.email)
  return {
    link,
    answer,
    booking: { id: booking?.id ?? '' },
    own: String(answer.headers.location ?? '').split('?')[0] ?? '',
    email: fields.email,
  }
}
const act = (bookingId: string, done: string, words = '') =>
  call('POST', `/bookings/${bookingId}/acts`, { act: done, words })
/** What is said to be too long. */
const countsIn = (html: string) =>
  [...html.matchAll(/class="field-count field-count-over"[^>]*>([^<]*)</g)].map(([, said]) => said)
const creative = {
  act: 'creative',
  name: 'Halyard',
  text: 'An almanac for a pocket.',
  label: 'Order',
  target: 'https://h.example/',
}

test('the page shows prices, free days and rounded figures, and is closed when its owner says so', async () => {
  const shown = await server.inject(`/sponsor/${id}?lang=en`)
  expect(shown.statusCode).toBe(200)
  expect(shown.body).toContain('€410')
  expect(shown.body).toContain('fewer than 100')
  expect(shown.body).toContain('noindex')
  // What a sponsor says would be late for the next one.
  expect([shown.body.includes(':2026-11-28'), shown.body.includes(':2026-12-05')]).toEqual([true, true])
  const dollars = await server.inject({ url: `/sponsor/${id}?currency=usd`, headers: { 'accept-language': 'fr' } })
  expect(dollars.body).toMatch(/450\s\$/)
  expect(dollars.body).not.toContain('Dans une autre devise')
  const words = { fr: { name: 'Annonce', disclosure: 'Annonce' } }
  const euros = { words, place: 'end', maxWords: 10, leadDays: 5, prices: { eur: 6_000 } }
  const { id: cheap } = await call('POST', '/placements', euros)
  const elsewhere = await server.inject({ url: `/sponsor/${id}?currency=usd`, headers: { 'accept-language': 'fr' } })
  expect(elsewhere.body).toMatch(/Dans une autre devise\s:.{0,90}currency=eur">Annonce 60\s€/s)
  await call('PATCH', `/placements/${cheap}`, { closed: true })
  await call('PATCH', '/settings', { page: 'listed', figures: [], words: { en: '<b>Only</b> what we like.' } })
  const listed = await server.inject(`/sponsor/${id}?lang=en`)
  expect(listed.body).not.toContain('noindex')
  expect(listed.body).not.toContain('fewer than')
  expect(listed.body).toContain('&lt;b&gt;Only&lt;/b&gt;')
  expect(listed.body).toContain('<meta name="description" content="&lt;b&gt;Only&lt;/b&gt; what we like."/>')
  await call('PATCH', '/settings', { page: 'closed' })
  const closed = await server.inject(`/sponsor/${id}?lang=en`)
  expect(closed.statusCode).toBe(404)
  expect(closed.body).toContain('takes no requests from sponsors here at the moment')
  expect((await form(`/sponsor/${id}`, request())).statusCode).toBe(404)
  await call('PATCH', '/settings', { page: 'open' })
})

test.each([
  [0, { value: 100, isFewer: true }],
  [99, { value: 100, isFewer: true }],
  [149, { value: 100, isFewer: false }],
  [999, { value: 950, isFewer: false }],
  [4_818, { value: 4_810, isFewer: false }],
  [48_186, { value: 48_186, isFewer: false }],
])('%i is rounded', (count, expected) => expect(rounded(count)).toEqual(expected))

test('a request is nobody’s until its address is confirmed; then it holds the slot, and the owners hear of it', async () => {
  const fields = request({ slot: `${placementId}:2026-12-12` })
  expect((await form(`/sponsor/${id}`, fields)).statusCode).toBe(303)
  expect((await call('GET', '/calendar?from=2026-12-12&to=2026-12-12')).bookings).toEqual([])
  const [mail] = await server.queuedMail(fields.email)
  const link = pathIn(mail?.text ?? '', 'sponsor/confirm')
  expect(mail?.text).not.toContain('almanac')
  const looked = await server.inject(link)
  expect([looked.statusCode, looked.headers['x-robots-tag']]).toEqual([200, 'noindex'])
  expect((await call('GET', '/calendar?from=2026-12-12&to=2026-12-12')).bookings).toEqual([])
  const pressed = await Promise.all([form(link, {}), form(link, {}), form(link, {})])
  expect(pressed.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
  // Opened again it leads to what was made of it.
  const again = await server.inject(link)
  expect([again.statusCode, again.headers.location]).toEqual([303, pressed[0]?.headers.location])
  const { bookings } = await call('GET', '/calendar?from=2026-12-12&to=2026-12-12')
  expect(bookings).toMatchObject([
    { state: 'requested', sponsor: 'Halyard Books', amount: 41_000, currency: 'eur', message: 'We print an almanac.' },
  ])
  expect((await server.queuedMail('ines@example.org')).filter(({ subject }) => /Halyard/.test(subject))).toHaveLength(1)
  const taken = await form(`/sponsor/${id}?lang=en`, request({ slot: `${placementId}:2026-12-12` }))
  expect([taken.statusCode, taken.body.includes('Somebody was quicker')]).toEqual([422, true])
})

test('of those who confirm the same day at the same moment one has it, and the others are told kindly', async () => {
  const asked = Array.from({ length: 12 }, () => request({ slot: `${placementId}:2026-12-19` }))
  for (const fields of asked) await form(`/sponsor/${id}`, fields)
  const links = await Promise.all(
    asked.map(async ({ email }) => pathIn((await server.queuedMail(email))[0]?.text ?? '', 'sponsor/confirm')),
  )
  const answers = await Promise.all(links.map((link) => form(link, {})))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, ...Array(11).fill(409)])
})

test.each<[string, Record<string, string>, number]>([
  ['without a slot', { slot: '' }, 422],
  ['for a day that is not sold', { slot: '1:2026-12-06' }, 422],
  ['for a placement that is not there', { slot: '99999:2026-12-26' }, 422],
  ['with an address that is none', { email: 'nobody' }, 422],
  ['without a sponsor', { sponsor: ' ' }, 422],
  ['with a sponsor that turns letters round', { sponsor: 'A\u202eB' }, 422],
  ['with a message of pages', { message: 'x'.repeat(1_500) }, 422],
  ['by a robot', { [HONEYPOT]: 'x' }, 303],
])('a request %s mails nobody', async (_what, values, status) => {
  const fields = request({ slot: `${placementId}:2026-12-26`, ...values })
  const before = (await server.queuedMail()).length
  expect((await form(`/sponsor/${id}`, fields)).statusCode).toBe(status)
  expect(await server.queuedMail()).toHaveLength(before)
})

test('whoever confirms what is not sold any more is told that, and not that somebody was quicker', async () => {
  const fields = request({ slot: `${placementId}:2026-12-26` })
  await form(`/sponsor/${id}`, fields)
  const link = pathIn((await server.queuedMail(fields.email))[0]?.text ?? '', 'sponsor/confirm')
  await call('PATCH', `/placements/${placementId}`, { closed: true })
  const refused = await form(`${link}?lang=en`, {})
  expect([refused.statusCode, refused.body.includes('No longer for sale')]).toEqual([409, true])
  await call('PATCH', `/placements/${placementId}`, { closed: false })
  expect((await form(link, {})).statusCode).toBe(303)
})

test('nobody waits with more than three requests at once', async () => {
  const email = 'many@example.org'
  const statuses: number[] = []
  for (const day of ['2027-01-02', '2027-01-09', '2027-01-16', '2027-01-23']) {
    const { answer } = await confirmed({ email, slot: `${placementId}:${day}` })
    statuses.push(answer.statusCode)
  }
  expect(statuses).toEqual([303, 303, 303, 409])
})

/** The way of a booking on its page, each step with its day. */
const stepsOf = async (address: string) =>
  [
    ...(await server.inject(address)).body.matchAll(/<li[^>]*><b>([^<]*)<\/b>(?:<span[^>]*>([^<]*)<\/span>)?<\/li>/g),
  ].map(([, name, day]) => [name, day].filter(Boolean).join(' '))

test('a sponsor follows the booking by one link: yes, payment, words, changes, approval; each is mailed once', async () => {
  now = new Date('2027-01-25T09:00:00Z')
  const { booking, own, email } = await confirmed({ slot: `${placementId}:2027-02-06` })
  const page = async () => (await server.inject(`${own}?lang=en`)).body
  expect(await page()).toContain('waits for an answer')
  expect((await form(own, creative)).headers.location).toContain('said=moved')
  await act(booking.id, 'accept', 'We like almanacs.')
  expect(await page()).toContain('We like almanacs.')
  await call('POST', `/bookings/${booking.id}/money`, { act: 'invoice' })
  expect(await stepsOf(`${own}?lang=en`)).toEqual([
    'Asked Mon 25\u00a0Jan',
    'Accepted Mon 25\u00a0Jan',
    'Paid or invoiced Mon 25\u00a0Jan',
    'Your text by Mon 1\u00a0Feb',
    'Approval',
    'Runs Sat 6\u00a0Feb',
  ])
  const wrong = await form(`${own}?lang=en`, { ...creative, text: 'word '.repeat(11), target: 'javascript:alert(1)' })
  expect(wrong.statusCode).toBe(422)
  expect(wrong.body).toContain('whole web address')
  const long = await form(`${own}?lang=en`, { ...creative, text: 'word '.repeat(11) })
  expect([long.statusCode, long.body.includes('up to 10 words')]).toEqual([422, true])
  // Who has no script sees which field it is, and by how much.
  expect(countsIn(await page())).toEqual([])
  expect(countsIn(long.body)).toEqual(['11 of 10 words'])
  const inFrench = await form(`${own}?lang=fr`, { ...creative, text: 'mot '.repeat(11), label: 'x'.repeat(41) })
  expect(countsIn(inFrench.body)).toEqual(['11 sur 10 mots', '41 sur 40 caractères'])
  expect((await form(own, creative)).headers.location).toContain('said=sent')
  expect((await server.queuedMail('ines@example.org'))[0]?.subject).toContain('sent in the text')
  const after = async () => (await server.inject(`${own}?lang=en&said=sent`)).body
  expect([(await after()).includes('Your text is in.'), (await after()).includes('due by')]).toEqual([true, false])
  await act(booking.id, 'ask_changes', 'Without the price, please.')
  expect(await page()).toContain('Without the price, please.')
  // The address that a sponsor kept still says that it was sent.
  expect(await after()).not.toContain('Your text is in.')
  await form(own, { ...creative, text: 'An almanac.' })
  expect(await page()).not.toContain('Without the price, please.')
  await act(booking.id, 'approve')
  const late = await form(own, { ...creative, text: 'Something else.' })
  expect(late.headers.location).toContain('said=moved')
  expect((await call('GET', `/bookings/${booking.id}`)).creative.text).toBe('An almanac.')
  const subjects = (await server.queuedMail(email)).map(({ subject }) => subject).toReversed()
  expect(subjects).toEqual([
    expect.stringContaining('Confirm your request'),
    expect.stringContaining('has your request'),
    expect.stringContaining('says yes'),
    expect.stringContaining('is confirmed'),
    expect.stringContaining('change your text'),
    expect.stringContaining('is approved'),
  ])
  expect((await server.queuedMail(email))[0]?.text).toContain(own)
})

test('a link is the sponsor’s key: forged, of another booking, or renewed it opens nothing', async () => {
  now = new Date('2027-02-01T09:00:00Z')
  const { booking, own } = await confirmed({ slot: `${placementId}:2027-02-13` })
  const forged = own.replace('~1.', '~2.')
  for (const address of [forged, `${own}x`, '/booking/x', `/booking/${'x'.repeat(400)}`]) {
    const { statusCode, body } = await server.inject({ url: address, headers: { 'accept-language': 'fr' } })
    expect([address, statusCode, body.includes('Ce lien n’ouvre rien')]).toEqual([address, 404, true])
  }
  const { url } = await call('POST', `/bookings/${booking.id}/link`, { renew: true })
  expect((await server.inject(own)).statusCode).toBe(404)
  expect((await form(own, { act: 'withdraw' })).statusCode).toBe(404)
  expect((await server.inject(new URL(url).pathname)).statusCode).toBe(200)
})

test('a sponsor withdraws what is not paid, and the day is free again', async () => {
  now = new Date('2027-02-08T09:00:00Z')
  const { booking, own, email } = await confirmed({ slot: `${placementId}:2027-02-20` })
  const kept = 'Kept for you until'
  expect(await stepsOf(`${own}?lang=fr`)).toContainEqual(expect.stringMatching(/^Parution /))
  expect((await server.inject(own)).body).toContain(kept)
  expect((await form(own, { act: 'withdraw' })).headers.location).toContain('said=withdrawn')
  expect(await call('GET', `/bookings/${booking.id}`)).toMatchObject({ state: 'cancelled', heldUntil: null })
  expect((await server.inject(own)).body).not.toContain(kept)
  const subjects = (await server.queuedMail(email)).map(({ subject }) => subject).toReversed()
  expect(subjects).toEqual([
    expect.stringContaining('Confirm your request'),
    expect.stringContaining('has your request'),
    expect.stringContaining('You withdrew'),
  ])
  const second = await confirmed({ slot: `${placementId}:2027-02-20` })
  await act(second.booking.id, 'accept')
  await call('POST', `/bookings/${second.booking.id}/money`, { act: 'pay' })
  await form(second.own, creative)
  expect((await server.inject(`${second.own}?lang=en`)).body).toContain('As readers see it')
  expect((await form(second.own, { act: 'withdraw' })).headers.location).toContain('said=moved')
  expect((await call('GET', `/bookings/${second.booking.id}`)).state).toBe('creative_in')
  await act(second.booking.id, 'cancel')
  const over = (await server.inject(`${second.own}?lang=en`)).body
  expect(over).toContain('You paid €410, and the newsletter gives it back.')
  expect(over).not.toContain('As readers see it')
  expect(over).toContain('Readers do not see this text')
})

test('a request that nobody answers lapses after 48 hours, and its sponsor hears of it once', async () => {
  now = new Date('2027-02-15T09:00:00Z')
  const { booking, email } = await confirmed({ slot: `${placementId}:2027-02-27` })
  now = new Date('2027-02-17T09:00:01Z')
  for (const _ of [1, 2]) {
    await sql`select graphile_worker.add_job('expire_bookings')`.execute(server.context.db)
    await sql`delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'send_mail' and j.payload ->> 'to' <> ${email}`.execute(
      server.context.db,
    )
    await server.work()
  }
  expect((await call('GET', `/bookings/${booking.id}`)).state).toBe('expired')
  const outbox = (await owner.call('GET', `/api/newsletters/${id}/outbox?search=${email}`)).json()
  const lapsed = outbox.rows.filter(({ subject }: { subject: string }) => /lapsed/.test(subject))
  expect(lapsed).toHaveLength(1)
})

test('a slot is kept no longer than its text is awaited, where that is past no longer than its day lasts, and nobody accepts for a day that is over', async () => {
  now = new Date('2027-02-15T09:00:00Z')
  const { booking } = await confirmed({ slot: `${placementId}:2027-02-20` })
  // The text is due five days before. That day's last minute in Paris, and not 48 hours later.
  expect((await call('GET', `/bookings/${booking.id}`)).heldUntil).toBe('2027-02-15T22:59:00.000Z')
  now = new Date('2027-02-16T09:00:00Z')
  // The last minute of the day itself, and not seven days later.
  expect((await act(booking.id, 'accept')).heldUntil).toBe('2027-02-20T22:59:00.000Z')
  now = new Date('2027-02-21T09:00:00Z')
  await sql`select graphile_worker.add_job('expire_bookings')`.execute(server.context.db)
  await server.work()
  expect((await call('GET', `/bookings/${booking.id}`)).state).toBe('expired')
  expect((await act(booking.id, 'accept')).error.code).toBe('day_not_sold')
})

test('whoever is given another day hears of it with the link of that day', async () => {
  now = new Date('2027-02-18T09:00:00Z')
  const { booking, own, email } = await confirmed({ slot: `${placementId}:2027-03-13` })
  await act(booking.id, 'accept')
  await call('POST', `/bookings/${booking.id}/money`, { act: 'pay' })
  const made = await call('POST', `/bookings/${booking.id}/make-good`, { day: '2027-03-20' })
  const [mail] = await server.queuedMail(email)
  const other = pathIn(mail?.text ?? '', 'booking')
  expect([mail?.subject, other === own]).toEqual([expect.stringContaining('another day'), false])
  expect((await server.inject(`${other}?lang=en`)).body).toContain('20\u00a0March 2027')
  expect(made).toMatchObject({ amount: 0, paidAt: null, state: 'replacement' })
  // What was approved stays so on yet another day.
  await form(other, creative)
  await act(made.id, 'approve')
  const again = await call('POST', `/bookings/${made.id}/make-good`, { day: '2027-03-27' })
  expect(again).toMatchObject({ makesGood: made.id, state: 'approved' })
})

test('how to pay is to be read until it is paid, whatever is said and sent in meanwhile', async () => {
  now = new Date('2027-02-18T09:00:00Z')
  const { booking, own } = await confirmed({ slot: `${placementId}:2027-04-10` })
  const page = async () => (await server.inject(`${own}?lang=en`)).body
  await act(booking.id, 'accept')
  const how = 'By transfer to FR76 1234.'
  const note = (done: string, words = '') => call('POST', `/bookings/${booking.id}/money`, { act: done, words })
  await note('invoice', how)
  expect((await page()).split(how)).toHaveLength(2)
  await form(own, creative)
  expect(await page()).toContain(how)
  await act(booking.id, 'ask_changes', 'Without the price, please.')
  expect([(await page()).includes(how), (await page()).includes('Without the price, please.')]).toEqual([true, true])
  await form(own, creative)
  await act(booking.id, 'approve')
  expect(await page()).toContain(how)
  await note('pay')
  expect(await page()).not.toContain(how)
})

test('nobody asks a sponsor for changes without saying which', async () => {
  now = new Date('2027-02-18T09:00:00Z')
  const { booking, own } = await confirmed({ slot: `${placementId}:2027-04-17` })
  await act(booking.id, 'accept')
  await call('POST', `/bookings/${booking.id}/money`, { act: 'pay' })
  await form(own, creative)
  for (const words of ['', ' '])
    expect((await act(booking.id, 'ask_changes', words)).error).toMatchObject({ fields: { words: expect.any(String) } })
  expect((await call('GET', `/bookings/${booking.id}`)).state).toBe('creative_in')
  expect(await act(booking.id, 'ask_changes', 'Shorter.')).toMatchObject({ state: 'changes_asked' })
})

test('all that is wrong with a request is said at once, each at its field', async () => {
  const answer = await form(`/sponsor/${id}?lang=en`, {
    currency: 'eur',
    sponsor: '',
    email: 'rosa',
    message: 'x'.repeat(1_001),
  })
  expect(answer.statusCode).toBe(422)
  const problems = [...answer.body.matchAll(/class="field-problem" id="(\w+)-problem"/g)].map(([, field]) => field)
  expect(problems).toEqual(['slot', 'sponsor', 'email', 'message'])
})

test('a text that is sent in empty is said to be missing, and not too long', async () => {
  now = new Date('2027-02-18T09:00:00Z')
  const { booking, own } = await confirmed({ slot: `${placementId}:2027-05-01` })
  await act(booking.id, 'accept')
  await call('POST', `/bookings/${booking.id}/money`, { act: 'pay' })
  const empty = await form(`${own}?lang=en`, { act: 'creative', name: '', text: '', label: '', target: '' })
  expect([empty.statusCode, empty.body.split('This is needed.').length - 1]).toEqual([422, 4])
})

test('the name of a sponsor is as long in a request as in their text, and never cut unseen', async () => {
  const long = 'The Barges of the Erdre — cruises, weddings and seminars'
  now = new Date('2027-02-18T09:00:00Z')
  const answer = await form(`/sponsor/${id}?lang=en`, request({ slot: `${placementId}:2027-04-24`, sponsor: long }))
  expect([answer.statusCode, answer.body.includes(long)]).toEqual([422, true])
  expect(countsIn(answer.body)).toEqual([`${long.length} of 40 characters`])
  // What a member entered can be longer.
  const values = { placementId, day: '2027-04-24', sponsor: long, language: 'en', currency: 'eur', amount: 41_000 }
  const { id: entered } = await call('POST', '/bookings', values)
  await call('POST', `/bookings/${entered}/money`, { act: 'pay' })
  const own = new URL((await call('POST', `/bookings/${entered}/link`, {})).url).pathname
  const page = (await server.inject(`${own}?lang=en`)).body
  expect([page.includes(`value="${long}"`), countsIn(page)]).toEqual([true, [`${long.length} of 40 characters`]])
  // And who was never asked did not ask.
  expect(page).not.toContain('Asked')
})

test('a newsletter that may not mail writes to no sponsor', async () => {
  const guest = await startTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
  try {
    const unproven = await guest.signUp()
    const path = `/api/newsletters/${await guest.createNewsletter(unproven)}/sponsorship`
    const words = { en: { name: 'Middle', disclosure: 'Sponsor' } }
    const made = await unproven.call('POST', `${path}/placements`, { words, place: 'middle', maxWords: 10 })
    await unproven.call('PUT', `${path}/days`, { day: '2090-01-02', kind: 'added' })
    const booked = await unproven.call('POST', `${path}/bookings`, {
      ...{ placementId: made.json().id, day: '2090-01-02', sponsor: 'x', email: 'victim@example.org', language: 'en' },
      ...{ currency: 'eur', amount: 1 },
    })
    const acted = await unproven.call('POST', `${path}/bookings/${booked.json().id}/acts`, { act: 'cancel' })
    expect([acted.statusCode, await guest.queuedMail('victim@example.org')]).toEqual([200, []])
  } finally {
    await guest.stop()
  }
})

test('a token for confirming is over after a day', async () => {
  const fields = request({ slot: `${placementId}:2027-03-06` })
  await form(`/sponsor/${id}`, fields)
  const link = pathIn((await server.queuedMail(fields.email))[0]?.text ?? '', 'sponsor/confirm')
  now = new Date(now.getTime() + 25 * 3_600_000)
  expect([(await server.inject(link)).statusCode, (await form(link, {})).statusCode]).toEqual([404, 404])
})
