import type { Page } from '@playwright/test'
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
    const id = await sendLetter(page, api, 'Full boxes')

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
    await strip(t('dashboard.copies', { count: COPIES, ...numbers }))

    const cancelled = await page.request.post(`${api}/publications/${id}/cancel`, { data: {}, headers })
    expect(cancelled.ok(), await cancelled.text()).toBe(true)
    await page.goto(`/publish/${id}`)
    await strip(t('publish.press.of', numbers))
    await expect(page.getByText(t('delivery.began', { when: '' }).trim())).toBeVisible()
  } finally {
    await relay.stop()
  }
})

test('while most copies of a letter were put off, its page says why in the relay’s words, and sends them again at once', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  let isDown = true
  const relay = await startRecordingRelay((to) =>
    isDown && to.startsWith('reader') ? { code: 451, text: '4.3.2 System not accepting network messages' } : null,
  )
  try {
    const newsletter = await createNewsletter(page, baseURL, language)
    await confirmAddress(page, t, newsletter)
    await importSubscribers(page, t)
    const api = `${baseURL}/api/newsletters/${newsletter.id}`
    await addRelay(page, api, relay)
    const id = await sendLetter(page, api, 'Nobody home')
    await page.goto(`/publish/${id}`)
    const notice = page.getByRole('alert').filter({ hasText: t('publish.again.most') })
    await expect(notice).toContainText('4.3.2 System not accepting network messages', { timeout: 60_000 })
    expect(relay.received.filter(({ to }) => to.startsWith('reader'))).toEqual([])
    isDown = false
    await notice.getByRole('button', { name: t('publish.again.button') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('publish.again.button') })
      .click()
    await expect(page.getByRole('heading', { name: t('publish.press.title.sent'), exact: true })).toBeVisible({
      timeout: 60_000,
    })
    await expect(notice).toBeHidden()
    expect(relay.received.filter(({ to }) => to.startsWith('reader'))).toHaveLength(COPIES)
  } finally {
    await relay.stop()
  }
})

async function sendLetter(page: Page, api: string, title: string): Promise<string> {
  const headers = { origin: new URL(api).origin }
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low water.' }] }] }
  const made = await page.request.post(`${api}/publications`, { data: { title, content }, headers })
  const { id } = (await made.json()) as { id: string }
  const sent = await page.request.post(`${api}/publications/${id}/send`, { data: {}, headers })
  expect(sent.ok(), await sent.text()).toBe(true)
  return id
}
