/**
 * Every screen of the seeded instance at 1440 and 390 pixels, by day and by night, in both languages, into
 * `screenshots/`. `npm run screenshots -- dashboard editor` takes only those whose name begins so.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type Language, translator } from '../server/language.ts'
import { demoOwner } from '../server/seed/owner.ts'
import { chromiumArgs, findChromium } from './chromium.ts'
import { openHouse, seedHouse } from './house.ts'
import { type Places, type Screen, screens } from './screens.ts'

const folder = join(import.meta.dirname, '..', 'screenshots')
const widths = [1440, 390]
const schemes = ['light', 'dark'] as const
const locales = { en: 'en-GB', fr: 'fr-FR' }
const seeded = { en: 'low-water', fr: 'quart-d-heure' }

const wanted = process.argv.slice(2)
const chosen = screens.filter(({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))
const dataDir = mkdtempSync(join(tmpdir(), 'tirage-screens-'))
mkdirSync(folder, { recursive: true })
await seedHouse(dataDir, 10_000)
const house = await openHouse(dataDir)
const executablePath = findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumArgs })
try {
  for (const language of ['en', 'fr'] as const) {
    const sessions = await signIn(browser, language)
    for (const scheme of schemes) for (const width of widths) await takeAll(sessions, { language, scheme, width })
  }
} finally {
  await browser.close()
  await house.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

interface Sessions {
  places: Places
  /** Cookies and local storage of each kind of person. */
  states: Record<Screen['as'], Awaited<ReturnType<BrowserContext['storageState']>>>
}

interface Look {
  language: Language
  scheme: (typeof schemes)[number]
  width: number
}

async function signIn(browser: Browser, language: Language): Promise<Sessions> {
  const owner = await personIn(browser, '/api/auth/sign-in/email', demoOwner)
  const newsletters = await read<{ newsletters: { id: string; handle: string }[] }>(owner, '/api/newsletters')
  const own = newsletters.newsletters.find(({ handle }) => handle === seeded[language])
  if (!own) throw new Error('the seed made no such newsletter')
  const places = await findPlaces(owner, own.id, seeded[language])
  const email = `nouvelle.${language}@lowwater.example`
  const newcomer = await personIn(browser, '/api/auth/sign-up/email', { ...demoOwner, email })
  await newcomer.request.post(`${house.url}/api/newsletters`, {
    data: {
      name: language === 'fr' ? 'Les Marées' : 'Tide Notes',
      language,
      timezone: 'Europe/Paris',
      currency: 'eur',
    },
    headers: { origin: house.url },
  })
  const visitor = await browser.newContext()
  const remembered = { name: 'newsletter', value: own.id }
  const ownersState = await owner.storageState()
  ownersState.origins = [{ origin: house.url, localStorage: [remembered] }]
  return {
    places,
    states: { owner: ownersState, newcomer: await newcomer.storageState(), visitor: await visitor.storageState() },
  }
}

async function personIn(browser: Browser, path: string, data: object): Promise<BrowserContext> {
  const context = await browser.newContext()
  const answer = await context.request.post(`${house.url}${path}`, { data, headers: { origin: house.url } })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return context
}

async function read<T>(context: BrowserContext, path: string): Promise<T> {
  return (await (await context.request.get(`${house.url}${path}`)).json()) as T
}

async function findPlaces(owner: BrowserContext, newsletterId: string, handle: string): Promise<Places> {
  const path = `/api/newsletters/${newsletterId}`
  const one = async (status: string) => {
    const { rows } = await read<{ rows: { id: string; url: string | null }[] }>(
      owner,
      `${path}/publications?status=${status}&limit=1`,
    )
    return rows[0] ?? null
  }
  const sent = await one('sent')
  const { rows } = await read<{ rows: { id: string }[] }>(owner, `${path}/subscribers?status=active&limit=1`)
  return {
    newsletterId,
    handle,
    sent: { id: sent?.id ?? '', slug: sent?.url?.split('/').at(-1) ?? '' },
    draft: { id: (await one('draft'))?.id ?? '' },
    scheduled: await one('scheduled'),
    subscriberId: rows[0]?.id ?? '',
  }
}

async function takeAll({ places, states }: Sessions, look: Look): Promise<void> {
  for (const as of ['visitor', 'newcomer', 'owner'] as const) {
    const context = await browser.newContext({
      baseURL: house.url,
      locale: locales[look.language],
      timezoneId: 'Europe/Paris',
      colorScheme: look.scheme,
      reducedMotion: 'reduce',
      viewport: { width: look.width, height: look.width > 700 ? 900 : 844 },
      storageState: states[as],
    })
    const page = await context.newPage()
    for (const screen of chosen.filter((one) => one.as === as)) await take(page, screen, places, look)
    await context.close()
  }
}

async function take(
  page: Page,
  { name, address, act }: Screen,
  places: Places,
  { language, scheme, width }: Look,
): Promise<void> {
  const path = join(folder, `${name}-${language}-${width}-${scheme}.png`)
  try {
    await page.goto(address(places), { waitUntil: 'load' })
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
