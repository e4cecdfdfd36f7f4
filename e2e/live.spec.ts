import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { COPIES, expectRight, journey, live, REOPENED_MS, randomFrom, type Stage } from './live-stage.ts'
import { createNewsletter } from './owners.ts'
import { publish } from './publications.ts'
import { refusals, startStreamProxy } from './stream-proxy.ts'
import { requestSubscription } from './subscribers.ts'
import { uniqueAddress } from './unique-address.ts'

const states = ['accepted', 'queued', 'deferred', 'failed'] as const

journey('a sending is right on the page within two seconds, however its stream was cut', async ({ stage, baseURL }) => {
  // Six rounds, in each of which the stream may take half a minute to return.
  journey.setTimeout(300_000)
  const { page, t, api, relay, wire, newsletter } = stage
  const seed = Number(process.env.LIVE_SEED ?? randomInt(2 ** 31))
  const random = randomFrom(seed)
  const { id } = await publish(page, { baseURL, newsletter, channel: 'everywhere' })
  await page.goto(`${wire.url}/publish/${id}`)
  await test.step(`LIVE_SEED=${seed}`, async () => {
    await expectResultsRight({ ...stage, id })
    for (let round = 0; relay.received.length < COPIES; round += 1) {
      const [cutAt, mendAt] = [random(3), random(3)]
      const acts = [
        () => relay.release(),
        () => expectRecorded({ page, api, relay, id }),
        () => relay.release(),
        () => expectRecorded({ page, api, relay, id }),
      ]
      for (const [at, act] of acts.entries()) {
        if (at === cutAt) {
          wire.cut(refusals[random(refusals.length)] ?? 'drop')
          await expect(live(page, t), `round ${round}, LIVE_SEED=${seed}: no word *Live* without a stream`).toBeHidden()
        }
        if (at === cutAt + mendAt) wire.mend()
        await act()
      }
      wire.mend()
      await expect(live(page, t)).toBeVisible({ timeout: REOPENED_MS })
      await expectRecorded({ page, api, relay, id })
      await expectResultsRight({ ...stage, id }, `round ${round}, LIVE_SEED=${seed}`)
    }
  })
  await expect(page.getByRole('heading', { name: t('publish.press.title.sent') })).toBeVisible()
})

journey('pages that are opened while it goes on are right, and so is the side bar', async ({ stage, baseURL }) => {
  const { page, t, api, relay, wire, newsletter } = stage
  const { id } = await publish(page, { baseURL, newsletter, channel: 'everywhere' })
  const nav = page.getByRole('navigation', { name: t('shell.main') })
  const open = (name: 'dashboard' | 'publish' | 'outbox' | 'subscribers') =>
    nav.getByRole('link', { name: t(`shell.nav.${name}`), exact: name !== 'subscribers' }).click()

  // The page asks first, and only then its stream opens: what happens between the two would be missed.
  wire.cut('hold')
  await page.goto(`${wire.url}/publish/${id}`)
  await expect(page.getByRole('heading', { name: t('publish.press.title.sending') })).toBeVisible()
  await expect(live(page, t)).toBeHidden()
  relay.release()
  await expectRecorded({ page, api, relay, id })
  wire.mend()
  await expect(live(page, t)).toBeVisible()
  await expectResultsRight({ ...stage, id })

  // Another page, on which the rest is sent, and back.
  await open('publish')
  await expect(page.getByRole('heading', { name: t('shell.nav.publish') })).toBeVisible()
  while (relay.received.length < COPIES) {
    relay.release()
    await expectRecorded({ page, api, relay, id })
  }
  await expect.poll(async () => (await resultOf(page, api, id)).status).toBe('sent')
  const sent = page.getByRole('region', { name: t('publish.list.groups.sent') })
  await expect(sent.getByRole('listitem')).toHaveCount(1)
  await sent.getByRole('listitem').getByRole('link').first().click()
  await expectResultsRight({ ...stage, id })
  await expect(page.getByRole('heading', { name: t('publish.press.title.sent') })).toBeVisible()

  // Who leaves on another device leaves the side bar, too.
  const { rows } = (await (await page.request.get(`${api}/subscribers?limit=1`)).json()) as { rows: { id: string }[] }
  const gone = await page.request.delete(`${api}/subscribers/${rows[0]?.id}`, { headers: { origin: baseURL ?? '' } })
  expect(gone.ok(), await gone.text()).toBe(true)
  const count = nav.getByRole('link', { name: t('shell.nav.subscribers') })
  await expect(count).toContainText(String(COPIES - 1))
})

test('the outbox shows caught mail as it comes, also what came while its stream was cut', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const wire = await startStreamProxy(baseURL ?? '')
  try {
    const total = async () => {
      const answer = await page.request.get(`${baseURL}/api/newsletters/${newsletter.id}/outbox`)
      return ((await answer.json()) as { total: number }).total
    }
    const catchMail = async () => {
      const before = await total()
      await requestSubscription(subscriber, t, { newsletter, email: uniqueAddress('reader') })
      await expect.poll(total).toBeGreaterThan(before)
    }
    const rows = page.getByRole('main').getByRole('listitem')
    const expectAllShown = (when: string) =>
      expectRight({
        ...{ wire, when, known: total },
        says: async () => ({ live: await live(page, t).isVisible(), rows: await rows.count() }),
        should: (known) => ({ live: true, rows: known }),
      })
    await page.goto(`${wire.url}/outbox`)
    await expect(live(page, t)).toBeVisible()
    await catchMail()
    await expectAllShown('before the cut')

    wire.cut('drop')
    await expect(live(page, t)).toBeHidden()
    await catchMail()
    const asOf = page.getByRole('banner').getByText(new RegExp(t('ui.asOf', { time: '\\d.*' })))
    await expect(asOf).toBeVisible()
    wire.mend()
    await expect(live(page, t)).toBeVisible({ timeout: REOPENED_MS })
    await expect(asOf).toBeHidden()
    await expectAllShown('after the cut')
  } finally {
    await wire.stop()
  }
})

test('tabs that nobody sees keep no stream, so that a browser of six connections still fetches in the seventh', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  const tabs: Page[] = []
  for (let n = 0; n < 6; n += 1) {
    const tab = await context.newPage()
    await tab.goto('/outbox')
    await expect(live(tab, t)).toBeVisible()
    await become(tab, 'hidden')
    await expect(live(tab, t)).toBeHidden()
    tabs.push(tab)
  }
  await page.goto('/outbox')
  await expect(live(page, t)).toBeVisible()
  const [first] = tabs
  if (!first) throw new Error('there are six tabs')
  await become(first, 'visible')
  await expect(live(first, t)).toBeVisible()
})

/** The browser of the tests calls every tab visible. */
async function become(tab: Page, state: DocumentVisibilityState): Promise<void> {
  await tab.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

interface Result {
  status: string
  counts: Record<(typeof states)[number] | 'intended', number>
}

async function resultOf(page: Page, api: string, id: string): Promise<Result> {
  return (await (await page.request.get(`${api}/publications/${id}/result`)).json()) as Result
}

/** Waits until the database has what the mail server took. */
async function expectRecorded({ page, api, relay, id }: Pick<Stage, 'page' | 'api' | 'relay'> & { id: string }) {
  await expect
    .poll(async () => (await resultOf(page, api, id)).counts.accepted, 'what was taken is recorded')
    .toBe(relay.received.length)
}

const expectResultsRight = ({ page, t, api, wire, id }: Stage & { id: string }, when = 'at first') =>
  expectRight({
    ...{ wire, when },
    says: async () => ({
      live: await live(page, t).isVisible(),
      state: await page.getByRole('heading', { level: 2 }).first().textContent(),
      // A state that holds nothing may be left out.
      counts: await Promise.all(
        states.map(async (state) => {
          const row = page.locator('dl div').filter({ hasText: t(`publish.state.${state}`) })
          return (await row.locator('dd').allTextContents())[0] ?? '0'
        }),
      ),
    }),
    known: async () => {
      const { status, counts } = await resultOf(page, api, id)
      return { status, counts }
    },
    should: ({ status, counts }) => ({
      live: true,
      state: t(`publish.press.title.${status === 'sent' ? 'sent' : 'sending'}`),
      counts: states.map((state) => String(counts[state])),
    }),
  })
