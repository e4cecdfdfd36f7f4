import { expect, type Page } from '@playwright/test'
import type { Newsletter } from './owners.ts'

interface Publishing {
  baseURL: string | undefined
  newsletter: Newsletter
  /** `everywhere`: on the web and by mail. */
  channel?: 'web' | 'everywhere'
  title?: string
  content?: unknown
}

export const shortContent = {
  type: 'doc',
  content: [
    { type: 'paragraph', content: [{ type: 'text', text: 'Twice a day the harbour runs out of sea.' }] },
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Four metres' }] },
    { type: 'paragraph', content: [{ type: 'text', text: 'Then it comes back.' }] },
  ],
}

/** Creates and publishes a publication through the API, and waits until it has an address on the web. */
export async function publish(
  page: Page,
  { baseURL, newsletter, channel = 'web', title = 'The harbour that waits', content = shortContent }: Publishing,
): Promise<{ id: string; url: string }> {
  const headers = { origin: baseURL ?? '' }
  const path = `/api/newsletters/${newsletter.id}/publications`
  const made = await page.request.post(path, { data: { title, content }, headers })
  expect(made.ok(), await made.text()).toBe(true)
  const { id } = (await made.json()) as { id: string }
  const sent = await page.request.post(`${path}/${id}/send`, { data: { channel }, headers })
  expect(sent.ok(), await sent.text()).toBe(true)
  await expect
    .poll(async () => (await (await page.request.get(`${path}/${id}`)).json()).url, 'the address on the web')
    .toBeTruthy()
  return (await (await page.request.get(`${path}/${id}`)).json()) as { id: string; url: string }
}
