import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../../testing/app.ts'
import { startTestNewsletter } from '../../testing/newsletter.ts'

/** What strangers and neighbours try. */
let server: TestApp
let owner: Session
let id: string
beforeAll(async () => {
  server = await startTestApp({ env: { SUBSCRIBE_LIMIT: '500', SUBSCRIBE_PRESSURE: '500' } })
  owner = await server.signUp({ email: 'ines@example.org' })
  await server.context.db.updateTable('user').set({ email_verified: true }).where('id', '=', owner.userId).execute()
  id = await server.createNewsletter(owner)
  await call('PATCH', '/settings', { page: 'open', weekdays: [6] })
})
afterAll(() => server?.stop())

const callIn =
  (newsletterId: () => string, who: () => Session) =>
  async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', rest: string, body?: unknown) => {
    const answer = await who().call(method, `/api/newsletters/${newsletterId()}/sponsorship${rest}`, body)
    return { status: answer.statusCode, ...answer.json() }
  }
const call = callIn(
  () => id,
  () => owner,
)
const NOTE = 'They paid late last year'
let days = 0
interface Bought {
  id: string
  own: string
  email: string
}
async function paid(values = {}): Promise<Bought> {
  const words = { en: { name: 'Middle', disclosure: 'Sponsor' } }
  const placement = { words, place: 'middle', maxWords: 10, prices: { eur: 100 } }
  const { id: placementId } = await call('POST', '/placements', placement)
  const day = new Date(Date.UTC(2090, 0, ++days)).toISOString().slice(0, 10)
  await call('PUT', '/days', { day, kind: 'added', reason: 'A reason for members' })
  const email = `sponsor${days}@example.org`
  const booking = await call('POST', '/bookings', {
    ...{
      placementId,
      day,
      sponsor: 'Halyard Books',
      email,
      language: 'en',
      currency: 'eur',
      amount: 100,
      note: NOTE,
      ...values,
    },
  })
  await call('POST', `/bookings/${booking.id}/money`, { act: 'pay' })
  const { url } = await call('POST', `/bookings/${booking.id}/link`, {})
  return { id: booking.id, own: new URL(url).pathname, email }
}
const said = {
  ...{
    act: 'creative',
    name: 'Halyard',
    text: 'An almanac for a pocket.',
    label: 'Order',
    target: 'https://h.example/',
  },
}
const send = (url: string, fields: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://tirage.test' },
  })
const creativeOf = async ({ id: bookingId }: Bought) => (await call('GET', `/bookings/${bookingId}`)).creative

test('nothing that members note is in what sponsors and strangers read', async () => {
  const bought = await paid()
  await send(bought.own, said)
  await call('POST', `/bookings/${bought.id}/acts`, { act: 'ask_changes', words: 'Shorter, please.' })
  const read = [
    (await server.inject(`${bought.own}?lang=en`)).body,
    (await send(`${bought.own}?lang=en`, { ...said, target: 'x' })).body,
    (await server.inject(`/sponsor/${id}?lang=en`)).body,
    ...(await server.queuedMail(bought.email)).flatMap(({ html, text }) => [html, text]),
  ]
  expect(read.join()).toContain('Shorter, please.')
  for (const text of read) {
    expect(text).not.toContain(NOTE)
    expect(text).not.toContain('A reason for members')
  }
  // Nor does the page for sponsors say who else bought.
  expect(read[2]).not.toContain('Halyard Books')
})

test.each([
  ['javascript', 'javascript:alert(1)'],
  ['data', 'data:text/html,<script>alert(1)</script>'],
  ['another protocol', 'ftp://example.org/'],
  ['this machine', 'http://localhost:3000/'],
  ['this machine by a number', 'http://2130706433/'],
  ['this machine in IPv6', 'http://[::1]/'],
  ['a home', 'http://192.168.1.1/'],
  ['what clouds answer', 'http://169.254.169.254/latest/meta-data'],
  ['a name of an office', 'http://intranet/'],
  ['a name of an office with a dot', 'http://printer.local./'],
  ['somebody else’s name in front', 'https://bank.example@evil.example/'],
])('a link to %s is refused to sponsors and members, with the words kept', async (_what, target) => {
  const bought = await paid()
  const answer = await send(`${bought.own}?lang=en`, { ...said, target })
  expect([answer.statusCode, answer.body.includes('An almanac for a pocket.')]).toEqual([422, true])
  expect(answer.body).toMatch(/whole web address|Readers cannot get there/)
  expect(answer.body).not.toMatch(/href="(?:javascript|data|ftp)/)
  const { act: _act, ...creative } = said
  const byMember = await call('PUT', `/bookings/${bought.id}/creative`, { ...creative, target })
  expect([byMember.status, Object.keys(byMember.error.fields)]).toEqual([422, ['target']])
  expect(await creativeOf(bought)).toBeNull()
})

test.each([
  ['HTML', '<script>alert(1)</script> <img src=x onerror=alert(1)>', 303],
  ['lines and tabs of a word processor', 'One\r\ntwo\tthree', 303],
  ['a NUL', 'One\u0000two', 422],
  ['an escape of a terminal', 'One\u001b[31mtwo', 422],
  ['half a character', 'One\ud800two', 303],
  ['letters turned round', 'One\u202etwo', 422],
])('%s in the words is shown as it is, or refused', async (_what, text, status) => {
  const bought = await paid()
  const answer = await send(`${bought.own}?lang=en`, { ...said, text })
  expect(answer.statusCode).toBe(status)
  const page = status === 303 ? (await server.inject(`${bought.own}?lang=en`)).body : answer.body
  expect(page).not.toContain('<script>alert')
  expect(page).not.toContain('<img src=x')
  if (status === 422) expect(page).toContain('nobody can see')
})

test('a long text in any script is counted, and one too long comes back whole', async () => {
  const bought = await paid()
  const text = '每日潮汐表'.repeat(700)
  const answer = await send(`${bought.own}?lang=en`, { ...said, text: `${text} ${'word '.repeat(12)}` })
  expect([answer.statusCode, answer.body.includes(text)]).toEqual([422, true])
  const commas = await send(`${bought.own}?lang=en`, {
    ...said,
    text: 'one,two;three/four.five_six(seven)eight:nine+ten=eleven',
  })
  expect([commas.statusCode, commas.body.includes('up to 10 words')]).toEqual([422, true])
  const huge = await send(bought.own, { ...said, text: 'x'.repeat(200_000) })
  expect(huge.statusCode).toBe(413)
  expect(await creativeOf(bought)).toBeNull()
})

test('words that came in after they were read are not approved', async () => {
  const bought = await paid()
  await send(bought.own, said)
  const { creativeSent: seen } = await call('GET', `/bookings/${bought.id}`)
  await send(bought.own, { ...said, text: 'Something else altogether.' })
  const approve = (read: number) => call('POST', `/bookings/${bought.id}/acts`, { act: 'approve', seen: read })
  expect((await approve(seen)).error.code).toBe('creative_changed')
  const { act: _act, ...words } = said
  const replaced = await call('PUT', `/bookings/${bought.id}/creative`, { ...words, image: null, seen })
  expect([replaced.status, replaced.error.code]).toEqual([409, 'creative_changed'])
  expect(await approve(seen + 1)).toMatchObject({ state: 'approved', creative: { text: 'Something else altogether.' } })
})

test('owners are mailed once of words that wait, however often they are sent', async () => {
  const bought = await paid({ sponsor: 'Often & Co' })
  for (const _ of [1, 2, 3]) await send(bought.own, said)
  const mails = (await server.queuedMail('ines@example.org')).filter(({ subject }) => /Often/.test(subject))
  expect(mails).toHaveLength(1)
  await call('POST', `/bookings/${bought.id}/acts`, { act: 'ask_changes', words: 'Shorter.' })
  await send(bought.own, said)
  const after = (await server.queuedMail('ines@example.org')).filter(({ subject }) => /Often/.test(subject))
  expect(after).toHaveLength(2)
})

test('a sponsor who presses without end is stopped with their words kept', async () => {
  const bought = await paid()
  const statuses = new Set<number>()
  for (let n = 0; n < 31; n += 1) statuses.add((await send(bought.own, { ...said, target: 'x' })).statusCode)
  const answer = await send(`${bought.own}?lang=en`, { ...said, text: 'What I typed.' })
  expect([[...statuses], answer.statusCode]).toEqual([[422, 429], 429])
  expect(answer.body).toContain('What I typed.')
  expect((await server.inject(bought.own)).statusCode).toBe(200)
})

test('a key of one newsletter opens nothing in another, nor do pieces of two links', async () => {
  const [one, two] = [await paid(), await paid()]
  const neighbour = await server.signUp({})
  const own = await server.createNewsletter(neighbour)
  const callAsNeighbour = callIn(
    () => own,
    () => neighbour,
  )
  for (const rest of [`/bookings/${one.id}`, `/bookings?cursor=${one.id}`]) {
    const answer = await callAsNeighbour('GET', rest)
    expect([rest, answer.status === 404 || answer.rows?.length === 0]).toEqual([rest, true])
  }
  const [oneSaid = '', oneSigned = ''] = one.own.split('.')
  const [twoSaid = '', twoSigned = ''] = two.own.split('.')
  const mixed = [`${oneSaid}.${twoSigned}`, `${twoSaid}.${oneSigned}`, one.own.replace(id, own), `${oneSaid}.`, oneSaid]
  for (const address of mixed) {
    expect([address, (await server.inject(address)).statusCode]).toEqual([address, 404])
    expect((await send(address, { act: 'withdraw' })).statusCode).toBe(404)
  }
})

test('whoever asked is led to the outbox where their mail is caught on their own machine, and nowhere else', async () => {
  for (const [env, leads] of [
    [{ PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ PUBLIC_URL: 'http://localhost:3000', SMTP_URL: 'smtp://127.0.0.1:2525' }, false],
    [{ PUBLIC_URL: 'https://news.example' }, false],
  ] as const) {
    const site = await startTestNewsletter(env)
    try {
      await site.context.db.updateTable('newsletter').set({ sponsor_page: 'open' }).execute()
      const { statusCode, body } = await site.app.inject({ url: `/sponsor/${site.newsletterId}/asked` })
      expect(statusCode).toBe(200)
      expect(body.includes('href="/outbox?newest='), JSON.stringify(env)).toBe(leads)
      expect(body).toContain('href="?lang=fr"')
    } finally {
      await site.stop()
    }
  }
})
