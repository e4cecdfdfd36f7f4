import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import PostalMime, { type Email } from 'postal-mime'
import { generatePath } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { demoOwner } from '../../server/seed/owner.ts'
import { Traffic } from '../traffic.ts'
import { hardCoded, hardCodedIn } from './hard-coded.ts'
import { type PseudoInstance, startPseudoInstance } from './instance.ts'

/*
 * English is replaced by a pseudo-language here (`[Šåṽé]`), and what people wrote is in Cyrillic letters. A plain Latin word
 * is then a sentence that is not in `i18n/`.
 */
test.describe.configure({ mode: 'default', timeout: 400_000 })

let instance: PseudoInstance
let newsletterId: string
/** What each parameter of an address may be in the seeded newsletter, as `:bookingId`. */
let named: Record<string, string[]>
/** Publications of the seeded newsletter, by status. */
let publications: Record<'sent' | 'draft' | 'scheduled', { id: string; url: string | null }>

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  instance = await startPseudoInstance()
  const { rows } = await instance.database.query("select id from newsletter where handle = 'low-water'")
  newsletterId = rows[0].id
  await furnish(browser)
})
test.afterAll(() => instance?.stop())

/** Pages of selling, which are half of all. */
const sells = (path: string) => /^\/(advertise|charge)/.test(path)

test('every page of the owner app about selling', async ({ browser }) => {
  const owner = await signedIn(browser)
  const found = await walk(owner, Object.values(studioPaths).filter(sells).flatMap(addressesOf))
  expect(unique(found)).toEqual([])
})

test('every other page of the owner app', async ({ browser }) => {
  const visitor = await browser.newContext({ baseURL: instance.url, locale: 'en-GB' })
  const { signUp, login, forgot, reset, verified, arrived, invitation } = studioPaths
  const found = await walk(visitor, [signUp, login, forgot, reset, verified, arrived, invitation].flatMap(addressesOf))
  const owner = await signedIn(browser)
  const relays = `/api/newsletters/${newsletterId}/relays`
  const { id } = await send(owner, relays, {
    name: 'Гавань',
    way: { kind: 'smtp', host: '127.0.0.1', port: 2525, security: 'none', username: null },
  })
  const others = Object.values(studioPaths).filter((path) => !sells(path))
  found.push(...(await walk(owner, others.flatMap(addressesOf))))
  // With a relay of its own the newsletter's mail would not be caught.
  await owner.request.delete(`${relays}/${id}`, { headers: { origin: instance.url } })
  expect(unique(found)).toEqual([])
})

test('every public page', async ({ browser }) => {
  const visitor = await browser.newContext({ baseURL: instance.url, locale: 'en-GB' })
  const page = await visitor.newPage()
  const found: string[] = []
  const look = async (name: string) => found.push(...(await hardCodedIn(page)).map((text) => `${name}: ${text}`))
  const { rows } = await instance.database.query(
    "select id, email from subscriber where newsletter_id = $1 and status = 'active' and language = 'en' order by id limit 1",
    [newsletterId],
  )
  const unsubscribe = `/unsub/${newsletterId}/${rows[0].id}`
  const addresses = [
    '/sub/low-water',
    '/subscribe/low-water/asked',
    '/sub/nothing',
    '/confirm/nothing',
    '/n/low-water',
    '/n/low-water?page=2',
    '/n/low-water?q=ничего',
    '/n/nothing',
    publications.sent.url ?? '',
    '/n/low-water/nothing',
    '/r/nothing',
    '/unsub/nothing/nothing',
    ...['', '?said=thanks', '?said=back', '?said=language'].map((query) => unsubscribe + query),
  ]
  for (const address of addresses) {
    await page.goto(address)
    await look(address)
  }

  await page.goto('/sub/low-water')
  for (const email of ['no address', 'reader@lowwater.example']) {
    await page.getByRole('textbox').first().fill(email)
    await page.getByRole('button').click()
    await look(`subscribe as ${email}`)
  }
  await page.getByRole('checkbox').check()
  await page.getByRole('button').click()
  await look('subscribed')
  await page.goto(await linkMailedTo('reader@lowwater.example'))
  await look('confirm')
  await page.getByRole('button').click()
  await look('confirmed')
  await page.goto(unsubscribe)
  await page.getByRole('button').first().click()
  await look('left')
  await page.getByRole('radio').first().check()
  await page.getByRole('button').last().click()
  await look('left with a reason')
  expect(unique(found)).toEqual([])
})

test('every page of sponsors', async ({ browser }) => {
  const owner = await signedIn(browser)
  const visitor = await browser.newContext({ baseURL: instance.url, locale: 'en-GB' })
  const page = await visitor.newPage()
  const found: string[] = []
  const look = async (name: string) => found.push(...(await hardCodedIn(page)).map((text) => `${name}: ${text}`))
  await page.goto('/sponsor/low-water')
  await look('what sponsors can buy')
  await page.locator('main form button').click()
  await look('a request with a problem')
  await page.locator('.sponsor-slot').first().click()
  await page.locator('#sponsor').fill('Книги')
  await page.locator('#email').fill('sponsor@lowwater.example')
  await page.locator('main form button').click()
  await look('asked')
  await page.goto(await linkMailedTo('sponsor@lowwater.example'))
  await look('a request to confirm')
  await page.locator('main form button').click()
  await look('a request that went out')
  const { rows } = await instance.database.query(
    'select distinct on (state) id, state from booking where newsletter_id = $1 order by state, id',
    [newsletterId],
  )
  for (const { id, state } of rows) {
    const path = `/api/newsletters/${newsletterId}/sponsorship/bookings/${id}/link`
    const answer = await owner.request.post(path, { data: {}, headers: { origin: instance.url } })
    const { pathname } = new URL((await answer.json()).url)
    for (const said of ['', '&said=sent', '&said=withdrawn', '&said=moved']) {
      await page.goto(`${pathname}?lang=en${said}`)
      await look(`a booking that is ${state}${said}`)
    }
    if ((await page.locator('#creative').count()) === 0) continue
    await page.locator('#text').fill('слово '.repeat(70))
    await page.locator('#target').fill('нигде')
    await page.locator('#label').fill('слово'.repeat(20))
    await look(`words that are too many, ${state}`)
    await page.locator('#creative button').click()
    await look(`words that were refused, ${state}`)
  }
  expect(rows.length).toBeGreaterThan(3)
  expect(unique(found)).toEqual([])
})

test('every mail', async ({ browser, page }) => {
  const owner = await signedIn(browser)
  const visitor = await browser.newContext({ baseURL: instance.url, locale: 'en-GB' })
  const newcomer = { name: 'Нора', email: 'nora@lowwater.example', password: 'four words are easy' }
  await send(visitor, '/api/auth/sign-up/email', newcomer)
  await send(visitor, '/api/auth/request-password-reset', { email: newcomer.email })
  await send(visitor, '/api/auth/sign-in/magic-link', { email: newcomer.email, callbackURL: '/dashboard' })
  const path = `/api/newsletters/${newsletterId}`
  await send(owner, `${path}/invitations`, { email: 'guest@lowwater.example', role: 'editor' })
  await send(owner, `${path}/subscribers`, { email: 'added@lowwater.example', language: 'en' })
  await send(owner, `${path}/publications/${publications.sent.id}/test`, {})
  await send(owner, `${path}/publications/${publications.draft.id}/send`, { channel: 'everywhere' })
  await expect.poll(async () => (await mailsBySubject()).size, { timeout: 60_000 }).toBeGreaterThanOrEqual(7)

  const found: string[] = []
  for (const mail of (await mailsBySubject()).values()) {
    await page.setContent(mail.html ?? '')
    const inHtml = await hardCodedIn(page)
    const inText = (mail.text ?? '').split('\n').filter((line) => hardCoded(line).length > 0)
    const name = mail.subject ?? 'no subject'
    if (hardCoded(name).length > 0) found.push(`subject: ${name}`)
    if (hardCoded(mail.from?.name ?? '').length > 0) found.push(`sender of ${name}: ${mail.from?.name}`)
    found.push(...inHtml.map((text) => `${name}: ${text}`), ...inText.map((text) => `${name}, as text: ${text}`))
  }
  expect(unique(found)).toEqual([])
})

/** Finds what the seed made, and adds what it leaves empty. */
async function furnish(browser: Browser): Promise<void> {
  const owner = await signedIn(browser)
  const path = `/api/newsletters/${newsletterId}`
  const newest = async (status: string) => {
    const answer = await owner.request.get(`${path}/publications?status=${status}&limit=1`)
    return (await answer.json()).rows[0]
  }
  publications = { sent: await newest('sent'), draft: await newest('draft'), scheduled: await newest('scheduled') }
  await send(owner, `${path}/api-keys`, { name: 'Ключ', role: 'analyst' })
  await send(owner, `${path}/invitations`, { email: 'invited@lowwater.example', role: 'analyst' })
  const filter = { on: 'language', op: 'is', value: 'en' }
  const segment = await send(owner, `${path}/segments`, { name: 'Соседи', filter })
  named = {
    token: ['nothing'],
    publicationId: Object.values(publications).map(({ id }) => id),
    subscriberId: await idsIn('subscriber', 'status'),
    segmentId: ['new', String(segment.id)],
    importId: [await uploadList(owner)],
    campaignId: await idsIn('campaign', 'kind'),
    linkId: await idsIn('short_link', 'publication_id is null'),
    planId: ['new', ...(await idsIn('plan', 'kind'))],
    bookingId: await idsIn('booking', 'state'),
  }
}

/** The ids of the seeded newsletter’s rows in a table, one of each kind. */
async function idsIn(table: string, kind: string): Promise<string[]> {
  const { rows } = await instance.database.query(
    `select distinct on (${kind}) id from ${table} where newsletter_id = $1 order by ${kind}, id`,
    [newsletterId],
  )
  expect(rows.length, table).toBeGreaterThan(0)
  return rows.map(({ id }) => String(id))
}

/** A list of subscribers whose columns the owner has not chosen yet. @returns the id of its import */
async function uploadList(owner: BrowserContext): Promise<string> {
  const buffer = Buffer.from('Почта,Имя\nнора@порт.example,Нора\n')
  const path = `/api/newsletters/${newsletterId}/imports`
  const { id } = await send(owner, path, { fileName: '2026.csv', bytes: buffer.byteLength })
  const multipart = { file: { name: '2026.csv', mimeType: 'text/csv', buffer } }
  const answer = await owner.request.post(`${path}/${id}/parts/0`, { multipart, headers: { origin: instance.url } })
  expect(answer.ok(), await answer.text()).toBe(true)
  return String(id)
}

async function signedIn(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: instance.url, locale: 'en-GB' })
  const { email, password } = demoOwner
  await send(context, '/api/auth/sign-in/email', { email, password })
  await context.addInitScript((id) => localStorage.setItem('newsletter', id), newsletterId)
  return context
}

async function send(context: BrowserContext, path: string, data: object): Promise<{ id: string }> {
  const answer = await context.request.post(path, { data, headers: { origin: instance.url } })
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
  return answer.json()
}

/** A path with each of what it may name. */
function addressesOf(path: string): string[] {
  const [, parameter] = /:(\w+)/.exec(path) ?? []
  if (parameter) return (named[parameter] ?? []).map((id) => generatePath(path, { [parameter]: id }))
  return [path, ...(path === '/dashboard' ? ['/no-such-page'] : [])]
}

/**
 * Looks at each address, and again after each button that no page before had. What a button would change is refused by
 * the network.
 */
async function walk(context: BrowserContext, addresses: string[]): Promise<string[]> {
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const traffic = new Traffic(page)
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' || /preview|checks/.test(route.request().url())
      ? route.continue()
      : route.abort(),
  )
  const found: string[] = []
  const pressed = new Set<string>()
  for (const [visited, address] of addresses.entries()) {
    const look = async (after: string) =>
      found.push(...(await hardCodedIn(page)).map((text) => `${address}${after}: ${text}`))
    await (visited === 0 ? traffic.load(address) : traffic.follow(address))
    await look('')
    for (const [index, name] of (await namesOf(page)).entries()) {
      const kind = kindOf(name, address)
      if (pressed.has(kind)) continue
      pressed.add(kind)
      if (!(await press(page, index))) continue
      await traffic.settled()
      await look(` after “${name}”`)
      await page.keyboard.press('Escape')
      if ((await page.getByRole('dialog').count()) > 0) await traffic.load(address)
      else if (new URL(page.url()).pathname !== address) await traffic.follow(address)
    }
  }
  await page.close()
  return found
}

/** A button with nothing but data on it, such as a row of a table: one of each page is enough. */
const kindOf = (name: string, address: string): string => (/\[|^$/.test(name) ? name : `a row of ${address}`)

/** A button that changes the language would end the walk. */
const pressable = ':is(button, [role=button], [aria-haspopup]):not([lang], :disabled):visible'

const namesOf = (page: Page): Promise<string[]> =>
  page
    .locator(pressable)
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''))

async function press(page: Page, index: number): Promise<boolean> {
  try {
    await page.locator(pressable).nth(index).click({ timeout: 500 })
    return true
  } catch {
    // It is hidden, disabled, or gone since the last press.
    return false
  }
}

/** The sources of all mails that left. */
function caught(): Buffer[] {
  const folder = join(instance.dataDir, 'outbox')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(folder, name)))
}

/** One mail of each subject. */
async function mailsBySubject(): Promise<Map<string | undefined, Email>> {
  const mails = await Promise.all(caught().map((source) => PostalMime.parse(source)))
  // Only English is accented. Which subscriber's copy comes first is not said, and to a French reader an English publication
  // has French words around it.
  const accented = mails.filter(({ html }) => !/ lang="fr"/.test(html ?? ''))
  return new Map(accented.map((mail) => [mail.subject, mail]))
}

async function linkMailedTo(address: string): Promise<string> {
  const link = { href: '' }
  const find = async () => {
    for (const source of caught()) {
      const mail = await PostalMime.parse(source)
      if (mail.to?.some((to) => to.address === address))
        link.href = /href="([^"]*\/confirm\/[^"]*)"/.exec(mail.html ?? '')?.[1] ?? ''
    }
    return link.href
  }
  await expect.poll(find).not.toBe('')
  return link.href
}

/** A text that is on many pages is reported for the first. */
function unique(all: string[]): string[] {
  const texts = Map.groupBy(all, (line) => line.replace(/^.*?: /, ''))
  return [...texts.values()].map(([first = '']) => first)
}
