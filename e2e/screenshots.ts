/**
 * Every screen of the seeded instance at 1440 and 390 pixels, in light and dark, in both languages, into
 * `screenshots/`. `npm run screenshots -- dashboard editor` takes only screens whose name begins with one of these words.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { ShownIds } from '../server/http/shown-ids.ts'
import { locales } from '../server/languages.ts'
import { demoOwner } from '../server/seed/owner.ts'
import { startTestDns, type Zone } from '../server/testing/dns.ts'
import { translator } from '../server/translator.ts'
import { chromiumLaunch } from './chromium.ts'
import { bookedStates, type Screen, type SeededIds, screens } from './screens.ts'
import { seedServer, startServer } from './server.ts'

const folder = join(import.meta.dirname, '..', 'screenshots')
const widths = [1440, 390]
const schemes = ['light', 'dark'] as const
/** The seed's newsletters, by language. */
const seeded = { en: 'low-water', fr: 'quart-d-heure' }
type SeededLanguage = keyof typeof seeded

const wanted = process.argv.slice(2)
const chosen = screens.filter(({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))
const dataDir = mkdtempSync(join(tmpdir(), 'tirage-screens-'))
mkdirSync(folder, { recursive: true })
await seedServer(dataDir, 10_000)
const dns = await startTestDns(seededZone())
const server = await startServer(dataDir, { DNS_SERVERS: dns.server })
const browser = await chromium.launch(chromiumLaunch())
try {
  for (const language of ['en', 'fr'] as const) {
    const sessions = await signIn(browser, language)
    for (const scheme of schemes) for (const width of widths) await takeAll(sessions, { language, scheme, width })
  }
} finally {
  await browser.close()
  await server.stop()
  await dns.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

interface Sessions {
  ids: SeededIds
  /** Cookies and local storage of each kind of visitor. */
  states: Record<Screen['as'], Awaited<ReturnType<BrowserContext['storageState']>>>
}

interface Look {
  language: SeededLanguage
  scheme: (typeof schemes)[number]
  width: number
}

async function signIn(browser: Browser, language: SeededLanguage): Promise<Sessions> {
  const owner = await signedInContext(browser, '/api/auth/sign-in/email', demoOwner)
  const newsletters = await read<{ newsletters: { id: string; handle: string }[] }>(owner, '/api/newsletters')
  const own = newsletters.newsletters.find(({ handle }) => handle === seeded[language])
  if (!own) throw new Error(`the seed has no newsletter ${seeded[language]}`)
  // The other newsletter of the seed has no sponsors.
  const sponsored = newsletters.newsletters.find(({ handle }) => handle === seeded.en)
  if (!sponsored) throw new Error('the seed has no newsletter with sponsors')
  const reports = await findReports(owner, `/api/newsletters/${sponsored.id}`, language)
  const ids = { ...(await findSeededIds(owner, own.id, seeded[language])), ...reports }
  const email = `nouvelle.${language}@lowwater.example`
  const newcomer = await signedInContext(browser, '/api/auth/sign-up/email', { ...demoOwner, email })
  await newcomer.request.post(`${server.url}/api/newsletters`, {
    data: {
      name: language === 'fr' ? 'Les Marées' : 'Tide Notes',
      language,
      timezone: 'Europe/Paris',
      currency: 'eur',
    },
    headers: { origin: server.url },
  })
  const visitor = await browser.newContext()
  const signedIn = await owner.storageState()
  const inNewsletter = (value: string) => ({
    ...signedIn,
    origins: [{ origin: server.url, localStorage: [{ name: 'newsletter', value }] }],
  })
  return {
    ids,
    states: {
      ...{ owner: inNewsletter(own.id), advertiser: inNewsletter(sponsored.id) },
      ...{ newcomer: await newcomer.storageState(), visitor: await visitor.storageState() },
    },
  }
}

async function signedInContext(browser: Browser, path: string, data: object): Promise<BrowserContext> {
  const context = await browser.newContext()
  const answer = await context.request.post(`${server.url}${path}`, { data, headers: { origin: server.url } })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return context
}

async function read<T>(context: BrowserContext, path: string): Promise<T> {
  return (await (await context.request.get(`${server.url}${path}`)).json()) as T
}

async function findSeededIds(
  owner: BrowserContext,
  newsletterId: string,
  handle: string,
): Promise<Omit<SeededIds, 'reported' | 'ran'>> {
  const path = `/api/newsletters/${newsletterId}`
  const one = async (status: string) => {
    const { rows } = await read<{ rows: { id: string; url: string | null }[] }>(
      owner,
      `${path}/publications?status=${status}&limit=1`,
    )
    return rows[0] ?? null
  }
  const sent = await one('sent')
  const { rows } = await read<{ rows: { id: string; email: string }[] }>(
    owner,
    `${path}/subscribers?status=active&limit=1`,
  )
  // Before there are relays, through which nothing is sent.
  const ownPage = await findOwnPage(owner, newsletterId, rows[0]?.email ?? '')
  await addRelays(owner, path)
  return {
    newsletterId,
    handle,
    sent: { id: sent?.id ?? '', slug: sent?.url?.split('/').at(-1) ?? '' },
    draft: { id: (await one('draft'))?.id ?? '' },
    uncertain: { id: (await findUncertain(owner, path)) ?? sent?.id ?? '' },
    scheduled: await one('scheduled'),
    subscriberId: new ShownIds(readFileSync(join(dataDir, 'secret'), 'utf8').trim()).read(rows[0]?.id ?? ''),
    ownPage,
    bookings: await findBookings(owner),
  }
}

/** A booking of each state in the newsletter that has sponsors, with the path of its sponsor's page, which is in both languages. */
async function findBookings(owner: BrowserContext): Promise<SeededIds['bookings']> {
  const { newsletters } = await read<{ newsletters: { id: string; handle: string }[] }>(owner, '/api/newsletters')
  const path = `/api/newsletters/${newsletters.find(({ handle }) => handle === seeded.en)?.id}`
  const { rows } = await read<{ rows: { id: string; state: string }[] }>(
    owner,
    `${path}/sponsorship/bookings?limit=100`,
  )
  const found = bookedStates.map(async (state) => {
    const id = rows.find((row) => row.state === state)?.id ?? ''
    const options = { data: {}, headers: { origin: server.url } }
    const answer = await owner.request.post(`${server.url}${path}/sponsorship/bookings/${id}/link`, options)
    const { url = 'http://none/' } = (await answer.json()) as { url?: string }
    return [state, { id, own: new URL(url).pathname }] as const
  })
  return Object.fromEntries(await Promise.all(found)) as SeededIds['bookings']
}

/** Asks for a subscriber's link to their own page, and reads the mail in the outbox. */
async function findOwnPage(owner: BrowserContext, newsletterId: string, email: string): Promise<SeededIds['ownPage']> {
  await owner.request.post(`${server.url}/subscribe/${newsletterId}/me`, { form: { email } })
  const path = `/api/newsletters/${newsletterId}/outbox`
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { rows } = await read<{ rows: { id: string }[] }>(owner, `${path}?search=${encodeURIComponent(email)}`)
    const mail = rows[0] && (await read<{ text: string }>(owner, `${path}/${rows[0].id}`))
    const fresh = /\/me\/([\w.-]+)/.exec(mail?.text ?? '')?.[1]
    if (fresh) return { fresh, standing: fresh.split('.').slice(0, 2).join('.') }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('no mail with the link to an own page')
}

/** The newest booking with a final report and the newest with a live one, with the paths of their reports. Without one, addresses that lead nowhere. */
async function findReports(
  owner: BrowserContext,
  path: string,
  language: SeededLanguage,
): Promise<Pick<SeededIds, 'reported' | 'ran'>> {
  const bookings = `${path}/sponsorship/bookings`
  const { rows } = await read<{ rows: { id: string; state: string }[] }>(owner, `${bookings}?which=over&limit=50`)
  const find = async (state: string) => {
    const id = rows.find((booking) => booking.state === state)?.id ?? 'none'
    const headers = { origin: server.url }
    const answer = await owner.request.post(`${server.url}${bookings}/${id}/report-link`, { data: {}, headers })
    const address = answer.ok() ? new URL((await answer.json()).url).pathname : '/report/none'
    return { id, report: `${address}?lang=${language}` }
  }
  return { reported: await find('reported'), ran: await find('ran') }
}

async function findUncertain(owner: BrowserContext, path: string): Promise<string | undefined> {
  const { rows } = await read<{ rows: { id: string }[] }>(owner, `${path}/publications?status=sent&limit=50`)
  const publicationIds = rows.map(({ id }) => id).join(',')
  const { results } = await read<{ results: { id: string; counts: { uncertain: number } }[] }>(
    owner,
    `${path}/results?ids=${publicationIds}`,
  )
  return results.find(({ counts }) => counts.uncertain > 0)?.id
}

/** Relays for the settings page. Nothing is sent through them. */
async function addRelays(owner: BrowserContext, path: string): Promise<void> {
  const relays = [
    {
      name: 'Harbour',
      way: { kind: 'smtp', host: '127.0.0.1', port: 2525, security: 'none', username: null },
      weight: 3,
      perSecond: 25,
    },
    { name: 'Postmark', way: { kind: 'postmark', messageStream: 'broadcast' }, secret: 'a token', warmUp: true },
    {
      name: 'Mailgun',
      way: { kind: 'mailgun', domain: 'mg.lowwater.example', region: 'eu' },
      secret: 'a key',
      weight: 0,
    },
  ]
  for (const data of relays) {
    await owner.request.post(`${server.url}${path}/relays`, { data, headers: { origin: server.url } })
  }
  const limits = [{ domain: 'orange.fr', perSecond: 2, perHour: null }]
  await owner.request.put(`${server.url}${path}/relays/domain-limits`, {
    data: { limits },
    headers: { origin: server.url },
  })
}

async function takeAll({ ids, states }: Sessions, look: Look): Promise<void> {
  for (const as of ['visitor', 'newcomer', 'owner', 'advertiser'] as const) {
    const context = await browser.newContext({
      baseURL: server.url,
      locale: locales[look.language],
      timezoneId: 'Europe/Paris',
      colorScheme: look.scheme,
      reducedMotion: 'reduce',
      viewport: { width: look.width, height: look.width > 700 ? 900 : 844 },
      storageState: states[as],
    })
    const page = await context.newPage()
    for (const screen of chosen.filter((one) => one.as === as)) await take(page, screen, { ids, look })
    await context.close()
  }
}

async function take(
  page: Page,
  { name, address, act }: Screen,
  { ids, look: { language, scheme, width } }: { ids: SeededIds; look: Look },
): Promise<void> {
  const path = join(folder, `${name}-${language}-${width}-${scheme}.png`)
  try {
    await page.goto(address(ids), { waitUntil: 'load' })
    await page.getByRole('main').first().waitFor({ timeout: 10_000 })
    await act?.(page, translator(language))
    await page.evaluate(() => document.fonts.ready)
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
    await page.screenshot({ path, fullPage: true, animations: 'disabled' })
  } catch (error) {
    console.error(
      `${name}, ${language}, ${width}, ${scheme}: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    )
    process.exitCode = 1
  }
}

/** DNS records of the seeded senders' domains: some of the checks pass, others fail. */
function seededZone(): Zone {
  const zones = ['lowwater.example', 'quart-dheure.example'].map(
    (domain): Zone => ({
      [domain]: { TXT: ['v=spf1 include:_spf.relay.example -all'], MX: [[10, `mx.${domain}`]] },
      [`mx.${domain}`]: { A: ['192.0.2.9'] },
    }),
  )
  return Object.assign({ '_spf.relay.example': { TXT: ['v=spf1 ip4:192.0.2.0/24 -all'] } }, ...zones)
}
