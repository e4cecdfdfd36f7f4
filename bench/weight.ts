import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { type Claim, thousands } from './claim.ts'
import type { BenchServer } from './server.ts'

const kB = 1_000
const PAGE = 15 * kB
const FONTS = 85 * kB
const OWNER_APP = 300 * kB
const SIGN_UP_SCRIPT = 260 * kB
const SIGN_UP = 350 * kB
const EMBED = 3 * kB

interface Loaded {
  type: string
  bytes: number
  url: string
}

/** The bytes that a browser downloads, compressed: for the subscribe page, for a form on another site, for sign-up, and for the first screen of the owner app. */
export const weight: Claim = {
  name: 'weight',
  async measure(shared) {
    const server = await shared()
    const loaded = await load(server, `/subscribe/${server.newsletterId}`)
    const page = sum(loaded, 'document', 'stylesheet')
    const fonts = sum(loaded, 'font')
    const scripts = sum(loaded, 'script')
    const embed = await fetch(`${server.url}/embed.js`, { headers: { 'accept-encoding': 'gzip' } })
    const embedded = Number(embed.headers.get('content-length'))
    const signUp = await load(server, '/signup')
    const signUpScript = sum(signUp, 'script')
    const signUpWhole = sum(signUp)
    const first = sum(await load(server, '/dashboard', server.cookie), 'script')
    return [
      {
        claim: 'subscribe page, HTML and style',
        promised: `≤ ${bytes(PAGE)}`,
        measured: bytes(page),
        kept: page <= PAGE,
      },
      { claim: 'subscribe page, fonts', promised: `≤ ${bytes(FONTS)}`, measured: bytes(fonts), kept: fonts <= FONTS },
      { claim: 'subscribe page, script', promised: 'none', measured: bytes(scripts), kept: scripts === 0 },
      {
        claim: 'form on another site, script',
        promised: `< ${bytes(EMBED)}`,
        measured: bytes(embedded),
        kept: embed.headers.get('content-encoding') === 'gzip' && embedded > 0 && embedded < EMBED,
      },
      {
        claim: 'sign-up, script',
        promised: `≤ ${bytes(SIGN_UP_SCRIPT)}`,
        measured: bytes(signUpScript),
        kept: signUpScript > 0 && signUpScript <= SIGN_UP_SCRIPT,
      },
      {
        claim: 'sign-up, all of it',
        promised: `≤ ${bytes(SIGN_UP)}`,
        measured: bytes(signUpWhole),
        kept: signUpWhole > signUpScript && signUpWhole <= SIGN_UP,
      },
      {
        claim: 'owner app’s first screen, script',
        promised: `≤ ${bytes(OWNER_APP)}`,
        measured: bytes(first),
        kept: first > 0 && first <= OWNER_APP,
      },
    ]
  },
}

async function load({ url }: BenchServer, path: string, cookie = ''): Promise<Loaded[]> {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const cookies = cookie
      .split('; ')
      .filter(Boolean)
      .map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/)
        return { name, value, url }
      })
    if (cookies.length > 0) await context.addCookies(cookies)
    const page = await context.newPage()
    const loaded: Promise<Loaded>[] = []
    page.on('requestfinished', (request) => {
      const size = request.sizes().then(({ responseBodySize }) => responseBodySize)
      loaded.push(size.then((bytes) => ({ type: request.resourceType(), bytes, url: request.url() })))
    })
    await page.goto(url + path)
    await page.waitForLoadState('load')
    // The owner app downloads its screen after its start and keeps one stream open, so the network is never idle.
    await page.waitForTimeout(3_000)
    return await Promise.all(loaded)
  } finally {
    await browser.close()
  }
}

/** @param types all of them where none is named */
const sum = (loaded: Loaded[], ...types: string[]): number =>
  loaded.filter(({ type }) => types.length === 0 || types.includes(type)).reduce((total, each) => total + each.bytes, 0)

const bytes = (n: number): string => (n === 0 ? 'none' : `${thousands(n)} B`)
