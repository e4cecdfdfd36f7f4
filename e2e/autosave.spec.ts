import type { Locator, Page, Request } from '@playwright/test'
import type { Translate } from '../server/translator.ts'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

/** Two thousand characters without a repetition, so that a lost or doubled part is found. */
const words = Array.from({ length: 100 }, (_, place) => `wave${String(place).padStart(15, '0')}`).join(' ')

test('text typed fast on a slow network survives when the tab is killed', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const id = await createDraft(page, newsletter.id, baseURL)
  const network = await holdSaves(page, id)
  const editor = new EditorScreen(page, t)
  await page.goto(`/publish/create/${id}`)
  await editor.text.click()
  const half = words.length / 2
  await typeFast(page, words.slice(0, half))
  await network.waiting()
  await typeFast(page, words.slice(half))
  await page.close({ runBeforeUnload: false })

  const again = await context.newPage()
  const reopened = new EditorScreen(again, t)
  await again.goto(`/publish/create/${id}`)
  await expect(reopened.text).toContainText(words)
  await expect(again.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => savedText(again, newsletter.id, id), 'what the server has').toContain(words)
})

test('bringing an earlier version back loses nothing of what was written a moment ago', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const id = await createDraft(page, newsletter.id, baseURL)
  const editor = new EditorScreen(page, t)
  await page.goto(`/publish/create/${id}`)
  await editor.text.click()
  await typeFast(page, 'An afternoon of work.')
  const open = () => openHistory(page, t)
  // Before the pause after which it would be saved.
  await (await open()).last().click()
  await page.getByRole('button', { name: t('editor.history.restore') }).click()
  await expect(editor.text).not.toContainText('afternoon')
  await editor.text.click()
  await typeFast(page, 'Anew.')
  await expect.poll(() => savedText(page, newsletter.id, id)).toContain('Anew.')
  await page.reload()
  await expect(editor.text).toContainText('Anew.')
  await (await open()).nth(1).click()
  await expect(page.getByRole('dialog').getByText('An afternoon of work.')).toBeVisible()
  await page.getByRole('button', { name: t('editor.history.restore') }).click()
  await expect(editor.text).toContainText('An afternoon of work.')
})

test('the history has what was typed a moment ago, and brings nothing back while that cannot be saved', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const id = await createDraft(page, newsletter.id, baseURL)
  const editor = new EditorScreen(page, t)
  const dialog = page.getByRole('dialog')
  await page.goto(`/publish/create/${id}`)
  await editor.text.click()
  await typeFast(page, 'A morning.')
  const network = await holdSaves(page, id)
  await network.waiting()
  await typeFast(page, ' An afternoon.')
  const versions = await openHistory(page, t)
  await expect(dialog.getByRole('status')).toBeVisible()
  await expect(versions).toHaveCount(0)
  network.release()
  await versions.first().click()
  await expect(dialog.getByText('A morning. An afternoon.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.route(`**/publications/${id}`, (route) => (isSave(route.request()) ? route.abort() : route.continue()))
  await editor.text.click()
  await page.keyboard.press('ControlOrMeta+End')
  await typeFast(page, ' An evening.')
  await (await openHistory(page, t)).last().click()
  await page.getByRole('button', { name: t('editor.history.restore') }).click()
  await expect(page.getByRole('alert').filter({ hasText: t('editor.history.unsaved') })).toBeVisible()
  await expect(editor.text).toContainText('A morning. An afternoon. An evening.')
  await page.unroute(`**/publications/${id}`)
  await page.getByRole('button', { name: t('ui.retry') }).click()
  await expect.poll(() => savedText(page, newsletter.id, id)).toContain('A morning. An afternoon. An evening.')
})

test('a save that arrived while its tab was killed is not a conflict', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const id = await createDraft(page, newsletter.id, baseURL)
  const editor = new EditorScreen(page, t)
  const network = await loseAnswers(page, id)
  await page.goto(`/publish/create/${id}`)
  await editor.text.click()
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

test('unsaved text is saved when the page is left', async ({ page, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const id = await createDraft(page, newsletter.id, baseURL)
  const editor = new EditorScreen(page, t)
  await page.goto(`/publish/create/${id}`)
  await editor.text.click()
  await typeFast(page, 'Gone at once.')
  await page.goto('about:blank')
  await expect.poll(() => savedText(page, newsletter.id, id)).toContain('Gone at once.')
})

test('signing out says which words are only on this device, and then leaves nothing of the person there', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const id = await createDraft(page, newsletter.id, baseURL)
  await page.route(`**/api/newsletters/*/publications/${id}`, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  const editor = new EditorScreen(page, t)
  await page.goto(`/publish/create/${id}`)
  await editor.text.click()
  await typeFast(page, 'Only here.')
  const kept = () => page.evaluate(() => Object.keys(localStorage).toSorted())
  const unsaved = expect.arrayContaining([expect.stringContaining(`unsaved:${id}`)])
  await expect.poll(kept).toEqual(unsaved)

  await page.goto('/profile')
  const signOut = page.getByRole('button', { name: t('identity.profile.signOut'), exact: true })
  await signOut.click()
  const dialog = page.getByRole('dialog', { name: t('identity.profile.unsaved') })
  await expect(dialog.getByRole('link', { name: 'A fast hand' })).toHaveAttribute('href', `/publish/create/${id}`)
  await dialog.getByRole('button', { name: t('identity.profile.unsavedKeep') }).click()
  await expect(dialog).toBeHidden()
  expect(await kept()).toEqual(unsaved)

  await signOut.click()
  await dialog.getByRole('button', { name: t('identity.profile.unsavedConfirm') }).click()
  await expect(page).toHaveURL(/\/(login|signup)/)
  // The settings of the device itself.
  await expect
    .poll(async () => (await kept()).filter((key) => !['language', 'mode', 'currency'].includes(key)))
    .toEqual([])
})

async function createDraft(page: Page, newsletterId: string, baseURL: string | undefined): Promise<string> {
  const made = await page.request.post(`/api/newsletters/${newsletterId}/publications`, {
    data: { title: 'A fast hand' },
    headers: { origin: baseURL ?? '' },
  })
  expect(made.ok(), await made.text()).toBe(true)
  return ((await made.json()) as { id: string }).id
}

/** Types word after word without a pause. */
async function typeFast(page: Page, text: string): Promise<void> {
  for (const word of text.match(/\S+\s*|\s+/g) ?? []) await page.keyboard.insertText(word)
}

async function savedText(page: Page, newsletterId: string, id: string): Promise<string> {
  const answer = await page.request.get(`/api/newsletters/${newsletterId}/publications/${id}`)
  return JSON.stringify(((await answer.json()) as { content: unknown }).content)
}

const isSave = (request: Request) => request.method() === 'PATCH'

/** The saved versions, newest first. */
async function openHistory(page: Page, t: Translate): Promise<Locator> {
  await page.getByRole('button', { name: t('editor.history.title') }).click()
  return page
    .getByRole('dialog', { name: t('editor.history.title') })
    .getByRole('list')
    .getByRole('button')
}

/** Holds every save back while this page is open, or until they are released. */
async function holdSaves(page: Page, id: string) {
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(`**/publications/${id}`, async (route) => {
    if (isSave(route.request())) {
      begun.resolve()
      await released.promise
    }
    await route.continue()
  })
  return { waiting: () => begun.promise, release: () => released.resolve() }
}

/** Lets saves arrive but loses their answers. */
async function loseAnswers(page: Page, id: string): Promise<{ arrived: () => Promise<void> }> {
  const arrived = Promise.withResolvers<void>()
  await page.route(`**/publications/${id}`, async (route) => {
    if (!isSave(route.request())) return route.continue()
    await route.fetch()
    arrived.resolve()
  })
  return { arrived: () => arrived.promise }
}
