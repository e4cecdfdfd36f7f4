import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { publicId, uuidv7 } from '../../database/ids.ts'
import { dateFormat } from '../../languages.ts'
import { eraseSubscriber } from '../../personal-data/erase.ts'
import { suppress } from '../../subscribers/change.ts'
import { SubscriberLinks } from '../../subscribers/subscriber-links.ts'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { type PublicSite, startPublicSite } from '../../testing/public-site.ts'
import { MAILED_LINK_DAYS, mailedToken, ReadLinks } from './links.ts'
import { ReaderSessions } from './sessions.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let server: PublicSite
let links: ReadLinks
let newsletterId: string
let email: string
let key: { newsletterId: string; subscriberId: string }
let publicationId: string
let round = 0
beforeAll(async () => {
  server = await startPublicSite({ SUBSCRIBE_LIMIT: '1000' })
  links = new ReadLinks(server.context)
})
afterAll(() => server?.stop())
beforeEach(async () => {
  round += 1
  const { db } = server.context
  newsletterId = await server.addNewsletter()
  email = `reader${round}@example.org`
  key = await addReader(email)
  const plan = await addPaidPlan(db, newsletterId)
  await db.updateTable('plan').set({ devices: 2 }).where('id', '=', plan).execute()
  await addPaidSubscription(db, key, { planId: plan, at: server.clock.now })
  publicationId = publicId()
  const line = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
  const content = JSON.stringify({
    type: 'doc',
    content: [line('Twice a day the sea leaves.'), { type: 'paywall' }, line('What it hides is here.')],
  })
  const publication = {
    newsletter_id: newsletterId,
    id: publicationId,
    slug: 'low-tide',
    language: 'en',
    content,
  } as const
  await db
    .insertInto('publication')
    .values({ ...publication, title: 'Low tide', published_at: server.clock.now })
    .execute()
})

async function addReader(address: string, of = newsletterId) {
  const id = uuidv7()
  const { now } = server.clock
  const values = { newsletter_id: of, id, email: address, email_normalised: address, language: 'en' } as const
  await server.context.db
    .insertInto('subscriber')
    .values({ ...values, status: 'active', confirmed_at: now })
    .execute()
  return { newsletterId: of, subscriberId: id }
}

const mailed = (subscriberId = key.subscriberId) =>
  `/read/${mailedToken({ newsletterId, publicationId }, links.ofPublication(publicationId).code(subscriberId))}`

async function mailedLink(): Promise<string | null> {
  await server.work()
  const mails = await server.context.relays.outbox.list()
  const newest = mails.find((mail) => mail.newsletterId === newsletterId)
  const source = newest && (await server.context.relays.outbox.read(newest.id))?.source.toString()
  return /(\/read\/[\w.?=-]+)/.exec(source?.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=') ?? '')?.[1] ?? null
}

async function askForLink(address = email, to = 'low-tide'): Promise<string | null> {
  const answer = await server.submit(`/signin/${newsletterId}`, { email: address, to })
  expect(answer.statusCode).toBe(303)
  return mailedLink()
}

/** Presses the button of a link. */
async function open(path: string, cookie = '') {
  const headers = { 'user-agent': FIREFOX, ...(cookie && { cookie }) }
  const answer = await server.submit(path, { act: 'open' }, { headers })
  const set = String(answer.headers['set-cookie'] ?? '')
  return { status: answer.statusCode, to: answer.headers.location, set, cookie: set.split(';')[0] ?? '' }
}

const account = (cookie: string) => server.get(`/signin/${newsletterId}`, { cookie })
const sessions = async () => {
  const rows = await server.context.db
    .selectFrom('reader_session')
    .select('id')
    .where('newsletter_id', '=', newsletterId)
    .execute()
  return rows.length
}

test('the link of a mail opens its publication on this device, once its button is pressed', async () => {
  const shown = await server.get(mailed())
  expect(shown.statusCode).toBe(200)
  expect(shown.headers['set-cookie']).toBeUndefined()
  expect(shown.body).not.toContain(email)
  expect(await sessions()).toBe(0)
  const opened = await open(mailed())
  expect(opened).toMatchObject({ status: 303, to: `/n/${newsletterId}/low-tide` })
  expect(opened.set).toMatch(/HttpOnly.*SameSite=Lax/)
  const page = await account(opened.cookie)
  expect(page.body).toContain('Firefox, Linux, this device')
  expect(page.body).toContain('Supporter, until')
  const again = await server.get(mailed(), { cookie: opened.cookie })
  expect(again).toMatchObject({ statusCode: 303, headers: { location: `/n/${newsletterId}/low-tide` } })
})

test('the link that was asked for goes to the address alone and leads back to what was read', async () => {
  const link = await askForLink()
  expect(link).toContain('?to=low-tide')
  expect(await open(link ?? '')).toMatchObject({ status: 303, to: `/n/${newsletterId}/low-tide` })
  server.clock.pass(HOUR_MS)
  expect((await open(link ?? '')).status).toBe(404)
})

/** Follows a link of a page by its words, wherever else the page leads. */
async function follow(path: string, words: string): Promise<string> {
  const { body } = await server.get(path)
  const links = [...body.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]+)</g)]
  const href = links.find(([, , said]) => said === words)?.[1]?.replaceAll('&amp;', '&') ?? `no “${words}”`
  return href.startsWith('?') ? `${path.split('?')[0]}${href}` : href
}
const toIn = (body: string) => /name="to" value="([^"]*)"/.exec(body)?.[1]

test.each<[string, () => Promise<string>]>([
  ['the header of a letter', () => follow(`/n/${newsletterId}/low-tide`, 'Sign in')],
  ['the plans, come from its paywall', () => follow(`/plans/${newsletterId}?to=low-tide`, 'Sign in')],
  [
    'the plans in another language',
    async () => follow(await follow(`/plans/${newsletterId}?to=low-tide`, 'Français'), 'Se connecter'),
  ],
  ['signing in, in another language', () => follow(`/signin/${newsletterId}?to=low-tide`, 'Français')],
  ['asking for another link', () => follow(`/signin/${newsletterId}?to=low-tide&said=sent`, 'Another address')],
  [
    'a link that is over',
    async () => {
      const link = (await askForLink()) ?? ''
      server.clock.pass(HOUR_MS)
      return follow(link, 'Ask for a link')
    },
  ],
])('whoever signs in by %s comes back to the letter', async (_way, way) => {
  const path = await way()
  const { body } = await server.get(path)
  expect([path, toIn(body)]).toEqual([path, 'low-tide'])
})

test('who has a plan and has not confirmed the mail comes back to the letter too, with its rest', async () => {
  const { db } = server.context
  const unconfirmed = { status: 'pending', confirmed_at: null } as const
  await db.updateTable('subscriber').set(unconfirmed).where('id', '=', key.subscriberId).execute()
  const { to, cookie } = await open((await askForLink()) ?? '')
  expect(to).toBe(`/n/${newsletterId}/low-tide`)
  expect((await server.get(String(to), { cookie })).body).toContain('What it hides is here.')
})

test('what was read is kept by the answer to a request, and by a mailed link in another language', async () => {
  const asked = await server.submit(`/signin/${newsletterId}`, { email, to: 'low-tide' })
  expect(asked.headers.location).toBe(`/signin/${newsletterId}?to=low-tide&lang=en&said=sent`)
  const link = (await mailedLink()) ?? ''
  const inFrench = await follow(link, 'Français')
  expect(await open(inFrench)).toMatchObject({ status: 303, to: `/n/${newsletterId}/low-tide?lang=fr` })
})

test('who signs in in another language reads the archive in it', async () => {
  await server.submit(`/signin/${newsletterId}`, { email })
  const link = (await mailedLink()) ?? ''
  const inFrench = await follow(link, 'Français')
  expect(await open(inFrench)).toMatchObject({ status: 303, to: `/n/${newsletterId}?lang=fr` })
})

test('an address that is unknown, bounced or badly typed is answered as any other, and gets no mail', async () => {
  expect(await askForLink('nobody@example.org')).toBeNull()
  await suppress(server.context.db, 'bounced', [{ ...key, publicationId, words: '550 unknown' }])
  expect(await askForLink()).toBeNull()
  const wrong = await server.submit(`/signin/${newsletterId}`, { email: 'ines@lowwater' })
  expect(wrong.statusCode).toBe(422)
  expect(wrong.body).toContain('aria-invalid')
})

test('never more devices than the plan allows, however often a link is passed on', async () => {
  const opened = await Promise.all(Array.from({ length: 12 }, () => open(mailed())))
  expect(opened.map(({ status }) => status).toSorted()).toEqual([303, 303, ...Array(10).fill(409)])
  expect(await sessions()).toBe(2)
  // Whoever holds the mailbox reads on, and the device that was used least recently gives way.
  const asked = await server.submit(mailed(), { act: 'mail' })
  expect(asked.headers.location).toContain('said=sent')
  const link = await mailedLink()
  const proven = await open(link ?? '')
  expect(proven.status).toBe(303)
  expect(await sessions()).toBe(2)
  expect((await account(proven.cookie)).body).toContain('this device')
})

test('a device that was not used for two months makes room', async () => {
  const first = await open(mailed())
  await open(mailed())
  server.clock.pass(59 * DAY_MS)
  await account(first.cookie)
  server.clock.pass(DAY_MS / 2 + DAY_MS)
  const link = await askForLink()
  expect((await open(link ?? '')).status).toBe(303)
  expect((await account(first.cookie)).body).toContain('this device')
  expect(await sessions()).toBe(2)
})

test('signing out ends this device or another, and none of somebody else', async () => {
  const [here, there] = [await open(mailed()), await open(mailed())]
  const other = await addReader(`other${round}@example.org`)
  const stranger = await open(mailed(other.subscriberId))
  const ids = async (cookie: string) =>
    [...(await account(cookie)).body.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id ?? '')
  const end = (cookie: string, session: string) =>
    server.submit(`/signin/${newsletterId}`, { act: 'end', session }, { headers: { cookie } })
  for (const id of await ids(here.cookie)) await end(stranger.cookie, id)
  expect(await ids(here.cookie)).toHaveLength(2)
  const [first = '', second = ''] = await ids(here.cookie)
  const listed = (await account(here.cookie)).body
  const isHere = listed.indexOf(', this device') < listed.indexOf(second)
  await end(here.cookie, isHere ? second : first)
  expect(await ids(there.cookie)).toEqual([])
  const ended = await end(here.cookie, isHere ? first : second)
  expect(String(ended.headers['set-cookie'])).toContain('Expires=Thu, 01 Jan 1970')
  expect(await ids(here.cookie)).toEqual([])
  expect(await ids(stranger.cookie)).toHaveLength(1)
})

test('the link of a mail whose publication was taken off the web leads to the page that says so, and asks for nothing', async () => {
  await server.context.db
    .updateTable('publication')
    .set({ off_web_at: server.clock.now })
    .where('id', '=', publicationId)
    .execute()
  const shown = await server.get(mailed())
  expect([shown.statusCode, shown.headers.location]).toEqual([303, `/n/${newsletterId}/low-tide`])
  const gone = await server.get(String(shown.headers.location))
  expect([gone.statusCode, gone.body.includes('Low tide')]).toEqual([410, false])
})

test('a link opens nothing else: no other publication, no own page, no other newsletter, and nothing when it is old', async () => {
  const token = mailed().slice('/read/'.length)
  const [, , code] = token.split('.')
  const { db } = server.context
  const old = publicId()
  const content = JSON.stringify({ type: 'doc', content: [{ type: 'paragraph' }] })
  const other = { newsletter_id: newsletterId, id: old, slug: 'high-tide', language: 'en', content } as const
  await db
    .insertInto('publication')
    .values({ ...other, published_at: server.clock.now })
    .execute()
  const elsewhere = await server.addNewsletter()
  for (const path of [
    `/read/${newsletterId}.${old}.${code}`,
    `/read/${elsewhere}.${publicationId}.${code}`,
    `/read/${newsletterId}.${publicationId}.${uuidv7()}`,
    `/read/${newsletterId}.${code}`,
    `/read/${new SubscriberLinks(server.context.config.secret, server.context.signer).standing(key)}`,
    '/read/...',
    `/read/${'x'.repeat(400)}`,
  ])
    expect([path, (await open(path)).status]).toEqual([path, 404])
  expect((await server.get(`/me/${newsletterId}.${code}`)).statusCode).toBe(404)
  server.clock.pass(MAILED_LINK_DAYS * DAY_MS)
  expect((await open(mailed())).status).toBe(404)
})

test('a session is of one newsletter, and ends with its subscriber', async () => {
  const { cookie } = await open(mailed())
  const reading = new ReaderSessions(server.context)
  const request = (of: string) => ({ cookies: { [`tirage.reader.${of}`]: cookie.split('=')[1] } })
  expect(await reading.find(request(newsletterId) as never, newsletterId)).toMatchObject(key)
  const elsewhere = await server.addNewsletter()
  expect(await reading.find(request(elsewhere) as never, elsewhere)).toBeNull()
  await eraseSubscriber(server.context, key)
  expect(await reading.find(request(newsletterId) as never, newsletterId)).toBeNull()
  expect((await account(cookie)).body).toContain('Send me the link')
})

test('forms with missing, repeated and foreign fields answer no error of ours', async () => {
  const { cookie } = await open(mailed())
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  for (const payload of [
    '',
    'act=end',
    'act=end&session=x',
    'email=a&email=b',
    'act=mail&act=open',
    `email=${'a'.repeat(9000)}`,
  ]) {
    const signIn = await server.app.inject({ method: 'POST', url: `/signin/${newsletterId}`, headers, payload })
    expect([payload.slice(0, 20), signIn.statusCode < 500]).toEqual([payload.slice(0, 20), true])
    const read = await server.app.inject({ method: 'POST', url: mailed(), headers, payload })
    expect([payload.slice(0, 20), read.statusCode < 500]).toEqual([payload.slice(0, 20), true])
  }
  expect(await askForLink(email, '//evil.example')).not.toContain('to=')
})

test('the rest of a publication is shown to who has paid and is signed in, and to nobody beside or after them', async () => {
  const page = (cookie = '') => server.get(`/n/${newsletterId}/low-tide`, cookie ? { cookie } : {})
  const { db } = server.context
  const free = await addReader(`free${round}@example.org`)
  const [paid, unpaid] = [await open(mailed()), await open(mailed(free.subscriberId))]
  const shut = await page()
  expect(shut.body).toContain('Twice a day the sea leaves.')
  expect(shut.body).toContain(`href="/plans/${newsletterId}?to=low-tide"`)
  expect(shut.body).toContain(`href="/signin/${newsletterId}?to=low-tide"`)
  const read = await page(paid.cookie)
  expect(read.body).toContain('What it hides is here.')
  expect(read.headers['cache-control']).toBe('private, no-cache')
  for (const cookie of ['', unpaid.cookie, 'tirage.reader.x=y', `tirage.reader.${newsletterId}=${'a'.repeat(43)}`])
    expect((await page(cookie)).body).not.toContain('What it hides')
  const stale = await server.get(`/n/${newsletterId}/low-tide`, { 'if-none-match': String(read.headers.etag) })
  expect(stale.statusCode).toBe(200)
  await db
    .updateTable('entitlement')
    .set({ until: server.clock.now })
    .where('subscriber_id', '=', key.subscriberId)
    .execute()
  expect((await page(paid.cookie)).body).not.toContain('What it hides')
})

test('public pages show the way in where a plan is paid for, and whoever is signed in their own page', async () => {
  const mine = `href="/signin/${newsletterId}"`
  const free = await server.addNewsletter()
  expect((await server.get(`/n/${free}`)).body).not.toContain('/signin/')
  const pages = [`/n/${newsletterId}`, `/n/${newsletterId}/low-tide`, `/plans/${newsletterId}`]
  for (const path of pages) {
    const { body } = await server.get(path)
    const signIn = path.endsWith('/low-tide') ? `href="/signin/${newsletterId}?to=low-tide"` : mine
    expect([path, body.includes(signIn), body.includes('>Sign in<'), body.includes('>Your reading<')]).toEqual([
      ...[path, true, true, false],
    ])
  }
  const { cookie } = await open(mailed())
  for (const path of pages) {
    const { body, headers } = await server.get(path, { cookie })
    expect([path, body.includes(mine), body.includes('>Sign in<'), body.includes('>Your reading<')]).toEqual([
      ...[path, true, false, true],
    ])
    expect(headers['cache-control']).toBe('private, no-cache')
    expect((await server.get(path)).body).not.toContain('>Your reading<')
  }
})

test('the paywall asks those to sign in who are not, and nobody who is and has no plan any more', async () => {
  const { cookie } = await open((await askForLink()) ?? '')
  await server.context.db.deleteFrom('entitlement').where('newsletter_id', '=', newsletterId).execute()
  const read = async (headers = {}) => (await server.get(`/n/${newsletterId}/low-tide`, headers)).body
  for (const body of [await read(), await read({ cookie })]) expect(body).toContain('class="paywall"')
  expect(await read()).toContain('Paid already?')
  expect(await read({ cookie })).not.toContain('Paid already?')
})

test('the page of plans knows the plan of whoever reads it, and offers them neither it nor what they have', async () => {
  const page = (cookie = '', language = 'en') => server.get(`/plans/${newsletterId}?lang=${language}`, { cookie })
  const strangers = await page()
  expect(strangers.body).not.toContain('Your plan')
  expect(strangers.body).toContain('Subscribe for free')
  const { cookie } = await open(mailed())
  const theirs = await page(cookie)
  const until = new Date(server.clock.now.getTime() + 365 * 86_400_000)
  const day = dateFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/Paris' }).format(until)
  expect(theirs.body).toContain(`Your plan, until ${day}`)
  expect(theirs.body).not.toContain('Subscribe for free')
  expect(theirs.headers['cache-control']).toBe('private, no-cache')
  expect((await page(cookie, 'fr')).body).toContain('Votre formule, jusqu’au')

  // Who left the letters still reads, and may want them again.
  const { db } = server.context
  await db.updateTable('subscriber').set({ status: 'unsubscribed' }).where('id', '=', key.subscriberId).execute()
  const left = await page(cookie)
  expect(left.body).toContain('Your plan, until')
  expect(left.body).toContain('Subscribe for free')
  await db
    .updateTable('entitlement')
    .set({ until: server.clock.now })
    .where('newsletter_id', '=', newsletterId)
    .execute()
  expect((await page(cookie)).body).not.toContain('Your plan')
})

test('a trial is not promised where no card is taken', async () => {
  const { db } = server.context
  await db.updateTable('plan').set({ trial_days: 14 }).where('newsletter_id', '=', newsletterId).execute()
  const { body } = await server.get(`/plans/${newsletterId}?lang=en`)
  expect(body).toContain('Supporter')
  expect(body).not.toContain('days are free')
})

test('whoever is signed in is not asked to subscribe where a letter was taken off the web', async () => {
  const { cookie } = await open(mailed())
  const { db } = server.context
  await db.updateTable('publication').set({ off_web_at: server.clock.now }).where('id', '=', publicationId).execute()
  const page = (headers = {}) => server.get(`/n/${newsletterId}/low-tide?lang=en`, headers)
  const [theirs, strangers] = [await page({ cookie }), await page()]
  expect([theirs.statusCode, strangers.statusCode]).toEqual([410, 410])
  const main = (body: string) => body.slice(body.indexOf('<main'))
  expect(main(theirs.body)).toContain('Your reading')
  expect(main(theirs.body)).not.toContain('Subscribe')
  expect(main(strangers.body)).toContain('Subscribe')
})
