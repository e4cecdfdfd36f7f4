import { expect, type Page } from '@playwright/test'
import type { Language } from '../server/languages.ts'
import { createNewsletter, type Newsletter } from './owners.ts'

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

interface Opened {
  baseURL: string | undefined
  language: Language
  content?: object
}

/** A draft with this content, where it is opened, and what the server has of it. */
export async function openDraft(page: Page, { baseURL, language, content }: Opened) {
  const { id } = await createNewsletter(page, baseURL, language)
  const api = `/api/newsletters/${id}/publications`
  const headers = { origin: baseURL ?? '' }
  const made = (await (await page.request.post(api, { data: { title: 'A draft' }, headers })).json()) as {
    id: string
    revision: number
  }
  const address = `${api}/${made.id}`
  if (content) {
    const saved = await page.request.patch(address, { data: { revision: made.revision, content }, headers })
    expect(saved.status()).toBe(200)
  }
  return { path: `/publish/create/${made.id}`, content: async () => (await page.request.get(address)).text() }
}
