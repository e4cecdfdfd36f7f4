import { inspect, isDeepStrictEqual } from 'node:util'
import type { Page } from '@playwright/test'
import { type RecordingRelay, startRecordingRelay } from '../server/testing/recording-relay.ts'
import type { Translate } from '../server/translator.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, type Newsletter } from './owners.ts'
import { type StreamProxy, startStreamProxy } from './stream-proxy.ts'
import { uniqueAddress } from './unique-address.ts'

/** What the word *Live* promises. */
const LIVE_MS = 2_000
/** A browser asks for a stream that was refused after 2 seconds, then 4, then 8. */
export const REOPENED_MS = 30_000
export const COPIES = 24

/** A newsletter with subscribers, whose mail server answers when the test says, and the wire to its owner’s browser. */
export interface Stage {
  page: Page
  t: Translate
  api: string
  relay: RecordingRelay
  wire: StreamProxy
  newsletter: Newsletter
}

export const journey = test.extend<{ stage: Stage }>({
  stage: async ({ page, t, language, baseURL }, use) => {
    const relay = await startRecordingRelay((to) => (to.startsWith('reader') ? 'wait' : null))
    const wire = await startStreamProxy(baseURL ?? '')
    const newsletter = await createNewsletter(page, baseURL, language)
    await confirmAddress(page, t, newsletter)
    await importSubscribers(page, t)
    const api = `${baseURL}/api/newsletters/${newsletter.id}`
    await addRelay(page, api, relay)
    await use({ page, t, api, relay, wire, newsletter })
    await wire.stop()
    await relay.stop()
  },
})

interface Promised<Known> {
  wire: StreamProxy
  when: string
  /** What the page shows; `live` is whether it calls itself so. */
  says(): Promise<{ live?: boolean }>
  known(): Promise<Known>
  should(known: Known): object
}

/**
 * From two seconds after its stream is open, and after what is known has changed, a page calls nothing live that is not so. Where the machine is
 * too busy for an answer in time, the word *Live* is gone until it is there.
 */
export async function expectRight<Known>({ wire, when, says, known, should }: Promised<Known>): Promise<void> {
  await expect.poll(() => wire.passes(), { message: when, timeout: REOPENED_MS, intervals: [50] }).toBe(true)
  let before: Known | null = null
  let promisedAt = 0
  await expect
    .poll(
      async () => {
        const askedAt = Date.now()
        const seen = await says()
        const now = await known()
        if (!isDeepStrictEqual(now, before)) promisedAt = Date.now() + LIVE_MS
        before = now
        const wanted = should(now)
        if (isDeepStrictEqual(seen, wanted)) return 'right'
        if (seen.live === true && askedAt > promisedAt)
          throw new Error(`${when}: called live and wrong ${inspect({ seen, wanted })}`)
        return { seen, wanted }
      },
      { message: when, timeout: REOPENED_MS, intervals: [100] },
    )
    .toBe('right')
}

/** The word *Live* in the top line. */
export const live = (page: Page, t: Translate) => page.getByRole('banner').getByText(t('ui.live'), { exact: true })

/** Mail of the newsletter leaves through it, two at a time, so that it takes a while. */
export async function addRelay(page: Page, api: string, relay: RecordingRelay): Promise<void> {
  const port = Number(new URL(relay.url).port)
  const way = { kind: 'smtp', host: '127.0.0.1', port, security: 'none', username: null }
  const data = { name: 'Harbour', way, connections: 2 }
  const added = await page.request.post(`${api}/relays`, { data, headers: { origin: new URL(api).origin } })
  expect(added.ok(), await added.text()).toBe(true)
}

/** A new address must be confirmed before a newsletter sends by a relay of its own. */
export async function confirmAddress(page: Page, t: Translate, newsletter: Newsletter): Promise<void> {
  const { user } = (await (await page.request.get('/api/me')).json()) as { user: { email: string } }
  await page.goto(linkIn(await readMail(page, newsletter.id, { to: user.email }), '/verified'))
  await page.getByRole('button', { name: t('identity.verified.submit') }).click()
  await expect(page.getByRole('heading', { name: t('identity.verified.title') })).toBeVisible()
}

export async function importSubscribers(page: Page, t: Translate): Promise<void> {
  const rows = Array.from({ length: COPIES }, () => uniqueAddress('reader'))
  await page.goto('/subscribers/import')
  const file = { name: 'readers.csv', mimeType: 'text/csv', buffer: Buffer.from(['email', ...rows].join('\n')) }
  await page.locator('input[type="file"]').setInputFiles(file)
  await page.getByRole('combobox', { name: t('imports.consent.origin') }).click()
  await page.getByRole('option', { name: t('imports.consent.origins.own_newsletter') }).click()
  await page.getByLabel(t('imports.consent.words')).fill('They subscribed by the form on our page.')
  await page.getByRole('checkbox', { name: t('imports.consent.confirm') }).check()
  await page.getByRole('button', { name: t('imports.check.start') }).click()
  await page.getByRole('button', { name: t('imports.check.import', { count: COPIES, n: String(COPIES) }) }).click()
  await expect(page.getByText(t('imports.done.noMail'))).toBeVisible()
}

/** Whole numbers below what is asked, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
