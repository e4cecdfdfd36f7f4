import type { Page } from '@playwright/test'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { publish } from './publications.ts'
import { sell } from './sponsors.ts'
import { subscribe } from './subscribers.ts'

const video = {
  type: 'video',
  attrs: { url: 'https://youtu.be/abcdefghijk', provider: 'youtube', title: 'The bell of Keryann' },
}
const content = {
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', marks: [{ type: 'textStyle', attrs: { color: '#b3231d' } }], text: 'It rings at low water.' },
      ],
    },
    video,
  ],
}

test('no page asks for what its policy forbids, and the player of a video plays in the preview and on the web', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}/publications`
  const draft = await (await page.request.post(api, { data: { title: 'A draft', content }, headers })).json()
  const { url } = await publish(page, { baseURL, newsletter, title: 'The bell', content })
  await subscribe({ subscriber, owner: page, t, newsletter })
  await sell({ page, baseURL, newsletterId: newsletter.id })
  const refused = await listen(page)

  await page.goto(`/publish/create/${draft.id}`)
  await expect(new EditorScreen(page, t).text).toContainText('It rings at low water.')
  await page.getByRole('button', { name: t('publish.preview.title') }).click()
  const pane = page.getByRole('complementary', { name: t('publish.preview.title') })
  for (const view of ['phone', 'dark', 'text', 'web', 'email', 'web'] as const) {
    await pane.getByText(t(`publish.preview.${view}`), { exact: true }).click()
    if (view === 'text') await expect(pane.locator('pre')).toContainText('It rings at low water.')
    else
      await expect(
        pane.locator('iframe').contentFrame().getByText('It rings at low water.', { exact: true }),
      ).toBeVisible()
  }
  const preview = pane.locator('iframe').contentFrame()
  await preview.locator('summary').click()
  await expect(preview.frameLocator('.video iframe').frameLocator('iframe').getByText('Plays')).toBeVisible()

  await page.goto(url)
  await page.locator('summary').click()
  await expect(page.frameLocator('.video iframe').getByText('Plays')).toBeVisible()

  await page.goto(newsletter.urls.archive)
  await expect(page.getByRole('link', { name: 'The bell' }).first()).toBeVisible()
  await page.goto(newsletter.urls.subscribe)
  await expect(page.getByLabel(t('subscribers.page.email'))).toBeVisible()
  await page.goto(`/sponsor/${newsletter.id}`)
  await expect(page.getByLabel(t('sponsors.page.sponsor'))).toBeVisible()
  await page.goto('/dashboard')
  const growth = t('ui.downloadChart', { chart: t('dashboard.charts.growth') })
  await expect(page.getByRole('link', { name: growth, exact: true })).toBeVisible()
  expect(refused).toEqual([])
})

test('the reference of the API asks for nothing that its policy forbids', async ({ page }) => {
  const refused = await listen(page)
  await page.goto('/api/docs')
  // It lays out every operation before it shows the first word. That is the longest work of any page: half the time of this test.
  await expect(page.getByRole('heading', { name: 'Tirage' }).first()).toBeVisible({ timeout: 60_000 })
  await expect(page.locator('h2').first()).toBeVisible()
  // It asks whether it may make functions of text, and does without.
  expect(refused.filter((one) => !one.endsWith('refused script-src eval'))).toEqual([])
})

/**
 * What browsers report of policies that forbid something, and every other error, on this page and in its frames. The player of
 * the provider is a page with a script of its own.
 */
async function listen(page: Page): Promise<string[]> {
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(`${page.url()}: ${message.text()}`)
  })
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error('refused', effectiveDirective, blockedURI),
    )
  })
  await page.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script>document.write("Plays")</script>' }),
  )
  return refused
}
