import type { BrowserContext, Page } from '@playwright/test'
import type { Language } from '../server/languages.ts'
import { EditorScreen } from './editor-screen.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner } from './owners.ts'

test('with two tabs, the second one to save shows both versions and lets the writer choose', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const { path, api } = await createDraft(page, baseURL, language)
  const other = await context.newPage()
  const [here, there] = [new EditorScreen(page, t), new EditorScreen(other, t)]
  for (const tab of [page, other]) await tab.goto(path)
  // It has read what is kept on this device before anything is.
  await expect(there.text).toBeVisible()
  await here.text.click()
  await here.type('Written here.')
  await expect.poll(() => savedJson(page, api)).toContain('Written here.')
  await there.text.click()
  await there.type('Written there.')

  const dialog = other.getByRole('dialog', { name: t('editor.conflict.title') })
  await expect(dialog).toContainText('Written here.')
  await expect(dialog).toContainText('Written there.')
  for (const words of t('editor.conflict.by.you', { when: '|' }).split('|')) await expect(dialog).toContainText(words)
  expect(await savedJson(page, api)).not.toContain('Written there.')

  // What the first tab saves then takes nothing from the other one, which is killed.
  await here.type(' And more here.')
  await expect.poll(() => savedJson(page, api)).toContain('And more here.')
  await other.close({ runBeforeUnload: false })
  const again = await context.newPage()
  await again.goto(path)
  const asked = again.getByRole('dialog', { name: t('editor.conflict.title') })
  await expect(asked).toContainText('And more here.')
  await expect(asked).toContainText('Written there.')
  await asked.getByRole('button', { name: t('editor.conflict.keepMine') }).click()
  await expect.poll(() => savedJson(page, api)).toContain('Written there.')
})

test('opening a publication saves nothing, though the editor shows an empty line below its last block', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path, api } = await createDraft(page, baseURL, language)
  const { revision: first } = await (await page.request.get(api)).json()
  const words = { type: 'text', text: 'The sea leaves.' }
  const content = { type: 'doc', content: [{ type: 'heading', attrs: { level: 2 }, content: [words] }] }
  const data = { revision: first, content }
  const saved = await page.request.patch(api, { data, headers: { origin: baseURL ?? '' } })
  expect(saved.status(), await saved.text()).toBe(200)
  const { revision } = await saved.json()
  const editor = new EditorScreen(page, t)
  const saves: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') saves.push(request.url())
  })
  await page.goto(path)
  await editor.text.getByRole('heading').click()
  await expect(editor.text.locator('> p')).toHaveCount(1)
  // Whoever leaves saves at once what is not saved.
  await page.goto('/publish')
  await page.goto(path)
  await expect(editor.text).toBeVisible()
  expect(saves).toEqual([])
  expect((await (await page.request.get(api)).json()).revision).toBe(revision)
  await editor.text.locator('> p').click()
  await editor.type('Twice a day.')
  await expect.poll(() => savedJson(page, api)).toContain('Twice a day.')
})

test('the preview does not wait for images that never arrive', async ({ page, t, language, baseURL }) => {
  const { path } = await createDraft(page, baseURL, language)
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.click()
  await editor.type('The sea leaves.')
  await editor.image('A harbour at low water')
  // The images of the mail are never answered.
  await page.route('**/*', (route) => (route.request().resourceType() === 'image' ? undefined : route.continue()))
  await page.getByRole('button', { name: t('publish.preview.title') }).click()
  const mail = page.frameLocator(`iframe[title="${t('publish.preview.email')}"]`)
  await expect(mail.getByText('The sea leaves.', { exact: true })).toBeVisible()
  await expect(mail.locator('body')).toHaveCSS('margin', '0px')
})

test('the preview says which cover there is, leads to where it is chosen, and follows the choice', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path } = await createDraft(page, baseURL, language)
  await page.goto(path)
  await page.getByRole('button', { name: t('publish.preview.title') }).click()
  const pane = page.getByRole('complementary', { name: t('publish.preview.title') })
  const cover = pane.locator('iframe').contentFrame().locator('picture')
  await expect(pane.getByRole('definition').getByText(t('editor.details.covers.drawn'))).toBeVisible()
  await expect(cover).toHaveCount(1)
  await pane.getByRole('button', { name: t('editor.details.coverChange') }).click()
  const details = page.getByRole('dialog', { name: t('editor.details.title') })
  await details.getByText(t('editor.details.covers.none'), { exact: true }).click()
  await expect(pane.getByRole('definition').getByText(t('editor.details.covers.none'))).toBeVisible()
  await expect(cover).toHaveCount(0)
})

test('text written offline stays on the device, survives a reload, and is saved afterwards', async ({
  page,
  context,
  t,
  language,
  baseURL,
}) => {
  const { path, api } = await createDraft(page, baseURL, language)
  const editor = new EditorScreen(page, t)
  await page.goto(path)
  await editor.text.click()
  await editor.type('Before. ')
  await expect.poll(() => savedJson(page, api)).toContain('Before.')
  await setOffline(context, true)
  await editor.type('Without a network.')
  await expect(page.getByText(t('editor.save.away'))).toBeVisible()
  expect(await savedJson(page, api)).not.toContain('Without a network.')
  await setOffline(context, false)
  await page.reload()
  await expect(editor.text).toContainText('Without a network.')
  await expect.poll(() => savedJson(page, api)).toContain('Without a network.')
})

test('an owner signs up and saves a draft without a mouse', async ({ page, t }) => {
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
  // The page before it also has a heading, and stays until this one is loaded.
  await expect(page.getByRole('button', { name: t('shell.newPublication') })).toBeVisible()
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/publish\/create\/\w+/)
  const editor = new EditorScreen(page, t)
  await expect(editor.title).toBeFocused()
  await page.keyboard.type('Written without a mouse')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(editor.text).toBeFocused()
  await page.keyboard.press('Control+b')
  await page.keyboard.type('Every word of it.')
  const id = page.url().split('/').at(-1)
  const { newsletters } = await (await page.request.get('/api/newsletters')).json()
  const api = `/api/newsletters/${newsletters[0].id}/publications/${id}`
  await expect.poll(() => savedJson(page, api)).toContain('Every word of it.')
  expect(await savedJson(page, api)).toMatch(/"title":"Written without a mouse"/)
  expect(await savedJson(page, api)).toContain('"bold"')
})

async function createDraft(page: Page, baseURL: string | undefined, language: Language) {
  const { id } = await createNewsletter(page, baseURL, language)
  const path = `/api/newsletters/${id}/publications`
  const made = await page.request.post(path, { data: { title: 'A draft' }, headers: { origin: baseURL ?? '' } })
  const publication = (await made.json()) as { id: string }
  return { path: `/publish/create/${publication.id}`, api: `${path}/${publication.id}` }
}

/** The publication as the server has it, as JSON text. */
const savedJson = async (page: Page, api: string): Promise<string> => (await page.request.get(api)).text()

/** Cuts the owner app off from the server, or connects it again. The test itself still reaches the server. */
async function setOffline(context: BrowserContext, offline: boolean): Promise<void> {
  const everything = '**/api/newsletters/**'
  if (offline) await context.route(everything, (route) => route.abort())
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

test('on a phone a preview takes the place of the tools too, and gives it back', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path } = await createDraft(page, baseURL, language)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(path)
  const tools = page.getByRole('toolbar', { name: t('editor.tool.formatting') })
  await expect(tools).toBeVisible()
  await page.getByRole('button', { name: t('publish.preview.title') }).click()
  const pane = page.getByRole('complementary', { name: t('publish.preview.title') })
  await expect(pane).toBeFocused()
  await expect(tools).toBeHidden()
  await page.getByRole('button', { name: t('publish.preview.close') }).click()
  await expect(tools).toBeVisible()

  // Escape closes it too, also from within the letter.
  const open = page.getByRole('button', { name: t('publish.preview.title'), exact: true })
  await expect(open).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(pane).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(pane).toBeHidden()
  await expect(open).toBeFocused()
  await page.keyboard.press('Enter')
  await pane.locator('iframe').contentFrame().locator('body').click()
  await page.keyboard.press('Escape')
  await expect(pane).toBeHidden()
})
