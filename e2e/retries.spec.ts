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
  const relay = await startRecordingRelay((to) => {
    if (full.size < 2 && to.startsWith('reader')) full.add(to)
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
    expect(relay.received.filter(({ to }) => to.startsWith('reader'))).toHaveLength(COPIES - 2)
    const words = t('publish.status.retrying', { count: 2, n: '2' })
    await page.goto('/publish')
    await expect(page.getByRole('heading', { name: t('publish.list.groups.retrying') })).toBeVisible()
    await expect(page.getByRole('heading', { name: t('publish.list.groups.press'), exact: true })).toBeHidden()
    await expect(page.getByText(words)).toBeVisible()
    await page.goto('/dashboard')
    await expect(page.getByText(words)).toBeVisible()
  } finally {
    await relay.stop()
  }
})
