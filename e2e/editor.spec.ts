import type { BrowserContext, Page } from '@playwright/test'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner } from './owners.ts'

test('two tabs: the second to save is shown both versions, and chooses', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const { path, api } = await aDraft(page, baseURL, language)
  const other = await context.newPage()
  const [here, there] = [new EditorScreen(page, t), new EditorScreen(other, t)]
  for (const tab of [page, other]) await tab.goto(path)
  await here.text.click()
  await here.type('Written here.')
  await expect.poll(() => saved(page, api)).toContain('Written here.')
  await there.text.click()
  await there.type('Written there.')

  const dialog = other.getByRole('dialog', { name: t('publish.conflict.title') })
  await expect(dialog).toContainText('Written here.')
  await expect(dialog).toContainText('Written there.')
  expect(await saved(page, api)).not.toContain('Written there.')
  await dialog.getByRole('button', { name: t('publish.conflict.keepMine') }).click()
  await expect.poll(() => saved(page, api)).toContain('Written there.')
})

test('what is written offline is kept on the device, over a reload, and saved afterwards', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const { path, api } = await aDraft(page, baseURL, language)
  const desk = new EditorScreen(page, t)
  await page.goto(path)
  await desk.text.click()
  await desk.type('Before. ')
  await expect.poll(() => saved(page, api)).toContain('Before.')
  await away(context, true)
  await desk.type('Without a network.')
  await expect(page.getByText(t('publish.save.away'))).toBeVisible()
  expect(await saved(page, api)).not.toContain('Without a network.')
  await away(context, false)
  await page.reload()
  await expect(desk.text).toContainText('Without a network.')
  await expect.poll(() => saved(page, api)).toContain('Without a network.')
})

test('from signing up to a saved draft without a mouse', async ({ page, t }) => {
  const owner = newOwner()
  await page.goto('/signup')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await tabTo(page, t('identity.name'))
  await page.keyboard.type(owner.name)
  await tabTo(page, t('identity.email'))
  await page.keyboard.type(owner.email)
  await tabTo(page, t('identity.password'))
  await page.keyboard.type(owner.password)
  await tabTo(page, t('identity.firstNewsletter'))
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/publish\/create\/\w+/)
  const desk = new EditorScreen(page, t)
  await expect(desk.title).toBeFocused()
  await page.keyboard.type('Written without a mouse')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(desk.text).toBeFocused()
  await page.keyboard.press('Control+b')
  await page.keyboard.type('Every word of it.')
  const id = page.url().split('/').at(-1)
  const { newsletters } = await (await page.request.get('/api/newsletters')).json()
  const api = `/api/newsletters/${newsletters[0].id}/publications/${id}`
  await expect.poll(() => saved(page, api)).toContain('Every word of it.')
  expect(await saved(page, api)).toMatch(/"title":"Written without a mouse"/)
  expect(await saved(page, api)).toContain('"bold"')
})

async function aDraft(page: Page, baseURL: string | undefined, language: 'en' | 'fr') {
  const { id } = await createNewsletter(page, baseURL, language)
  const path = `/api/newsletters/${id}/publications`
  const made = await page.request.post(path, { data: { title: 'A draft' }, headers: { origin: baseURL ?? '' } })
  const publication = (await made.json()) as { id: string }
  return { path: `/publish/create/${publication.id}`, api: `${path}/${publication.id}` }
}

/** The publication as the server has it, as text. */
const saved = async (page: Page, api: string): Promise<string> => (await page.request.get(api)).text()

/** The server cannot be reached by the owner app; the test itself still reaches it. */
async function away(context: BrowserContext, gone: boolean): Promise<void> {
  const everything = '**/api/newsletters/**'
  if (gone) await context.route(everything, (route) => route.abort())
  else await context.unroute(everything)
}

/** Presses Tab until the field with this label has the focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  const field = page.getByRole('textbox', { name: label, exact: true })
  for (let step = 0; step < 30; step += 1) {
    if (await field.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(field).toBeFocused()
}
