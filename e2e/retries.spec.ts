import { startRecordingRelay } from '../server/testing/recording-relay.ts'
import { expect, test } from './fixtures.ts'
import { addRelay, COPIES, confirmAddress, importSubscribers } from './live-stage.ts'
import { createNewsletter } from './owners.ts'

test('a letter that all but a few have is called sent, on its page, in the list and on the dashboard', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const full = new Set<string>()
  let gone: string | undefined
  const relay = await startRecordingRelay((to) => {
    if (!to.startsWith('reader')) return null
    gone ??= to
    if (to === gone) return { code: 550, text: '5.1.1 No such mailbox' }
    if (full.size < 2) full.add(to)
    return full.has(to) ? { code: 452, text: '4.2.2 The mailbox is full' } : null
  })
  try {
    const newsletter = await createNewsletter(page, baseURL, language)
    await confirmAddress(page, t, newsletter)
    await importSubscribers(page, t)
    const api = `${baseURL}/api/newsletters/${newsletter.id}`
    await addRelay(page, api, relay)
    const headers = { origin: baseURL ?? '' }
    const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low water.' }] }] }
    const made = await page.request.post(`${api}/publications`, { data: { title: 'Full boxes', content }, headers })
    const { id } = (await made.json()) as { id: string }
    const sent = await page.request.post(`${api}/publications/${id}/send`, { data: {}, headers })
    expect(sent.ok(), await sent.text()).toBe(true)

    await page.goto(`/publish/${id}`)
    await expect(page.getByRole('heading', { name: t('publish.press.title.retrying') })).toBeVisible({
      timeout: 60_000,
    })
    await expect(page.getByRole('button', { name: t('publish.press.stopRetries') })).toBeVisible()
    expect(relay.received.filter(({ to }) => to.startsWith('reader'))).toHaveLength(COPIES - 3)
    const words = t('publish.status.retrying', { count: 2, n: '2' })
    const numbers = { done: String(COPIES - 2), of: String(COPIES) }
    const lost = t('publish.press.lost', { count: 1, n: '1' })
    const strip = async (name: string) => {
      const bar = page.getByRole('progressbar', { name: name + lost })
      await expect(bar.locator('[data-part]')).toHaveCount(1)
      await expect(bar.locator('[data-part="failed"]')).toBeVisible()
    }
    await strip(t('publish.press.of', numbers))
    await page.goto('/publish')
    await strip(t('publish.press.of', numbers))
    await expect(page.getByRole('heading', { name: t('publish.list.groups.retrying') })).toBeVisible()
    await expect(page.getByRole('heading', { name: t('publish.list.groups.press'), exact: true })).toBeHidden()
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByRole('tab', { name: t('publish.list.tabs.sending') })).toHaveCount(0)
    await page.getByRole('tab', { name: `${t('publish.list.tabs.sent')} 1` }).click()
    await expect(page.getByRole('link', { name: 'Full boxes' })).toBeVisible()
    await page.goto('/dashboard')
    await expect(page.getByText(words)).toBeVisible()
    await strip(t('dashboard.copies', numbers))

    const cancelled = await page.request.post(`${api}/publications/${id}/cancel`, { data: {}, headers })
    expect(cancelled.ok(), await cancelled.text()).toBe(true)
    await page.goto(`/publish/${id}`)
    await strip(t('publish.press.of', numbers))
    await expect(page.getByText(t('delivery.began', { when: '' }).trim())).toBeVisible()
  } finally {
    await relay.stop()
  }
})
