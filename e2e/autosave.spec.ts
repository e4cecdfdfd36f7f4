import type { Page, Request } from '@playwright/test'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

/** Two thousand characters whose every part is different, so that what is lost or doubled would be seen. */
const words = Array.from({ length: 100 }, (_, place) => `wave${String(place).padStart(15, '0')}`).join(' ')

test('what is typed fast on a slow network is there after the tab was killed', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const id = await beginDraft(page, newsletter.id, baseURL)
  const network = await slowNetwork(page, id)
  const desk = new EditorScreen(page, t)
  await page.goto(`/publish/create/${id}`)
  await desk.text.click()
  const half = words.length / 2
  await typeFast(page, words.slice(0, half))
  await network.waiting()
  await typeFast(page, words.slice(half))
  await page.close({ runBeforeUnload: false })

  const again = await context.newPage()
  const desk2 = new EditorScreen(again, t)
  await again.goto(`/publish/create/${id}`)
  await expect(desk2.text).toContainText(words)
  await expect(again.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => savedText(again, newsletter.id, id), 'what the server has').toContain(words)
})

test('a save that arrived while its tab was killed is no conflict with oneself', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const id = await beginDraft(page, newsletter.id, baseURL)
  const desk = new EditorScreen(page, t)
  const network = await lostAnswers(page, id)
  await page.goto(`/publish/create/${id}`)
  await desk.text.click()
  await typeFast(page, 'The tide comes in. ')
  await network.arrived()
  await typeFast(page, 'The tide goes out.')
  await page.close({ runBeforeUnload: false })

  const again = await context.newPage()
  await again.goto(`/publish/create/${id}`)
  await expect(new EditorScreen(again, t).text).toContainText('The tide comes in. The tide goes out.')
  await expect(again.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => savedText(again, newsletter.id, id)).toContain('The tide comes in. The tide goes out.')
})

test('words that wait are saved when the page is left', async ({ page, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const id = await beginDraft(page, newsletter.id, baseURL)
  const desk = new EditorScreen(page, t)
  await page.goto(`/publish/create/${id}`)
  await desk.text.click()
  await typeFast(page, 'Gone at once.')
  await page.goto('about:blank')
  await expect.poll(() => savedText(page, newsletter.id, id)).toContain('Gone at once.')
})

async function beginDraft(page: Page, newsletterId: string, baseURL: string | undefined): Promise<string> {
  const made = await page.request.post(`/api/newsletters/${newsletterId}/publications`, {
    data: { title: 'A fast hand' },
    headers: { origin: baseURL ?? '' },
  })
  expect(made.ok(), await made.text()).toBe(true)
  return ((await made.json()) as { id: string }).id
}

/** Faster than any hand: word after word without a pause. */
async function typeFast(page: Page, text: string): Promise<void> {
  for (const word of text.match(/\S+\s*|\s+/g) ?? []) await page.keyboard.insertText(word)
}

async function savedText(page: Page, newsletterId: string, id: string): Promise<string> {
  const answer = await page.request.get(`/api/newsletters/${newsletterId}/publications/${id}`)
  return JSON.stringify(((await answer.json()) as { content: unknown }).content)
}

const isSave = (request: Request) => request.method() === 'PATCH'

/** A network on which no save gets anywhere while this page lives. */
async function slowNetwork(page: Page, id: string): Promise<{ waiting: () => Promise<void> }> {
  const begun = Promise.withResolvers<void>()
  await page.route(`**/publications/${id}`, (route) => {
    if (!isSave(route.request())) return route.continue()
    begun.resolve()
    return undefined
  })
  return { waiting: () => begun.promise }
}

/** A network on which saves arrive and their answers do not. */
async function lostAnswers(page: Page, id: string): Promise<{ arrived: () => Promise<void> }> {
  const arrived = Promise.withResolvers<void>()
  await page.route(`**/publications/${id}`, async (route) => {
    if (!isSave(route.request())) return route.continue()
    await route.fetch()
    arrived.resolve()
  })
  return { arrived: () => arrived.promise }
}
